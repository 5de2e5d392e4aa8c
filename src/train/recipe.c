#include "train/recipe.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { NAME, GRAMMAR, TEXT, LINES, INT, SEED, REAL, BOOL, SIDE, STORE };

static const struct key {
	const char *section, *name;
	enum kind kind;
	size_t offset;
	double low, high;
} keys[] = {
#define X(section, key, kind, field, low, high, what)                                              \
	{#section, #key, kind, offsetof(struct recipe, field), low, high},
	RECIPE_KEYS(X)
#undef X
};

static const char *const sections[] = {"task", "model", "train"};
static const char *const stores[] = {
	[NN_STORE_F32] = "f32", [NN_STORE_F16] = "f16", [NN_STORE_BF16] = "bf16"};
static const char *const model_given[] = {"src_vocab", "tgt_vocab"};

/* One pass through an ini text; inih does not say line numbers, so the line reader counts. */
struct parse {
	struct recipe *r;
	const char *file, *at, *end;
	long line;
	bool failed;
	bool continued; /* the current line is indented */
	bool given[ARRAY_LEN(keys)];
	struct err *err;
};

/* A bad recipe is a bad file, whatever the setter called it. */
static void fail(struct parse *p)
{
	if (p->err->code == ERR_USAGE)
		p->err->code = ERR_FORMAT;
	err_at_line(p->err, p->file, p->line, 0);
	p->failed = true;
}

static bool known_section(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(sections); i++)
		if (strlen(sections[i]) == len && memcmp(sections[i], name, len) == 0)
			return true;
	return false;
}

/* [name] on a line of its own: inih reports no section that has no keys. */
static void check_section(struct parse *p, const char *line, size_t len)
{
	const char *close = memchr(line, ']', len);

	if (close && known_section(line + 1, (size_t)(close - line) - 1))
		return;
	if (close)
		err_set(p->err, ERR_USAGE,
			"there is no section [%.*s]; the sections are [task], [model] and [train]",
			(int)(close - line) - 1, line + 1);
	else
		err_set(p->err, ERR_FORMAT, "a section name ends with ]");
	fail(p);
}

/* An ini_reader: the next line, as fgets. */
static char *next_line(char *out, int size, void *stream)
{
	struct parse *p = stream;
	const char *newline;
	size_t n;

	if (p->failed || p->at >= p->end)
		return NULL;
	newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
	n = newline ? (size_t)(newline - p->at) + 1 : (size_t)(p->end - p->at);
	p->line++;
	if (n >= (size_t)size) {
		err_set(p->err, ERR_RANGE, "the line has %zu bytes, at most %d are allowed", n,
			size - 1);
		fail(p);
		return NULL;
	}
	p->continued = *p->at == ' ' || *p->at == '\t';
	if (*p->at == '[')
		check_section(p, p->at, n);
	memcpy(out, p->at, n);
	out[n] = '\0';
	p->at += n;
	return p->failed ? NULL : out;
}

static int bad(struct parse *p, const struct key *k, const char *value, const char *allowed)
{
	return err_set(p->err, ERR_RANGE, "%s = %s: %s", k->name, value, allowed);
}

static int set_number(struct parse *p, const struct key *k, const char *value, void *field)
{
	char allowed[96], *end;
	double x;

	errno = 0;
	x = strtod(value, &end);
	snprintf(allowed, sizeof allowed, "must be a %s from %.10g to %.10g",
		 k->kind == INT ? "whole number" : "number", k->low, k->high);
	if (end == value || *end || errno || !(x >= k->low && x <= k->high) ||
	    (k->kind == INT && x != floor(x)))
		return bad(p, k, value, allowed);
	if (k->kind == INT)
		*(int *)field = (int)x;
	else
		*(float *)field = (float)x;
	return 0;
}

static int set_seed(struct parse *p, const struct key *k, const char *value, void *field)
{
	char *end;

	errno = 0;
	*(unsigned long long *)field = strtoull(value, &end, 10);
	if (!isdigit((unsigned char)*value) || *end || errno)
		return bad(p, k, value, "must be a whole number from 0 to 18446744073709551615");
	return 0;
}

static int set_bool(struct parse *p, const struct key *k, const char *value, void *field)
{
	static const char *const words[] = {"no", "yes", "false", "true", "0", "1", "off", "on"};

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (strcmp(value, words[i]) == 0) {
			*(bool *)field = i % 2;
			return 0;
		}
	}
	return bad(p, k, value, "must be yes or no");
}

static int set_store(struct parse *p, const struct key *k, const char *value, void *field)
{
	for (size_t i = 0; i < ARRAY_LEN(stores); i++) {
		if (strcmp(value, stores[i]) == 0) {
			*(enum nn_store *)field = (enum nn_store)i;
			return 0;
		}
	}
	return bad(p, k, value, "must be f32, f16 or bf16");
}

