#include "import/numbers.h"
#include "base/progress.h"
#include "import/orient.h"

#include <math.h>
#include <stdio.h>

#define DROPOUT 0.02 /* sums that rounding does not explain */

/* Of a large file: so many maps of a kind, and so many numbers of each, at most. */
enum { SAMPLE_MAPS = 8, SAMPLE_CELLS = 1 << 13, SAMPLE_ROWS = 16, SAMPLE_STEP = 1 << 23 };

void numbers_count(struct import *im, const struct reader *r, const struct import_options *o)
{
	double cells = 0;

	for (size_t i = 0; i < im->n; i++)
		for (size_t k = 0; k < im->raw[i].nmaps; k++)
			cells += (double)im->raw[i].maps[k].rows * (double)im->raw[i].maps[k].cols;
	/* text has been read number by number */
	im->sampled = !r->format->text && cells > (double)(o->look ? o->look : IMPORT_LOOK_CELLS);
	if (im->sampled)
		mapping_scattered(r->bytes, r->len, true);
}

void numbers_look(const struct import *im, const struct trace_map *m, struct trace_look *l)
{
	struct trace_map large = *m;

	large.unchecked = im->sampled;
	if (im->sampled)
		trace_look_sample(l, &large, SAMPLE_CELLS);
	else
		trace_look(l, m, 0, m->rows);
}

/* ---- padding ---- */

/* 1 + the last column of a row that is not 0; 0 if there is none. */
static size_t reach(const struct trace_map *m, size_t row)
{
	float v[256];

	for (size_t end = m->cols, n; end; end -= n) {
		n = end < 256 ? end : 256;
		trace_cells(m, row, end - n, n, v);
		for (size_t c = n; c-- > 0;)
			if (v[c] != 0)
				return end - n + c + 1;
	}
	return 0;
}

/* Of a sample some rows, the last one among them; of rows that lie too far apart none: all is kept.
 */
static void extent(const struct trace_map *m, bool sampled, size_t *rows, size_t *cols)
{
	size_t n = sampled && m->rows > SAMPLE_ROWS ? SAMPLE_ROWS : m->rows;

	if (sampled && m->col_stride != 1 && m->cols > SAMPLE_STEP / 4096) {
		*rows = m->rows;
		*cols = m->cols;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		size_t row = n == m->rows ? i : i * (m->rows - 1) / (n - 1), c = reach(m, row);

		*rows = c && row + 1 > *rows ? row + 1 : *rows;
		*cols = c > *cols ? c : *cols;
	}
}

void numbers_reach(const struct trace_map *m, size_t *rows, size_t *cols)
{
	*rows = *cols = 0;
	extent(m, false, rows, cols);
}

void numbers_extent(const struct import *im, const struct raw *raw, enum trace_kind kind, size_t *rows,
		    size_t *cols)
{
	size_t seen = 0;

	*rows = *cols = 0;
	/* without tokens nothing can be cut off by a sample */
	for (size_t k = 0; k < raw->nmaps && (!im->sampled || seen < SAMPLE_MAPS); k++) {
		struct trace_map m = orient_map(&raw->maps[k], im->transposed);

		if (m.kind != kind)
			continue;
		seen++;
		extent(&m, im->sampled, rows, cols);
	}
}

/* ---- weights or scores ---- */

struct tally {
	struct import *im;
	struct reader *r;
	struct err *err;
	size_t unnormalised, scores, masked; /* sentences; maps with NaN */
	double least, most;
	bool odd;                 /* the first map with numbers that are no weights: */
	struct raw_map scored;
	float number;             /* the one of them that is farthest out */
	size_t cells, maps; /* that were looked at */
};

static void add_sums(struct tally *s, const struct trace_look *l)
{
	s->least = l->empty ? 0 : l->sums && l->least < s->least ? l->least : s->least;
	s->most = l->sums && l->most > s->most ? l->most : s->most;
}

