/*
 * merge.c - pieces to words: every convention joins to exactly the words that were split, and
 * attention keeps its sums whatever the pieces are.
 */
#include "suite.h"

#include "base/rng.h"
#include "trace/merge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 24 };

/* A trace of these tokens (NULL ends them), all kinds of maps random with rows that sum to 1. */
static struct trace *make(const char *const *source, const char *const *target, uint64_t seed)
{
	struct trace *t = trace_new();
	struct rng rng = rng_seed(seed);

	while (source[t->nsource])
		t->nsource++;
	while (target[t->nsteps])
		t->nsteps++;
	t->max_steps = t->nsteps;
	t->finished = true;
	t->about.model = "made";
	t->source = arena_array(&t->arena, struct trace_source, t->nsource);
	t->steps = arena_array(&t->arena, struct trace_step, t->nsteps);
	for (size_t i = 0; i < t->nsource; i++)
		t->source[i].token = t->source[i].text = source[i];
	for (size_t i = 0; i < t->nsteps; i++) {
		t->steps[i].token = t->steps[i].emitted = target[i];
		t->steps[i].input = i ? target[i - 1] : "<s>";
		t->steps[i].logprob = -0.5f;
		t->steps[i].state = (struct trace_vec){1, &t->steps[i].logprob};
	}
	t->nmaps = 4;
	t->maps = arena_array(&t->arena, struct trace_map, t->nmaps);
	for (size_t k = 0; k < t->nmaps; k++) {
		struct trace_map *m = &t->maps[k];
		float *v;

		m->kind = (enum trace_kind)(k % 3);
		m->type = k == 3 ? TRACE_SCORES : TRACE_WEIGHTS;
		m->rows = m->kind == TRACE_ENCODER ? t->nsource : t->nsteps;
		m->cols = m->kind == TRACE_DECODER ? t->nsteps : t->nsource;
		m->row_stride = (ptrdiff_t)m->cols;
		m->col_stride = 1;
		m->data = v = arena_array(&t->arena, float, m->rows * m->cols);
		for (size_t r = 0; r < m->rows; r++) {
			size_t n = m->kind == TRACE_DECODER ? r + 1 : m->cols;
			float sum = 0;

			for (size_t c = 0; c < n; c++)
				sum += v[r * m->cols + c] = 0.01f + rng_float(&rng);
			for (size_t c = 0; c < n; c++)
				v[r * m->cols + c] /= sum;
		}
	}
	ck_assert_int_eq(trace_check(t, NULL), 0);
	return t;
}

static void check_sums(const struct trace *t)
{
	for (size_t k = 0; k < t->nmaps; k++)
		for (size_t r = 0; r < t->maps[k].rows; r++) {
			double sum = 0;

			for (size_t c = 0; c < t->maps[k].cols; c++)
				sum += (double)trace_at(&t->maps[k], r, c);
			ck_assert_double_eq_tol(sum, 1, 1e-6);
		}
}

/* ---- every convention ---- */

