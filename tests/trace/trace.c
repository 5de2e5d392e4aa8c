#include "base/buf.h"
#include "file/safetensors.h"
#include "sample.h"
#include "suite.h"

#include <math.h>
#include <string.h>

static struct sample_data d;
static struct trace *t;
static struct err err;

static void set_up(void)
{
	t = sample_new(&d);
}

static void tear_down(void)
{
	trace_free(t);
}

START_TEST(a_good_trace_passes)
{
	ck_assert_msg(trace_check(t, &err) == 0, "%s", err.text);
	t->nsteps = 0;
	t->maps[0].rows = t->maps[1].rows = 0;
	ck_assert_msg(trace_check(t, &err) == 0, "%s", err.text);
}
END_TEST

/* Each violation of the contract: how to commit it, and what the sentence must mention. */
#define VIOLATIONS(X)                                                                              \
	X(t->nsource = 0, "no source")                                                             \
	X(t->source[1].text = NULL, "source token 1 has no text")                                  \
	X(t->source[2].state.v = NULL, "missing or infinite")                                      \
	X(t->source[2].state.n = 1, "another size")                                                \
	X(d.vec[1] = NAN, "missing or infinite")                                                   \
	X(t->max_steps = 1, "room for 1")                                                          \
	X(t->steps = NULL, "no timesteps")                                                         \
	X(t->steps[1].emitted = NULL, "timestep 1 has a token without text")                       \
	X(t->steps[0].logprob = 0.5f, "log-probability")                                           \
	X(t->steps[0].logprob = NAN, "log-probability")                                            \
	X(t->steps[1].norm = INFINITY, "partition")                                                \
	X(t->steps[1].entropy = -1, "entropy")                                                     \
	X(t->steps[0].ntop = TRACE_TOP + 1, "candidates")                                          \
	X(t->steps[0].top[1].token = NULL, "candidate without text")                               \
	X(t->steps[0].top[1].p = -0.1f, "probability")                                             \
	X(t->steps[0].top[0].p = 1.5f, "probability")                                              \
	X(t->steps[0].top[1].p = 0.9f, "out of order")                                             \
	X(t->steps[0].logits.n = 1, "number of logits")                                            \
	X(d.logits[0] = NAN, "missing or infinite")                                                \
	X(t->steps[1].state.n = 1, "another size")                                                 \
	X(t->steps[1].soft.n = 2, "soft weights")                                                  \
	X(d.soft[0] = 0.75f, "more than 1")                                                        \
	X(t->maps[0].rows = 1, "number of rows")                                                   \
	X(t->maps[0].cols = 2, "number of columns")                                                \
	X(t->maps[0].kind = TRACE_ENCODER, "number of rows")                                       \
	X(t->maps[0].kind = TRACE_KIND_COUNT, "unknown kind")                                      \
	X(t->maps[0].type = TRACE_TYPE_COUNT, "unknown kind")                                      \
	X(t->maps[0].head = -1, "negative layer or head")                                          \
	X(t->maps[0].data = NULL, "no numbers")                                                    \
	X(t->maps[1].type = TRACE_WEIGHTS, "twice")                                                \
	X(d.weights[0] = NAN, "not finite")                                                        \
	X(d.weights[0] = -0.25f, "negative weight")                                                \
	X(d.weights[0] = 0.498f, "less than 1")                                                    \
	X(d.weights[0] = 0.502f, "more than 1")                                                    \
	X((t->about.partial = true, d.weights[0] = 0.502f), "more than 1")                         \
	X((t->about.partial = true, d.weights[4] = 0), "less than 1")                              \
	X(d.scores[2] = INFINITY, "not a number")                                                  \
	X(d.scores[2] = NAN, "not a number")                                                       \
	X((t->maps[1].type = TRACE_HARD, d.scores[3] = d.scores[5] = 0), "neither 0 nor 1")        \
	X(t->about.head = -1, "negative layer or head")                                            \
	X(t->links[0].source = 3, "link 0")                                                        \
	X(t->links[0].target = -1, "link 0")

static const char *const violations[] = {
#define X(commit, mentions) mentions,
	VIOLATIONS(X)
#undef X
};

