/* vectors_side.c - beside the tables: the sum against the score, the vectors and the states as strips. */
#include "base/mem.h"
#include "base/number.h"
#include "view/scene.h"
#include "view/token.h"
#include "view/vectors_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void draw_sum(const struct vectors_scene *s, struct area *a)
{
	double sum = vectors_sum(&s->x, NULL, s->x.q.n), e = (double)s->x.score;
	char part[32];

	area_printf(a, STYLE_FORMULA, "e = Σ_d %s", vectors_formula(&s->x, part, sizeof part));
	area_printf(a, STYLE_NUMBER, "  the sum       %+.4f", sum);
	if (s->x.masked)
		area_put(a, STYLE_CHANGED, "  masked: it may not look ahead");
	else if (!isfinite(e))
		area_put(a, STYLE_DIM, "  no score was recorded");
	else
		area_printf(a, STYLE_NUMBER, "  in the trace  %+.4f", e);
	if (!vectors_agree(&s->x))
		area_printf(a, STYLE_CHANGED, "  they differ by %.2g", fabs(sum - e));
}

/* How far the value points where z points: α v·z / z·z; all of a row's sum to 1. */
static double share_of(const struct vectors *x)
{
	double vz = 0, zz = 0;

	for (size_t d = 0; d < x->z.n; d++) {
		vz += (double)x->weight * (double)x->v.v[d] * (double)x->z.v[d];
		zz += (double)x->z.v[d] * (double)x->z.v[d];
	}
	return zz > 0 ? vz / zz : (double)NAN;
}

static void draw_weight(const struct vectors_scene *s, struct area *a)
{
	bool recurrent = s->t->about.layers == 0;
	double share = share_of(&s->x);

	if (!isfinite(s->x.weight))
		return;
	area_printf(a, STYLE_NUMBER, "  α             %.4f", (double)s->x.weight);
	if (s->x.v.n && isfinite(share))
		area_printf(a, STYLE_NUMBER, "  share of %s  %.1f %%", recurrent ? "c_t" : "z  ",
			    number_shown(100 * share, 1));
}

static struct trace_vec scaled(struct trace_vec v, float by, float *out)
{
	for (size_t d = 0; d < v.n; d++)
		out[d] = by * v.v[d];
	return (struct trace_vec){v.n, out};
}

/* area_vec() on the scale of another vector: α·v beside z. */
static void vec_on_scale(struct area *a, const char *label, struct trace_vec v, float range)
{
	struct rect r;

	if (area_left(a) < 2)
		return;
	area_printf(a, STYLE_NORMAL, "%s  ±%.2f", label, (double)vec_range(v));
	r = (struct rect){area_row(a), a->r.col, 1, a->r.cols};
	a->y += paint_strip(a->ui, a->g, r, v, range);
}

static void draw_parts(const struct vectors_scene *s, struct area *a)
{
	const struct vectors *x = &s->x;
	size_t n = x->q.n > x->v.n ? x->q.n : x->v.n;
	float *room = mem_calloc(n + 1, sizeof *room), range = vec_range(x->z);
	bool recurrent = s->t->about.layers == 0;
	char part[32];

	area_vec(a, recurrent ? "q" : "q = W^Q x", x->q, 1);
	area_vec(a, recurrent ? "k" : "k = W^K x", x->k, 1);
	for (size_t d = 0; d < x->q.n; d++)
		room[d] = (float)vectors_part(x, d);
	area_vec(a, vectors_formula(x, part, sizeof part), (struct trace_vec){x->q.n, room}, 1);
	if (x->v.n) {
		area_vec(a, recurrent ? "h_i, the value" : "v = W^V x", x->v, 1);
		if (isfinite(x->weight))
			vec_on_scale(a, recurrent ? "α h_i" : "α v, on the scale of z",
				     scaled(x->v, x->weight, room), range);
		area_vec(a, recurrent ? "c_t = Σ α h" : "z = Σ α v", x->z, 1);
	}
	free(room);
}

/* ---- the states they come from ---- */

static void heading(struct area *a, const char *what, const char *token)
{
	int col;

	area_skip(a);
	if (area_left(a) < 3)
		return;
	col = grid_printf(a->g, area_row(a), a->r.col, a->r.cols, STYLE_FORMULA, "%s ", what);
	grid_put(a->g, area_row(a), a->r.col + col, a->r.cols - col, STYLE_CURRENT, token);
	a->y++;
}

static void vec(struct area *a, const char *label, struct trace_vec v)
{
	if (v.n)
		area_vec(a, label, v, 1);
}

static void draw_layers(struct area *a, const struct trace *t, const struct trace_layer *layers,
			struct trace_vec left)
{
	char label[48];

	vec(a, "word + position", layers[0].in);
	for (int l = 0; l < t->about.layers; l++) {
		snprintf(label, sizeof label, "out of layer %d", l);
		vec(a, label, layers[l].out);
	}
	if (t->about.pre_norm)
		vec(a, "after the last norm", left);
}

static void draw_source(const struct trace *t, struct area *a, const char *what, size_t i)
{
	const struct trace_source *p = &t->source[i];

	heading(a, what, p->text);
	if (p->layers) {
		draw_layers(a, t, p->layers, p->state);
		return;
	}
	vec(a, "x_i", p->embed);
	if (p->backward.n) {
		vec(a, "→h_i", p->forward);
		vec(a, "←h_i", p->backward);
	} else {
		vec(a, "h_i", p->state);
	}
}

static void draw_timestep(const struct trace *t, struct area *a, const char *what,
			  const char *token, size_t at)
{
	const struct trace_step *p = &t->steps[at];

	heading(a, what, token);
	if (p->layers) {
		draw_layers(a, t, p->layers, p->state);
		return;
	}
	vec(a, "y_t-1", p->embed);
	vec(a, "s_t-1", at ? p[-1].state : t->initial);
	vec(a, "s_t", p->state);
	vec(a, "h̃_t", p->combined);
}

static void draw_states(const struct vectors_scene *s, struct area *a)
{
	const char *key = matrix_col_token(&s->m, s->col);

	if (s->at.kind == TRACE_ENCODER) {
		draw_source(s->t, a, "the query's word", s->row);
		draw_source(s->t, a, "the key's word", s->col);
	} else {
		draw_timestep(s->t, a, "the query's step reads",
			      token_shown(s->t->steps[s->row].input), s->row);
		if (s->at.kind == TRACE_DECODER)
			draw_timestep(s->t, a, "the key's step reads", key, s->col);
		else
			draw_source(s->t, a, "the key's word", s->col);
	}
}

void vectors_side(const struct vectors_scene *s, struct grid *g, struct rect r)
{
	struct area a = {g, s->ui, r, 0};

	draw_sum(s, &a);
	draw_weight(s, &a);
	area_skip(&a);
	draw_parts(s, &a);
	draw_states(s, &a);
}
