#include "nn/checkpoint.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/mem.h"
#include "file/safetensors.h"
#include "nn/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char format_name[] = "attnscope-model", version[] = "1", prefix[] = "config.";
enum { MAX_FILE = 1 << 30, MAX_META = 64 };

/* The texts of a card: member and metadata key at once. */
/* clang-format off */
#define CARD_FIELDS(X)                                                                             \
	X(name) X(task) X(src_side) X(tgt_side) X(src_vocab) X(tgt_vocab)                          \
	X(examples) X(recipe) X(card) X(quality)
/* clang-format on */

static const struct card_field {
	const char *key;
	size_t offset; /* in struct nn_card */
} fields[] = {
#define X(member) {#member, offsetof(struct nn_card, member)},
	CARD_FIELDS(X)
#undef X
};

static const char **field(const struct nn_card *card, size_t i)
{
	return (const char **)((char *)(uintptr_t)card + fields[i].offset);
}

void nn_card_free(struct nn_card *card)
{
	if (!card)
		return;
	arena_free(&card->arena);
	*card = (struct nn_card){0};
}

/* ---- saving ---- */

static size_t add_meta(const struct nn_model *m, const struct nn_card *card, struct arena *a,
		       struct st_meta *meta)
{
	size_t n = 0;
	char value[64];
	const char *key;

	meta[n++] = (struct st_meta){"format", format_name};
	meta[n++] = (struct st_meta){"version", version};
	for (size_t i = 0; nn_config_get(&m->config, i, &key, value, sizeof value) == 0; i++)
		meta[n++] = (struct st_meta){arena_printf(a, "%s%s", prefix, key),
					     arena_strdup(a, value)};
	for (size_t i = 0; card && i < ARRAY_LEN(fields); i++) {
		const char *text = *field(card, i);

		if (text && *text)
			meta[n++] = (struct st_meta){fields[i].key, text};
	}
	return n;
}

/* The numbers as they are stored; -1 if one of them does not survive. */
static int pack(const struct tensor *t, enum nn_store store, struct arena *a, const void **out)
{
	size_t n = tensor_size(t);
	uint16_t *half;

	for (size_t i = 0; i < n; i++)
		if (!isfinite(t->data[i]) ||
		    (store == NN_STORE_F16 && !isfinite(f16_to_float(f16_from_float(t->data[i])))))
			return -1;
	if (store == NN_STORE_F32) {
		*out = t->data;
		return 0;
	}
	half = arena_array(a, uint16_t, n);
	for (size_t i = 0; i < n; i++)
		half[i] = store == NN_STORE_F16 ? f16_from_float(t->data[i])
						: bf16_from_float(t->data[i]);
	*out = half;
	return 0;
}

static int pack_param(const struct nn_param *p, enum nn_store store, struct arena *a,
		      struct st_tensor *out, struct err *err)
{
	static const enum st_dtype dtypes[] = {
		[NN_STORE_F32] = ST_F32, [NN_STORE_F16] = ST_F16, [NN_STORE_BF16] = ST_BF16};

	*out = (struct st_tensor){.name = p->name, .dtype = dtypes[store], .ndim = p->value->ndim};
	for (int d = 0; d < out->ndim; d++)
		out->shape[d] = (size_t)p->value->shape[d];
	if (pack(p->value, store, a, &out->data) == 0)
		return 0;
	return err_set(err, ERR_RANGE, "%s holds a number that %s cannot store", p->name,
		       st_dtype_name(out->dtype));
}

int nn_save(const struct nn_model *m, const struct nn_card *card, enum nn_store store,
	    const char *path, struct err *err)
{
	struct arena a = {0};
	struct buf out = {0};
	struct st_meta meta[MAX_META];
	struct st_tensor *tensors;
	size_t n, nmeta;
	const struct nn_param *params = nn_model_params(m, &n);
	int ret = -1;

	tensors = arena_array(&a, struct st_tensor, n);
	nmeta = add_meta(m, card, &a, meta);
	for (size_t i = 0; i < n; i++)
		if (pack_param(&params[i], store, &a, &tensors[i], err) < 0)
			goto out;
	if (st_write(tensors, n, meta, nmeta, &out, err) < 0)
		goto out;
	ret = fs_replace(path, out.data, out.len, err);
out:
	if (ret < 0)
		err_at_file(err, path);
	buf_free(&out);
	arena_free(&a);
	return ret;
}

/* ---- loading ---- */

static int read_config(const struct st_file *f, struct nn_config *c, struct err *err)
{
	const char *name = st_meta_get(f, "format"), *v = st_meta_get(f, "version");

	if (!name || strcmp(name, format_name) != 0)
		return err_set(
			err, ERR_FORMAT,
			"not a model of this program: its metadata have no \"format\": \"%s\"",
			format_name);
	if (!v || strcmp(v, version) != 0)
		return err_set(err, ERR_FORMAT,
			       "a model file of version %.20s; this program reads version %s",
			       v ? v : "?", version);
	*c = nn_config_default();
	for (size_t i = 0; i < f->nmeta; i++) {
		const char *key = f->meta[i].key;

		if (strncmp(key, prefix, strlen(prefix)) == 0 &&
		    nn_config_set(c, key + strlen(prefix), f->meta[i].value, err) < 0)
			return -1;
	}
	return 0;
}

