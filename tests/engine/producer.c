#include "base/buf.h"
#include "base/mem.h"
#include "engine/engine.h"
#include "suite.h"
#include "tiny.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/var/tmp/attnscope-data-XXXXXX";
static struct trace_producer p;
static struct err err;

/* ---- a data folder with three models ---- */

static char *model_path(const char *name)
{
	struct buf b = {0};

	buf_printf(&b, "%s/assets/models/%s.safetensors", folder, name);
	return b.data;
}

static void ship(const char *name, const char *task, enum nn_score score)
{
	struct nn_config c = tiny_config();
	struct nn_card card = tiny_card();
	char *path, *to = model_path(name);

	c.score = score;
	card.name = name;
	card.task = task;
	path = tiny_save(&c, &card, 4, -1);
	ck_assert_int_eq(rename(path, to), 0);
	free(path);
	free(to);
}

static void make_folder(void)
{
	char path[sizeof folder + sizeof "/assets/models"];

	ck_assert_ptr_nonnull(mkdtemp(folder));
	setenv("ATTNSCOPE_DATA", folder, 1);
	snprintf(path, sizeof path, "%s/assets", folder);
	ck_assert_int_eq(mkdir(path, 0777), 0);
	snprintf(path, sizeof path, "%s/assets/models", folder);
	ck_assert_int_eq(mkdir(path, 0777), 0);
	ship("en-zh-gru", "en-zh", NN_GENERAL);
	ship("dates", "dates", NN_NONE);
	ship("en-fr-gru", "en-fr", NN_SCALED_DOT);
	ck_assert_msg(engine_producer_open(&p, "en-fr-gru", NULL, &err) == 0, "%s", err.text);
}

static void remove_folder(void)
{
	static const char *const names[] = {"en-zh-gru", "dates", "en-fr-gru", "broken"};
	char path[300];

	engine_producer_close(&p);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char *file = model_path(names[i]);

		unlink(file);
		free(file);
	}
	snprintf(path, sizeof path, "%s/assets/models", folder);
	rmdir(path);
	snprintf(path, sizeof path, "%s/assets", folder);
	rmdir(path);
	rmdir(folder);
}

/* ---- tests ---- */

START_TEST(lists_models_and_examples)
{
	const char *const *models = p.models(p.self), *const *examples = p.examples(p.self);

	ck_assert_str_eq(models[0], "en-fr-gru");
	ck_assert_str_eq(models[1], "dates");
	ck_assert_str_eq(models[2], "en-zh-gru");
	ck_assert_ptr_null(models[3]);
	ck_assert_str_eq(examples[0], "the cat sees the dog .");
	ck_assert_str_eq(examples[1], "the black car .");
	ck_assert_ptr_null(examples[2]);
}
END_TEST

START_TEST(describes_models)
{
	char *file = model_path("dates");

	ck_assert_str_eq(p.about(p.self, 0), "BiGRU 5, GRU 10, scaled_dot");
	ck_assert_int_eq(truncate(file, 100), 0);
	ck_assert_str_eq(p.about(p.self, 1), ""); /* damaged: choosing it says why */
	free(file);
}
END_TEST

START_TEST(begins_and_steps)
{
	ck_assert_ptr_null(p.trace(p.self));
	ck_assert_str_eq(p.sentence(p.self), "");
	ck_assert_int_eq(p.begin(p.self, "the cat", &err), 0);
	ck_assert_str_eq(p.sentence(p.self), "the cat");
	ck_assert_int_eq(p.next(p.self, &err), 0);
	ck_assert_uint_eq(p.trace(p.self)->nsteps, 1);
	ck_assert_int_eq(p.begin(p.self, "", &err), -1);
	ck_assert_str_eq(p.sentence(p.self), "the cat");
	ck_assert_uint_eq(p.trace(p.self)->nsteps, 1);
	/* its own sentence may be given again */
	ck_assert_int_eq(p.begin(p.self, p.sentence(p.self), &err), 0);
	ck_assert_str_eq(p.sentence(p.self), "the cat");
}
END_TEST

START_TEST(redo_keeps_what_was)
{
	static const struct what_if hard_from_0 = {
		.n = 1, .changes = {{.kind = CHANGE_RULE, .rule = {.mode = ATTENTION_HARD}}}};

	ck_assert_int_eq(p.begin(p.self, "the cat", &err), 0);
	while (!p.trace(p.self)->finished)
		p.next(p.self, &err);
	ck_assert_ptr_null(p.before(p.self));
	ck_assert_int_eq(p.redo(p.self, 0, &hard_from_0, &err), 0);
	ck_assert_int_eq(p.rule(p.self)->mode, ATTENTION_HARD);
	ck_assert(p.before(p.self)->finished);
	ck_assert_uint_eq(p.trace(p.self)->nsteps, 0);
}
END_TEST

