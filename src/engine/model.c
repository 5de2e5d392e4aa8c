#include "engine/engine.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char suffix[] = ".safetensors";

static bool has_suffix(const char *name)
{
	size_t n = strlen(name), k = sizeof suffix - 1;

	return n > k && strcmp(name + n - k, suffix) == 0;
}

/* ---- the shipped models ---- */

int engine_models(char ***names, struct err *err)
{
	char **p;

	if (fs_data_list("assets/models", suffix, names, err))
		return -1;
	for (p = *names; *p && strcmp(*p, ENGINE_DEFAULT_MODEL) != 0; p++)
		;
	if (*p) {
		char *first = *p;

		memmove(*names + 1, *names, (size_t)(p - *names) * sizeof *p);
		**names = first;
	}
	return 0;
}

static int no_such_model(const char *name, struct err *err)
{
	struct buf list = {0};
	char **names;

	if (engine_models(&names, NULL))
		return err_set(err, ERR_MISSING,
			       "there is no model \"%.100s\": no folder of shipped models was "
			       "found; give the "
			       "path of a model file",
			       name);
	for (char **p = names; *p; p++)
		buf_printf(&list, "%s%s", list.len ? ", " : "", *p);
	err_set(err, ERR_MISSING,
		"there is no model \"%.100s\"; give the path of a model file or one of the "
		"shipped: %s",
		name, list.len ? list.data : "(none)");
	fs_names_free(names);
	buf_free(&list);
	return -1;
}

static int find_model(const char *name, char *path, size_t size, struct err *err)
{
	char relative[300];

	if (strchr(name, '/') || has_suffix(name)) {
		if (strlen(name) >= size)
			return err_set(err, ERR_RANGE, "the path of the model is too long");
		strcpy(path, name);
		return 0;
	}
	if (strlen(name) > 200 || !*name)
		return no_such_model(name, err);
	snprintf(relative, sizeof relative, "assets/models/%s%s", name, suffix);
	if (fs_data_path(relative, path, size, err))
		return -1;
	return access(path, F_OK) ? no_such_model(name, err) : 0;
}

/* ---- a model file → model and vocabularies ---- */

/* words joined by \n */
static int read_vocab(const char *words, int size, const char *what, struct vocab **out,
		      struct err *err)
{
	struct vocab *v = vocab_new();
	char *copy = mem_strdup(words), *save = copy, *word;

	while ((word = strsep(&save, "\n")))
		if (*word)
			vocab_add(v, word);
	free(copy);
	*out = v;
	if (vocab_size(v) != size)
		return err_set(err, ERR_FORMAT,
			       "the %s vocabulary has %d words, the weights are made for %d "
			       "(specials included); "
			       "the model file is damaged",
			       what, vocab_size(v), size);
	return 0;
}

static int read_card(struct engine_model *m, const char *path, struct err *err)
{
	const struct nn_config *c = nn_model_config(m->nn);

	m->name = *m->card.name ? m->card.name : arena_strdup(&m->card.arena, path);
	if (text_side_parse(m->card.src_side, &m->src_side, err) ||
	    text_side_parse(m->card.tgt_side, &m->tgt_side, err) ||
	    read_vocab(m->card.src_vocab, c->src_vocab, "source", &m->src, err) ||
	    read_vocab(m->card.tgt_vocab, c->tgt_vocab, "target", &m->tgt, err))
		return err_at_file(err, path);
	return 0;
}

/* A word that means nothing is a mistake of the caller's elsewhere; here the file holds it. */
static int bad_file(struct err *err)
{
	if (err && err->code == ERR_USAGE)
		err->code = ERR_FORMAT;
	return -1;
}

int engine_model_load(struct engine_model *m, const char *name, struct err *err)
{
	char path[4096];

	*m = (struct engine_model){0};
	if (find_model(name, path, sizeof path, err))
		return -1;
	if (nn_load(path, &m->nn, &m->card, err))
		return bad_file(err);
	if (read_card(m, path, err)) {
		engine_model_fini(m);
		return bad_file(err);
	}
	return 0;
}

int engine_model_about(const char *name, struct buf *out, struct err *err)
{
	char path[4096];
	struct nn_config c;

	if (find_model(name, path, sizeof path, err) || nn_load_config(path, &c, err))
		return -1;
	nn_config_describe(&c, out);
	return 0;
}

void engine_model_fini(struct engine_model *m)
{
	nn_model_free(m->nn);
	nn_card_free(&m->card);
	vocab_free(m->src);
	vocab_free(m->tgt);
	*m = (struct engine_model){0};
}
