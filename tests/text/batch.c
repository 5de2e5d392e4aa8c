#include "text/batch.h"
#include "base/mem.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

static struct corpus corpus;
static struct vocab *src, *tgt;
static struct arena arena;
static struct sample *samples;

static void load(const char *text)
{
	struct err err;

	src = vocab_new();
	tgt = vocab_new();
	ck_assert_int_eq(corpus_parse(&corpus, text, strlen(text), "x", &err), 0);
	for (size_t i = 0; i < corpus.n; i++) {
		for (int k = 0; k < corpus.pairs[i].nsource; k++)
			vocab_add(src, corpus.pairs[i].source[k]);
		for (int k = 0; k < corpus.pairs[i].ntarget; k++)
			vocab_add(tgt, corpus.pairs[i].target[k]);
	}
	samples = batch_samples(&corpus, src, tgt, &arena);
}

static void unload(void)
{
	vocab_free(src);
	vocab_free(tgt);
	corpus_fini(&corpus);
	arena_free(&arena);
}

static void check_ids(const int *got, const int *want, int n, const char *what)
{
	for (int i = 0; i < n; i++)
		ck_assert_msg(got[i] == want[i], "%s[%d] = %d, expected %d", what, i, got[i],
			      want[i]);
}

START_TEST(padded_and_time_major)
{
	static const size_t index[] = {1, 0};
	struct batch b;

	load("a b c\tx y\t0-0 1-1 2-1\nd\tz\t0-0\n");
	batch_make(samples, index, 2, false, 0, NULL, NULL, &arena, &b);
	ck_assert_int_eq(b.B, 2);
	ck_assert_int_eq(b.S, 4);
	ck_assert_int_eq(b.T, 3);
	ck_assert_ptr_null(b.guide);
	ck_assert_int_eq(b.target_tokens, 5);
	check_ids(b.src, (int[]){7, 4, 2, 5, 0, 6, 0, 2}, 8, "src");
	check_ids(b.tgt_in, (int[]){1, 1, 6, 4, 0, 5}, 6, "tgt_in");
	check_ids(b.tgt_out, (int[]){6, 4, 2, 5, 0, 2}, 6, "tgt_out");
	check_ids(b.src_len, (int[]){2, 4}, 2, "src_len");
	check_ids(b.tgt_len, (int[]){2, 3}, 2, "tgt_len");
	unload();
}
END_TEST

/* Rows over links: sure ones win over possible ones, </s> on </s>, nothing where nothing is linked.
 */
START_TEST(guide_rows)
{
	static const float want[2][5][4] = {
		{{1, 0, 0, 0}, {0, .5f, .5f, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}},
		{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}},
	};
	static const size_t index[] = {0, 1};
	struct batch b;

	load("a b c\tx y z w\t0-0 1-1 2-1 2-2 1?2\nd\tz\t0?0\n");
	batch_make(samples, index, 2, true, 0, NULL, NULL, &arena, &b);
	ck_assert_int_eq(b.S, 4);
	ck_assert_int_eq(b.T, 5);
	for (int i = 0; i < 40; i++)
		ck_assert_float_eq(b.guide[i], ((const float *)want)[i]);
	unload();
}
END_TEST

START_TEST(every_sample_is_in_one_batch)
{
	size_t *index, *start, n, seen[1000] = {0}, padding = 0;
	struct rng rng = rng_seed(3), again = rng;
	size_t *index2, *start2, n2;
	char line[200];
	struct err err;

	load("a\ta\t\n");
	for (int i = 1; i < 1000; i++) {
		int len = snprintf(line, sizeof line, "%.*s\t%.*s\t", 2 * (i % 20) + 1,
				   "a a a a a a a a a a a a a a a a a a a a", 2 * (i % 17) + 1,
				   "a a a a a a a a a a a a a a a a a a a a");
		ck_assert_int_eq(corpus_parse(&corpus, line, (size_t)len, "x", &err), 0);
	}
	samples = batch_samples(&corpus, src, tgt, &arena);
	batch_plan(samples, corpus.n, 32, &rng, &arena, &index, &start, &n);
	ck_assert_uint_eq(n, 32);
	ck_assert_uint_eq(start[0], 0);
	ck_assert_uint_eq(start[n], 1000);
	for (size_t i = 0; i < n; i++) {
		int longest = 0, total = 0;

		ck_assert(start[i + 1] > start[i] && start[i + 1] - start[i] <= 32);
		for (size_t k = start[i]; k < start[i + 1]; k++) {
			seen[index[k]]++;
			total += samples[index[k]].nt;
			if (samples[index[k]].nt > longest)
				longest = samples[index[k]].nt;
		}
		padding += (size_t)longest * (start[i + 1] - start[i]) - (size_t)total;
	}
	for (int i = 0; i < 1000; i++)
		ck_assert_uint_eq(seen[i], 1);
	ck_assert_uint_lt(padding, 600); /* of 8970: unsorted batches would waste 7000 */
	batch_plan(samples, corpus.n, 32, &again, &arena, &index2, &start2, &n2);
	ck_assert_mem_eq(index, index2, 1000 * sizeof *index);
	unload();
}
END_TEST

START_TEST(one_word_is_copied_on_both_sides)
{
	static const size_t index[] = {0};
	struct rng rng = rng_seed(1);
	int hits[3] = {0}, none = 0;
	bool *copyable;
	struct batch b;

	/* a and d are linked one to one; b has two target words; c is only possible */
	load("a b c d\tw x y z v\t0-3 1-1 1-2 2?4 3-0\n");
	for (int i = 0; i < 400; i++) {
		batch_make(samples, index, 1, false, 0.5f, NULL, &rng, &arena, &b);
		ck_assert_int_ne(b.src[1], VOCAB_UNK);
		ck_assert_int_ne(b.src[2], VOCAB_UNK);
		ck_assert_int_eq(b.src[0] == VOCAB_UNK, b.tgt_out[3] == VOCAB_UNK);
		ck_assert_int_eq(b.src[0] == VOCAB_UNK, b.tgt_in[4] == VOCAB_UNK);
		ck_assert_int_eq(b.src[3] == VOCAB_UNK, b.tgt_out[0] == VOCAB_UNK);
		ck_assert_int_eq(b.src[3] == VOCAB_UNK, b.tgt_in[1] == VOCAB_UNK);
		hits[0] += b.src[0] == VOCAB_UNK;
		hits[1] += b.src[3] == VOCAB_UNK;
		none += b.src[0] != VOCAB_UNK && b.src[3] != VOCAB_UNK;
	}
	ck_assert(hits[0] > 60 && hits[1] > 60 && none > 150);
	copyable = arena_array(&arena, bool, (size_t)vocab_size(src));
	copyable[vocab_id(src, "d")] = true;
	for (int i = 0; i < 50; i++) {
		batch_make(samples, index, 1, false, 1, copyable, &rng, &arena, &b);
		ck_assert_int_eq(b.src[3], VOCAB_UNK);
		ck_assert_int_ne(b.src[0], VOCAB_UNK);
	}
	unload();
}
END_TEST

static void fill(TCase *c)
{
	tcase_add_test(c, padded_and_time_major);
	tcase_add_test(c, guide_rows);
	tcase_add_test(c, every_sample_is_in_one_batch);
	tcase_add_test(c, one_word_is_copied_on_both_sides);
}

int main(void)
{
	TCase *c;
	Suite *s = suite_of("batch", &c);

	tcase_set_timeout(c, 60);
	fill(c);
	return suite_main(s);
}
