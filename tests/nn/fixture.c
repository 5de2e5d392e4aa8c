#include "fixture.h"
#include "base/fs.h"
#include "base/mem.h"

#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILE = 256 << 20, MAX_NESTING = 16 };

static const struct tolerances defaults = {
	.act = 2e-5,
	.loss = 2e-6,
	.grad = 5e-6,
	.adam = 2e-6,
	.zero_grad = 1e-6,
};

/* ---- the sidecar ---- */

static int read_json(struct fixture *f, const char *path, struct err *err)
{
	struct json_tokener *tok = json_tokener_new_ex(MAX_NESTING);
	size_t n = strlen(path), len;
	const char *dot = strrchr(path, '.');
	char *name = arena_printf(&f->arena, "%.*s.json", dot ? (int)(dot - path) : (int)n, path);
	char *text = NULL;
	int ret = -1;

	if (fs_read(name, MAX_FILE, &text, &len, err) < 0)
		goto out;
	f->json = json_tokener_parse_ex(tok, text, (int)len);
	if (!f->json || !json_object_is_type(f->json, json_type_object)) {
		err_set(err, ERR_FORMAT, "not a JSON object");
		err_at_file(err, name);
		goto out;
	}
	ret = 0;
out:
	free(text);
	json_tokener_free(tok);
	return ret;
}

static double number_or(struct json_object *o, const char *key, double otherwise)
{
	struct json_object *v;

	return json_object_object_get_ex(o, key, &v) ? json_object_get_double(v) : otherwise;
}

/* Keys that are called otherwise in a fixture; NULL: not a setting. */
static const char *config_key(const char *key)
{
	static const char *const names[][2] = {
		{"model", "arch"}, {"d", "emb"}, {"pre", "pre_norm"}, {"ln_eps", NULL}};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(key, names[i][0]) == 0)
			return names[i][1];
	return key;
}

static bool has(const struct fixture *f, const char *name)
{
	return st_find(&f->file, name) != NULL;
}

/* What the names and shapes of the weights say. */
static void infer_config(struct fixture *f)
{
	const struct st_tensor *Wc = st_find(&f->file, "param.Wc.weight");
	struct nn_config *c = &f->config;
	char name[64];

	c->bidirectional = has(f, "param.encoder.weight_ih_l0_reverse");
	for (c->enc_layers = 1;; c->enc_layers++) {
		snprintf(name, sizeof name, "param.encoder.weight_ih_l%d", c->enc_layers);
		if (!has(f, name))
			break;
	}
	c->learned_positions = has(f, "param.src_pos.weight");
	c->tied = !has(f, "param.out.weight");
	c->combine = Wc && Wc->ndim == 2 && Wc->shape[0] < 8192 ? (int)Wc->shape[0] : 0;
	c->combine_bias = has(f, "param.Wc.bias");
}

static int read_config(struct fixture *f, struct err *err)
{
	struct json_object *config;

	f->config = nn_config_default();
	infer_config(f);
	if (!json_object_object_get_ex(f->json, "config", &config) ||
	    !json_object_is_type(config, json_type_object))
		return err_set(err, ERR_FORMAT, "the sidecar has no config");
	json_object_object_foreach(config, name, value)
	{
		const char *key = config_key(name);

		if (key && nn_config_set(&f->config, key, json_object_get_string(value), err) < 0)
			return -1;
	}
	return 0;
}

/* The reference's own float32 difference, and what follows for a tolerance. */
static double loosen(double tolerance, struct json_object *f32, const char *key)
{
	double diff = number_or(f32, key, 0);

	return diff > tolerance / 2 ? 8 * diff : tolerance;
}