static void commit_violation(int which)
{
	int i = 0;

#define X(commit, mentions)                                                                        \
	if (i++ == which)                                                                          \
		(void)(commit);
	VIOLATIONS(X)
#undef X
}

START_TEST(every_violation_is_caught)
{
	commit_violation(_i);
	ck_assert_int_eq(trace_check(t, &err), -1);
	ck_assert_msg(strstr(err.text, violations[_i]), "\"%s\" in \"%s\"", violations[_i],
		      err.text);
}
END_TEST

START_TEST(partial_rows_may_sum_to_less)
{
	d.weights[4] = 0.75f;
	ck_assert_int_eq(trace_check(t, &err), -1);
	t->about.partial = true;
	ck_assert_msg(trace_check(t, &err) == 0, "%s", err.text);
}
END_TEST

/* A decoder map of the sample's two timesteps in place of map `at`, of that type. */
static void decoder_map(size_t at, enum trace_type type, float *cells)
{
	t->maps[at] = (struct trace_map){.kind = TRACE_DECODER,
					 .type = type,
					 .rows = SAMPLE_T,
					 .cols = SAMPLE_T,
					 .data = cells,
					 .row_stride = SAMPLE_T,
					 .col_stride = 1};
}

START_TEST(a_decoder_map_is_a_triangle)
{
	float weights[4] = {1, 0, 0.5f, 0.5f}, scores[4] = {2, -INFINITY, -1, -1};
	float hard[4] = {1, 0, 1, 0};

	decoder_map(0, TRACE_WEIGHTS, weights);
	decoder_map(1, TRACE_SCORES, scores);
	ck_assert_msg(trace_check(t, &err) == 0, "%s", err.text);
	scores[1] = 0;
	ck_assert_int_eq(trace_check(t, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "map 1 lets a token look at one that comes after"));
	decoder_map(1, TRACE_HARD, hard);
	ck_assert_msg(trace_check(t, &err) == 0, "%s", err.text);
	hard[1] = 1;
	ck_assert_int_eq(trace_check(t, &err), -1);
	weights[0] = weights[1] = 0.5f;
	ck_assert_int_eq(trace_check(t, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "map 0 lets a token look at one that comes after"));
}
END_TEST

START_TEST(numbers_of_every_type_and_stride)
{
	static const float want[2][2] = {{0.5f, -2}, {0.25f, 3}};
	/* one byte in front: data in a mapped file need not be aligned; columns are 2 apart, rows 5
	 */
	unsigned char bytes[1 + 8 * 8] = {0};
	struct trace_map m = {
		.rows = 2, .cols = 2, .data = bytes + 1, .row_stride = 5, .col_stride = 2};
	float row[2];

	for (int type = ST_F32; type <= ST_BF16; type++) {
		for (int i = 0; i < 4; i++) {
			float f = want[i / 2][i % 2];
			double x = (double)f;
			uint16_t half = f16_from_float(f), bf = bf16_from_float(f);
			int at = i / 2 * 5 + i % 2 * 2;

			if (type == ST_F32)
				memcpy(bytes + 1 + at * 4, &f, 4);
			else if (type == ST_F64)
				memcpy(bytes + 1 + at * 8, &x, 8);
			else
				memcpy(bytes + 1 + at * 2, type == ST_F16 ? &half : &bf, 2);
		}
		m.dtype = (enum st_dtype)type;
		for (size_t r = 0; r < 2; r++) {
			trace_row(&m, r, row);
			ck_assert_float_eq(row[0], want[r][0]);
			ck_assert_float_eq(row[1], want[r][1]);
			ck_assert_float_eq(trace_at(&m, r, 1), want[r][1]);
		}
	}
}
END_TEST

