#include "nn/config.h"
#include "base/buf.h"
#include "base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * KEY(field, kind, least, most): the one list of settings. Names in files are the fields' own
 * names. 0 is "choose for me" for attn_dim and combine.
 */
#define KEYS(KEY)                                                                                  \
	KEY(arch, ARCH, 0, 0)                                                                      \
	KEY(src_vocab, INT, 4, 1 << 20)                                                            \
	KEY(tgt_vocab, INT, 4, 1 << 20)                                                            \
	KEY(emb, INT, 1, 8192)                                                                     \
	KEY(enc_cell, CELL, 0, 0)                                                                  \
	KEY(enc_hidden, INT, 1, 8192)                                                              \
	KEY(enc_layers, INT, 1, 32)                                                                \
	KEY(bidirectional, BOOL, 0, 0)                                                             \
	KEY(dec_cell, CELL, 0, 0)                                                                  \
	KEY(dec_hidden, INT, 1, 8192)                                                              \
	KEY(score, SCORE, 0, 0)                                                                    \
	KEY(score_scale, FLOAT, 1e-3, 1e3)                                                         \
	KEY(attn_dim, INT, 0, 8192)                                                                \
	KEY(combine, INT, 0, 8192)                                                                 \
	KEY(combine_bias, BOOL, 0, 0)                                                              \
	KEY(tied, BOOL, 0, 0)                                                                      \
	KEY(cnn_width, INT, 1, 31)                                                                 \
	KEY(dropout, FLOAT, 0, 0.9)                                                                \
	KEY(heads, INT, 1, NN_MAX_HEADS)                                                                     \
	KEY(layers, INT, 1, NN_MAX_LAYERS)                                                                    \
	KEY(ff, INT, 1, 32768)                                                                     \
	KEY(pre_norm, BOOL, 0, 0)                                                                  \
	KEY(learned_positions, BOOL, 0, 0)                                                         \
	KEY(max_positions, INT, 1, 65536)                                                          \
	KEY(guide_layer, INT, -1, NN_MAX_LAYERS - 1)                                                              \
	KEY(guide_head, INT, 0, NN_MAX_HEADS - 1)

enum kind { INT, FLOAT, BOOL, ARCH, CELL, SCORE };

static const struct key {
	const char *name;
	enum kind kind;
	size_t offset; /* in struct nn_config */
	double least, most;
} keys[] = {
#define KEY(field, kind, least, most)                                                              \
	{#field, kind, offsetof(struct nn_config, field), least, most},
	KEYS(KEY)
#undef KEY
};

static const char *const arch_names[] = {
	[NN_SEQ2SEQ] = "seq2seq", [NN_TRANSFORMER] = "transformer"};
static const char *const cell_names[] = {
#define X(id, name, gates) name,
	NN_CELLS(X)
#undef X
};
static const char *const score_names[] = {
#define X(id, name, formula) name,
	NN_SCORES(X)
#undef X
};

/* The names a key of an enumerated kind may have; n = 0 for other kinds. */
static const char *const *names_of(enum kind kind, size_t *n)
{
	switch (kind) {
	case ARCH:
		*n = ARRAY_LEN(arch_names);
		return arch_names;
	case CELL:
		*n = ARRAY_LEN(cell_names);
		return cell_names;
	case SCORE:
		*n = ARRAY_LEN(score_names);
		return score_names;
	default:
		*n = 0;
		return NULL;
	}
}

struct nn_config nn_config_default(void)
{
	return (struct nn_config){
		.emb = 64,
		.enc_cell = NN_GRU,
		.enc_hidden = 64,
		.enc_layers = 1,
		.bidirectional = true,
		.dec_cell = NN_GRU,
		.dec_hidden = 128,
		.score = NN_SCALED_DOT,
		.score_scale = 1,
		.cnn_width = 3,
		.heads = 8,
		.layers = 2,
		.ff = 128,
		.pre_norm = true,
		.max_positions = 512,
	};
}

static const struct key *find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (strcmp(keys[i].name, name) == 0)
			return &keys[i];
	return NULL;
}

