/*
 * follow.c - traces that arrive in pieces: whole lines only, the beginning of one is kept, bad
 * lines are one sentence and cost nothing else.
 */
#include "suite.h"

#include "base/buf.h"
#include "base/rng.h"
#include "import/follow.h"
#include "trace/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char doc[] =
	"{\"format\":\"attnscope-trace\",\"version\":1,\"source\":[\"a\",\"b\"],"
	"\"target\":[\"%d\"],\"maps\":[{\"kind\":\"cross\",\"layer\":0,\"head\":0,"
	"\"rows\":1,\"cols\":2,\"type\":\"weights\",\"values\":[[0.25,0.75]]}]}";

static struct import_follow *follow(const char *format)
{
	struct import_follow *f;

	ck_assert_int_eq(import_follow_new(&f, "pipe", format, NULL), 0);
	return f;
}

static void feed(struct import_follow *f, const char *text)
{
	ck_assert_int_eq(import_follow_feed(f, text, strlen(text), NULL), 0);
}

/* The first target token of the next sentence, "" if there is none. */
static const char *next(struct import_follow *f)
{
	static char token[64];
	struct trace *t;
	struct err err = {0};
	int rc = import_follow_next(f, &t, &err);

	ck_assert_msg(rc >= 0, "%s", err.text);
	ck_assert(rc == (t != NULL));
	snprintf(token, sizeof token, "%s", rc ? t->steps[0].token : "");
	trace_free(t);
	return token;
}

static void expect_bad(struct import_follow *f, const char *want)
{
	struct trace *t;
	struct err err = {0};
	char text[1024];

	ck_assert_int_eq(import_follow_next(f, &t, &err), -1);
	ck_assert_ptr_null(t);
	ck_assert_str_eq(err_format(&err, text, sizeof text), want);
}

START_TEST(a_document_in_any_pieces)
{
	struct rng rng = rng_seed(7);
	struct buf all = {0};
	int got = 0;

	for (int i = 0; i < 20; i++) {
		buf_printf(&all, doc, i);
		buf_puts(&all, i % 3 ? "\n" : "\r\n");
	}
	for (int round = 0; round < 50; round++) {
		struct import_follow *f = follow(NULL);

		got = 0;
		for (size_t at = 0, n; at < all.len; at += n) {
			const char *token;

			n = 1 + rng_below(&rng, round < 10 ? 7 : 900);
			n = n < all.len - at ? n : all.len - at;
			ck_assert_int_eq(import_follow_feed(f, all.data + at, n, NULL), 0);
			while (*(token = next(f)))
				ck_assert_int_eq(atoi(token), got++);
		}
		ck_assert_int_eq(got, 20);
		import_follow_free(f);
	}
	buf_free(&all);
}
END_TEST

START_TEST(the_beginning_of_a_line_is_kept)
{
	struct import_follow *f = follow("attnscope");
	char text[512];

	snprintf(text, sizeof text, doc, 1);
	ck_assert_int_eq(import_follow_feed(f, text, 30, NULL), 0);
	ck_assert_str_eq(next(f), "");
	ck_assert_uint_eq(import_follow_partial(f), 30);
	feed(f, text + 30);
	ck_assert_str_eq(next(f), "");
	/* no end of the line, but no more will come */
	import_follow_end(f);
	ck_assert_str_eq(next(f), "1");
	ck_assert_str_eq(next(f), "");
	ck_assert_uint_eq(import_follow_partial(f), 0);
	import_follow_free(f);
}
END_TEST

START_TEST(a_bad_line_is_named_and_left_out)
{
	struct import_follow *f = follow("attnscope");
	char text[512];

	feed(f, "\n{\"format\":\"attnscope-trace\"}\n{\n");
	snprintf(text, sizeof text, doc, 4);
	feed(f, text);
	feed(f, "\n");
	expect_bad(f, "pipe:2: version: only version 1 is known");
	expect_bad(f, "pipe:3: bad JSON: the text ends too early");
	ck_assert_str_eq(next(f), "4");
	import_follow_free(f);
}
END_TEST

/* marian-decoder | attnscope open - */
START_TEST(other_formats_of_one_sentence_a_line)
{
	struct import_follow *f = follow(NULL);
	struct trace *t;

	feed(f, "le chat ||| 0.5,0.5 0.25,0.75 0,1\n");
	ck_assert_int_eq(import_follow_next(f, &t, NULL), 1);
	ck_assert_uint_eq(t->nsteps, 3);
	ck_assert(trace_at(&t->maps[0], 1, 1) == 0.75f);
	feed(f, "noir ||| 1,0 0");
	ck_assert_str_eq(next(f), "");
	feed(f, ",1\n");
	/* the first one owns all it has */
	ck_assert_str_eq(t->steps[0].token, "le");
	trace_free(t);
	ck_assert_str_eq(next(f), "noir");
	import_follow_free(f);
	/* several sentences on one line */
	f = follow(NULL);
	feed(f,
	     "{\"source\":[\"a\"],\"hypotheses\":[[\"b\"],[\"c\"]],\"attention\":[[[1]],[[1]]]}\n");
	ck_assert_str_eq(next(f), "b");
	feed(f, "{");
	ck_assert_str_eq(next(f), "c");
	ck_assert_str_eq(next(f), "");
	import_follow_free(f);
}
END_TEST

START_TEST(what_cannot_be_followed)
{
	struct import_follow *f;
	struct err err = {0};

	ck_assert_int_eq(import_follow_new(&f, "x", "npz", &err), -1);
	ck_assert_ptr_null(f);
	ck_assert_int_eq(err.code, ERR_USAGE);
	ck_assert_str_eq(err.text, "\"npz\" cannot be followed: it is not one sentence a line, as "
				   "attnscope, ctranslate2, sockeye-json, opennmt-tf, marian, bitext, pharaoh are");
	ck_assert_int_eq(import_follow_new(&f, "x", "nosuch", &err), -1);
	f = follow(NULL);
	feed(f, "hello world\n");
	expect_bad(f, "pipe:1: none of the known formats; name one with --format");
	import_follow_free(f);
	import_follow_free(NULL);
}
END_TEST

START_TEST(a_line_without_end)
{
	struct import_follow *f = follow("pharaoh");
	size_t n = 1 << 20, fed = 0;
	char *block = malloc(n), text[256];
	struct err err = {0};

	feed(f, "0-0\n");
	memset(block, '1', n);
	while (import_follow_feed(f, block, n, &err) == 0)
		ck_assert_uint_lt(fed += n, (size_t)IMPORT_FOLLOW_LINE + 1);
	ck_assert_str_eq(err_format(&err, text, sizeof text),
			 "pipe:2: the line is longer than 67108864 bytes: left out");
	ck_assert_uint_eq(import_follow_partial(f), 0);
	ck_assert_int_eq(import_follow_feed(f, block, n, &err), 0);
	feed(f, "11\n1-1 x\n0-1\n");
	ck_assert_str_eq(next(f), "1");
	expect_bad(f, "pipe:3: \"x\" is not a link such as 3-4");
	ck_assert_str_eq(next(f), "1");
	import_follow_free(f);
	free(block);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("follow", &tc);

	tcase_add_test(tc, a_document_in_any_pieces);
	tcase_add_test(tc, the_beginning_of_a_line_is_kept);
	tcase_add_test(tc, a_bad_line_is_named_and_left_out);
	tcase_add_test(tc, other_formats_of_one_sentence_a_line);
	tcase_add_test(tc, what_cannot_be_followed);
	tcase_add_test(tc, a_line_without_end);
	return suite_main(s);
}