static void read_tolerances(struct fixture *f)
{
	static const char adam[] = "adam3_without_zero_gradient_params";
	struct json_object *t = NULL, *f32 = NULL, *max = NULL;
	struct tolerances d = defaults;
	double step = (double)f->adam.lr * f->adam_steps;

	json_object_object_get_ex(f->json, "f32_maxdiff", &f32);
	json_object_object_get_ex(f->json, "max_abs", &max);
	json_object_object_get_ex(f->json, "tolerances", &t);
	if (number_or(max, "grad.ls0", 0) > 2)
		d.grad = 1e-5 * number_or(max, "grad.ls0", 0);
	d.adam = fmax(d.adam, 2e-3 * (double)f->adam.lr);
	if (number_or(f32, adam, 0) > d.adam / 2)
		d.noise = 8 * number_or(f32, "grad.ls0", 0);
	d.act = loosen(d.act, f32, "act");
	d.loss = loosen(d.loss, f32, "loss");
	d.zero_grad = loosen(d.zero_grad, f32, "grad.ls0");
	d.grad = loosen(d.grad, f32, "grad.ls0");
	d.adam = loosen(d.adam, f32, adam);
	f->tolerance = (struct tolerances){
		.act = number_or(t, "act", d.act),
		.loss = number_or(t, "loss", d.loss),
		.grad = number_or(t, "grad", d.grad),
		.adam = number_or(t, "adam", d.adam),
		.zero_grad = number_or(t, "zero_grad", d.zero_grad),
		.zero_adam = number_or(t, "zero_adam", 1.034 * step),
		.noise = number_or(t, "noise", d.noise),
		.step = number_or(t, "step", d.act),
	};
}

static void read_numbers(struct fixture *f)
{
	struct json_object *adam = NULL;

	json_object_object_get_ex(f->json, "adam", &adam);
	f->adam = (struct adam){
		.lr = (float)number_or(adam, "lr", 1e-3),
		.beta1 = (float)number_or(adam, "beta1", 0.9),
		.beta2 = (float)number_or(adam, "beta2", 0.98),
		.eps = (float)number_or(adam, "eps", 1e-9),
	};
	f->adam_steps = (int)number_or(adam, "steps", 3);
	read_tolerances(f);
}

/* ---- tensors ---- */

int fixture_get(const struct fixture *f, const char *prefix, const char *name, size_t want,
		const struct st_tensor **out, struct err *err)
{
	char full[256];

	snprintf(full, sizeof full, "%s.%s", prefix, name);
	*out = st_find(&f->file, full);
	if (!*out)
		return err_set(err, ERR_MISSING, "%s is missing", full);
	if ((*out)->count != want)
		return err_set(err, ERR_FORMAT, "%s has %zu numbers, not %zu", full, (*out)->count,
			       want);
	return 0;
}

static int *ints(struct fixture *f, const struct st_tensor *t)
{
	int *out = arena_array(&f->arena, int, t->count);

	memcpy(out, t->data, t->count * sizeof *out);
	return out;
}

/* in.NAME [B,n] as [n,B], every id below limit. */
static int read_ids(struct fixture *f, const char *name, int n, int limit, const int **out,
		    struct err *err)
{
	const struct st_tensor *t;
	int B = f->batch.B, *ids, *turned;

	if (fixture_get(f, "in", name, (size_t)n * (size_t)B, &t, err) < 0)
		return -1;
	if (t->dtype != ST_I32)
		return err_set(err, ERR_FORMAT, "in.%s must be I32", name);
	ids = ints(f, t);
	turned = arena_array(&f->arena, int, t->count);
	for (int b = 0; b < B; b++) {
		for (int s = 0; s < n; s++) {
			int id = ids[b * n + s];

			if (id < 0 || id >= limit)
				return err_set(err, ERR_RANGE, "in.%s has the id %d", name, id);
			turned[s * B + b] = id;
		}
	}
	*out = turned;
	return 0;
}

static int read_lengths(struct fixture *f, const char *name, int most, const int **out,
			struct err *err)
{
	const struct st_tensor *t;
	int *len;

	if (fixture_get(f, "in", name, (size_t)f->batch.B, &t, err) < 0)
		return -1;
	if (t->dtype != ST_I32)
		return err_set(err, ERR_FORMAT, "in.%s must be I32", name);
	len = ints(f, t);
	for (int b = 0; b < f->batch.B; b++)
		if (len[b] < 1 || len[b] > most)
			return err_set(err, ERR_RANGE, "in.%s has the length %d", name, len[b]);
	*out = len;
	return 0;
}