static void *field(const struct nn_config *c, const struct key *k)
{
	return (char *)(uintptr_t)c + k->offset;
}

static int number_error(const struct key *k, const char *value, enum err_code code, struct err *err)
{
	const char *what = k->kind == INT ? "a whole number" : "a number";

	return err_set(err, code, "%s = %.80s: %s from %g to %g is needed", k->name, value, what,
		       k->least, k->most);
}

static int set_number(struct nn_config *c, const struct key *k, const char *value, struct err *err)
{
	char *end;
	double v;

	errno = 0;
	v = k->kind == INT ? (double)strtol(value, &end, 10) : strtod(value, &end);
	if (end == value || *end || isnan(v))
		return number_error(k, value, ERR_FORMAT, err);
	if (errno || v < k->least || v > k->most)
		return number_error(k, value, ERR_RANGE, err);
	if (k->kind == INT)
		*(int *)field(c, k) = (int)v;
	else
		*(float *)field(c, k) = (float)v;
	return 0;
}

static int set_bool(struct nn_config *c, const struct key *k, const char *value, struct err *err)
{
	static const char *const words[] = {"false", "true", "no", "yes", "off", "on", "0", "1"};

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (strcmp(value, words[i]) == 0) {
			*(bool *)field(c, k) = i & 1;
			return 0;
		}
	}
	return err_set(err, ERR_FORMAT, "%s = %.80s: true or false is needed", k->name, value);
}

static int set_name(struct nn_config *c, const struct key *k, const char *value, struct err *err)
{
	size_t n, len = 0;
	const char *const *names = names_of(k->kind, &n);
	char list[128] = "";

	for (size_t i = 0; i < n; i++) {
		if (strcmp(value, names[i]) == 0) {
			/* the enums of the configuration have the size of an int */
			*(int *)field(c, k) = (int)i;
			return 0;
		}
		len += (size_t)snprintf(list + len, sizeof list - len, i ? ", %s" : "%s", names[i]);
	}
	return err_set(err, ERR_FORMAT, "%s = %.80s: one of %s is needed", k->name, value, list);
}

_Static_assert(sizeof(enum nn_arch) == sizeof(int) && sizeof(enum nn_cell) == sizeof(int) &&
		       sizeof(enum nn_score) == sizeof(int),
	       "the table writes enums as int");

int nn_config_set(struct nn_config *c, const char *key, const char *value, struct err *err)
{
	const struct key *k = find(key);

	if (!k)
		return err_set(err, ERR_USAGE, "unknown key \"%.80s\" in a model's configuration",
			       key);
	switch (k->kind) {
	case INT:
	case FLOAT:
		return set_number(c, k, value, err);
	case BOOL:
		return set_bool(c, k, value, err);
	default:
		return set_name(c, k, value, err);
	}
}

int nn_config_get(const struct nn_config *c, size_t index, const char **key, char *value,
		  size_t size)
{
	const struct key *k;
	size_t n;

	if (index >= ARRAY_LEN(keys))
		return -1;
	k = &keys[index];
	*key = k->name;
	if (k->kind == INT)
		snprintf(value, size, "%d", *(int *)field(c, k));
	else if (k->kind == FLOAT)
		snprintf(value, size, "%.9g", (double)*(float *)field(c, k));
	else if (k->kind == BOOL)
		snprintf(value, size, "%s", *(bool *)field(c, k) ? "true" : "false");
	else
		snprintf(value, size, "%s", names_of(k->kind, &n)[*(int *)field(c, k)]);
	return 0;
}

size_t nn_config_keys(void)
{
	return ARRAY_LEN(keys);
}

/* Every key in its range: a configuration may have been filled without nn_config_set(). */
static int check_ranges(const struct nn_config *c, struct err *err)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		const struct key *k = &keys[i];
		char value[32];
		const char *name;
		size_t n;
		double v;

		names_of(k->kind, &n);
		if (k->kind == BOOL)
			continue;
		v = k->kind == FLOAT ? (double)*(float *)field(c, k) : (double)*(int *)field(c, k);
		if (n && (v < 0 || v >= (double)n))
			return err_set(err, ERR_RANGE, "%s has no such value as %g", k->name, v);
		if (n || (v >= k->least && v <= (double)(float)k->most))
			continue;
		nn_config_get(c, i, &name, value, sizeof value);
		return number_error(k, value, ERR_RANGE, err);
	}
	return 0;
}

