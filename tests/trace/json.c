#include "base/buf.h"
#include "base/fs.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "sample.h"
#include "suite.h"
#include "trace/json.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct sample_data d;
static struct err err;

static struct trace *read_back(const struct buf *b)
{
	struct trace *t;

	ck_assert_msg(trace_json_read(b->data, b->len, "doc", &t, &err) == 0, "%s", err.text);
	return t;
}

static void assert_bits(float a, float b)
{
	ck_assert_msg(memcmp(&a, &b, sizeof a) == 0, "%.9g became %.9g", (double)a, (double)b);
}

static void assert_vec(struct trace_vec a, struct trace_vec b)
{
	ck_assert_uint_eq(a.n, b.n);
	for (size_t i = 0; i < a.n; i++)
		assert_bits(a.v[i], b.v[i]);
}

static void assert_steps(const struct trace_step *a, const struct trace_step *b, bool full)
{
	ck_assert_str_eq(a->token, b->token);
	ck_assert_str_eq(a->input, b->input);
	ck_assert_str_eq(a->emitted, b->emitted);
	assert_bits(a->logprob, b->logprob);
	assert_bits(a->norm, b->norm);
	assert_bits(a->entropy, b->entropy);
	ck_assert_int_eq(a->forced, b->forced);
	ck_assert_uint_eq(a->ntop, b->ntop);
	for (size_t i = 0; i < a->ntop; i++) {
		ck_assert_str_eq(a->top[i].token, b->top[i].token);
		assert_bits(a->top[i].p, b->top[i].p);
	}
	assert_vec(a->logits, b->logits);
	assert_vec(full ? a->state : (struct trace_vec){0}, b->state);
	assert_vec(full ? a->soft : (struct trace_vec){0}, b->soft);
}

static void assert_same(const struct trace *a, const struct trace *b, bool full)
{
	ck_assert_uint_eq(a->nsource, b->nsource);
	ck_assert_uint_eq(a->nsteps, b->nsteps);
	ck_assert_uint_eq(a->nmaps, b->nmaps);
	ck_assert_int_eq(a->finished, b->finished);
	for (size_t i = 0; i < a->nsource; i++) {
		ck_assert_str_eq(a->source[i].token, b->source[i].token);
		ck_assert_str_eq(a->source[i].text, b->source[i].text);
		ck_assert_int_eq(a->source[i].unknown, b->source[i].unknown);
		assert_vec(full ? a->source[i].state : (struct trace_vec){0}, b->source[i].state);
	}
	for (size_t i = 0; i < a->nsteps; i++)
		assert_steps(&a->steps[i], &b->steps[i], full);
	for (size_t i = 0; i < a->nmaps; i++) {
		ck_assert_int_eq(a->maps[i].kind, b->maps[i].kind);
		ck_assert_int_eq(a->maps[i].type, b->maps[i].type);
		for (size_t r = 0; r < a->maps[i].rows; r++)
			for (size_t c = 0; c < a->maps[i].cols; c++)
				assert_bits(trace_at(&a->maps[i], r, c),
					    trace_at(&b->maps[i], r, c));
	}
	assert_vec(full ? a->additive : (struct trace_vec){0}, b->additive);
	ck_assert_uint_eq(a->nreference, b->nreference);
	for (size_t i = 0; i < a->nreference; i++)
		ck_assert_str_eq(a->reference[i], b->reference[i]);
	ck_assert_uint_eq(a->nlinks, b->nlinks);
	ck_assert_int_eq(a->links[0].sure, b->links[0].sure);
}

START_TEST(what_is_written_is_read_back)
{
	struct trace *t = sample_new(&d), *u;
	struct buf b = {0};
	bool full = _i;

	t->about = (struct trace_about){.model = "m",
					.attention = "soft",
					.score = TRACE_SCORE_GENERAL,
					.score_scale = 0.3f,
					.guided = true,
					.writing = TRACE_CHARS};
	t->source[0].text = "\"\\\n\t\001\x7f";
	t->steps[0].emitted = "\u2028\u202e汤姆";
	t->steps[1].forced = true;
	t->additive = (struct trace_vec){SAMPLE_H, d.vec};
	(full ? trace_json_write_full : trace_json_write)(t, &b);
	ck_assert_ptr_null(memchr(b.data, '\n', b.len));
	u = read_back(&b);
	assert_same(t, u, full);
	ck_assert_str_eq(u->about.model, "m");
	ck_assert_int_eq(u->about.score, TRACE_SCORE_GENERAL);
	ck_assert_int_eq(u->about.writing, TRACE_CHARS);
	ck_assert(u->about.guided);
	assert_bits(u->about.score_scale, 0.3f);
	trace_free(u);
	trace_free(t);
	buf_free(&b);
}
END_TEST

