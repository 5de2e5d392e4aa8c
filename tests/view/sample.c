#include "sample_parts.h"
#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EMBED = 32, HALF = 32, STATE = 64 };

const struct sample_spec sample_black_cat = {
	.model = "en-fr-gru",
	SENTENCE_CAT,
	.score = TRACE_SCORE_SCALED_DOT,
	.seed = 1};
const struct sample_spec sample_fixed = {.model = "en-fr-fixed",
					 .task = "en-fr",
					 .source = "the black cat sees the red car .",
					 .target = "le chat noir voit la voiture rouge .",
					 .links = "",
					 .score = TRACE_SCORE_NONE,
					 .seed = 2};
const struct sample_spec sample_chinese = {.model = "en-zh-gru",
					   .task = "en-zh",
					   .source = "Tom chases Jerry",
					   .target = "汤姆 追逐 杰瑞",
					   .links = "0-0 1-1 2-2 3-3",
					   .score = TRACE_SCORE_DOT,
					   .gold = true,
					   .writing = TRACE_CHINESE,
					   .seed = 3};
const struct sample_spec sample_from_chinese = {
	.model = "zh-en-gru",
	SENTENCE_BANK,
	.score = TRACE_SCORE_GENERAL,
	.seed = 4};
const struct sample_spec sample_unknown = {.model = "en-fr-gru",
					   .task = "en-fr",
					   .source = "Zorblax sees the cat .",
					   .target = "<unk> voit le chat .",
					   .links = "0-0 1-1 2-2 3-3 4-4 5-5",
					   .score = TRACE_SCORE_SCALED_DOT,
					   .unknown = "Zorblax",
					   .seed = 5};
const struct sample_spec sample_long = {.model = "en-fr-lstm",
					.task = "en-fr",
					.source = "yesterday the small children of the old teacher "
						  "and their friendly neighbours did not "
						  "understand why the tired conductor of the "
						  "orchestra bought thirteen extraordinarily "
						  "expensive violins .",
					.target = "hier les petits enfants du vieux professeur et "
						  "leurs voisins sympathiques ne comprirent "
						  "pas pourquoi le chef d'orchestre fatigué acheta "
						  "treize violons extraordinairement chers .",
					.links = "0-0 1-1 2-2 3-3 4-4 6-5 7-6 8-7 9-8 11-9 10-10 "
						 "13-11 14-12 13-13 15-14 16-15 18-16 21-17 "
						 "17-18 22-19 23-20 26-21 24-22 25-23 27-24 28-25",
					.score = TRACE_SCORE_ADDITIVE,
					.seed = 6};
const struct sample_spec sample_dates = {.model = "dates",
					 .task = "dates",
					 .source = "3 _ M a y _ 1 9 7 9",
					 .target = "1 9 7 9 - 0 5 - 0 3",
					 .links = "6-0 7-1 8-2 9-3 5-4 2-5 4-6 1-7 0-8 0-9 10-10",
					 .score = TRACE_SCORE_DOT,
					 .writing = TRACE_CHARS,
					 .seed = 7};

static size_t split(struct arena *a, const char *text, const char ***out)
{
	char *copy = arena_strdup(a, text), *save = NULL;
	size_t n = 0, cap = strlen(text) / 2 + 2;

	*out = arena_array(a, const char *, cap);
	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		(*out)[n++] = w;
	(*out)[n++] = "</s>";
	return n;
}

static struct trace_vec noise(struct arena *a, struct rng *r, size_t n, float scale)
{
	float *v = arena_array(a, float, n);

	for (size_t i = 0; i < n; i++)
		v[i] = tanhf(scale * rng_normal(r));
	return (struct trace_vec){n, v};
}

static void fill_source(struct trace *t, const struct sample_spec *spec, const char **words,
			struct rng *r)
{
	for (size_t i = 0; i < t->nsource; i++) {
		struct trace_source *s = &t->source[i];
		float *h = arena_array(&t->arena, float, 2 * HALF);

		s->text = spec->writing == TRACE_CHARS && !strcmp(words[i], "_") ? " " : words[i];
		s->unknown = spec->unknown && !strcmp(spec->unknown, words[i]);
		s->token = s->unknown ? "<unk>" : words[i];
		s->embed = noise(&t->arena, r, EMBED, 0.8f);
		s->forward = noise(&t->arena, r, HALF, 0.6f);
		s->backward = noise(&t->arena, r, HALF, 0.6f);
		memcpy(h, s->forward.v, HALF * sizeof *h);
		memcpy(h + HALF, s->backward.v, HALF * sizeof *h);
		s->state = (struct trace_vec){2 * HALF, h};
	}
}

