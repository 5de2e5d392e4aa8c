#include "view/find_head.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "view/figures.h"
#include "view/select.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_LETTERS = 3, LONGEST = 64 };

/* Whether `text` begins one of the words of `name`, or all of it. */
static bool begins(const char *name, const char *text)
{
	char low[LONGEST];
	size_t n = strlen(text);

	utf8_lower(low, name);
	for (const char *word = low; word; word = strchr(word, ' ')) {
		word += *word == ' ';
		if (strncmp(word, text, n) == 0)
			return true;
	}
	return false;
}

enum head_label find_label(const char *text)
{
	char low[2 * LONGEST + 1];

	if (strlen(text) < LEAST_LETTERS || strlen(text) >= LONGEST)
		return HEAD_MIXED;
	utf8_lower(low, text);
	for (enum head_label l = HEAD_MIXED + 1; l < HEAD_LABEL_COUNT; l++)
		if (begins(head_label_name(l, TRACE_CROSS), low) ||
		    begins(head_label_name(l, TRACE_DECODER), low))
			return l;
	return HEAD_MIXED;
}

struct found {
	struct head_id at;
	double share;
	size_t place; /* in the trace: equal ones stay in its order */
};

static int best_first(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	return x->place < y->place ? -1 : 1;
}

/* Whether a map is the one that its head is shown by. */
static bool shown(const struct trace *t, const struct trace_map *m, struct head_id at)
{
	return select_map(t, at) == m;
}

/* All heads that have such a share, best first. Returns how many; *out is the caller's. */
static size_t rank(const struct ui *ui, const struct trace *t, enum head_label l,
		   struct found **out)
{
	size_t n = 0, most = FIGURES_SEARCH / (t->nmaps + 1);

	*out = mem_calloc(t->nmaps + 1, sizeof **out);
	for (size_t k = 0; k < t->nmaps; k++) {
		const struct trace_map *map = &t->maps[k];
		struct head_id at = {map->kind, map->layer, map->head};
		struct head_figures f;
		struct matrix m;

		if (!shown(t, map, at) || !matrix_of_head(ui, t, at, &m) ||
		    !figures_of(&m, most, &f) || isnan(f.share[l]))
			continue;
		(*out)[n++] = (struct found){at, f.share[l], k};
	}
	qsort(*out, n, sizeof **out, best_first);
	return n;
}

static const char *why_none(enum head_label l)
{
	if (l == HEAD_ALIGNS)
		return "there are no gold links to measure it by";
	if (l == HEAD_SINK)
		return "no such symbol here, or it is hidden";
	return "no head here can be measured for it";
}

/* Without gold links: the head that was taught with some. False: none was. */
static bool show_taught(struct ui *ui, const struct trace *t, enum head_label l, unsigned *effects)
{
	struct head_id at = {TRACE_CROSS, t->about.layer, t->about.head};
	char name[64];

	if (l != HEAD_ALIGNS || !t->about.guided || !select_map(t, at))
		return false;
	*effects = select_head(ui, at);
	ui_notice(ui, false, "aligns: %s was taught to; no gold links here to measure it by",
		  head_name(at, name, sizeof name));
	return true;
}

static unsigned show(struct ui *ui)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);
	enum head_label l = ui->find_label;
	struct found *all;
	size_t n = rank(ui, t, l, &all);
	unsigned effects = STEP_REDRAW;
	char name[64];

	if (n) {
		struct found best = all[ui->find_rank % n];

		effects = select_head(ui, best.at);
		ui_notice(ui, false, "%s: %s, %.2f (%zu of %zu)", head_label_name(l, best.at.kind),
			  head_name(best.at, name, sizeof name), best.share, ui->find_rank % n + 1,
			  n);
	} else if (!show_taught(ui, t, l, &effects)) {
		ui_notice(ui, true, "%s: %s", head_label_name(l, TRACE_CROSS), why_none(l));
	}
	free(all);
	return effects;
}

bool find_head(struct ui *ui, const char *text, unsigned *effects)
{
	ui->find_label = find_label(text);
	ui->find_rank = 0;
	if (ui->find_label == HEAD_MIXED)
		return false;
	ui->search[0] = '\0';
	*effects = show(ui);
	return true;
}

bool find_head_again(struct ui *ui, unsigned *effects)
{
	if (ui->find_label == HEAD_MIXED || ui->search[0])
		return false;
	ui->find_rank++;
	*effects = show(ui);
	return true;
}
