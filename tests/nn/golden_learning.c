/* Losses, gradients, steps of Adam. */
#include "base/mem.h"
#include "golden.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
		worst = golden_further(worst, diff);
	}
	return worst;
}

int golden_loss(struct report *r, const struct fixture *f, struct nn_model *m, struct tape *t,
		int k, struct err *err)
{
	const struct st_tensor *want;
	struct nn_forward out;
	char prefix[64];
	size_t n;
	const struct nn_param *p = nn_model_params(m, &n);
	float loss = (float)run_loss(f, m, t, f->smooth[k], &out);

	if (fixture_get(f, "loss", f->smooth_name[k], 1, &want, err) < 0)
		return -1;
	golden_note(r, &r->loss, want->name, worst_of(want, &loss), f->tolerance.loss);
	snprintf(prefix, sizeof prefix, "grad.%s", f->smooth_name[k]);
	for (size_t i = 0; i < n; i++) {
		bool zero = fixture_zero_gradient(f, p[i].name);

		if (fixture_get(f, prefix, p[i].name, tensor_size(p[i].value), &want, err) < 0)
			return -1;
		golden_note(r, &r->grad, want->name, worst_of(want, p[i].value->grad),
			    zero ? f->tolerance.zero_grad : f->tolerance.grad);
	}
	return k == 0 ? golden_acts(r, f, t, &out, err) : 0;
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
		golden_note(r, &(struct worst){0}, want->name, worst_of(want, p->value->data),
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
		worst = golden_further(worst, diff);
	}
	golden_note(r, &r->adam, want->name, worst, f->tolerance.adam);
	return 0;
}

/* Before the first step the loss is a loss; after it the parameters' own differences come on top.
 */
static double step_tolerance(const struct tolerances *t, size_t step)
{
	return step == 0 ? t->loss : fmax(2.5 * t->loss, t->noise > 0 ? t->adam : 0);
}

int golden_adam(struct report *r, const struct fixture *f, struct nn_model *m, struct tape *t,
		struct err *err)
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
		golden_note(r, &r->loss, want->name, fabs((double)x - loss),
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