/* A name becomes a file name, so it holds nothing that a shell or a path would read. */
static int set_name(struct parse *p, const struct key *k, const char *value, void *field)
{
	size_t n = strlen(value);

	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)value[i]) && !strchr("-_.+", value[i]))
			n = 0;
	if (n == 0 || (double)n > k->high || value[0] == '.' || value[0] == '-')
		return bad(p, k, value, "must be 1 to 60 letters, digits or any of - _ . +");
	*(const char **)field = arena_strdup(&p->r->arena, value);
	return 0;
}

static int set_grammar(struct parse *p, const struct key *k, const char *value, void *field)
{
	size_t n = strlen(value);

	if (n == 0 || n >= sizeof p->r->corpus.grammar)
		return bad(p, k, value, "must be a name or a path of 1 to 127 bytes");
	memcpy(field, value, n + 1);
	return 0;
}

/* Text may go on in indented lines: joined by a space (a paragraph) or a newline (a list). */
static void add_text(struct parse *p, const struct key *k, const char *value, void *field)
{
	const char **text = field;

	if (!**text || !p->continued)
		*text = arena_strdup(&p->r->arena, value);
	else
		*text = arena_printf(&p->r->arena, "%s%c%s", *text, k->kind == LINES ? '\n' : ' ',
				     value);
}

static int set_key(struct parse *p, const struct key *k, const char *value)
{
	void *field = (char *)p->r + k->offset;

	if (k->kind == TEXT || k->kind == LINES) {
		add_text(p, k, value, field);
		return 0;
	}
	if (p->continued)
		return err_set(p->err, ERR_FORMAT,
			       "%s takes one value; an indented line goes on with the one before",
			       k->name);
	switch (k->kind) {
	case NAME:
		return set_name(p, k, value, field);
	case GRAMMAR:
		return set_grammar(p, k, value, field);
	case INT:
	case REAL:
		return set_number(p, k, value, field);
	case SEED:
		return set_seed(p, k, value, field);
	case BOOL:
		return set_bool(p, k, value, field);
	case SIDE:
		return text_side_parse(value, field, p->err);
	default:
		return set_store(p, k, value, field);
	}
}

static int unknown_key(struct parse *p, const char *section, const char *name)
{
	struct buf allowed = {0};

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (strcmp(keys[i].section, section) == 0)
			buf_printf(&allowed, "%s%s", allowed.len ? ", " : "", keys[i].name);
	err_set(p->err, ERR_USAGE, "[%s] has no key %s; it has %s", section, name,
		buf_str(&allowed));
	buf_free(&allowed);
	return -1;
}

/* The keys of nn_config and what is beside them in [model]. */
static int unknown_model_key(struct parse *p, const char *name)
{
	struct nn_config c = nn_config_default();
	struct buf allowed = {0};

	buf_puts(&allowed, "seed");
	for (size_t i = 0; i < nn_config_keys(); i++) {
		const char *key;
		char value[64];

		if (nn_config_get(&c, i, &key, value, sizeof value) == 0 &&
		    strcmp(key, model_given[0]) != 0 && strcmp(key, model_given[1]) != 0)
			buf_printf(&allowed, ", %s", key);
	}
	err_set(p->err, ERR_USAGE, "[model] has no key %s; it has %s", name, buf_str(&allowed));
	buf_free(&allowed);
	return -1;
}

static int set_model(struct parse *p, const char *name, const char *value)
{
	for (size_t i = 0; i < ARRAY_LEN(model_given); i++)
		if (strcmp(name, model_given[i]) == 0)
			return err_set(p->err, ERR_USAGE,
				       "%s is not set in a recipe: it comes from the corpus", name);
	if (p->continued)
		return err_set(p->err, ERR_FORMAT,
			       "%s takes one value; an indented line goes on with the one before",
			       name);
	if (nn_config_set(&p->r->model, name, value, p->err) == 0)
		return 0;
	if (p->err && p->err->code == ERR_USAGE)
		return unknown_model_key(p, name);
	return -1;
}

static int handle(void *user, const char *section, const char *name, const char *value)
{
	struct parse *p = user;
	int ret = -1;
	size_t i;

	if (p->failed)
		return 1;
	for (i = 0; i < ARRAY_LEN(keys); i++)
		if (strcmp(keys[i].section, section) == 0 && strcmp(keys[i].name, name) == 0)
			break;
	if (i < ARRAY_LEN(keys)) {
		p->given[i] = true;
		ret = set_key(p, &keys[i], value);
	} else if (!*section) {
		err_set(p->err, ERR_FORMAT,
			"%s stands before the first section; write [task] above it", name);
	} else if (strcmp(section, "model") == 0) {
		ret = set_model(p, name, value);
	} else {
		unknown_key(p, section, name);
	}
	if (ret < 0)
		fail(p);
	return 1;
}

