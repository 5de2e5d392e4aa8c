/* effects.c - decoding, new sentences, other models and timers: what ui functions return as bits.
 */
#include "tui/app.h"

#include "trace/both.h"
#include "view/lesson.h"
#include "view/pair.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A key must not wait longer than this for decoding. */
enum { SLICE_MS = 15 };

/* Sentences of a file are measured for so long between two frames, in slices after each of which a key
 * is looked for. */
enum { MEASURE_MS = 100, MEASURE_SLICE_MS = 2 };

/* Thumbnails are drawn again after so long, and a key is looked for after so many numbers: that many
 * take less than a millisecond unless they come from a disk. */
enum { FILL_MS = 60, FILL_SLICE = 1 << 17 };

int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void start_decoding(struct app *a, size_t want);

/* The sentence is whole as it was: now from redo_t on with the changes that are asked for. */
static void change(struct app *a)
{
	struct err err = {0};

	if (both_redo(a->producer, a->ui.redo_t, &a->ui.what_if, &err) != 0) {
		ui_refused(&a->ui);
		ui_notice(&a->ui, true, "%s", err.text);
		return;
	}
	a->redoing = REDO_AGAIN;
	start_decoding(a, SIZE_MAX);
}

static void finish_decoding(struct app *a)
{
	int redoing = a->redoing;
	struct trace both;
	const struct trace *t = pair_timeline(&a->ui, &both);

	if (!a->decoding)
		return;
	a->decoding = false;
	a->redoing = REDO_NONE;
	if (redoing == REDO_WHOLE)
		change(a);
	else if (redoing == REDO_AGAIN)
		app_effects(a, ui_redone(&a->ui));
	else if (t)
		app_effects(a, step_settle(&a->ui.step, t));
}

/* Until `end` (now_ms()), or what is wanted is there. */
static void decode_until(struct app *a, int64_t end)
{
	struct err err = {0};

	while (a->decoding && !both_reached(a->producer, a->want) && now_ms() < end) {
		if (both_next(a->producer, &err) != 0) {
			finish_decoding(a);
			ui_notice(&a->ui, true, "%s", err.text);
			return;
		}
	}
	if (both_reached(a->producer, a->want))
		finish_decoding(a);
}

void app_decode(struct app *a)
{
	decode_until(a, now_ms() + SLICE_MS);
}

void app_interrupt(struct app *a)
{
	while (a->decoding && a->redoing)
		decode_until(a, INT64_MAX);
	finish_decoding(a);
}

static void start_decoding(struct app *a, size_t want)
{
	a->decoding = true;
	a->want = want;
	app_decode(a);
}

static void begin(struct app *a)
{
	size_t had = both_steps(a->producer);
	struct err err = {0};

	if (both_begin(a->producer, a->ui.line.text, &err) == 0) {
		app_effects(a, ui_begun(&a->ui));
		return;
	}
	start_decoding(a, had); /* one of two may have begun anew */
	/* what was typed is not lost */
	a->ui.overlay = OVERLAY_INPUT;
	a->ui.line.cursor = a->ui.line.len;
	ui_notice(&a->ui, true, "%s", err.text);
}

/* rc as of both_draw(). */
static void begun(struct app *a, int rc, const struct err *err)
{
	if (rc >= 0)
		app_effects(a, ui_begun(&a->ui));
	if (rc != 0)
		ui_notice(&a->ui, true, "%s", err->text);
}

static void draw_sentence(struct app *a)
{
	struct err err = {0};

	begun(a, both_draw(a->producer, &err), &err);
}

/* The producer chooses a sentence that the other model reads. */
static void choose(struct app *a)
{
	struct err err = {0};

	begun(a, both_choose(a->producer, a->ui.line.text, &err), &err);
}

static void redo(struct app *a)
{
	a->redoing = REDO_WHOLE;
	start_decoding(a, SIZE_MAX);
}

/* A huge map takes seconds to draw, and no key is answered meanwhile: the screen says why. */
static int save_now(struct app *a, const char *file, struct err *err)
{
	ui_notice(&a->ui, false, "saving %s …", file);
	app_draw(a);
	return a->save(&a->ui, file, err);
}

/* What is there is replaced only when its name is confirmed. */
static void save(struct app *a)
{
	const char *file = a->ui.line.text;
	bool confirmed = strcmp(a->replace, file) == 0;
	struct err err = {0};

	a->replace[0] = '\0';
	if (!a->save) {
		ui_notice(&a->ui, true, "nothing can be saved from here");
	} else if (!confirmed && access(file, F_OK) == 0) {
		snprintf(a->replace, sizeof(a->replace), "%s", file);
		ui_save_again(&a->ui);
		ui_notice(&a->ui, true, "%s is there already: Enter replaces it", file);
	} else if (save_now(a, file, &err) != 0) {
		ui_save_again(&a->ui);
		ui_notice(&a->ui, true, "not saved: %s", err.text);
	} else {
		ui_notice(&a->ui, false, "saved: %s", file);
	}
}