START_TEST(finds_maps_by_what_they_are)
{
	ck_assert_ptr_eq(trace_find(t, TRACE_CROSS, 0, 0, TRACE_WEIGHTS), &t->maps[0]);
	ck_assert_ptr_eq(trace_find(t, TRACE_CROSS, 0, 0, TRACE_SCORES), &t->maps[1]);
	ck_assert_ptr_null(trace_find(t, TRACE_CROSS, 0, 1, TRACE_SCORES));
	ck_assert_ptr_null(trace_find(t, TRACE_DECODER, 0, 0, TRACE_SCORES));
	ck_assert_ptr_eq(trace_walked(t, TRACE_SCORES), &t->maps[1]);
	t->about.head = 1;
	ck_assert_ptr_null(trace_walked(t, TRACE_SCORES));
	t->maps[1].head = 1;
	ck_assert_ptr_eq(trace_walked(t, TRACE_SCORES), &t->maps[1]);
}
END_TEST

START_TEST(a_copy_shares_nothing)
{
	struct trace *c = trace_copy(t);

	d.weights[0] = d.vec[0] = d.soft[0] = d.logits[0] = 99;
	t->steps[0].token = t->source[0].text = "changed";
	ck_assert_msg(trace_check(c, &err) == 0, "%s", err.text);
	ck_assert_float_eq(trace_at(&c->maps[0], 0, 0), 0.5f);
	ck_assert_float_eq(c->source[0].state.v[0], 1);
	ck_assert_str_eq(c->steps[0].token, "le");
	ck_assert_str_eq(c->steps[0].top[1].token, "autre");
	ck_assert_str_eq(c->source[0].text, "The");
	ck_assert_uint_eq(c->max_steps, c->nsteps);
	trace_free(c);
}
END_TEST

static const struct {
	enum trace_writing writing;
	const char *tokens[8], *want;
} joins[] = {
	{TRACE_WORDS, {"le", "chat", "dort", ".", "</s>"}, "le chat dort."},
	{TRACE_WORDS, {"Tom", "'s", "cat", ",", "and", "I", "!"}, "Tom's cat, and I!"},
	{TRACE_WORDS, {"aujourd'hui", "s'", "il", "vous", "plaît"}, "aujourd'hui s'il vous plaît"},
	{TRACE_WORDS, {"Zhang_San", "?"}, "Zhang San?"},
	{TRACE_CHINESE, {"Bob", "Dylan", "追逐", "Tom", "，", "他"}, "Bob Dylan追逐Tom，他"},
	{TRACE_CHARS, {"3", "_", "m", "a", "y"}, "3 may"},
	{TRACE_WORDS, {"</s>"}, ""},
	{TRACE_WORDS, {"l'", "eau", ",", "il", "(", "non", ")"}, "l'eau, il (non)"},
	{TRACE_WORDS, {"a", "\033[31m", "b"}, "a ␛[31m b"},
	{TRACE_CHINESE, {"汤姆", "追逐", "杰瑞", "。", "</s>"}, "汤姆追逐杰瑞。"},
	{TRACE_CHINESE, {"汤姆", "Wug", "Wag", "杰瑞"}, "汤姆Wug Wag杰瑞"},
	{TRACE_CHARS, {"1", "_", "M", ".", "</s>"}, "1 M."},
};

START_TEST(target_text_is_written_as_the_language_is)
{
	struct trace_step steps[8] = {0};
	struct trace u = {.steps = steps, .about.writing = joins[_i].writing};
	struct buf b = {0};

	for (; u.nsteps < 8 && joins[_i].tokens[u.nsteps]; u.nsteps++)
		steps[u.nsteps].token = steps[u.nsteps].emitted = joins[_i].tokens[u.nsteps];
	trace_target_text(&u, &b);
	ck_assert_str_eq(buf_str(&b), joins[_i].want);
	buf_free(&b);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("trace", &tc);

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, a_good_trace_passes);
	tcase_add_loop_test(tc, every_violation_is_caught, 0,
			    sizeof violations / sizeof *violations);
	tcase_add_test(tc, partial_rows_may_sum_to_less);
	tcase_add_test(tc, a_decoder_map_is_a_triangle);
	tcase_add_test(tc, numbers_of_every_type_and_stride);
	tcase_add_test(tc, finds_maps_by_what_they_are);
	tcase_add_test(tc, a_copy_shares_nothing);
	tcase_add_loop_test(tc, target_text_is_written_as_the_language_is, 0,
			    sizeof joins / sizeof *joins);
	return suite_main(s);
}