static const struct one {
	const char *token[MAX], *word[MAX];
} ones[] = {
	{{"the", "re@@", "str@@", "uc@@", "turing", "@@", "m@@", "</s>"},
	 {"the", "restructuring", "@@", "m", "</s>"}},
	{{"do@@", "n&apos;t", "&quot;", "&", "&amp;amp;", "a&#124;b", "&am"}, {"don't", "\"", "&", "&amp;", "a|b", "&am"}},
	{{"the</w>", "re", "struct", "uring</w>", ".</w>", "</s>"},
	 {"the", "restructuring", ".", "</s>"}},
	{{"[CLS]", "the", "re", "##struct", "##uring", "##s", ".", "##", "[SEP]"},
	 {"[CLS]", "the", "restructurings", ".", "##", "[SEP]"}},
	{{"\xe2\x96\x81the", "\xe2\x96\x81re", "struct", "uring", ".", "\xe2\x96\x81", "A", "<unk>",
	  "</s>"},
	 {"the", "restructuring.", "A<unk>", "</s>"}},
	/* Chinese has no spaces: its pieces are its words */
	{{"\xe2\x96\x81\xe5\xbc\xa0\xe4\xb8\x89", "\xe5\x8e\xbb", "\xe9\x93\xb6\xe8\xa1\x8c", "x",
	  "\xe2\x96\x81OK", "ay"},
	 {"\xe5\xbc\xa0\xe4\xb8\x89", "\xe5\x8e\xbb", "\xe9\x93\xb6\xe8\xa1\x8c", "x", "OKay"}},
	/* Korean has */
	{{"\xe2\x96\x81\xed\x95\x9c", "\xea\xb5\xad", "\xe2\x96\x81\xeb\xa7\x90"},
	 {"\xed\x95\x9c\xea\xb5\xad", "\xeb\xa7\x90"}},
	{{"the", "cat\xef\xbf\xad", "s", "\xef\xbf\xad,", "a", "\xef\xbf\xad", "b"},
	 {"the", "cats,", "ab"}},
	/* é is C3 A9, split over two tokens; 中 is E4 B8 AD, its last byte U+0143 */
	{{"<|endoftext|>", "The",
	  "\xc4\xa0"
	  "caf",
	  "\xc3\x83", "\xc2\xa9", "\xc4\xa0\xc3\xa4\xc2\xb8", "\xc5\x83", "\xc3\xa4\xc2\xb8",
	  "\xc5\x83", "\xc4\x8a", "x"},
	 {"<|endoftext|>", "The", "caf\xc3\xa9", "\xe4\xb8\xad", "\xe4\xb8\xad", "\n", "x"}},
	{{"<|endoftext|>", "Help", ",", " inter", "act", " with", "!!"},
	 {"<|endoftext|>", "Help,", "interact", "with!!"}},
	{{"The_", "an", "imal_", "did", "n_", "'_", "t_", "<EOS>"},
	 {"The", "animal", "didn", "'", "t", "<EOS>"}},
};

START_TEST(words_are_joined_exactly)
{
	static const char *const plain[] = {"a", "b", NULL};
	const struct one *o = &ones[_i];
	struct trace *t = make(o->token, plain, 3), *m = trace_merge(t);
	size_t n = 0;

	ck_assert_ptr_nonnull(m);
	while (o->word[n]) {
		ck_assert_uint_lt(n, m->nsource);
		ck_assert_str_eq(m->source[n].token, o->word[n]);
		ck_assert_str_eq(m->source[n].text, o->word[n]);
		n++;
	}
	ck_assert_uint_eq(m->nsource, n);
	ck_assert_uint_eq(m->nsteps, 2);
	ck_assert_int_eq(trace_check(m, NULL), 0);
	check_sums(m);
	trace_free(m);
	/* and as a target */
	trace_free(t);
	t = make(plain, o->token, 4);
	m = trace_merge(t);
	for (size_t i = 0; i < n; i++) {
		ck_assert_str_eq(m->steps[i].token, o->word[i]);
		ck_assert_str_eq(m->steps[i].emitted, o->word[i]);
		ck_assert_str_eq(m->steps[i].input, i ? o->word[i - 1] : "<s>");
	}
	ck_assert_uint_eq(m->nsteps, n);
	ck_assert_int_eq(trace_check(m, NULL), 0);
	check_sums(m);
	trace_free(m);
	trace_free(t);
}
END_TEST

static const struct {
	const char *token[MAX];
} wholes[] = {
	{{"the", "cat", "</s>"}},
	{{"\xc4\xa0"
	  "es\xc3\xb9",
	  "kien"}}, /* Maltese: no bytes of UTF-8 */
	{{"a_b", "_", "c"}},
	{{"@@", "##", "</s>"}},
	{{"[CLS]", "<pad>"}},
};

START_TEST(nothing_to_merge)
{
	struct trace *t = make(wholes[_i].token, wholes[_i].token, 5);

	ck_assert_ptr_null(trace_merge(t));
	trace_free(t);
}
END_TEST

/* ---- numbers ---- */

