/*
 * golden.c - compares this program's numbers with golden fixtures, whatever their sizes.
 *
 *	golden [FILE.safetensors…]        without files: all of tests/fixtures
 *
 * For every file: all activations of the teacher-forced pass, the losses and gradients with and
 *without label smoothing, some Adam steps, greedy decoding, and decoding step by step against the
 *pass over all steps. One line a file with the worst differences; exit 0 only if all agree.
 */
#include "base/mem.h"
#include "fixture.h"
#include "num/tape.h"

#include <glob.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAD = 0, BOS = 1, EOS = 2 };

/* The worst difference of one kind, and where. */
struct worst {
	double diff;
	char where[96];
};

struct report {
	struct worst act, loss, grad, adam, step;
	int activations;
	int greedy_right, greedy_tokens;
	char failed[160]; /* the first thing that was out of tolerance, "" if none */
};

/* The larger one; a NaN is larger than everything. */
static double further(double worst, double diff)
{
	return isnan(worst) || diff <= worst ? worst : diff;
}

/* NaN counts as infinitely far. */
static void note(struct report *r, struct worst *w, const char *where, double diff,
		 double tolerance)
{
	if (!(diff >= 0))
		diff = INFINITY;
	if (diff >= w->diff) {
		w->diff = diff;
		snprintf(w->where, sizeof w->where, "%s", where);
	}
	if (!(diff <= tolerance) && !r->failed[0])
		snprintf(r->failed, sizeof r->failed, "%s differs by %.3g, %.3g is allowed", where,
			 diff, tolerance);
}