/* A document may be printed as it is: every character of a token that a terminal would obey, or not show,
 * is escaped, and comes back. */
START_TEST(no_character_reaches_a_terminal_unescaped)
{
	static const char hidden[] = "a\u061cb\u200bc\u200d\u200e\u200fd\u202a\u202b\u202c\u202d\u202ee"
				     "\u2066\u2067\u2068\u2069f\ufeffg\u00adh\U000e0001i\U000e01efj\x9bk\x1bl"
				     "\xc2\x85m\u2060n\ue000o";
	struct trace *t = sample_new(&d), *u;
	struct buf b = {0}, seen = {0};
	const char *word = "e\u0301 \u6c64\u59c6 \u05e9\u05dc\u05d5\u05dd";

	/* a byte that is no UTF-8 is left out of what must come back */
	t->source[0].text = hidden;
	t->source[1].text = word;
	trace_json_write(t, &b);
	utf8_visible(&seen, b.data, b.len);
	ck_assert_str_eq(seen.data, b.data);
	ck_assert_ptr_nonnull(strstr(b.data, "d\\u202a\\u202b\\u202c\\u202d\\u202ee"));
	ck_assert_ptr_nonnull(strstr(b.data, "h\\udb40\\udc01i\\udb40\\uddefj\\ufffdk\\u001bl"));
	/* what is to be read stays readable */
	ck_assert_ptr_nonnull(strstr(b.data, word));
	u = read_back(&b);
	ck_assert_int_eq(strncmp(u->source[0].text, hidden, strlen("a\u061cb\u200bc\u200d\u200e\u200fd\u202a")), 0);
	ck_assert_ptr_nonnull(strstr(u->source[0].text, "g\u00adh\U000e0001i\U000e01efj"));
	trace_free(u);
	trace_free(t);
	buf_free(&b);
	buf_free(&seen);
}
END_TEST

/* A sentence of a trained model, every vector included: read and written it is the same file. */
START_TEST(a_real_recording_comes_back_byte_for_byte)
{
	const struct trace_map *alpha;
	struct buf b = {0};
	struct trace *t;
	char *text;
	size_t len;

	ck_assert_int_eq(fs_read(FIXTURES "/en-fr-gru.json", 1 << 20, &text, &len, &err), 0);
	ck_assert_msg(trace_json_read(text, len, "doc", &t, &err) == 0, "%s", err.text);
	trace_json_write_full(t, &b);
	buf_putc(&b, '\n');
	ck_assert_uint_eq(b.len, len);
	ck_assert_mem_eq(b.data, text, len);
	/* noir ← black */
	alpha = trace_find(t, TRACE_CROSS, 0, 0, TRACE_WEIGHTS);
	ck_assert_str_eq(t->steps[2].token, "noir");
	ck_assert_float_gt(trace_at(alpha, 2, 1), 0.5f);
	trace_free(t);
	buf_free(&b);
	free(text);
}
END_TEST

/* Any finite float: scores may hold them. */
START_TEST(floats_keep_every_bit)
{
	struct rng rng = rng_seed(11);
	struct trace *t = sample_new(&d), *u;
	struct buf b = {0};

	for (int round = 0; round < 3000; round++) {
		for (int i = 0; i < SAMPLE_T * SAMPLE_S; i++) {
			uint32_t bits = (uint32_t)rng_u64(&rng);

			memcpy(&d.scores[i], &bits, sizeof bits);
			if (!isfinite(d.scores[i]))
				d.scores[i] = round % 2 ? -0.0f : -INFINITY;
		}
		buf_clear(&b);
		trace_json_write(t, &b);
		u = read_back(&b);
		for (size_t i = 0; i < SAMPLE_T * SAMPLE_S; i++)
			assert_bits(d.scores[i], trace_at(&u->maps[1], i / SAMPLE_S, i % SAMPLE_S));
		trace_free(u);
	}
	trace_free(t);
	buf_free(&b);
}
END_TEST