static void read_links(struct trace *t, const struct sample_spec *spec, float *high)
{
	int s, g, used;

	t->links = arena_array(&t->arena, struct trace_link, strlen(spec->links) / 3 + 1);
	for (const char *p = spec->links; sscanf(p, "%d-%d%n", &s, &g, &used) == 2; p += used) {
		if ((size_t)s >= t->nsource || (size_t)g >= t->max_steps)
			continue;
		high[(size_t)g * t->nsource + (size_t)s] = 7;
		if (spec->gold)
			t->links[t->nlinks++] = (struct trace_link){s, g, true};
	}
}

void sample_softmax(const float *e, float *p, size_t n)
{
	float max = e[0], sum = 0;

	for (size_t i = 1; i < n; i++)
		max = e[i] > max ? e[i] : max;
	for (size_t i = 0; i < n; i++)
		sum += p[i] = expf(e[i] - max);
	for (size_t i = 0; i < n; i++)
		p[i] /= sum;
}

static struct trace_vec weighted_sum(struct trace *t, const float *alpha)
{
	float *c = arena_array(&t->arena, float, 2 * HALF);

	for (size_t i = 0; i < t->nsource; i++)
		for (size_t d = 0; d < 2 * HALF; d++)
			c[d] += (alpha ? alpha[i] : 1.0f / (float)t->nsource) *
				t->source[i].state.v[d];
	return (struct trace_vec){2 * HALF, c};
}

/* Ten logits; the rest of the vocabulary adds a little to the partition. */
static void fill_candidates(struct trace *t, struct trace_step *s, const char **words,
			    size_t nwords, size_t at, struct rng *r)
{
	float *logits = arena_array(&t->arena, float, TRACE_TOP);
	double z = 0.02;

	s->ntop = nwords < TRACE_TOP ? nwords : TRACE_TOP;
	logits[0] = 6 + 3 * rng_float(r);
	for (size_t k = 0; k < s->ntop; k++) {
		s->top[k].token = words[(at + k) % nwords];
		if (k)
			logits[k] = logits[k - 1] - (k == 1 ? 1.5f : 0.1f) - 2 * rng_float(r);
		z += exp((double)logits[k]);
	}
	s->norm = (float)log(z);
	for (size_t k = 0; k < s->ntop; k++)
		s->top[k].p = (float)(exp((double)logits[k]) / z);
	s->logits = (struct trace_vec){s->ntop, logits};
	s->logprob = logits[0] - s->norm;
}

static void fill_step(struct trace *t, size_t at, const char **words, const float *alpha,
		      struct rng *r)
{
	struct trace_step *s = &t->steps[at];
	float *h = arena_array(&t->arena, float, STATE);
	size_t best = 0;

	s->token = words[at];
	s->input = at ? words[at - 1] : "<s>";
	s->embed = noise(&t->arena, r, EMBED, 0.8f);
	s->state = noise(&t->arena, r, STATE, 0.5f);
	s->query = s->query.n ? s->query : s->state;
	s->context = weighted_sum(t, alpha);
	for (size_t d = 0; d < STATE; d++)
		h[d] = tanhf(s->context.v[d % (2 * HALF)] + s->state.v[d]);
	s->combined = (struct trace_vec){STATE, h};
	fill_candidates(t, s, words, t->max_steps, at, r);
	for (size_t i = 1; alpha && i < t->nsource; i++)
		best = alpha[i] > alpha[best] ? i : best;
	s->emitted = !strcmp(s->token, "<unk>") && alpha ? t->source[best].text : s->token;
}

static struct trace_map *add_map(struct trace *t, enum trace_type type, const float *data)
{
	struct trace_map *m = &t->maps[t->nmaps++];