/* ---- activations ---- */

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
		worst = further(worst, fabs((double)x - (double)a->value->data[k]));
	}
	note(r, &r->act, want->name, worst, f->tolerance.act);
	if (is_map(a->layout) && is_alpha(a->name) && !masked_is_zero(f, a))
		note(r, &r->act, want->name, INFINITY, f->tolerance.act);
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
static int compare_acts(struct report *r, const struct fixture *f, struct tape *t,
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

/* ---- losses, gradients, Adam ---- */

/* Forward, loss and backward; returns the mean loss. Gradients are zeroed first. */
static double run_loss(const struct fixture *f, struct nn_model *m, struct tape *t, float smoothing,
		       struct nn_forward *out)
{
	struct nn_loss_options o = {.label_smoothing = smoothing,
				    .scale = 1 / (float)f->target_tokens};
	struct nn_loss loss;

	nn_model_want_grads(m);
	tape_reset(t);
	tape_record(t, true);
	nn_model_forward(m, t, &f->batch, NULL, out);
	loss = nn_model_loss(m, t, &f->batch, out, &o);
	tape_backward(t);
	tape_record(t, false);
	return loss.nll / (double)f->target_tokens;
}

static double worst_of(const struct st_tensor *want, const float *got)
{
	double worst = 0;

	for (size_t i = 0; i < want->count; i++) {
		double diff;
		float x;

		st_floats(want, i, 1, &x);
		diff = fabs((double)x - (double)got[i]);
		worst = further(worst, diff);
	}
	return worst;
}

static int compare_loss(struct report *r, const struct fixture *f, struct nn_model *m,
			struct tape *t, int k, struct err *err)
{
	const struct st_tensor *want;
	struct nn_forward out;
	char prefix[64];
	size_t n;
	const struct nn_param *p = nn_model_params(m, &n);
	float loss = (float)run_loss(f, m, t, f->smooth[k], &out);

	if (fixture_get(f, "loss", f->smooth_name[k], 1, &want, err) < 0)
		return -1;
	note(r, &r->loss, want->name, worst_of(want, &loss), f->tolerance.loss);
	snprintf(prefix, sizeof prefix, "grad.%s", f->smooth_name[k]);
	for (size_t i = 0; i < n; i++) {
		bool zero = fixture_zero_gradient(f, p[i].name);

		if (fixture_get(f, prefix, p[i].name, tensor_size(p[i].value), &want, err) < 0)
			return -1;
		note(r, &r->grad, want->name, worst_of(want, p[i].value->grad),
		     zero ? f->tolerance.zero_grad : f->tolerance.grad);
	}
	return k == 0 ? compare_acts(r, f, t, &out, err) : 0;
}

/* What Adam made of one parameter. Its gradient tells where the direction of a step is only noise.
 */
static int compare_updated(struct report *r, const struct fixture *f, const struct nn_param *p,
			   struct err *err)
{
	size_t n = tensor_size(p->value);
	double limit = 2.1 * (double)f->adam.lr * f->adam_steps, worst = 0;
	const struct st_tensor *want, *grad;

	if (fixture_zero_gradient(f, p->name)) {
		if (fixture_get(f, "param", p->name, n, &want, err) < 0)
			return -1;
		note(r, &(struct worst){0}, want->name, worst_of(want, p->value->data),
		     f->tolerance.zero_adam);
		return 0;
	}
	if (fixture_get(f, "adam3", p->name, n, &want, err) < 0 ||
	    fixture_get(f, "grad.ls0", p->name, n, &grad, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		float x, g;
		double diff;

		st_floats(want, i, 1, &x);
		st_floats(grad, i, 1, &g);
		diff = fabs((double)x - (double)p->value->data[i]);
		if (g != 0 && fabs((double)g) < f->tolerance.noise && diff <= limit)
			continue;
		worst = further(worst, diff);
	}
	note(r, &r->adam, want->name, worst, f->tolerance.adam);
	return 0;
}

/* Before the first step the loss is a loss; after it the parameters' own differences come on top.
 */
static double step_tolerance(const struct tolerances *t, size_t step)
{
	return step == 0 ? t->loss : fmax(2.5 * t->loss, t->noise > 0 ? t->adam : 0);
}

static int compare_adam(struct report *r, const struct fixture *f, struct nn_model *m,
			struct tape *t, struct err *err)
{
	size_t n, count, steps = (size_t)f->adam_steps;
	float *w = nn_model_weights(m, &n), *moments = mem_calloc(2 * n, sizeof(float));
	const struct nn_param *p = nn_model_params(m, &count);
	struct adam adam = f->adam;
	const struct st_tensor *want;
	struct nn_forward out;
	int ret = -1;

	if (fixture_get(f, "adam3", "losses", steps + 1, &want, err) < 0)
		goto out;
	for (size_t s = 0; s <= steps; s++) {
		double loss = run_loss(f, m, t, 0, &out);
		float x;

		st_floats(want, s, 1, &x);
		note(r, &r->loss, want->name, fabs((double)x - loss),
		     step_tolerance(&f->tolerance, s));
		adam.step = (long)s + 1;
		if (s < steps)
			adam_update(&adam, 1, nn_model_grads(m, &n), w, moments, moments + n, n);
	}
	for (size_t i = 0; i < count; i++)
		if (compare_updated(r, f, &p[i], err) < 0)
			goto out;
	ret = fixture_weights(f, m, err); /* as they were */
out:
	free(moments);
	return ret;
}

/* ---- decoding ---- */

static int arg_max(const float *x, int n)
{
	int best = 0;

	for (int i = 1; i < n; i++)
		if (x[i] > x[best])
			best = i;
	return best;
}

/* Sentences [first, first+B) as their own batch [S,B] with the S that they need. */
static int *part_of_source(const struct fixture *f, int first, int B, int *S)
{
	int *src;

	*S = 0;
	for (int b = first; b < first + B; b++)
		*S = f->batch.src_len[b] > *S ? f->batch.src_len[b] : *S;
	src = mem_calloc((size_t)*S * (size_t)B, sizeof *src);
	for (int s = 0; s < *S; s++)
		memcpy(src + s * B, f->batch.src + s * f->batch.B + first, (size_t)B * sizeof *src);
	return src;
}

/* Decodes these sentences side by side and counts the ids that are right. */
static void greedy(struct report *r, const struct fixture *f, struct nn_decoder *d, int first,
		   int B, const int *want, int steps)
{
	int S, V = f->config.tgt_vocab, *src = part_of_source(f, first, B, &S);
	int *token = mem_calloc((size_t)B, sizeof *token);
	bool *done = mem_calloc((size_t)B, sizeof *done);

	for (int b = 0; b < B; b++)
		token[b] = BOS;
	nn_decoder_encode(d, src, f->batch.src_len + first, S, B);
	for (int t = 0; t < steps; t++) {
		struct nn_step o;

		nn_decoder_step(d, token, NULL, NULL, &o);
		for (int b = 0; b < B; b++) {
			int id = arg_max(o.logits->data + (size_t)b * (size_t)V, V);

			r->greedy_right += want[(first + b) * steps + t] == (done[b] ? PAD : id);
			r->greedy_tokens++;
			done[b] |= id == EOS;
			token[b] = id;
		}
	}
	free(done);
	free(token);
	free(src);
}

static int compare_greedy(struct report *r, const struct fixture *f, struct nn_decoder *d,
			  struct err *err)
{
	const struct st_tensor *t = st_find(&f->file, "greedy.ids");
	int B = f->batch.B, *want;
	size_t steps;

	if (!t || t->ndim != 2 || t->shape[0] != (size_t)B || t->dtype != ST_I32)
		return err_set(err, ERR_MISSING, "greedy.ids is missing or has another shape");
	steps = t->shape[1];
	want = mem_alloc(t->count * sizeof *want + 1);
	memcpy(want, t->data, t->count * sizeof *want);
	greedy(r, f, d, 0, B, want, (int)steps);
	for (int b = 0; b < B; b++)
		greedy(r, f, d, b, 1, want, (int)steps);
	free(want);
	if (r->greedy_right != r->greedy_tokens && !r->failed[0])
		snprintf(r->failed, sizeof r->failed, "greedy decoding has other words");
	return 0;
}

/*
 * One timestep's numbers against row t of all, real targets only: rows [B,width] or [1,B,width]
 * with [T,B,width], and maps [B,N,1,k] or [B,k] with [B,N,T,K] where a step may have fewer keys.
 */
static void compare_rows(struct report *r, const struct fixture *f, const char *name, int t,
			 const struct tensor *step, const struct tensor *all)
{
	size_t B = (size_t)f->batch.B, T = (size_t)f->batch.T, N, per, width;
	double worst = 0;

	if (!step && !all)
		return;
	N = all->ndim == 4 ? (size_t)all->shape[1] : 1;
	width = (size_t)all->shape[all->ndim - 1];
	per = tensor_size(step) / B / N;
	for (size_t b = 0; b < B; b++) {
		for (size_t i = 0; i < N * per && t < f->batch.tgt_len[b]; i++) {
			size_t row = all->ndim == 4 ? (b * N + i / per) * T + (size_t)t
						    : (size_t)t * B + b;
			float want = all->data[row * width + i % per];

			worst = further(worst,
					fabs((double)step->data[b * N * per + i] - (double)want));
		}
	}
	note(r, &r->step, name, worst, f->tolerance.step);
}

static void compare_layers(struct report *r, const struct fixture *f, int t,
			   const struct nn_step *o, const struct nn_forward *all)
{
	for (int l = 0; o->layers && l < f->config.layers; l++) {
		const struct nn_layer *s = &o->layers[l], *a = &all->dec_layers[l];

		compare_rows(r, f, "step self scores", t, s->self.scores, a->self.scores);
		compare_rows(r, f, "step self alpha", t, s->self.alpha, a->self.alpha);
		compare_rows(r, f, "step self context", t, s->self.context, a->self.context);
		compare_rows(r, f, "step cross scores", t, s->cross.scores, a->cross.scores);
		compare_rows(r, f, "step cross alpha", t, s->cross.alpha, a->cross.alpha);
		compare_rows(r, f, "step layer", t, s->out, a->out);
	}
}

static void compare_step(struct report *r, const struct fixture *f, int t, const struct nn_step *o,
			 const struct nn_forward *all)
{
	compare_rows(r, f, "step logits", t, o->logits, all->logits);
	compare_rows(r, f, "step htilde", t, o->combined, all->htilde);
	compare_rows(r, f, "step context", t, o->context, all->context);
	compare_layers(r, f, t, o, all);
	if (f->config.arch == NN_TRANSFORMER)
		return;
	compare_rows(r, f, "step state", t, o->state, all->dec_h);
	compare_rows(r, f, "step scores", t, o->scores, all->scores);
	compare_rows(r, f, "step alpha", t, o->alpha, all->alpha);
}

/* The decoder fed with tgt_in, once forwards and once more after rewinding to the middle. */
static void compare_steps(struct report *r, const struct fixture *f, struct nn_model *m,
			  struct nn_decoder *d, struct tape *tape)
{
	const struct nn_batch *b = &f->batch;
	struct nn_forward all;
	struct nn_step o;

	tape_reset(tape);
	nn_model_forward(m, tape, b, NULL, &all);
	nn_decoder_encode(d, b->src, b->src_len, b->S, b->B);
	for (int round = 0; round < 2; round++) {
		for (int t = round * (b->T / 2); t < b->T; t++) {
			nn_decoder_step(d, b->tgt_in + (size_t)t * (size_t)b->B, NULL, NULL, &o);
			compare_step(r, f, t, &o, &all);
		}
		nn_decoder_rewind(d, b->T / 2);
	}
}

/* ---- one file ---- */

static int compare(struct report *r, const struct fixture *f, struct err *err)
{
	struct nn_model *m = nn_model_new(&f->config, err);
	struct nn_decoder *d = NULL;
	struct tape *t = tape_new();
	int ret = -1;

	if (!m || fixture_weights(f, m, err) < 0)
		goto out;
	d = nn_decoder_new(m);
	for (int k = 0; k < f->nsmooth; k++)
		if (compare_loss(r, f, m, t, k, err) < 0)
			goto out;
	if (compare_adam(r, f, m, t, err) < 0 || compare_greedy(r, f, d, err) < 0)
		goto out;
	compare_steps(r, f, m, d, t);
	ret = 0;
out:
	nn_decoder_free(d);
	tape_free(t);
	nn_model_free(m);
	return ret;
}

static int run(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct report r = {0};
	struct fixture f;
	struct err err = {0};
	char text[1024];
	int ret = fixture_load(&f, path, &err);

	if (ret == 0)
		ret = compare(&r, &f, &err);
	if (ret < 0)
		printf("FAILED %-28s %s\n", name, err_format(&err, text, sizeof text));
	else
		printf("%-6s %-38s act %.1e %-12s loss %.1e  grad %.1e  adam %.1e  step %.1e  "
		       "greedy %d/%d%s%s\n",
		       r.failed[0] ? "FAILED" : "ok", name, r.act.diff, r.act.where + 4,
		       r.loss.diff, r.grad.diff, r.adam.diff, r.step.diff, r.greedy_right,
		       r.greedy_tokens, r.failed[0] ? "  " : "", r.failed);
	fixture_free(&f);
	return ret < 0 || r.failed[0] ? 1 : 0;
}

int main(int argc, char **argv)
{
	int failed = 0;
	glob_t g;

	num_blas_threads(1);
	for (int i = 1; i < argc; i++)
		failed |= run(argv[i]);
	if (argc > 1)
		return failed;
	if (glob(FIXTURES "/*.safetensors", 0, NULL, &g) != 0) {
		fprintf(stderr, "golden: no fixtures in %s\n", FIXTURES);
		return 1;
	}
	for (size_t i = 0; i < g.gl_pathc; i++)
		failed |= run(g.gl_pathv[i]);
	globfree(&g);
	return failed;
}
