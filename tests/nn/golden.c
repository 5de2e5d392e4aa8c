/*
 * golden.c - compares this program's numbers with golden fixtures, whatever their sizes.
 *
 *	golden [FILE.safetensors…]        without files: all of tests/fixtures
 *
 * For every file: all activations of the teacher-forced pass, the losses and gradients with and
 * without label smoothing, some Adam steps, greedy decoding, and decoding step by step against the
 * pass over all steps. One line a file with the worst differences; exit 0 only if all agree.
 */
#include "golden.h"
#include "num/blas.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double golden_further(double worst, double diff)
{
	return isnan(worst) || diff <= worst ? worst : diff;
}

void golden_note(struct report *r, struct worst *w, const char *where, double diff,
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
		if (golden_loss(r, f, m, t, k, err) < 0)
			goto out;
	if (golden_adam(r, f, m, t, err) < 0 || golden_greedy(r, f, d, err) < 0)
		goto out;
	golden_steps(r, f, m, d, t);
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
