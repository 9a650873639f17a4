/* What the gate's start-up is compared with: the least a static program costs. */
int main(void)
{
	return 0;
}
