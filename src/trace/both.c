#include "trace/both.h"
#include "base/mem.h"

#include <stdlib.h>

static const struct trace *trace_of(const struct trace_producer *p)
{
	return p->trace(p->self);
}

/* Says which of the two it was. */
static int named(const struct trace_producer *p, struct err *err)
{
	const struct trace *t = trace_of(p);
	struct err was;

	if (!err)
		return -1;
	was = *err;
	return err_set(err, was.code, "%.100s: %s", t && t->about.model ? t->about.model : "the other",
		       was.text);
}

int both_begin(struct trace_producer *p, const char *sentence, struct err *err)
{
	struct trace_producer *other = p->other;
	char *was;
	int rc;

	if (!other)
		return p->begin(p->self, sentence, err);
	was = mem_strdup(other->sentence(other->self));
	if (other->begin(other->self, sentence, err) != 0) {
		free(was);
		return named(other, err);
	}
	rc = p->begin(p->self, sentence, err);
	if (rc != 0) /* what it had begun before can be begun again */
		other->begin(other->self, was, NULL);
	free(was);
	return rc;
}

static bool reached(const struct trace *t, size_t n)
{
	return !t || t->finished || t->nsteps >= n;
}

bool both_reached(const struct trace_producer *p, size_t n)
{
	return reached(trace_of(p), n) && (!p->other || reached(trace_of(p->other), n));
}

bool both_finished(const struct trace_producer *p)
{
	return both_reached(p, SIZE_MAX);
}

size_t both_steps(const struct trace_producer *p)
{
	const struct trace *t = trace_of(p), *o = p->other ? trace_of(p->other) : NULL;
	size_t n = t ? t->nsteps : 0;

	return o && o->nsteps > n ? o->nsteps : n;
}

int both_next(struct trace_producer *p, struct err *err)
{
	const struct trace *t = trace_of(p), *o = p->other ? trace_of(p->other) : NULL;

	if (!o || o->finished || (!t->finished && t->nsteps <= o->nsteps))
		return p->next(p->self, err);
	return p->other->next(p->other->self, err) == 0 ? 0 : named(p->other, err);
}

static bool attends(const struct trace_producer *p)
{
	const struct trace *t = trace_of(p);

	return t && trace_walked(t, TRACE_WEIGHTS);
}

struct trace_producer *both_attending(struct trace_producer *p)
{
	return p->other && !attends(p) && attends(p->other) ? p->other : p;
}

struct what_if both_part(struct trace_producer *p, const struct trace_producer *one,
			 const struct what_if *w)
{
	return what_if_part(w, attends(one) || one == both_attending(p), one != p);
}

static bool differs(const struct trace_producer *p, const struct what_if *w)
{
	return what_if_first(w, p->what_if(p->self)) != SIZE_MAX;
}

int both_redo(struct trace_producer *p, size_t t, const struct what_if *w, struct err *err)
{
	struct trace_producer *other = p->other;
	struct what_if part;

	if (other) {
		part = both_part(p, other, w);
		if ((attends(other) || differs(other, &part)) &&
		    other->redo(other->self, t, &part, err) != 0)
			return named(other, err);
	}
	part = both_part(p, p, w);
	if (other && attends(other) && !attends(p) && !differs(p, &part))
		return 0;
	return p->redo(p->self, t, &part, err);
}

/* The other one begins what p has begun. */
static int take_along(struct trace_producer *p, struct err *err)
{
	struct trace_producer *other = p->other;

	if (!other || other->begin(other->self, p->sentence(p->self), err) == 0)
		return 0;
	named(other, err);
	return 1;
}

int both_open(struct trace_producer *p, size_t n, struct err *err)
{
	struct trace_producer *other = p->other;
	const struct sentence_source *s = other ? other->sentences : NULL;

	if (p->sentences->open(p->self, n, err) != 0)
		return -1;
	if (!s)
		return 0;
	if (n >= s->count(other->self))
		err_set(err, ERR_RANGE, "no sentence %zu there: its sentence %zu stays", n + 1,
			s->current(other->self) + 1);
	else if (s->open(other->self, n, err) == 0)
		return 0;
	named(other, err);
	return 1;
}

int both_reread(struct trace_producer *p, enum reading how, bool on, struct err *err)
{
	struct trace_producer *other = p->other;
	const struct sentence_source *s = other ? other->sentences : NULL;

	if (p->sentences->reread(p->self, how, on, err) != 0)
		return -1;
	if (!s || s->reads(other->self, how) == on || s->reread(other->self, how, on, err) == 0)
		return 0;
	named(other, err);
	return 1;
}

int both_draw(struct trace_producer *p, struct err *err)
{
	return p->draw(p->self, err) != 0 ? -1 : take_along(p, err);
}

int both_choose(struct trace_producer *p, const char *model, struct err *err)
{
	return p->choose(p->self, model, err) != 0 ? -1 : take_along(p, err);
}