START_TEST(bytes_that_are_no_text_become_a_sign)
{
	struct trace *t = sample_new(&d), *u;
	struct buf b = {0};

	t->source[0].text = "a\xff";
	trace_json_write(t, &b);
	u = read_back(&b);
	ck_assert_str_eq(u->source[0].text, "a\ufffd");
	trace_free(u);
	trace_free(t);
	buf_free(&b);
}
END_TEST

/* The document as other programs may write it: without all that may be left out. */
START_TEST(a_short_document_is_enough)
{
	static const char doc[] =
		"{\"format\":\"attnscope-trace\",\"version\":1,\"source\":[\"the\",\"</s>\"],"
		"\"target\":[\"le\",\"</"
		"s>\"],\"maps\":[{\"kind\":\"cross\",\"layer\":1,\"head\":7,\"rows\":2,"
		"\"cols\":2,\"type\":\"weights\",\"values\":[[1,0],[0.25,0.75]]},"
		"{\"kind\":\"cross\",\"layer\":1,\"head\":7,\"rows\":2,"
		"\"cols\":2,\"type\":\"scores\",\"values\":[[1,null],[0.25,0.75]]}]}\n";
	struct trace *t;
	const struct trace_map *m;

	ck_assert_msg(trace_json_read(doc, sizeof doc - 1, "doc", &t, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(t->nsteps, 2);
	ck_assert_str_eq(t->steps[1].input, "le");
	ck_assert_str_eq(t->source[1].text, "</s>");
	ck_assert(t->finished);
	m = trace_find(t, TRACE_CROSS, 1, 7, TRACE_SCORES);
	ck_assert_ptr_nonnull(m);
	ck_assert(isinf(trace_at(m, 0, 1)) && trace_at(m, 0, 1) < 0);
	trace_free(t);
}
END_TEST

/* A weight that another toolkit masked with NaN: null in a document, and NaN again when it is read. */
START_TEST(a_masked_weight_stays_masked)
{
	static const float w[] = {0.25f, NAN, 0.75f};
	struct trace *t = trace_new(), *back, *copy;
	struct buf b = {0};
	float x[3];

	t->nsource = 3;
	t->source = arena_array(&t->arena, struct trace_source, 3);
	for (size_t i = 0; i < 3; i++)
		t->source[i].token = t->source[i].text = "a";
	t->nsteps = t->max_steps = 1;
	t->steps = arena_array(&t->arena, struct trace_step, 1);
	t->steps[0].token = t->steps[0].emitted = t->steps[0].input = "b";
	t->nmaps = 1;
	t->maps = arena_array(&t->arena, struct trace_map, 1);
	t->maps[0] = (struct trace_map){
		.rows = 1, .cols = 3, .data = w, .row_stride = 3, .col_stride = 1, .nan_masked = true};
	trace_json_write(t, &b);
	ck_assert_ptr_nonnull(strstr(b.data, "[[0.25,null,0.75]]"));
	ck_assert_msg(trace_json_read(b.data, b.len, "doc", &back, &err) == 0, "%s", err.text);
	ck_assert(back->maps[0].nan_masked);
	copy = trace_copy(back);
	memcpy(x, copy->maps[0].data, sizeof x);
	ck_assert(isnan(x[1]) && x[2] == 0.75f);
	ck_assert_float_eq(trace_at(&copy->maps[0], 0, 1), 0);
	trace_free(copy);
	trace_free(back);
	trace_free(t);
	buf_free(&b);
}
END_TEST

#define HEAD   "{\"format\":\"attnscope-trace\",\"version\":1,"
#define TOKENS HEAD "\"source\":[\"a\",\"b\"],\"target\":[\"x\"],"
#define MAP    "\"maps\":[{\"kind\":\"cross\",\"layer\":0,\"head\":0,\"type\":\"weights\","
#define STEP   TOKENS "\"steps\":[{\"token\":\"x\",\"logprob\":-1,"

/* A damaged document and what its error must be. */
static const struct {
	const char *doc, *want;
} damaged[] = {
	{"", "doc: byte 0: bad JSON: the text ends too early"},
	{"{", "the text ends too early"},
	{"nonsense", "bad JSON"},
	{"{\"a\":}", "doc: byte 5: bad JSON"},
	{TOKENS "\"walk\":[1]}", "walk: 1 entries, 2 are expected"},
	{TOKENS "\"walk\":[0,-1]}", "walk: -1 is not in 0"},
	{"{\"a\":NaN}", "format: this is not an attnscope trace"},
	{"{\"a\":1,}", "bad JSON"},
	{"{/*c*/}", "bad JSON"},
	{"{} {}", "more text behind"},
	{"{\"a\":\"\xff\"}", "doc: byte 6: the text is not UTF-8"},
	{"{\"a\":\"\xc0\xaf\"}", "not UTF-8"},
	{"[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]", "nesting too deep"},
	{"[]", "a JSON object is expected"},
	{"null ", "a JSON object is expected"},
	{"{}", "format: this is not an attnscope trace"},
	{"{\"format\":3}", "format: this is not"},
	{"{\"format\":\"attnscope-trace\"}", "version: only version 1"},
	{"{\"format\":\"attnscope-trace\",\"version\":2}", "version: only version 1"},
	{HEAD "\"model\":[]}", "model: a text is expected"},
	{HEAD "\"score\":\"magic\"}", "score: \"magic\" is not known"},
	{HEAD "\"score\":7}", "score: a text is expected"},
	{HEAD "\"guided\":1}", "guided: true or false"},
	{HEAD "\"score_scale\":\"1\"}", "score_scale: a number"},
	{HEAD "\"target\":[]}", "source: a list of tokens"},
	{HEAD "\"source\":[]}", "source: no tokens"},
	{HEAD "\"source\":[\"a\",1]}", "source[1]: a text is expected"},
	{HEAD "\"source\":[\"a\",null]}", "source[1]: a text is expected"},
	{HEAD "\"source\":[\"a\"],\"words\":[]}", "words: 0 entries, 1 are expected"},
	{HEAD "\"source\":[\"a\"],\"unknown\":[1]}", "unknown[0]: 1 is not in 0…0"},
	{HEAD "\"source\":[\"a\"],\"unknown\":[-1]}", "unknown[0]: -1 is not in"},
	{HEAD "\"source\":[\"a\"],\"unknown\":{}}", "unknown: a list of indices"},
	{HEAD "\"source\":[\"a\"]}", "target: a list of tokens"},
	{TOKENS "\"maps\":{}}", "maps: a list of maps"},
	{TOKENS "\"maps\":[1]}", "maps[0]: a map"},
	{TOKENS "\"maps\":[{\"layer\":0,\"head\":0,\"rows\":1,\"cols\":2}]}", "maps[0]: \"kind\""},
	{TOKENS "\"maps\":[{\"kind\":\"across\"}]}", "maps[0].kind: \"across\" is not known"},
	{TOKENS MAP "\"cols\":2}]}", "maps[0].rows: a whole number is expected"},
	{TOKENS MAP "\"rows\":1.5,\"cols\":2}]}", "maps[0].rows: a whole number is expected"},
	{TOKENS MAP "\"rows\":1,\"cols\":3,\"values\":[[0,0,1]]}]}",
	 "maps[0]: 1 × 3 cells, but the tokens make 1 × 2"},
	{TOKENS MAP "\"rows\":99999999999,\"cols\":2}]}", "maps[0].rows: 99999999999 is not in"},
	{TOKENS MAP "\"rows\":1,\"cols\":2}]}", "maps[0].values: a list is expected"},
	{TOKENS MAP "\"rows\":1,\"cols\":2,\"values\":[]}]}", "maps[0].values: 0 entries, 1 are"},
	{TOKENS MAP "\"rows\":1,\"cols\":2,\"values\":[[1]]}]}",
	 "maps[0].values[0]: 1 entries, 2 are"},
	{TOKENS MAP "\"rows\":1,\"cols\":2,\"values\":[[1,\"0\"]]}]}",
	 "maps[0].values[0]: a number is expected"},
	{TOKENS MAP "\"rows\":1,\"cols\":2,\"values\":[[1,true]]}]}",
	 "maps[0].values[0]: a number is expected"},
	{TOKENS MAP "\"rows\":1,\"cols\":2,\"values\":[[1e99,0]]}]}",
	 "does not fit a 32-bit float"},
	{TOKENS MAP "\"rows\":1,\"cols\":2,\"values\":[[0.5,0.2]]}]}", "sums to less than 1"},
	{TOKENS MAP "\"rows\":1,\"cols\":2,\"values\":[[2,-1]]}]}", "negative weight"},
	{TOKENS "\"steps\":[]}", "steps: 0 entries, 1 are expected"},
	{TOKENS "\"steps\":[[]]}", "steps[0]: a step"},
	{TOKENS "\"steps\":[{\"token\":\"x\"}]}", "steps[0]: \"logprob\" is missing"},
	{TOKENS "\"steps\":[{\"logprob\":0}]}", "steps[0].token: a text is expected"},
	{TOKENS "\"steps\":[{\"token\":\"x\",\"logprob\":2}]}", "log-probability above 0"},
	{STEP "\"top\":{}}]}", "steps[0].top: a list of candidates"},
	{STEP "\"top\":[1]}]}", "steps[0].top[0]: a candidate"},
	{STEP "\"top\":[{\"p\":1}]}]}", "steps[0].top[0]: a text is expected"},
	{STEP "\"top\":[{\"token\":\"x\",\"p\":2}]}]}", "probability is not in 0…1"},
	{STEP "\"top\":[{\"token\":\"x\",\"p\":0.5,\"logit\":1},{\"token\":\"y\",\"p\":0.1}]}]}",
	 "some candidates have a \"logit\""},
	{STEP "\"top\":[1,2,3,4,5,6,7,8,9,10,11]}]}", "11 candidates, at most 10"},
	{STEP "\"state\":1}]}", "steps[0].state: a list of numbers"},
	{STEP "\"state\":[1,true]}]}", "steps[0].state[1]: a number is expected"},
	{STEP "\"soft\":[1]}]}", "soft weights"},
	{TOKENS "\"links\":[[0,0]]}", "links[0]: 2 entries, 3 are expected"},
	{TOKENS "\"links\":[[2,0,true]]}", "links[0]: 2 is not in 0…1"},
	{TOKENS "\"reading\":[{}]}", "reading: 1 entries, 2 are expected"},
	{TOKENS "\"reading\":[{},[]]}", "reading[1]: an object"},
	{TOKENS "\"reading\":[{\"state\":[1]},{}]}", "another size than the first"},
	{TOKENS "\"final\":{}}", "final: a list of numbers"},
};

START_TEST(damage_is_named_with_its_place)
{
	char text[800];
	struct trace *t = (struct trace *)&err;

	ck_assert_int_eq(trace_json_read(damaged[_i].doc, strlen(damaged[_i].doc), "doc", &t, &err),
			 -1);
	ck_assert_ptr_null(t);
	err_format(&err, text, sizeof text);
	ck_assert_msg(strncmp(text, "doc: ", 5) == 0 && strstr(text, damaged[_i].want),
		      "\"%s\" in \"%s\" for %s", damaged[_i].want, text, damaged[_i].doc);
}
END_TEST

START_TEST(a_document_cut_anywhere_is_an_error)
{
	struct trace *t = sample_new(&d), *u;
	struct buf b = {0};

	trace_json_write_full(t, &b);
	for (size_t n = 0; n < b.len; n++) {
		ck_assert_int_eq(trace_json_read(b.data, n, "doc", &u, &err), -1);
		ck_assert_ptr_null(u);
	}
	trace_free(t);
	buf_free(&b);
}
END_TEST

/* A locale with a decimal comma changes nothing (skipped where none is installed). */
START_TEST(numbers_have_points_in_every_locale)
{
	struct trace *t = sample_new(&d), *u;
	struct buf b = {0};

	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
		setlocale(LC_NUMERIC, "fr_FR.UTF-8");
	trace_json_write(t, &b);
	ck_assert_ptr_nonnull(strstr(b.data, "[0.5,0.25,0.25]"));
	u = read_back(&b);
	assert_bits(trace_at(&u->maps[0], 0, 1), 0.25f);
	trace_free(u);
	trace_free(t);
	buf_free(&b);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("trace json", &tc);

	tcase_add_loop_test(tc, what_is_written_is_read_back, 0, 2);
	tcase_add_test(tc, no_character_reaches_a_terminal_unescaped);
	tcase_add_test(tc, a_real_recording_comes_back_byte_for_byte);
	tcase_add_test(tc, floats_keep_every_bit);
	tcase_add_test(tc, bytes_that_are_no_text_become_a_sign);
	tcase_add_test(tc, a_short_document_is_enough);
	tcase_add_test(tc, a_masked_weight_stays_masked);
	tcase_add_loop_test(tc, damage_is_named_with_its_place, 0,
			    sizeof damaged / sizeof *damaged);
	tcase_add_test(tc, a_document_cut_anywhere_is_an_error);
	tcase_add_test(tc, numbers_have_points_in_every_locale);
	return suite_main(s);
}