static void set_defaults(struct recipe *r)
{
	*r = (struct recipe){.name = "",
			     .card = "",
			     .examples = "",
			     .corpus = {.train_pairs = 60000,
					.seed = 1,
					.max_words = 18,
					.long_from = 15,
					.valid_pairs = 1000,
					.test_pairs = 2000},
			     .model = nn_config_default(),
			     .seed = 1,
			     .epochs = 12,
			     .batch = 32,
			     .warmup = 300,
			     .eval_every = 1,
			     .threads = 1,
			     .lr = 5e-3f,
			     .final_lr = 0.02f,
			     .clip = 1.0f,
			     .store = NN_STORE_F16};
}

static bool was_given(const struct parse *p, const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (strcmp(keys[i].name, name) == 0 && p->given[i])
			return true;
	return false;
}

/* What only the whole recipe can tell. */
static int check_whole(const struct parse *p)
{
	static const char *const needed[] = {"name", "grammar"};
	const struct recipe *r = p->r;
	struct nn_config c = r->model;

	for (size_t i = 0; i < ARRAY_LEN(needed); i++)
		if (!was_given(p, needed[i]))
			return err_set(p->err, ERR_MISSING, "[task] needs %s = …", needed[i]);
	if (c.arch == NN_SEQ2SEQ && c.score == NN_NONE && (r->guided > 0 || r->copy > 0))
		return err_set(
			p->err, ERR_RANGE,
			"guided and copy need attention; set them to 0, or score to another form");
	c.src_vocab = c.tgt_vocab = VOCAB_SPECIALS + 1;
	return nn_config_check(&c, p->err);
}

static int check_bytes(const char *text, size_t len, const char *name, struct err *err)
{
	size_t at;

	if (len > RECIPE_MAX_BYTES) {
		err_set(err, ERR_RANGE, "is larger than %d bytes", RECIPE_MAX_BYTES);
		return err_at_file(err, name);
	}
	if (memchr(text, '\0', len)) {
		err_set(err, ERR_FORMAT, "holds a zero byte: not a recipe");
		return err_at_file(err, name);
	}
	if (!utf8_valid(text, len, &at)) {
		err_set(err, ERR_FORMAT, "is not valid UTF-8");
		return err_at_byte(err, name, (long)at);
	}
	return 0;
}

int recipe_parse(struct recipe *out, const char *text, size_t len, const char *name,
		 struct err *err)
{
	struct err own;
	struct parse p = {
		.r = out, .file = name, .at = text, .end = text + len, .err = err ? err : &own};
	int syntax;

	set_defaults(out);
	if (check_bytes(text, len, name, p.err) < 0)
		return -1;
	out->text = arena_strndup(&out->arena, text, len);
	syntax = ini_parse_stream(next_line, &p, handle, &p);
	if (syntax > 0 && (!p.failed || syntax < p.line)) {
		err_set(p.err, ERR_FORMAT, "is neither [section], key = value nor a comment");
		p.line = syntax;
		fail(&p);
	}
	if (!p.failed && check_whole(&p) < 0) {
		err_at_file(p.err, name);
		p.failed = true;
	}
	if (p.failed)
		recipe_free(out);
	return p.failed ? -1 : 0;
}

/* A name without / and .ini that is no file here is a shipped recipe. */
static int find_file(const char *name, char *out, size_t size, struct err *err)
{
	char shipped[PATH_MAX];
	size_t n = strlen(name);
	bool path = strchr(name, '/') || (n > 4 && strcmp(name + n - 4, ".ini") == 0);

	if (n >= size)
		return err_set(err, ERR_RANGE, "the name of the recipe is too long");
	memcpy(out, name, n + 1);
	if (path || access(name, F_OK) == 0)
		return 0;
	snprintf(shipped, sizeof shipped, "assets/recipes/%s.ini", name);
	return fs_data_path(shipped, out, size, err);
}

int recipe_read(struct recipe *out, const char *name, struct err *err)
{
	char path[PATH_MAX], *text;
	size_t len;
	int ret;

	if (find_file(name, path, sizeof path, err) < 0 ||
	    fs_read(path, RECIPE_MAX_BYTES, &text, &len, err) < 0)
		return -1;
	ret = recipe_parse(out, text, len, path, err);
	free(text);
	return ret;
}

void recipe_free(struct recipe *r)
{
	if (r)
		arena_free(&r->arena);
}

int recipe_override(struct recipe *r, const char *section, const char *key, const char *value,
		    struct err *err)
{
	struct recipe changed;
	struct buf text = {0};
	int ret;

	buf_puts(&text, r->text);
	if (text.len && text.data[text.len - 1] != '\n')
		buf_putc(&text, '\n');
	buf_printf(&text, "; given on the command line\n[%s]\n%s = %s\n", section, key, value);
	ret = recipe_parse(&changed, buf_str(&text), text.len, "command line", err);
	if (ret == 0) {
		recipe_free(r);
		*r = changed;
	} else if (err) {
		err->line = 0;
	}
	buf_free(&text);
	return ret;
}