	*m = (struct trace_map){.kind = TRACE_CROSS,
				.type = type,
				.rows = t->max_steps,
				.cols = t->nsource,
				.dtype = ST_F32,
				.data = data,
				.row_stride = (ptrdiff_t)t->nsource,
				.col_stride = 1};
	return m;
}

static void fill_maps(struct trace *t, const struct attention_rule *rule, float *e, struct rng *r)
{
	size_t n = t->nsource;
	float *alpha = arena_array(&t->arena, float, t->max_steps *n);

	for (size_t at = 0; at < t->max_steps; at++) {
		float *soft = arena_array(&t->arena, float, n);

		for (size_t i = 0; i < n; i++)
			e[at * n + i] += 1.6f * rng_normal(r) - 2;
		sample_softmax(e + at * n, soft, n);
		attention_apply(rule, soft, alpha + at * n, n);
		t->steps[at].soft = (struct trace_vec){n, soft};
	}
	t->maps = arena_array(&t->arena, struct trace_map, 2);
	add_map(t, TRACE_WEIGHTS, alpha);
	add_map(t, TRACE_SCORES, e);
}

struct trace *sample_trace(const struct sample_spec *spec, const struct attention_rule *rule)
{
	static const struct attention_rule soft = {0};
	struct trace *t = trace_new();
	struct rng r = rng_seed(spec->seed);
	const struct trace_map *walked;
	const char **source, **target;
	char name[64];
	float *e;

	t->nsource = split(&t->arena, spec->source, &source);
	t->max_steps = split(&t->arena, spec->target, &target);
	t->source = arena_array(&t->arena, struct trace_source, t->nsource);
	t->steps = arena_array(&t->arena, struct trace_step, t->max_steps);
	e = arena_array(&t->arena, float, t->nsource * t->max_steps);
	rule = rule ? rule : &soft;
	t->about = (struct trace_about){
		spec->model,
		spec->task,
		"BiGRU, 1 layer, 2×32",
		"GRU, 64",
		arena_strdup(&t->arena, attention_name(rule, name, sizeof name)),
		spec->score,
		.score_scale = spec->score == TRACE_SCORE_SCALED_DOT ? 0.125f : 1};
	t->about.writing = spec->writing;
	t->about.partial = rule->mode != ATTENTION_SOFT && !rule->renorm;
	fill_source(t, spec, source, &r);
	read_links(t, spec, e);
	if (spec->heads)
		sample_fill_heads(t, spec, rule, e);
	else if (spec->score != TRACE_SCORE_NONE)
		fill_maps(t, rule, e, &r);
	if (spec->dims)
		sample_fill_vectors(t, spec, rule);
	walked = trace_walked(t, TRACE_WEIGHTS);
	for (size_t at = 0; at < t->max_steps; at++)
		fill_step(t, at, target,
			  walked ? (const float *)walked->data + at * t->nsource : NULL, &r);
	t->final = noise(&t->arena, &r, 2 * HALF, 0.6f);
	t->initial = noise(&t->arena, &r, STATE, 0.5f);
	if (spec->computed)
		sample_fill_model(t, spec, rule);
	sample_cut(t, t->max_steps);
	return t;
}

void sample_cut(struct trace *t, size_t n)
{
	t->nsteps = n;
	t->finished = n == t->max_steps;
	for (size_t i = 0; i < t->nmaps; i++) {
		if (t->maps[i].kind != TRACE_ENCODER)
			t->maps[i].rows = n;
		if (t->maps[i].kind == TRACE_DECODER)
			t->maps[i].cols = n;
	}
}

static const struct trace *get_trace(void *self)
{
	return ((struct sample_producer *)self)->trace;
}

static const struct trace *get_before(void *self)
{
	return ((struct sample_producer *)self)->before;
}

static int get_next(void *self, struct err *err)
{
	struct sample_producer *s = self;

	(void)err;
	if (!s->trace->finished)
		sample_cut(s->trace, s->trace->nsteps + 1);
	return 0;
}

static bool any_head(const struct what_if *w)
{
	for (size_t k = 0; k < w->n; k++)
		if (w->changes[k].kind == CHANGE_HEAD)
			return true;
	return false;
}

/* What the changes do to the words: one that is forced draws the next along, a masked head the third, and
 * of other attention its own. */