START_TEST(columns_are_summed_and_rows_averaged)
{
	static const char *const source[] = {"a@@", "b", "c", NULL}, *const target[] = {"x", "y@@",
											"z", NULL};
	static const float cross[] = {0.5f, 0.25f, 0.25f, 1, 0, 0, 0, 0.5f, 0.5f},
			   decoder[] = {1, 0, 0, 0.5f, 0.5f, 0, 0.25f, 0.25f, 0.5f},
			   want_cross[] = {0.75f, 0.25f, 0.75f, 0.25f},
			   want_encoder[] = {0.625f, 0.375f, 0.5f, 0.5f},
			   want_decoder[] = {1, 0, 0.375f, 0.625f};
	const float *want[] = {want_cross, want_encoder, want_decoder};
	struct trace *t = make(source, target, 1), *m;
	struct trace_link links[] = {{0, 1, false}, {1, 2, true}, {2, 0, true}, {2, 4, true}};

	t->maps[0].data = cross;
	t->maps[1].data = (const float[]){0.5f, 0.25f, 0.25f, 0, 0.5f, 0.5f, 0.25f, 0.25f, 0.5f};
	t->maps[2].data = decoder;
	t->links = links;
	t->nlinks = 4;
	m = trace_merge(t);
	ck_assert_int_eq(trace_check(m, NULL), 0);
	/* no scores, no vectors, no candidates */
	ck_assert_uint_eq(m->nmaps, 3);
	ck_assert_uint_eq(m->steps[0].state.n, 0);
	ck_assert(m->steps[0].logprob == -0.5f && m->steps[1].logprob == -1);
	for (size_t k = 0; k < 3; k++)
		for (size_t i = 0; i < 4; i++)
			ck_assert_msg(trace_at(&m->maps[k], i / 2, i % 2) == want[k][i],
				      "map %zu cell %zu is %g", k, i,
				      (double)trace_at(&m->maps[k], i / 2, i % 2));
	/* two links of pieces are one of words; what lies behind the end keeps its distance */
	ck_assert_uint_eq(m->nlinks, 3);
	ck_assert(m->links[0].source == 0 && m->links[0].target == 1 && m->links[0].sure);
	ck_assert(m->links[1].source == 1 && m->links[1].target == 0);
	ck_assert(m->links[2].target == 3);
	trace_free(m);
	trace_free(t);
}
END_TEST

START_TEST(hard_links_stay_hard)
{
	static const char *const source[] = {"a@@", "b", NULL}, *const target[] = {"x", NULL};
	struct trace *t = make(source, target, 1), *m;

	t->nmaps = 1;
	t->maps[0].type = TRACE_HARD;
	t->maps[0].data = (const float[]){1, 1};
	m = trace_merge(t);
	ck_assert_int_eq(trace_check(m, NULL), 0);
	ck_assert_int_eq(m->maps[0].type, TRACE_HARD);
	ck_assert(trace_at(&m->maps[0], 0, 0) == 1);
	trace_free(m);
	/* scores alone cannot be added up */
	t->maps[0].type = TRACE_SCORES;
	ck_assert_ptr_null(trace_merge(t));
	trace_free(t);
}
END_TEST

/* Random splits of random words: the words come back, sums stay, and merging again changes nothing.
 */
START_TEST(any_split_comes_back)
{
	struct rng rng = rng_seed((uint64_t)_i + 1);
	char piece[MAX][16], words[MAX][64];
	const char *token[MAX + 1] = {0};
	size_t n = 0, nwords = 0;
	struct trace *t, *m;

	while (n + 4 < MAX) {
		size_t k = 1 + rng_below(&rng, 3);

		words[nwords][0] = '\0';
		for (size_t i = 0; i < k; i++, n++) {
			char s[8];

			snprintf(s, sizeof s, "%c%c", (int)('a' + rng_below(&rng, 26)),
				 (int)('a' + rng_below(&rng, 26)));
			strcat(words[nwords], s);
			snprintf(piece[n], sizeof piece[n], "%s%s", s, i + 1 < k ? "@@" : "");
			token[n] = piece[n];
		}
		nwords++;
	}
	t = make(token, token, (uint64_t)_i);
	m = trace_merge(t);
	if (n == nwords) {
		ck_assert_ptr_null(m);
	} else {
		ck_assert_uint_eq(m->nsource, nwords);
		for (size_t i = 0; i < nwords; i++)
			ck_assert_str_eq(m->source[i].token, words[i]);
		ck_assert_int_eq(trace_check(m, NULL), 0);
		check_sums(m);
		ck_assert_ptr_null(trace_merge(m));
		trace_free(m);
	}
	trace_free(t);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("merge", &tc);

	tcase_add_loop_test(tc, words_are_joined_exactly, 0, (int)(sizeof ones / sizeof *ones));
	tcase_add_loop_test(tc, nothing_to_merge, 0, (int)(sizeof wholes / sizeof *wholes));
	tcase_add_test(tc, columns_are_summed_and_rows_averaged);
	tcase_add_test(tc, hard_links_stay_hard);
	tcase_add_loop_test(tc, any_split_comes_back, 0, 100);
	return suite_main(s);
}