static const char *shape_text(const size_t *shape, int n, char *out, size_t size)
{
	size_t len = 0;

	out[0] = '\0';
	for (int i = 0; i < n && len < size; i++)
		len += (size_t)snprintf(out + len, size - len, i ? " × %zu" : "%zu", shape[i]);
	return out;
}

static int check_param(const struct st_tensor *t, const struct nn_param *p, struct err *err)
{
	const struct tensor *want = p->value;
	size_t shape[NUM_MAX_DIMS];
	bool same = t && t->ndim == want->ndim;
	char is[64], must[64];

	if (!t)
		return err_set(err, ERR_FORMAT, "the weights of %s are missing", p->name);
	if (t->dtype != ST_F32 && t->dtype != ST_F16 && t->dtype != ST_BF16)
		return err_set(err, ERR_FORMAT, "%s is of type %s; F32, F16 or BF16 is needed",
			       p->name, st_dtype_name(t->dtype));
	for (int d = 0; d < want->ndim; d++) {
		shape[d] = (size_t)want->shape[d];
		same = same && t->shape[d] == shape[d];
	}
	if (same)
		return 0;
	return err_set(err, ERR_FORMAT, "%s is %s; this configuration needs %s", p->name,
		       shape_text(t->shape, t->ndim, is, sizeof is),
		       shape_text(shape, want->ndim, must, sizeof must));
}

/* Before any memory for weights is taken: the file holds exactly what the model needs. */
static int check_params(const struct st_file *f, const struct nn_model *m, struct err *err)
{
	size_t n;
	const struct nn_param *p = nn_model_params(m, &n);

	for (size_t i = 0; i < n; i++)
		if (check_param(st_find(f, p[i].name), &p[i], err) < 0)
			return -1;
	for (size_t i = 0; f->ntensors > n && i < f->ntensors; i++) {
		size_t k = 0;

		while (k < n && strcmp(p[k].name, f->tensors[i].name) != 0)
			k++;
		if (k == n)
			return err_set(err, ERR_FORMAT,
				       "%.80s is no part of a model of this configuration",
				       f->tensors[i].name);
	}
	return 0;
}

/* NaN and infinity would spread silently: x - x is 0 for all other numbers. */
static bool all_finite(const float *x, size_t n)
{
	float sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] - x[i];
	return sum == 0;
}

static int read_params(const struct st_file *f, struct nn_model *m, struct err *err)
{
	size_t n;
	const struct nn_param *p = nn_model_params(m, &n);

	for (size_t i = 0; i < n; i++) {
		st_floats(st_find(f, p[i].name), 0, tensor_size(p[i].value), p[i].value->data);
		if (!all_finite(p[i].value->data, tensor_size(p[i].value)))
			return err_set(err, ERR_FORMAT, "%s holds a number that is not finite",
				       p[i].name);
	}
	nn_model_pack(m);
	return 0;
}

static void read_card(const struct st_file *f, struct nn_card *card)
{
	*card = (struct nn_card){0};
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		const char *text = st_meta_get(f, fields[i].key);

		*field(card, i) = arena_strdup(&card->arena, text ? text : "");
	}
}

/* f points into bytes; both are freed by the caller, also on failure. */
static int read_header(const char *path, char **bytes, struct st_file *f, struct nn_config *c, struct err *err)
{
	size_t len;

	if (fs_read(path, MAX_FILE, bytes, &len, err) < 0 || st_parse(*bytes, len, path, f, err) < 0)
		return -1;
	return read_config(f, c, err) < 0 ? err_at_file(err, path) : 0;
}

static struct nn_model *read_model(const struct st_file *f, const struct nn_config *c, const char *path,
				   struct err *err)
{
	struct nn_model *m = nn_model_declare(c, err);

	if (!m || check_params(f, m, err) < 0)
		goto bad;
	nn_model_allocate(m);
	if (read_params(f, m, err) < 0)
		goto bad;
	return m;
bad:
	nn_model_free(m);
	err_at_file(err, path);
	return NULL;
}

int nn_load(const char *path, struct nn_model **m, struct nn_card *card, struct err *err)
{
	struct nn_config c;
	struct st_file f = {0};
	char *bytes = NULL;

	*m = NULL;
	if (card)
		*card = (struct nn_card){0};
	if (read_header(path, &bytes, &f, &c, err) == 0)
		*m = read_model(&f, &c, path, err);
	if (*m && card)
		read_card(&f, card);
	st_fini(&f);
	free(bytes);
	return *m ? 0 : -1;
}

int nn_load_config(const char *path, struct nn_config *c, struct err *err)
{
	struct st_file f = {0};
	char *bytes = NULL;
	int ret = read_header(path, &bytes, &f, c, err);

	st_fini(&f);
	free(bytes);
	return ret;
}
