/* The evidence process alone, for test_evidence. */
#include "evidence/evidence.h"

int main(void)
{
	return evidence_child_main();
}
