#include <stdio.h>

#include "base/hash.h"
#include "base/i18n.h"
#include "cli/act.h"
#include "cli/cli.h"


enum { OPT_STATE };
const struct cli_opt cmd_verify_opts[] = {
	[OPT_STATE] = CLI_OPT_STATE,
	{ NULL, 0, NULL, NULL },
};

int cmd_verify(const struct cli_args *a)
{
	struct err e = ERR_INIT;
	struct reader *r;
	struct digest head;
	uint64_t n = 0, bad = 0;
	char hex[DIGEST_TEXT_LEN + 1];
	int rc;

	r = record_open(a->value[OPT_STATE]);
	if (r == NULL)
		return CLI_FAIL;
	rc = reader_verify(r, &n, &bad, &e);
	if (rc == 0) {
		head = reader_head(r);
		digest_text(&head, hex);
		printf(P_("%llu record, chain holds\n", "%llu records, chain holds\n", n),
			(unsigned long long)n);
		printf(_("last hash %s\n"), hex);
	} else if (rc == 1) {
		/* The reason quotes no bytes of the record, and passed the escaper. */
		printf(_("does not hold: %s\n"), e.text);
		printf(_("first bad record: %llu\n"), (unsigned long long)bad);
	}
	reader_close(&r);
	return rc == 0 ? CLI_YES : rc == 1 ? CLI_NO : cli_fail_err(&e);
}
