#include "view/output.h"

#include "base/mem.h"
#include "trace/differ.h"
#include "view/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *formula;
} figures[OUTPUT_FIGURE_COUNT] = {
#define X(id, name, formula) [id] = {name, formula},
	OUTPUT_FIGURES(X)
#undef X
};

const char *output_figure_name(enum output_figure f)
{
	return figures[f].name;
}

const char *output_figure_formula(enum output_figure f)
{
	return figures[f].formula;
}

bool output_any(const struct trace *t)
{
	for (size_t k = 0; k < t->nsteps; k++)
		if (t->steps[k].ntop)
			return true;
	return false;
}

size_t output_chosen(const struct trace_step *s)
{
	size_t k = 0;

	while (k < s->ntop && strcmp(s->top[k].token, s->token) != 0)
		k++;
	return k;
}

/* -x log2 x, 0 where that is its limit. */
static double surprise(double x)
{
	return x > 0 ? -x * log2(x) : 0;
}

double output_entropy(const struct trace_step *s, bool *least)
{
	double bits = 0, rest = 1;

	*least = !(s->entropy > 0);
	if (!*least)
		return (double)s->entropy;
	for (size_t k = 0; k < s->ntop; k++) {
		bits += surprise((double)s->top[k].p);
		rest -= (double)s->top[k].p;
	}
	return s->ntop ? bits + surprise(rest) : (double)NAN;
}

const char *output_gold(const struct trace *t, size_t at)
{
	if (!t->nreference || at > t->nreference || at >= t->nsteps)
		return NULL;
	for (size_t k = 0; k < at; k++)
		if (strcmp(t->steps[k].token, t->reference[k]) != 0)
			return NULL;
	return at < t->nreference ? t->reference[at] : "</s>";
}

bool output_changed(const struct trace *now, const struct trace *before, size_t at)
{
	return before && !differ_word(now, before, at).same;
}

size_t output_lost(const struct trace *now, const struct trace *before, size_t k)
{
	for (size_t at = 0; before && at < before->nsteps; at++)
		if (differ_lost(now, before, at).at == SIZE_MAX && k-- == 0)
			return at;
	return SIZE_MAX;
}

size_t output_lines(const struct trace *now, const struct trace *before)
{
	size_t lost = 0;

	for (size_t at = 0; before && at < before->nsteps; at++)
		lost += differ_lost(now, before, at).at == SIZE_MAX;
	return now->nsteps + lost;
}

/* ---- the sentence ---- */

static double mean_entropy(const struct trace *t)
{
	double sum = 0;
	bool least;

	for (size_t k = 0; k < t->nsteps; k++)
		sum += output_entropy(&t->steps[k], &least);
	return t->nsteps ? sum / (double)t->nsteps : (double)NAN;
}

const struct trace_map *output_map(const struct trace *t)
{
	const struct trace_map *m = trace_walked(t, TRACE_WEIGHTS);

	for (size_t k = 0; !m && k < t->nmaps; k++)
		if (t->maps[k].kind == TRACE_CROSS && t->maps[k].type == TRACE_WEIGHTS)
			m = &t->maps[k];
	return m && m->rows && m->rows * m->cols <= FIGURES_SEARCH ? m : NULL;
}

struct output_figures output_figures(const struct trace *t)
{
	const struct trace_map *m = output_map(t);
	struct measures a = measure_trace(t, m);
	double mean = a.of[MEASURE_LOGPROB], sum = mean * (double)t->nsteps;
	struct output_figures f = {{
		[OUTPUT_LOGPROB] = sum,
		[OUTPUT_PROBABILITY] = exp(sum),
		[OUTPUT_PERPLEXITY] = exp(-mean),
		[OUTPUT_ENTROPY] = mean_entropy(t),
		[OUTPUT_CONFIDENCE] = m ? a.of[MEASURE_CONFIDENCE] : (double)NAN,
		[OUTPUT_COVERAGE] = m ? a.of[MEASURE_COVERAGE] : (double)NAN,
		[OUTPUT_FOCUS] = m ? a.of[MEASURE_ENTROPY] : (double)NAN,
		[OUTPUT_AER] = m ? a.of[MEASURE_AER] : (double)NAN,
	}};

	return f;
}

double output_coverage(const struct trace_map *m, double *out)
{
	float *row = mem_calloc(m->cols + 1, sizeof *row);
	double most = 0;

	memset(out, 0, m->cols * sizeof *out);
	for (size_t t = 0; t < m->rows; t++) {
		trace_row(m, t, row);
		for (size_t i = 0; i < m->cols; i++)
			out[i] += (double)row[i];
	}
	free(row);
	for (size_t i = 0; i < m->cols; i++)
		most = out[i] > most ? out[i] : most;
	return most;
}

/* ---- the scene ---- */

static void find_cursor(struct output_scene *s)
{
	const struct ui *ui = s->ui;
	size_t last = s->t->nsteps ? s->t->nsteps - 1 : 0, k;

	s->at = ui->step.t < last ? ui->step.t : last;
	if (!s->t->nsteps)
		return;
	s->step = &s->t->steps[s->at];
	k = ui->candidate_t == s->at ? ui->candidate : output_chosen(s->step);
	s->candidate = k < s->step->ntop ? k : s->step->ntop ? s->step->ntop - 1 : 0;
}

bool output_scene_init(struct output_scene *s, const struct ui *ui)
{
	struct trace_producer *p = ui->producer;

	*s = (struct output_scene){.ui = ui, .t = p->trace(p->self)};
	if (!s->t)
		return false;
	s->before = p->before ? p->before(p->self) : NULL;
	find_cursor(s);
	s->map = output_map(s->t);
	if (s->map) {
		s->coverage = mem_calloc(s->map->cols, sizeof *s->coverage);
		s->covered = output_coverage(s->map, s->coverage);
	}
	return true;
}

float output_bar(const struct ui *ui, float p)
{
	return ui->normal == NORMAL_LOG && p > 0 ? 1 + log10f(p) / 3 : p;
}

void output_scene_fini(struct output_scene *s)
{
	free(s->coverage);
}
