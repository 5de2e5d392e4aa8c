#include "drive.h"

#include "trace/both.h"
#include "view/pair.h"
#include "view/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void decode(struct ui *ui, bool all)
{
	struct trace_producer *p = view_home(ui);
	size_t want = all ? SIZE_MAX : ui->step.t + 1;
	struct trace both;

	while (!both_reached(p, want) && both_next(p, NULL) == 0)
		;
	step_settle(&ui->step, pair_timeline(ui, &both));
}

static void decode_rest(struct trace_producer *p)
{
	while (!both_finished(p) && both_next(p, NULL) == 0)
		;
}

static void redo(struct ui *ui)
{
	struct trace_producer *p = view_home(ui);

	decode_rest(p);
	if (both_redo(p, ui->redo_t, &ui->what_if, NULL) != 0) {
		ui_refused(ui);
		return;
	}
	decode_rest(p);
	drive_effects(ui, ui_redone(ui));
}

/* What is refused changes nothing, as in the program. */
static void file_effects(struct ui *ui, unsigned effects)
{
	struct trace_producer *p = view_home(ui);
	const struct sentence_source *s = p->sentences;

	if ((effects & UI_SENTENCE) && both_open(p, ui->sentence, NULL) >= 0)
		drive_effects(ui, ui_opened(ui));
	if ((effects & UI_REREAD) &&
	    both_reread(p, ui->reading, !s->reads(p->self, ui->reading), NULL) >= 0)
		drive_effects(ui, ui_opened(ui));
	if (effects & UI_ARRANGE) {
		s->arrange(p->self, ui->list_key, ui->list_descending, ui->filter);
		drive_effects(ui, ui_arranged(ui));
	}
}

void drive_effects(struct ui *ui, unsigned effects)
{
	struct trace_producer *p = view_home(ui);

	if (effects & (STEP_DECODE | STEP_DECODE_ALL))
		decode(ui, effects & STEP_DECODE_ALL);
	if (effects & UI_REDO)
		redo(ui);
	if ((effects & UI_BEGIN) && both_begin(p, ui->line.text, NULL) == 0)
		drive_effects(ui, ui_begun(ui));
	if (p->sentences)
		file_effects(ui, effects);
}

void drive_keys(struct ui *ui, const struct grid *g, const char *keys)
{
	char *copy = strdup(keys), *save = NULL;

	for (char *k = strtok_r(copy, " ", &save); k; k = strtok_r(NULL, " ", &save)) {
		char *star = strlen(k) > 1 ? strchr(k, '*') : NULL;
		int times = star ? atoi(star + 1) : 1;
		struct key key = key_parse(k, star ? (size_t)(star - k) : strlen(k));

		if (key.code == KEY_NONE) {
			fprintf(stderr, "no such key: %s\n", k);
			abort();
		}
		for (int i = 0; i < times; i++) {
			ui_scroll(ui, g->rows, g->cols);
			drive_effects(ui, ui_key(ui, g, key));
		}
	}
	free(copy);
}
