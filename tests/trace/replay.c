#include "replay.h"
#include "base/buf.h"
#include "suite.h"
#include "trace/json.h"

#include <string.h>

static const char sentence[] = "the black cat does not see the red car .";
static struct trace_producer p;
static struct err err;

static void open_sample(void)
{
	ck_assert_msg(replay_open_file(&p, FIXTURES "/en-fr.json", &err) == 0, "%s", err.text);
}

static void close_sample(void)
{
	replay_close(&p);
}

START_TEST(reveals_one_step_a_call)
{
	const struct trace *t = p.trace(p.self);
	size_t n = 0;

	ck_assert_uint_eq(t->nsteps, 0);
	ck_assert(!t->finished);
	while (!t->finished) {
		ck_assert_int_eq(p.next(p.self, &err), 0);
		ck_assert_uint_eq(t->nsteps, ++n);
		ck_assert_uint_eq(trace_find(t, TRACE_CROSS, 0, 0, TRACE_WEIGHTS)->rows, n);
		ck_assert_msg(trace_check(t, &err) == 0, "%s", err.text);
	}
	ck_assert_str_eq(t->steps[n - 1].token, "</s>");
	ck_assert_int_eq(p.next(p.self, &err), 0);
	ck_assert_uint_eq(t->nsteps, n);
}
END_TEST

/* What is in force, and from t on that rule. */
static int redo(size_t t, const struct attention_rule *rule)
{
	struct what_if w = *p.what_if(p.self);

	what_if_add(&w, &(struct change){.kind = CHANGE_RULE, .t = t, .rule = *rule}, &err);
	return p.redo(p.self, t, &w, &err);
}

START_TEST(same_rule_only_rewinds)
{
	const struct trace *t = p.trace(p.self);
	struct attention_rule soft = {0};

	while (!t->finished)
		p.next(p.self, &err);
	ck_assert_int_eq(redo(3, &soft), 0);
	ck_assert_uint_eq(t->nsteps, 3);
	ck_assert(!t->finished);
	ck_assert_ptr_null(p.before(p.self));
}
END_TEST

START_TEST(other_rule_needs_a_recording_of_it)
{
	const struct trace *t = p.trace(p.self);
	struct attention_rule soft = {0}, hard = {.mode = ATTENTION_HARD},
			      top2 = {.mode = ATTENTION_TOPK, .k = 2};

	p.next(p.self, &err);
	p.next(p.self, &err);
	ck_assert_int_eq(redo(0, &top2), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "recording"));
	ck_assert_int_eq(redo(1, &hard), -1);
	ck_assert_uint_eq(t->nsteps, 2);
	ck_assert_int_eq(redo(0, &hard), 0);
	ck_assert_uint_eq(t->nsteps, 0);
	ck_assert_int_eq(p.rule(p.self)->mode, ATTENTION_HARD);
	ck_assert_uint_eq(p.before(p.self)->nsteps, 2);
	ck_assert_msg(trace_check(p.before(p.self), &err) == 0, "%s", err.text);
	p.next(p.self, &err);
	ck_assert_float_eq(trace_at(&t->maps[0], 0, 5), 0);
	ck_assert_float_ne(trace_at(&p.before(p.self)->maps[0], 0, 5), 0);
	ck_assert_int_eq(redo(0, &soft), 0);
	ck_assert_ptr_null(p.before(p.self));
}
END_TEST

START_TEST(other_words_and_heads_need_a_model)
{
	static const struct change changes[] = {{.kind = CHANGE_TOKEN, .t = 1, .token = "chien"},
						{.kind = CHANGE_HEAD},
						{.kind = CHANGE_PIN, .t = 1, .i = 2}};

	for (size_t k = 0; k < 3; k++) {
		struct what_if w = {0};

		what_if_add(&w, &changes[k], NULL);
		ck_assert_int_eq(p.redo(p.self, 0, &w, &err), -1);
		ck_assert_ptr_nonnull(strstr(err.text, "recording"));
		ck_assert_uint_eq(p.what_if(p.self)->n, 0);
	}
}
END_TEST

START_TEST(begins_only_its_own_sentence)
{
	ck_assert_str_eq(p.sentence(p.self), sentence);
	ck_assert_str_eq(p.examples(p.self)[0], sentence);
	ck_assert_ptr_null(p.examples(p.self)[1]);
	p.next(p.self, &err);
	ck_assert_int_eq(p.begin(p.self, "something else", &err), -1);
	ck_assert_uint_eq(p.trace(p.self)->nsteps, 1);
	ck_assert_int_eq(p.begin(p.self, sentence, &err), 0);
	ck_assert_uint_eq(p.trace(p.self)->nsteps, 0);
	ck_assert_int_eq(p.choose(p.self, "other", &err), -1);
}
END_TEST

START_TEST(replaces_unknown_words)
{
	static const char doc[] =
		"\n{\"format\":\"attnscope-trace\",\"version\":1,\"source\":[\"a\",\"<unk>\","
		"\"</s>\"],\"words\":[\"A\",\"wug\",\"</s>\"],\"unknown\":[1],"
		"\"target\":[\"x\"]}\n";
	const struct unknown_word *w;
	struct trace_producer q;
	char out[64];

	ck_assert_msg(replay_open(&q, doc, sizeof doc - 1, "doc", &err) == 0, "%s", err.text);
	ck_assert_uint_eq(q.unknown(q.self, &w), 1);
	ck_assert_str_eq(w[0].text, "wug");
	ck_assert_uint_eq(w[0].index, 1);
	ck_assert_int_eq(q.replace(q.self, 0, "bug", out, sizeof out), 0);
	ck_assert_str_eq(out, "A bug");
	ck_assert_int_eq(q.replace(q.self, 0, "bug", out, 5), -1);
	ck_assert_int_eq(q.replace(q.self, 1, "bug", out, sizeof out), -1);
	replay_close(&q);
}
END_TEST

START_TEST(bad_recordings_name_the_line)
{
	struct trace_producer q;
	char text[128];

	ck_assert_int_eq(replay_open(&q, "\n \n{", 4, "bad.json", &err), -1);
	ck_assert_str_eq(err_format(&err, text, sizeof text),
			 "bad.json:3: bad JSON: the text ends too early");
	ck_assert_ptr_null(q.self);
	ck_assert_int_eq(replay_open(&q, "\n\n", 2, "bad.json", &err), -1);
	ck_assert_int_eq(err.code, ERR_MISSING);
	ck_assert_int_eq(replay_open_file(&q, FIXTURES "/missing.json", &err), -1);
	replay_close(&q);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("trace replay", &tc);

	tcase_add_checked_fixture(tc, open_sample, close_sample);
	tcase_add_test(tc, reveals_one_step_a_call);
	tcase_add_test(tc, same_rule_only_rewinds);
	tcase_add_test(tc, other_rule_needs_a_recording_of_it);
	tcase_add_test(tc, other_words_and_heads_need_a_model);
	tcase_add_test(tc, begins_only_its_own_sentence);
	tcase_add_test(tc, replaces_unknown_words);
	tcase_add_test(tc, bad_recordings_name_the_line);
	return suite_main(s);
}
