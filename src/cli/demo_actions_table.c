/*
 * demo_actions_table.c - what the demo's agent asks for. One row adds one.
 */
#include "base/i18n.h"
#include "cli/demo.h"

const char demo_rules[] =
	"[obstat]\n"
	"\tagent = " DEMO_AGENT "\n"
	"[rule \"read-the-plan\"]\n"
	"\ttool = Bash\n"
	"\targ = cat\n"
	"\targ = docs/plan.md\n"
	"\tdecide = allow\n"
	"[rule \"orders-api\"]\n"
	"\thost = api.shop.example\n"
	"\tcare = confirm\n"
	"\tdecide = ask\n";

const struct demo_file demo_files[] = {
	{ "docs/plan.md", "# Plan\n\n1. refunds\n2. the new order service\n" },
	{ "src/pay.c",
		"#include \"pay.h\"\n"
		"\n"
		"/* Cents, never a floating number. */\n"
		"int pay(struct account *a, long cents)\n"
		"{\n"
		"\tif (cents <= 0)\n"
		"\t\treturn -1;\n"
		"\tif (a->balance < cents)\n"
		"\t\treturn -1;\n"
		"\ta->balance -= cents;\n"
		"\treturn 0;\n"
		"}\n" },
	{ "src/old_pay.c", "int old_pay(void)\n{\n\treturn 0;\n}\n" },
};
const size_t n_demo_files = sizeof(demo_files) / sizeof(demo_files[0]);

const struct demo_action demo_actions[] = {
	{ .name = "read", .title = N_("a harmless read"),
		.params = "{\"kind\":\"command\",\"tool\":\"Bash\","
			"\"words\":\"see what is planned\",\"action\":"
			"{\"command\":\"cat docs/plan.md\",\"cwd\":\"@\"}}",
		.alone = true },
	{ .name = "edit", .title = N_("an edit over three files"),
		.params = "{\"kind\":\"edit\",\"tool\":\"apply_patch\","
			"\"words\":\"small clean-up of the payment code\",\"action\":"
			"{\"changes\":["
			"{\"path\":\"@/src/pay.c\",\"op\":\"modify\",\"fragment\":true,"
			"\"old_text\":\"\\tif (a->balance < cents)\\n\\t\\treturn -1;\\n\","
			"\"new_text\":\"\\tif (a->balance + a->credit < cents)\\n"
			"\\t\\treturn -1;\\n\"},"
			"{\"path\":\"@/src/refund.c\",\"op\":\"add\",\"new_text\":"
			"\"#include \\\"pay.h\\\"\\n\\n"
			"int refund(struct account *a, long cents)\\n{\\n"
			"\\ta->balance += cents;\\n\\treturn 0;\\n}\\n\"},"
			"{\"path\":\"@/src/old_pay.c\",\"op\":\"delete\"}]}}",
		.deeds = { DEED_APPROVE_UNSEEN, DEED_SEE, DEED_APPROVE } },
	{ .name = "push", .title = N_("a force-push"),
		.params = "{\"kind\":\"command\",\"tool\":\"Bash\","
			"\"words\":\"publish my branch\",\"action\":"
			"{\"command\":\"git push --force origin main\",\"cwd\":\"@\"}}",
		.reason = N_("never over main; open a pull request"),
		.deeds = { DEED_SEE, DEED_DENY } },
	{ .name = "sql", .title = N_("SQL without WHERE"),
		.params = "{\"kind\":\"sql\",\"tool\":\"db.query\","
			"\"words\":\"remove the test rows\",\"action\":"
			"{\"sql\":\"DELETE FROM invoices;\",\"dialect\":\"postgresql\","
			"\"target\":\"postgres://billing@db1.shop.example/prod\"}}",
		.reason = N_("this empties the table"),
		.deeds = { DEED_SEE, DEED_DENY } },
	{ .name = "post", .title = N_("a POST with a JSON body"),
		.params = "{\"kind\":\"http\",\"tool\":\"fetch\","
			"\"words\":\"order the paper\",\"action\":{\"method\":\"POST\","
			"\"url\":\"https://api.shop.example/v1/orders\","
			"\"headers\":[[\"Content-Type\",\"application/json\"]],"
			"\"body\":\"{\\\"item\\\":\\\"A4 paper\\\",\\\"boxes\\\":40,"
			"\\\"ship_to\\\":{\\\"city\\\":\\\"Lübeck\\\"}}\"}}",
		.deeds = { DEED_SEE, DEED_APPROVE, DEED_APPROVE_TYPED } },
	{ .name = "pay", .title = N_("a payment through a tool"),
		.params = "{\"kind\":\"tool\",\"words\":\"pay the printer\",\"action\":"
			"{\"server\":\"bank\",\"name\":\"create_payment\",\"arguments\":"
			"{\"amount\":\"4800.00\",\"currency\":\"EUR\","
			"\"to\":\"Print & Copy\",\"memo\":\"invoice 2041\"}}}",
		.reason = N_("the invoice says 480"),
		.deeds = { DEED_SEE, DEED_APPROVE, DEED_TAKE_BACK, DEED_DENY } },
	{ .name = "hidden", .title = N_("a command with hidden characters"),
		.params = "{\"kind\":\"command\",\"tool\":\"Bash\","
			"\"words\":\"back up the notes\",\"action\":{\"command\":"
			"\"cp notes.txt back\\u200Bup/ \\u202E; rm notes.txt \\u202C# tidy\","
			"\"cwd\":\"@\"}}",
		.reason = N_("this does not read as it runs"),
		.deeds = { DEED_SEE, DEED_DENY } },
	{ .name = "key", .title = N_("a question that asks for an API key"),
		.params = "{\"kind\":\"question\",\"tool\":\"ask_user\",\"action\":"
			"{\"text\":\"To go on I need the shop's API key. "
			"Please paste it here:\"}}",
		.reason = N_("keys are not given in a chat"),
		.deeds = { DEED_SEE, DEED_APPROVE, DEED_DENY } },
	{ .name = "again", .title = N_("the denied push, put another way"),
		.params = "{\"kind\":\"command\",\"tool\":\"Bash\","
			"\"words\":\"an ordinary push\",\"action\":"
			"{\"command\":\"git push origin +HEAD:refs/heads/main\","
			"\"cwd\":\"@\"}}",
		.reason = N_("the same push by another name"),
		.after_denied = "push",
		.deeds = { DEED_SEE, DEED_DENY } },
};
const size_t n_demo_actions = sizeof(demo_actions) / sizeof(demo_actions[0]);