static const struct {
	const char *sentence;
	size_t index;
	const char *want;
} replaced[] = {
	{"the catt sees the dog", 0, "the cat sees the dog"},
	{"The WUG, the wag.", 0, "The cat, the wag."},
	{"The WUG, the wag.", 1, "The WUG, the cat."},
	{"  wug  ", 0, "  cat  "},
	{"the the wug wug", 1, "the the wug cat"},
};

START_TEST(replaces_an_unknown_word_in_the_sentence)
{
	const struct unknown_word *u;
	char out[64];
	size_t n;

	ck_assert_int_eq(p.begin(p.self, replaced[_i].sentence, &err), 0);
	n = p.unknown(p.self, &u);
	/* a comma is unknown to these models too: look the word up by its place among words */
	for (size_t i = 0, words = 0; i < n; i++) {
		if (u[i].text[0] == ',')
			continue;
		if (words++ != replaced[_i].index)
			continue;
		ck_assert_int_eq(p.replace(p.self, i, "cat", out, sizeof out), 0);
		ck_assert_str_eq(out, replaced[_i].want);
		ck_assert_int_eq(p.replace(p.self, i, "cat", out, strlen(replaced[_i].want)), -1);
		ck_assert_int_eq(p.replace(p.self, n, "cat", out, sizeof out), -1);
		return;
	}
	ck_abort_msg("no such unknown word");
}
END_TEST

START_TEST(chooses_another_model)
{
	static const struct what_if hard_from_0 = {
		.n = 1, .changes = {{.kind = CHANGE_RULE, .rule = {.mode = ATTENTION_HARD}}}};

	ck_assert_int_eq(p.begin(p.self, "the red dog", &err), 0);
	ck_assert_int_eq(p.redo(p.self, 0, &hard_from_0, &err), 0);
	ck_assert_int_eq(p.choose(p.self, "en-zh-gru", &err), 0);
	ck_assert_str_eq(p.trace(p.self)->about.model, "en-zh-gru");
	ck_assert_str_eq(p.sentence(p.self), "the red dog");
	ck_assert_int_eq(p.rule(p.self)->mode, ATTENTION_HARD);
	/* another language: its first example; no attention: soft */
	ck_assert_int_eq(p.choose(p.self, "dates", &err), 0);
	ck_assert_str_eq(p.sentence(p.self), "the cat sees the dog .");
	ck_assert_int_eq(p.rule(p.self)->mode, ATTENTION_SOFT);
	ck_assert_uint_eq(p.trace(p.self)->nsteps, 0);
	ck_assert_int_eq(p.choose(p.self, "no-such", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "en-fr-gru, dates, en-zh-gru"));
	ck_assert_str_eq(p.trace(p.self)->about.model, "dates");
	ck_assert_int_eq(p.next(p.self, &err), 0);
}
END_TEST

START_TEST(a_rule_without_attention_is_refused)
{
	struct attention_rule hard = {.mode = ATTENTION_HARD};
	struct trace_producer q;

	ck_assert_int_eq(engine_producer_open(&q, "dates", &hard, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "no attention"));
	ck_assert_ptr_null(q.self);
	engine_producer_close(&q);
}
END_TEST

START_TEST(bad_models_are_named)
{
	struct nn_config c = tiny_config();
	struct nn_card card = tiny_card();
	struct engine_model m;
	char *path;

	ck_assert_int_eq(engine_model_load(&m, "../x", &err), -1);
	ck_assert_int_eq(engine_model_load(&m, "", &err), -1);
	ck_assert_int_eq(engine_model_load(&m, "x.safetensors", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.file, "x.safetensors"));
	card.tgt_vocab = "le\nchat";
	path = tiny_save(&c, &card, 1, -1);
	ck_assert_int_eq(engine_model_load(&m, path, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "target vocabulary has 6 words"));
	unlink(path);
	free(path);
	card = tiny_card();
	card.src_side = "runes";
	path = tiny_save(&c, &card, 1, -1);
	ck_assert_int_eq(engine_model_load(&m, path, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "runes"));
	ck_assert_ptr_null(m.nn);
	unlink(path);
	free(path);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("engine producer", &tc);

	tcase_add_checked_fixture(tc, make_folder, remove_folder);
	tcase_add_test(tc, lists_models_and_examples);
	tcase_add_test(tc, describes_models);
	tcase_add_test(tc, begins_and_steps);
	tcase_add_test(tc, redo_keeps_what_was);
	tcase_add_loop_test(tc, replaces_an_unknown_word_in_the_sentence, 0, ARRAY_LEN(replaced));
	tcase_add_test(tc, chooses_another_model);
	tcase_add_test(tc, a_rule_without_attention_is_refused);
	tcase_add_test(tc, bad_models_are_named);
	return suite_main(s);
}
