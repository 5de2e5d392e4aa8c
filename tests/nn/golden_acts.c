/* Activations of the teacher-forced pass. */
#include "base/mem.h"
#include "golden.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * How an activation lies in memory: the fixture's axes are batch first, ours time first; maps
 * [B,N,Q,K] are the same in both, with queries and keys of the source or of the target.
 */
enum layout { ROWS, SOURCE, TARGET, CROSS_MAP, SOURCE_MAP, TARGET_MAP };

struct act {
	char name[64];
	const struct tensor *value; /* NULL: this model has no such thing */
	enum layout layout;
};

struct acts {
	struct act list[512];
	size_t n;
};

/* Offset in our map of the fixture's element i, or -1 if it belongs to padding or to what is
 * masked. */
static long map_index(const struct fixture *f, enum layout layout, const struct tensor *ours,
		      size_t i)
{
	size_t K = (size_t)ours->shape[3], Q = (size_t)ours->shape[2], N = (size_t)ours->shape[1];
	size_t k = i % K, q = i / K % Q, b = i / K / Q / N;
	const int *queries = layout == SOURCE_MAP ? f->batch.src_len : f->batch.tgt_len;
	const int *keys = layout == TARGET_MAP ? f->batch.tgt_len : f->batch.src_len;

	if (q >= (size_t)queries[b] || k >= (size_t)keys[b] || (layout == TARGET_MAP && k > q))
		return -1;
	return (long)i;
}

/* Offset in our tensor of the fixture's element i, or -1 if it belongs to padding. */
static long our_index(const struct fixture *f, enum layout layout, const struct tensor *ours,
		      size_t i)
{
	size_t B = (size_t)f->batch.B, n = (size_t)(layout == SOURCE ? f->batch.S : f->batch.T);
	const int *len = layout == SOURCE ? f->batch.src_len : f->batch.tgt_len;
	size_t width = (size_t)ours->shape[ours->ndim - 1];
	size_t d = i % width, s = i / width % n, b = i / width / n;

	if (layout == ROWS)
		return (long)i;
	if (layout != SOURCE && layout != TARGET)
		return map_index(f, layout, ours, i);
	return s < (size_t)len[b] ? (long)((s * B + b) * width + d) : -1;
}

static bool is_alpha(const char *name)
{
	size_t n = strlen(name);

	return n >= 5 && strcmp(name + n - 5, "alpha") == 0;
}

static bool is_map(enum layout layout)
{
	return layout == CROSS_MAP || layout == SOURCE_MAP || layout == TARGET_MAP;
}

/* Weights on padding and on later positions must be exactly 0, whatever the tolerance. */
static bool masked_is_zero(const struct fixture *f, const struct act *a)
{
	const int *keys = a->layout == TARGET_MAP ? NULL : f->batch.src_len;
	size_t n = tensor_size(a->value), K = (size_t)a->value->shape[3],
	       Q = (size_t)a->value->shape[2];
	size_t per_sentence = n / (size_t)f->batch.B;

	for (size_t i = 0; i < n; i++) {
		size_t k = i % K, q = i / K % Q, b = i / per_sentence;
		bool masked = keys ? k >= (size_t)keys[b] : k > q;

		if (masked && a->value->data[i] != 0)
			return false;
	}
	return true;
}

static int compare_act(struct report *r, const struct fixture *f, const struct st_tensor *want,
		       const struct act *a, struct err *err)
{
	size_t n = want->count;
	double worst = 0;

	if (!a->value || tensor_size(a->value) != n)
		return err_set(err, ERR_FORMAT, "%s: the model's has %zu numbers, the file's %zu",
			       want->name, a->value ? tensor_size(a->value) : 0, n);
	for (size_t i = 0; i < n; i++) {
		long k = our_index(f, a->layout, a->value, i);
		float x;

		if (k < 0)
			continue;
		st_floats(want, i, 1, &x);
		worst = golden_further(worst, fabs((double)x - (double)a->value->data[k]));
	}
	golden_note(r, &r->act, want->name, worst, f->tolerance.act);
	if (is_map(a->layout) && is_alpha(a->name) && !masked_is_zero(f, a))
		golden_note(r, &r->act, want->name, INFINITY, f->tolerance.act);
	r->activations++;
	return 0;
}

/* Log-softmax of the logits, in double. */
static struct tensor *log_probabilities(struct tape *t, const struct tensor *logits)
{
	struct tensor *y = tape_tensor(t, logits->ndim, logits->shape);
	size_t V = (size_t)logits->shape[logits->ndim - 1];

