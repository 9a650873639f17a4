/*
 * fuzz_doc.c - stored documents from a damaged or hostile record: what
 * doc_decode() takes can be read in full, is printable, and encodes back to
 * the same bytes.
 */
#include <stdlib.h>

#include "model/doc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool ok)
{
	if (!ok)
		abort();
}

static void read_all(const struct doc *d)
{
	for (uint32_t i = 0; i < doc_lines(d); i++) {
		check(doc_line_kind(d, i) <= LINE_WORDS);
		for (uint32_t k = 0; k < doc_line_spans(d, i); k++) {
			struct doc_span s = doc_line_span(d, i, k);

			check(esc_is_clean(s.text) && s.role < ROLE_N);
			(void)doc_folded(&s);
		}
	}
	for (int m = 0; m < MARK_N; m++)
		for (uint32_t i = 0; i < doc_marks(d, (enum doc_mark)m); i++) {
			check(doc_mark_line(d, (enum doc_mark)m, i) < doc_lines(d));
			check(esc_is_clean(doc_mark_label(d, (enum doc_mark)m, i)));
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv in = { (const char *)data, size };
	struct doc *d = doc_decode(in, NULL);
	struct buf out;

	if (d == NULL)
		return 0;
	read_all(d);
	buf_init(&out, size);
	check(doc_encode(d, &out) == 0 && sv_eq(buf_sv(&out), in));
	buf_free(&out);
	doc_free(&d);
	return 0;
}