/* ---- a file of sentences ---- */

static void open_sentence(struct app *a)
{
	struct err err = {0};
	int rc = both_open(a->producer, a->ui.sentence, &err);

	if (rc >= 0)
		app_effects(a, ui_opened(&a->ui));
	if (rc != 0)
		ui_notice(&a->ui, true, "%s", err.text);
}

static void arrange(struct app *a)
{
	a->producer->sentences->arrange(a->producer->self, a->ui.list_key, a->ui.list_descending,
					a->ui.filter);
	app_effects(a, ui_arranged(&a->ui));
}

static void reread(struct app *a)
{
	const struct sentence_source *s = a->producer->sentences;
	bool on = !s->reads(a->producer->self, a->ui.reading);
	struct err err = {0};
	int rc = both_reread(a->producer, a->ui.reading, on, &err);

	if (rc < 0) {
		ui_notice(&a->ui, true, "%s", err.text);
		return;
	}
	a->measuring = true;
	app_effects(a, ui_opened(&a->ui));
	arrange(a);
	if (rc == 0)
		ui_notice(&a->ui, false, "%s", reading_meaning(a->ui.reading, on));
	else
		ui_notice(&a->ui, true, "%s", err.text);
}

void app_measure(struct app *a, bool (*key_waits)(void))
{
	const struct sentence_source *s = a->producer->sentences;
	int64_t end = now_ms() + MEASURE_MS;

	while (a->measuring && now_ms() < end && !key_waits())
		a->measuring = s->measure(a->producer->self, MEASURE_SLICE_MS);
	if (!a->measuring && a->ui.list_key >= LIST_MEASURE)
		arrange(a);
}

void app_fill(struct app *a, bool (*key_waits)(void))
{
	int64_t end = now_ms() + FILL_MS;

	while (thumb_cache_missing(a->ui.thumbs) && now_ms() < end && !key_waits())
		thumb_cache_work(a->ui.thumbs, FILL_SLICE);
}

void app_check(struct app *a)
{
	const struct sentence_source *s = a->producer->sentences;
	struct err err = {0};

	if (s && s->check && s->check(a->producer->self, &err) != 0)
		ui_notice(&a->ui, true, "%s", err.text);
}

int app_arriving(const struct app *a)
{
	const struct sentence_source *s = a->producer->sentences;

	return s && s->fd ? s->fd(a->producer->self) : -1;
}

void app_arrive(struct app *a)
{
	const struct sentence_source *s = a->producer->sentences;
	size_t had = s->count(a->producer->self);
	struct err err = {0};
	char text[sizeof err.file + sizeof err.text];
	int rc = s->arrive(a->producer->self, &err);

	/* some may have come before a bad one */
	app_effects(a, ui_arrived(&a->ui, s->count(a->producer->self) - had,
				  s->fd(a->producer->self) < 0));
	if (rc < 0)
		ui_notice(&a->ui, true, "%s", err_format(&err, text, sizeof text));
}

void app_lesson(struct app *a)
{
	unsigned effects;

	while (!a->decoding && lesson_step(&a->ui, &effects))
		app_effects(a, effects);
}

void app_effects(struct app *a, unsigned effects)
{
	if (effects & UI_SENTENCE)
		open_sentence(a);
	if (effects & UI_ARRANGE)
		arrange(a);
	if (effects & UI_REREAD)
		reread(a);
	if (effects & STEP_STOP_TIMER)
		a->timer = false;
	if (effects & STEP_TIMER) {
		a->timer = true;
		a->deadline = now_ms() + step_speed_ms(a->ui.step.speed);
	}
	if (effects & UI_BEGIN)
		begin(a);
	if (effects & UI_DRAW)
		draw_sentence(a);
	if (effects & UI_CHOOSE)
		choose(a);
	if (effects & UI_SAVE)
		save(a);
	if (effects & UI_REDO)
		redo(a);
	if (effects & STEP_DECODE_ALL)
		start_decoding(a, SIZE_MAX);
	else if (effects & STEP_DECODE)
		start_decoding(a, a->ui.step.t + 1);
	if (effects & UI_CLEAR) {
		clearok(curscr, TRUE);
		paint_forget(&a->painter);
	}
}