static int shape_of(const struct fixture *f, const char *name, int *n0, int *n1, struct err *err)
{
	const struct st_tensor *t = st_find(&f->file, name);

	if (!t || t->ndim != 2 || !t->count || t->shape[0] > 1 << 16 || t->shape[1] > 1 << 16)
		return err_set(err, ERR_FORMAT, "%s is missing or not a matrix", name);
	*n0 = (int)t->shape[0];
	*n1 = (int)t->shape[1];
	return 0;
}

static int read_batch(struct fixture *f, struct err *err)
{
	struct nn_batch *b = &f->batch;
	int B;

	if (shape_of(f, "in.src", &b->B, &b->S, err) < 0 ||
	    shape_of(f, "in.tgt_in", &B, &b->T, err) < 0)
		return -1;
	if (read_ids(f, "src", b->S, f->config.src_vocab, &b->src, err) < 0 ||
	    read_ids(f, "tgt_in", b->T, f->config.tgt_vocab, &b->tgt_in, err) < 0 ||
	    read_ids(f, "tgt_out", b->T, f->config.tgt_vocab, &b->tgt_out, err) < 0 ||
	    read_lengths(f, "src_len", b->S, &b->src_len, err) < 0 ||
	    read_lengths(f, "tgt_len", b->T, &b->tgt_len, err) < 0)
		return -1;
	for (int i = 0; i < b->B; i++)
		f->target_tokens += b->tgt_len[i];
	return 0;
}

static int read_smoothings(struct fixture *f, struct err *err)
{
	for (size_t i = 0; i < f->file.ntensors; i++) {
		const char *name = f->file.tensors[i].name;

		if (strncmp(name, "loss.ls", 7) != 0 || f->nsmooth == FIXTURE_SMOOTHINGS)
			continue;
		f->smooth_name[f->nsmooth] = name + 5;
		f->smooth[f->nsmooth++] = strtof(name + 7, NULL);
	}
	return f->nsmooth ? 0 : err_set(err, ERR_MISSING, "no loss.ls… is there");
}

int fixture_load(struct fixture *f, const char *path, struct err *err)
{
	size_t len;

	*f = (struct fixture){0};
	if (fs_read(path, MAX_FILE, &f->bytes, &len, err) < 0 ||
	    st_parse(f->bytes, len, path, &f->file, err) < 0 || read_json(f, path, err) < 0)
		return -1;
	read_numbers(f);
	if (read_config(f, err) < 0 || nn_config_check(&f->config, err) < 0 ||
	    read_batch(f, err) < 0)
		return -1;
	return read_smoothings(f, err);
}

void fixture_free(struct fixture *f)
{
	st_fini(&f->file);
	json_object_put(f->json);
	free(f->bytes);
	arena_free(&f->arena);
	*f = (struct fixture){0};
}

static int check_shape(const struct st_tensor *t, const struct tensor *want, struct err *err)
{
	bool same = t->ndim == want->ndim;

	for (int d = 0; same && d < t->ndim; d++)
		same = t->shape[d] == (size_t)want->shape[d];
	return same ? 0
		    : err_set(err, ERR_FORMAT, "%s has another shape than the model's", t->name);
}

int fixture_weights(const struct fixture *f, struct nn_model *m, struct err *err)
{
	size_t n, there = 0;
	const struct nn_param *p = nn_model_params(m, &n);

	for (size_t i = 0; i < n; i++) {
		const struct st_tensor *t;

		if (fixture_get(f, "param", p[i].name, tensor_size(p[i].value), &t, err) < 0 ||
		    check_shape(t, p[i].value, err) < 0)
			return -1;
		st_floats(t, 0, t->count, p[i].value->data);
	}
	for (size_t i = 0; i < f->file.ntensors; i++)
		there += strncmp(f->file.tensors[i].name, "param.", 6) == 0;
	if (there != n)
		return err_set(err, ERR_FORMAT, "%zu parameters are in the file, %zu in the model",
			       there, n);
	return 0;
}

bool fixture_zero_gradient(const struct fixture *f, const char *param)
{
	struct json_object *list;

	if (!json_object_object_get_ex(f->json, "zero_gradient_in_theory", &list) ||
	    !json_object_is_type(list, json_type_array))
		return false;
	for (size_t i = 0; i < json_object_array_length(list); i++)
		if (strcmp(param, json_object_get_string(json_object_array_get_idx(list, i))) == 0)
			return true;
	return false;
}