	for (size_t r = 0; r < tensor_size(logits); r += V) {
		double sum = 0;

		for (size_t v = 0; v < V; v++)
			sum += exp((double)logits->data[r + v]);
		for (size_t v = 0; v < V; v++)
			y->data[r + v] = (float)((double)logits->data[r + v] - log(sum));
	}
	return y;
}

static void add(struct acts *a, const struct tensor *value, enum layout layout, const char *fmt,
		...) __attribute__((format(printf, 4, 5)));

static void add(struct acts *a, const struct tensor *value, enum layout layout, const char *fmt,
		...)
{
	struct act *to = &a->list[a->n];
	va_list ap;

	if (a->n == ARRAY_LEN(a->list))
		return;
	to->value = value;
	to->layout = layout;
	va_start(ap, fmt);
	vsnprintf(to->name, sizeof to->name, fmt, ap);
	va_end(ap);
	a->n++;
}

static void add_heads(struct acts *a, const struct nn_heads *h, const char *name, int l,
		      enum layout map, enum layout rows)
{
	add(a, h->scores, map, name, l, "scores");
	add(a, h->alpha, map, name, l, "alpha");
	add(a, h->context, rows, name, l, "ctx");
	add(a, h->out, rows, name, l, "o");
}

static void add_layers(struct acts *a, const struct nn_forward *o, int layers)
{
	for (int l = 0; l < layers; l++) {
		const struct nn_layer *e = &o->enc_layers[l], *d = &o->dec_layers[l];

		add_heads(a, &e->self, "enc.%d.self.%s", l, SOURCE_MAP, SOURCE);
		add_heads(a, &d->self, "dec.%d.self.%s", l, TARGET_MAP, TARGET);
		add_heads(a, &d->cross, "dec.%d.cross.%s", l, CROSS_MAP, TARGET);
		add(a, e->mid1, SOURCE, "enc.%d.mid", l);
		add(a, e->out, SOURCE, "enc.%d.out", l);
		add(a, d->mid1, TARGET, "dec.%d.mid1", l);
		add(a, d->mid2, TARGET, "dec.%d.mid2", l);
		add(a, d->out, TARGET, "dec.%d.out", l);
	}
}

static void list_acts(struct acts *a, const struct fixture *f, struct tape *t,
		      const struct nn_forward *o)
{
	add(a, o->enc_emb, SOURCE, "enc.emb");
	add(a, o->logits, TARGET, "logits");
	add(a, log_probabilities(t, o->logits), TARGET, "logprobs");
	if (f->config.arch == NN_TRANSFORMER) {
		add(a, o->dec_emb, TARGET, "dec.emb");
		add(a, o->enc_states, SOURCE, "enc.out");
		add(a, o->htilde, TARGET, "dec.out");
		add_layers(a, o, f->config.layers);
		return;
	}
	add(a, o->enc_states, SOURCE, "enc.states");
	add(a, o->final_h, ROWS, "enc.final_h");
	add(a, o->final_c, ROWS, "enc.final_c");
	add(a, o->h0, ROWS, "dec.h0");
	add(a, o->c0, ROWS, "dec.c0");
	add(a, o->dec_h, TARGET, "dec.h");
	add(a, o->dec_c, TARGET, "dec.c");
	add(a, o->scores, CROSS_MAP, "dec.scores");
	add(a, o->alpha, CROSS_MAP, "dec.alpha");
	add(a, o->context, TARGET, "dec.ctx");
	add(a, o->htilde, TARGET, "dec.htilde");
}

/* Every act.* of the file must be one that we have. */
int golden_acts(struct report *r, const struct fixture *f, struct tape *t,
		const struct nn_forward *o, struct err *err)
{
	struct acts acts = {0};

	list_acts(&acts, f, t, o);
	for (size_t i = 0; i < f->file.ntensors; i++) {
		const struct st_tensor *want = &f->file.tensors[i];
		const struct act *found = NULL;

		if (strncmp(want->name, "act.", 4) != 0)
			continue;
		for (size_t k = 0; k < acts.n && !found; k++)
			if (strcmp(want->name + 4, acts.list[k].name) == 0)
				found = &acts.list[k];
		if (!found)
			return err_set(err, ERR_FORMAT, "no such activation as %s", want->name);
		if (compare_act(r, f, want, found, err) < 0)
			return -1;
	}
	return r->activations ? 0 : err_set(err, ERR_MISSING, "no act.… is there");
}