static int decide(struct tally *s, const struct trace_look *l, size_t sentence, struct raw_map *m)
{
	bool weights = !m->scores && trace_look_weights(l);

	if (l->cells && l->high == INFINITY) {
		err_set(s->err, ERR_FORMAT,
			"sentence %zu: the %s map of layer %d, head %d holds an infinite number",
			sentence + 1, trace_kind_name(m->kind), m->layer, m->head);
		return s->im->raw[sentence].line
			       ? err_at_line(s->err, s->im->name, s->im->raw[sentence].line, 0)
			       : err_at_file(s->err, s->im->name);
	}
	m->type = weights ? TRACE_WEIGHTS : TRACE_SCORES;
	m->unnormalised = weights && !trace_look_normalised(l);
	m->nan = l->nan || s->im->sampled;
	s->masked += l->nan;
	if (!weights && !m->scores && !s->odd && l->cells) {
		s->odd = true;
		s->scored = *m;
		s->number = -l->low > l->high - 1 ? l->low : l->high;
	}
	if (m->unnormalised)
		add_sums(s, l);
	return 0;
}

/* A trace that was read as a whole has been checked. */
static void settle_trace(struct tally *s, const struct trace *t)
{
	struct trace_look l = {0};

	for (size_t k = 0; k < t->nmaps && t->about.unnormalised; k++)
		if (t->maps[k].type == TRACE_WEIGHTS)
			trace_look(&l, &t->maps[k], 0, t->maps[k].rows);
	s->unnormalised += t->about.unnormalised;
	add_sums(s, &l);
}

static int check_sentence(const struct import *im, size_t i, struct err *err)
{
	struct trace *t;

	if (import_trace(im, i, &t, err) < 0)
		return -1;
	trace_free(t);
	return 0;
}

/* Whether a sentence of one map, or of links, needs no second look: all that trace_check() asks for has
 * been seen. */
static bool is_simple(const struct raw *raw)
{
	if (raw->gold || raw->nmaps + raw->linked != 1)
		return false;
	for (size_t k = 0; k < raw->npairs; k++)
		if (!isfinite(raw->pairs[k].weight))
			return false;
	return raw->nmaps == 0 || raw->maps[0].kind != TRACE_DECODER;
}

/* Looks at every map of a sentence, then checks the trace it makes. */
static int settle_sentence(struct tally *s, size_t i)
{
	struct raw *raw = &s->im->raw[i];
	bool unnormalised = false, scores = false;

	if (raw->trace) {
		settle_trace(s, raw->trace);
		return 0;
	}
	for (size_t k = 0; k < raw->nmaps; k++) {
		struct trace_map m = raw_shown(s->im, raw, &raw->maps[k]);
		struct trace_look l = {0};

		trace_look(&l, &m, 0, m.rows);
		if (decide(s, &l, i, &raw->maps[k]) < 0)
			return -1;
		unnormalised |= raw->maps[k].unnormalised;
		scores |= raw->maps[k].type == TRACE_SCORES && !raw->maps[k].scores;
	}
	if (raw->linked) {
		enum trace_type type = raw_links_type(raw);

		scores |= type == TRACE_SCORES;
		unnormalised |= type == TRACE_WEIGHTS;
	}
	s->scores += scores;
	s->unnormalised += unnormalised;
	return is_simple(raw) ? 0 : check_sentence(s->im, i, s->err);
}

/* What the file calls scores is no weights, whatever the sample says. */
static void mark_scores(const struct import *im)
{
	for (size_t i = 0; i < im->n; i++)
		for (size_t k = 0; k < im->raw[i].nmaps; k++)
			if (im->raw[i].maps[k].scores) {
				im->raw[i].maps[k].type = TRACE_SCORES;
				im->raw[i].maps[k].nan = true;
			}
}

static bool sampled_one(const struct raw_map *m, enum trace_kind kind)
{
	return m->kind == kind && !m->scores;
}

