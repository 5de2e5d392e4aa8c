#include "train/train.h"
#include "base/buf.h"
#include "base/mem.h"
#include "train/data.h"
#include "train/state.h"
#include "train/trainer.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What randomness is for: the second word of its seed. */
enum purpose { FOR_WEIGHTS = 1, FOR_ORDER, FOR_COPY, FOR_DROPOUT };

struct run {
	const struct recipe *r;
	const struct train_options *o;
	const struct train_hooks *h;
	struct err *err;
	char state_path[PATH_MAX];
	struct train_data data;
	struct nn_model *model;
	struct pool *pool;
	struct trainer *trainer;
	struct train_state state;
	size_t nbatches;	  /* an epoch */
	long steps;		  /* all epochs */
	struct arena plan, batch; /* of this epoch, of this step */
	/* for figures only */
	double started, saved; /* clock */
	long first_step;
	double busy, tokens; /* seconds in steps, target tokens in them */
	double exact;	     /* last validation, NaN before */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int train_state_path(const char *out, char *path, size_t size, struct err *err)
{
	if (snprintf(path, size, "%s.state", out) < (int)size)
		return 0;
	err_set(err, ERR_RANGE, "the name is too long");
	return err_at_file(err, out);
}

static void report(struct run *run, enum train_event event)
{
	const struct train_state *s = &run->state;
	long done = (long)s->step - run->first_step;
	int epochs = run->r->epochs;
	struct train_progress p = {.event = event,
				   .epochs = epochs,
				   .epoch = (int)s->epoch + 1 > epochs ? epochs : (int)s->epoch + 1,
				   .part = (double)s->batch / (double)run->nbatches,
				   .step = (long)s->step,
				   .steps = run->steps,
				   .loss = s->loss,
				   .exact = run->exact,
				   .best = s->best_epoch ? s->best : NAN,
				   .best_epoch = (int)s->best_epoch,
				   .tokens_per_second = run->busy > 0 ? run->tokens / run->busy : 0,
				   .seconds_left = NAN,
				   .parameters = s->n,
				   .pairs = run->data.sets[CORPUS_TRAIN].n};

	if (!run->h || !run->h->progress)
		return;
	if (event == TRAIN_VALIDATED) { /* speaks of the epoch that just ended */
		p.epoch = (int)s->epoch;
		p.part = 1;
	}
	if (done > 0)
		p.seconds_left = (now() - run->started) / (double)done *
				 (double)(run->steps - (long)s->step);
	run->h->progress(run->h->user, &p);
}

static bool stopped(const struct run *run)
{
	return run->h && run->h->should_stop && run->h->should_stop(run->h->user);
}

static int save_state(struct run *run)
{
	if (state_save(&run->state, run->state_path, run->err) < 0)
		return -1;
	run->saved = now();
	report(run, TRAIN_SAVED);
	return 0;
}

static int make_model(struct run *run)
{
	struct nn_config c = run->r->model;
	struct rng rng = trainer_rng(run->r->seed, FOR_WEIGHTS, 0);
	struct train_state *s = &run->state;

	c.src_vocab = vocab_size(run->data.src);
	c.tgt_vocab = vocab_size(run->data.tgt);
	run->model = nn_model_new(&c, run->err);
	if (!run->model)
		return -1;
	nn_model_init(run->model, &rng);
	run->trainer = trainer_new(run->model, run->pool);
	s->weights = nn_model_weights(run->model, &s->n);
	trainer_moments(run->trainer, &s->m, &s->v);
	s->best_weights = mem_calloc(s->n, sizeof(float));
	s->recipe = state_hash(run->r->text, strlen(run->r->text));
	s->corpus = run->data.fingerprint;
	s->threads = (uint64_t)pool_size(run->pool);
	return 0;
}

/* Fills the state from the file, if it was made by the same recipe from the same sentences. */
static int resume(struct run *run)
{
	struct train_state *s = &run->state;
	uint64_t recipe = s->recipe, corpus = s->corpus;

	if (state_load(s, run->state_path, run->err) < 0)
		return -1;
	s->threads = (uint64_t)pool_size(run->pool);
	if (s->recipe != recipe)
		err_set(run->err, ERR_FORMAT,
			"was begun with another recipe; "
			"go back to that one, or delete the file to train anew");
	else if (s->corpus != corpus)
		err_set(run->err, ERR_FORMAT,
			"was begun with another version of the grammar; "
			"delete the file to train anew");
	else
		return 0;
	return err_at_file(run->err, run->state_path);
}

/* Warm-up, then a straight line down to the floor; `step` counts from 1. */
static float learning_rate(const struct run *run, long step)
{
	const struct recipe *r = run->r;
	float warm = r->warmup > 0 ? (float)step / (float)r->warmup : 1.0f;
	float left = 1.0f - (float)(step - 1) / (float)run->steps;

	return r->lr * fminf(1.0f, warm) * fmaxf(r->final_lr, left);
}

/* Grows in a straight line over the first half: heads first find out what is worth looking at. */
static float sharpness(const struct run *run, long step)
{
	return run->r->sharp * fminf(1.0f, 2.0f * (float)step / (float)run->steps);
}

static int one_step(struct run *run, const size_t *index, size_t count)
{
	const struct recipe *r = run->r;
	struct train_state *s = &run->state;
	long step = (long)s->step + 1;
	struct rng copy = trainer_rng(r->seed, FOR_COPY, (unsigned long long)step);
	struct trainer_step t = {.adam = trainer_adam(learning_rate(run, step), step),
				 .clip = r->clip,
				 .label_smoothing = r->label_smoothing,
				 .guided = r->guided,
				 .sharp = sharpness(run, step),
				 .seed = r->seed + FOR_DROPOUT};
	double begin = now(), loss;
	struct nn_loss l;
	struct batch b;

	arena_reset(&run->batch);
	batch_make(run->data.samples, index, count, r->guided > 0, r->copy, run->data.copyable,
		   &copy, &run->batch, &b);
	l = trainer_step(run->trainer, &b, &t, NULL);
	loss = l.nll / l.tokens;
	if (!isfinite(loss))
		return err_set(run->err, ERR_RANGE,
			       "the loss is not a number any more at step %ld; "
			       "lower lr or clip in the recipe",
			       step);
	s->loss = s->step ? 0.98 * s->loss + 0.02 * loss : loss;
	s->step++;
	s->batch++;
	run->busy += now() - begin;
	run->tokens += l.tokens;
	return 0;
}

/* After a step: figures, a state file now and then, and whether to stop. */
static int after_step(struct run *run)
{
	report(run, TRAIN_STEP);
	if (stopped(run)) {
		if (save_state(run) < 0)
			return -1;
		return err_set(run->err, ERR_CANCELLED, "stopped");
	}
	if (now() - run->saved >= run->o->checkpoint_seconds)
		return save_state(run);
	return 0;
}

static void validate(struct run *run)
{
	struct train_state *s = &run->state;
	struct eval e;

	eval_run(run->model, run->data.src, run->data.tgt, &run->data.sets[CORPUS_VALID], run->pool,
		 EVAL_DECODE, &e);
	run->exact = e.exact_match;
	s->stale++;
	if (!s->best_epoch || e.exact_match >= s->best) {
		s->stale = e.exact_match > s->best ? 0 : s->stale;
		s->best = e.exact_match;
		s->best_epoch = s->epoch;
		memcpy(s->best_weights, s->weights, s->n * sizeof(float));
	}
	state_add_history(s, (struct state_epoch){(double)s->epoch, s->loss, e.exact_match});
	eval_fini(&e);
}

static int one_epoch(struct run *run)
{
	const struct recipe *r = run->r;
	struct train_state *s = &run->state;
	struct rng rng = trainer_rng(r->seed, FOR_ORDER, s->epoch);
	size_t *index, *start, n;

	arena_reset(&run->plan);
	batch_plan(run->data.samples, run->data.sets[CORPUS_TRAIN].n, r->batch, &rng, &run->plan,
		   &index, &start, &n);
	while (s->batch < n) {
		size_t at = start[s->batch];

		if (one_step(run, index + at, start[s->batch + 1] - at) < 0 || after_step(run) < 0)
			return -1;
	}
	s->epoch++;
	s->batch = 0;
	if (s->epoch % (uint64_t)r->eval_every == 0 || s->epoch == (uint64_t)r->epochs) {
		validate(run);
		report(run, TRAIN_VALIDATED);
	}
	s->finished = s->epoch >= (uint64_t)r->epochs ||
		      (r->patience > 0 && s->stale >= (uint64_t)r->patience);
	return save_state(run);
}

static int learn(struct run *run)
{
	run->nbatches = (run->data.sets[CORPUS_TRAIN].n + (size_t)run->r->batch - 1) /
			(size_t)run->r->batch;
	run->steps = (long)run->nbatches * run->r->epochs;
	run->first_step = (long)run->state.step;
	run->started = run->saved = now();
	run->exact = NAN;
	if (run->state.nhistory)
		run->exact = run->state.history[run->state.nhistory - 1].exact;
	while (!run->state.finished)
		if (one_epoch(run) < 0)
			return -1;
	memcpy(run->state.weights, run->state.best_weights, run->state.n * sizeof(float));
	return 0;
}

static void add_quality(const struct run *run, const struct train_result *res, struct buf *out)
{
	buf_printf(out,
		   "{\"grammar\":\"%s\",\"fingerprint\":\"%016llx\",\"parameters\":%zu,"
		   "\"pairs\":%zu,\"epochs\":%d,\"best_epoch\":%d,\"steps\":%ld",
		   run->r->corpus.grammar, run->data.fingerprint, run->state.n,
		   run->data.sets[CORPUS_TRAIN].n, res->epochs, res->best_epoch, res->steps);
	for (int i = CORPUS_VALID; i < CORPUS_SET_COUNT; i++) {
		if (res->sets[i].sentences == 0)
			continue;
		buf_printf(out, ",\"%s\":{", corpus_set_name((enum corpus_set)i));
		eval_json(&res->sets[i], out);
		buf_putc(out, '}');
	}
	buf_putc(out, '}');
}

/* The languages as this model has them: "zh-en" where the grammar en-zh is swapped. */
static const char *task_of(const struct recipe *r, char *out, size_t size)
{
	const char *grammar = r->corpus.grammar, *dash = strchr(grammar, '-');

	if (!r->corpus.swap || !dash)
		return grammar;
	snprintf(out, size, "%s-%.*s", dash + 1, (int)(dash - grammar), grammar);
	return out;
}

static int save_model(struct run *run, const struct nn_model *m, const char *quality)
{
	const struct recipe *r = run->r;
	struct buf src = {0}, tgt = {0};
	char task[256];
	struct nn_card card = {.name = r->name,
			       .task = task_of(r, task, sizeof task),
			       .src_side = text_side_name(r->src_side),
			       .tgt_side = text_side_name(r->tgt_side),
			       .examples = r->examples,
			       .recipe = r->text,
			       .card = r->card,
			       .quality = quality};
	int ret;

	train_words(run->data.src, &src);
	train_words(run->data.tgt, &tgt);
	card.src_vocab = buf_str(&src);
	card.tgt_vocab = buf_str(&tgt);
	ret = nn_save(m, &card, r->store, run->o->out, run->err);
	buf_free(&src);
	buf_free(&tgt);
	return ret;
}

/* Measures the numbers as they are stored, not as they were learned. */
static int measure(struct run *run, struct nn_model *stored, struct train_result *res)
{
	for (int i = CORPUS_VALID; i < CORPUS_SET_COUNT; i++) {
		if (stopped(run))
			return err_set(run->err, ERR_CANCELLED, "stopped");
		report(run, TRAIN_MEASURING);
		eval_run(stored, run->data.src, run->data.tgt, &run->data.sets[i], run->pool,
			 EVAL_ALL, &res->sets[i]);
	}
	return 0;
}

static int finish(struct run *run, struct train_result *res)
{
	struct nn_model *stored = NULL;
	struct nn_card card = {0};
	struct buf quality = {0};
	int ret = -1;

	if (save_model(run, run->model, "") < 0 ||
	    nn_load(run->o->out, &stored, &card, run->err) < 0 || measure(run, stored, res) < 0)
		goto out;
	add_quality(run, res, &quality);
	if (save_model(run, stored, buf_str(&quality)) < 0)
		goto out;
	unlink(run->state_path);
	ret = 0;
out:
	buf_free(&quality);
	nn_card_free(&card);
	nn_model_free(stored);
	return ret;
}

/* What would only fail at the end. */
static int check_out(const char *out, struct err *err)
{
	struct stat st;

	if (stat(out, &st) < 0 || S_ISREG(st.st_mode))
		return 0;
	err_set(err, ERR_IO, "is %s; give the name of a file with -o",
		S_ISDIR(st.st_mode) ? "a folder" : "not a regular file");
	return err_at_file(err, out);
}

static int begin(struct run *run, struct train_result *res)
{
	const struct recipe *r = run->r;
	int threads = run->o->threads > 0 ? run->o->threads : r->threads;

	if (check_out(run->o->out, run->err) < 0 ||
	    train_state_path(run->o->out, run->state_path, sizeof run->state_path, run->err) < 0 ||
	    train_data_make(&run->data, r, run->err) < 0)
		return -1;
	run->pool = pool_new(threads);
	if (make_model(run) < 0)
		return -1;
	res->resumed = run->o->resume && access(run->state_path, F_OK) == 0;
	/* a first state at once: shows before the work that there is a place to save it */
	return res->resumed ? resume(run) : state_save(&run->state, run->state_path, run->err);
}

int train_run(const struct recipe *r, const struct train_options *o, const struct train_hooks *h,
	      struct train_result *out, struct err *err)
{
	struct err own;
	struct run run = {.r = r, .o = o, .h = h, .err = err ? err : &own};
	int ret = -1;

	*out = (struct train_result){0};
	if (begin(&run, out) < 0 || learn(&run) < 0)
		goto out;
	out->epochs = (int)run.state.epoch;
	out->best_epoch = (int)run.state.best_epoch;
	out->steps = (long)run.state.step;
	out->parameters = run.state.n;
	ret = finish(&run, out);
out:
	trainer_free(run.trainer);
	nn_model_free(run.model);
	pool_free(run.pool);
	state_fini(&run.state);
	train_data_fini(&run.data);
	arena_free(&run.plan);
	arena_free(&run.batch);
	return ret;
}

void train_result_fini(struct train_result *r)
{
	for (int i = 0; i < CORPUS_SET_COUNT; i++)
		eval_fini(&r->sets[i]);
}