static void other_words(struct trace *t, const struct what_if *w, size_t at)
{
	const char *forced;

	for (size_t k = 0; k < t->max_steps; k++) {
		struct trace_step *s = &t->steps[k];
		size_t other = (k && what_if_token(w, k - 1)) || (k == 2 && any_head(w));

		other |= what_if_rule(w, SIZE_MAX).mode != ATTENTION_SOFT && k == at && k + 1 < t->max_steps;
		if (other && k + 1 < t->max_steps)
			s->token = s->emitted = s->top[1].token;
		forced = what_if_token(w, k);
		for (size_t c = 0; forced && c < s->ntop; c++)
			if (strcmp(forced, s->top[c].token) == 0) {
				s->token = s->emitted = s->top[c].token;
				s->logprob = s->logits.v[c] - s->norm;
			}
		s->forced = forced != NULL;
	}
}

static int redo(void *self, size_t t, const struct what_if *w, struct err *err)
{
	struct sample_producer *s = self;
	size_t n = s->trace->nsteps, first = what_if_first(&s->what_if, w);

	(void)err;
	t = first < t ? first : t;
	if (s->before)
		trace_free(s->trace);
	else
		s->before = s->trace;
	if (what_if_first(w, &(struct what_if){0}) == SIZE_MAX) {
		trace_free(s->before);
		s->before = NULL;
	}
	s->what_if = *w;
	s->rule = what_if_rule(w, SIZE_MAX);
	s->trace = sample_trace(s->spec, &s->rule);
	other_words(s->trace, w, t);
	sample_cut(s->trace, t < n ? t : n);
	return 0;
}

static const struct what_if *get_what_if(void *self)
{
	return &((struct sample_producer *)self)->what_if;
}

static const struct attention_rule *get_rule(void *self)
{
	return &((struct sample_producer *)self)->rule;
}

static size_t get_unknown(void *self, const struct unknown_word **words)
{
	struct sample_producer *s = self;

	*words = s->words;
	return s->nwords;
}

static int begin(void *self, const char *sentence, struct err *err)
{
	struct sample_producer *s = self;

	if (!*sentence)
		return err_set(err, ERR_USAGE, "the sentence is empty: type some words");
	snprintf(s->sentence, sizeof s->sentence, "%s", sentence);
	sample_cut(s->trace, 0);
	return 0;
}

static const char *get_sentence(void *self)
{
	return ((struct sample_producer *)self)->sentence;
}

static int replace(void *self, size_t index, const char *word, char *out, size_t size)
{
	(void)self;
	(void)index;
	return snprintf(out, size, "%s", word) < (int)size ? 0 : -1;
}

static const char *const *get_examples(void *self)
{
	static const char *const examples[] = {"the black cat does not see the red car .",
					       "Tom chases Jerry", NULL};

	(void)self;
	return examples;
}

static const char *const *get_models(void *self)
{
	static const char *const models[] = {"en-fr-gru", "en-zh-gru", NULL};

	(void)self;
	return models;
}

static int choose(void *self, const char *model, struct err *err)
{
	(void)self;
	return err_set(err, ERR_MISSING, "no model %s", model);
}

void sample_open(struct sample_producer *s, const struct sample_spec *spec)
{
	*s = (struct sample_producer){.spec = spec};
	s->p = (struct trace_producer){.self = s,
				       .trace = get_trace,
				       .before = get_before,
				       .begin = begin,
				       .next = get_next,
				       .redo = redo,
				       .what_if = get_what_if,
				       .rule = get_rule,
				       .unknown = get_unknown,
				       .replace = replace,
				       .sentence = get_sentence,
				       .examples = get_examples,
				       .models = get_models,
				       .choose = choose};
	s->trace = sample_trace(spec, NULL);
	sample_cut(s->trace, 0);
	snprintf(s->sentence, sizeof s->sentence, "%s", spec->source);
	for (size_t i = 0; i < s->trace->nsource; i++)
		if (s->trace->source[i].unknown)
			s->words[s->nwords++] = (struct unknown_word){
				i, s->trace->source[i].text, 2, {"blacks", "borax"}, true};
}

void sample_close(struct sample_producer *s)
{
	trace_free(s->trace);
	trace_free(s->before);
	*s = (struct sample_producer){0};
}