/* Some maps of a kind stand for all of them. */
static int sample_kind(struct tally *s, enum trace_kind kind)
{
	struct import *im = s->im;
	struct raw_map decided = {.kind = kind};
	struct trace_look l = {0};
	size_t n = 0, at = 0, taken = 0, sentence = 0;

	for (size_t i = 0; i < im->n; i++)
		for (size_t k = 0; k < im->raw[i].nmaps; k++)
			n += sampled_one(&im->raw[i].maps[k], kind);
	for (size_t i = 0; i < im->n; i++) {
		for (size_t k = 0; k < im->raw[i].nmaps; k++) {
			struct raw_map *from = &im->raw[i].maps[k];
			struct trace_map m;

			if (!sampled_one(from, kind) || at++ < taken * n / SAMPLE_MAPS)
				continue;
			m = raw_shown(im, &im->raw[i], from);
			trace_look_sample(&l, &m, SAMPLE_CELLS);
			taken++;
			if (l.high == INFINITY && sentence == 0) {
				decided.layer = from->layer;
				decided.head = from->head;
				sentence = i;
			}
		}
	}
	if (n == 0)
		return 0;
	if (decide(s, &l, sentence, &decided) < 0)
		return -1;
	s->scores += decided.type == TRACE_SCORES;
	s->unnormalised += decided.unnormalised;
	s->cells += l.cells;
	s->maps += taken;
	for (size_t i = 0; i < im->n; i++) {
		for (size_t k = 0; k < im->raw[i].nmaps; k++) {
			struct raw_map *m = &im->raw[i].maps[k];

			if (!sampled_one(m, kind))
				continue;
			m->type = decided.type;
			m->unnormalised = decided.unnormalised;
			m->nan = true;
		}
	}
	return 0;
}

/* Dropout zeroes some weights and scales up the others. */
static const char *dropped_out(const struct tally *s)
{
	return s->least < 1 - DROPOUT && s->most > 1 + DROPOUT
		       ? "; sums on both sides of 1 are those of dropout: model.eval() turns it off"
		       : "";
}

static const char *where(const struct tally *s, char out[128])
{
	snprintf(out, 128, s->odd ? ", %g in the %s map of layer %d, head %d" : "", (double)s->number,
		 trace_kind_name(s->scored.kind), s->scored.layer, s->scored.head);
	return out;
}

static void say_sampled(struct tally *s)
{
	char text[128];

	if (s->scores)
		raw_note(s->r,
			 "numbers below 0 or above 1 were seen%s: kept as scores, not as weights",
			 where(s, text));
	if (s->unnormalised && s->least <= s->most)
		raw_note(s->r,
			 "rows of weights sum to %.3f … %.3f where they were looked at: kept as "
			 "they are%s",
			 s->least, s->most, dropped_out(s));
	if (s->masked)
		raw_note(s->r, "NaN was seen: it is taken for masked cells");
	raw_note(s->r,
		 "too many numbers to look at them all before they are shown: what is said about "
		 "them "
		 "rests on %zu of them in %zu maps",
		 s->cells, s->maps);
}

static void say_all(struct tally *s)
{
	size_t n = s->im->n;
	char text[128];

	if (s->unnormalised && s->least <= s->most)
		raw_note(s->r,
			 "rows of weights sum to %.3f … %.3f in %zu of %zu sentences: kept as they "
			 "are%s",
			 s->least, s->most, s->unnormalised, n, dropped_out(s));
	else if (s->unnormalised)
		raw_note(s->r,
			 "rows of weights do not sum to 1 in %zu of %zu sentences: kept as they are",
			 s->unnormalised, n);
	if (s->scores)
		raw_note(s->r,
			 "numbers below 0 or above 1 in %zu of %zu sentences%s: kept as scores, "
			 "not as weights",
			 s->scores, n, where(s, text));
	if (s->masked)
		raw_note(s->r,
			 "NaN in %zu maps: taken for masked cells, 0 or a score of minus infinity",
			 s->masked);
}

int numbers_settle(struct import *im, struct reader *r, struct err *err)
{
	struct tally s = {.im = im, .r = r, .err = err, .least = INFINITY, .most = 0};

	if (!im->sampled) {
		progress_begin(PROGRESS_SENTENCES, im->n);
		for (size_t i = 0; i < im->n; i++) {
			progress_done(i);
			if (settle_sentence(&s, i) < 0)
				return -1;
		}
		say_all(&s);
		return 0;
	}
	mark_scores(im);
	for (int kind = 0; kind < TRACE_KIND_COUNT; kind++)
		if (sample_kind(&s, (enum trace_kind)kind) < 0)
			return -1;
	say_sampled(&s);
	mapping_scattered(r->bytes, r->len, false);
	mapping_release(r->bytes, r->len);
	/* sentences of one array are all alike */
	if (check_sentence(im, 0, err) < 0)
		return -1;
	return im->n > 1 ? check_sentence(im, im->n - 1, err) : 0;
}
