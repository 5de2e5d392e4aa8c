#include "sample.h"

#include <math.h>

static void fill_step(struct trace_step *s, const char *token, const char *input,
		      struct sample_data *d)
{
	*s = (struct trace_step){
		.token = token,
		.emitted = token,
		.input = input,
		.logprob = -0.25f,
		.ntop = 2,
		.top = {{token, 0.75f}, {"autre", 0.125f}},
		.state = {SAMPLE_H, d->vec},
		.soft = {SAMPLE_S, d->soft},
		.logits = {2, d->logits},
		.norm = 3,
		.entropy = 0.71f,
	};
}

struct trace *sample_new(struct sample_data *d)
{
	struct trace *t = trace_new();
	struct arena *a = &t->arena;

	*d = (struct sample_data){
		.weights = {0.5f, 0.25f, 0.25f, 0.0f, 1.0f, 0.0f},
		.scores = {1, 0, 0, -INFINITY, 7, -INFINITY},
		.vec = {1, -1},
		.logits = {2, 1},
		.soft = {0.25f, 0.5f, 0.25f},
	};
	t->nsource = SAMPLE_S;
	t->source = arena_array(a, struct trace_source, SAMPLE_S);
	t->source[0] =
		(struct trace_source){.token = "the", .text = "The", .state = {SAMPLE_H, d->vec}};
	t->source[1] = (struct trace_source){
		.token = "<unk>", .text = "wug", .unknown = true, .state = {SAMPLE_H, d->vec}};
	t->source[2] =
		(struct trace_source){.token = "</s>", .text = "</s>", .state = {SAMPLE_H, d->vec}};
	t->max_steps = 4;
	t->nsteps = SAMPLE_T;
	t->steps = arena_array(a, struct trace_step, 4);
	fill_step(&t->steps[0], "le", "<s>", d);
	fill_step(&t->steps[1], "</s>", "le", d);
	t->maps = arena_array(a, struct trace_map, 2);
	t->nmaps = 2;
	t->maps[0] = (struct trace_map){.rows = SAMPLE_T,
					.cols = SAMPLE_S,
					.data = d->weights,
					.row_stride = SAMPLE_S,
					.col_stride = 1};
	t->maps[1] = t->maps[0];
	t->maps[1].type = TRACE_SCORES;
	t->maps[1].data = d->scores;
	t->links = arena_array(a, struct trace_link, 1);
	t->links[0] = (struct trace_link){0, 0, true};
	t->nreference = 2;
	t->reference = arena_array(&t->arena, const char *, 2);
	t->reference[0] = "le";
	t->reference[1] = "\"chat\"";
	t->nlinks = 1;
	return t;
}