static int check_seq2seq(const struct nn_config *c, struct err *err)
{
	int states = c->enc_hidden * (c->bidirectional ? 2 : 1);

	if (c->dec_cell == NN_CNN)
		return err_set(err, ERR_RANGE,
			       "dec_cell = cnn: a decoder must be rnn, gru or lstm");
	if (c->enc_cell == NN_CNN && c->cnn_width % 2 == 0)
		return err_set(err, ERR_RANGE, "cnn_width = %d: an odd number is needed",
			       c->cnn_width);
	if ((c->score == NN_DOT || c->score == NN_SCALED_DOT) && states != c->dec_hidden)
		return err_set(
			err, ERR_RANGE,
			"score = %s multiplies decoder states of %d numbers with encoder states "
			"of %d; make dec_hidden %d or use general",
			score_names[c->score], c->dec_hidden, states, states);
	if (c->tied && c->combine && c->combine != c->emb)
		return err_set(err, ERR_RANGE,
			       "combine = %d, but a tied output needs the size of emb, %d",
			       c->combine, c->emb);
	return 0;
}

static int check_transformer(const struct nn_config *c, struct err *err)
{
	if (c->emb % c->heads)
		return err_set(err, ERR_RANGE, "emb = %d cannot be divided among %d heads", c->emb,
			       c->heads);
	if (c->guide_layer >= c->layers)
		return err_set(err, ERR_RANGE, "guide_layer = %d, but the last of %d layers is %d",
			       c->guide_layer, c->layers, c->layers - 1);
	if (c->guide_head >= c->heads)
		return err_set(err, ERR_RANGE, "guide_head = %d, but the last of %d heads is %d",
			       c->guide_head, c->heads, c->heads - 1);
	return 0;
}

int nn_config_check(const struct nn_config *c, struct err *err)
{
	if (check_ranges(c, err) < 0)
		return -1;
	return c->arch == NN_TRANSFORMER ? check_transformer(c, err) : check_seq2seq(c, err);
}

bool nn_config_uses(const struct nn_config *c, size_t index)
{
	size_t at = keys[index].offset;
	bool recurrent = (at >= offsetof(struct nn_config, enc_cell) &&
			  at <= offsetof(struct nn_config, combine_bias)) ||
			 at == offsetof(struct nn_config, cnn_width);
	bool transformer = at >= offsetof(struct nn_config, heads) &&
			   at != offsetof(struct nn_config, max_positions);

	return c->arch == NN_TRANSFORMER ? !recurrent : !transformer;
}

const char *nn_cell_name(enum nn_cell c)
{
	return cell_names[c];
}

const char *nn_score_name(enum nn_score s)
{
	return score_names[s];
}

static void describe_cell(enum nn_cell c, int size, struct buf *out)
{
	for (const char *p = nn_cell_name(c); *p; p++)
		buf_putc(out, (char)toupper((unsigned char)*p));
	buf_printf(out, " %d, ", size);
}

void nn_config_describe(const struct nn_config *c, struct buf *out)
{
	if (c->arch == NN_TRANSFORMER) {
		buf_printf(out, "Transformer %d, %d + %d layers, %d heads, %s-norm", c->emb,
			   c->layers, c->layers, c->heads, c->pre_norm ? "pre" : "post");
		return;
	}
	if (c->enc_layers > 1)
		buf_printf(out, "%d × ", c->enc_layers);
	if (c->bidirectional)
		buf_puts(out, "Bi");
	describe_cell(c->enc_cell, c->enc_hidden, out);
	describe_cell(c->dec_cell, c->dec_hidden, out);
	buf_puts(out, c->score == NN_NONE ? "no attention" : nn_score_name(c->score));
}
