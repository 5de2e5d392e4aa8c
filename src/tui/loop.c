/*
 * loop.c - wait for a key, a signal or the timer; let the ui decide; draw once.
 *
 * Whatever is there is taken before anything is drawn: a held key or a dragged window edge costs
 * one frame, not one each.
 */
#include "tui/app.h"
#include "tui/signals.h"

#include "base/mem.h"
#include "view/lesson.h"
#include "view/pair.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A paste whose end mark got lost is over after this. */
enum { PASTE_MS = 500 };

/* Keys taken before a frame, so that an endless stream of them is still seen to do something. */
enum { KEYS_A_FRAME = 200 };

void app_draw(struct app *a)
{
	struct step step = a->ui.step;
	struct trace both;
	const struct trace *t = pair_timeline(&a->ui, &both);
	int rows, cols;

	getmaxyx(stdscr, rows, cols);
	if (rows != a->grid.rows || cols != a->grid.cols)
		grid_resize(&a->grid, rows, cols);
	grid_clear(&a->grid);
	if (a->decoding && t)
		step_settle(&a->ui.step, t);
	ui_scroll(&a->ui, rows, cols);
	ui_draw(&a->ui, &a->grid);
	a->ui.step = step;
	a->filling = thumb_cache_missing(a->ui.thumbs);
	paint(&a->painter, &a->grid);
}

/* Milliseconds until something is to be done without a key; -1: nothing. */
static int wait_ms(const struct app *a)
{
	int64_t left;

	if (a->decoding || a->measuring || a->filling)
		return 0;
	if (!a->timer)
		return a->input.pasting ? PASTE_MS : -1;
	left = a->deadline - now_ms();
	if (a->input.pasting && left > PASTE_MS)
		left = PASTE_MS;
	return left > 0 ? (int)left : 0;
}

static void take_key(struct app *a, struct key k)
{
	app_interrupt(a);
	if (a->ui.overlay != OVERLAY_SAVE)
		a->replace[0] = '\0';
	app_effects(a, ui_key(&a->ui, &a->grid, k));
}

static bool take_keys(struct app *a)
{
	struct key k;
	int n = 0;

	while (n < KEYS_A_FRAME && !a->ui.quit && input_next(&a->input, &k)) {
		take_key(a, k);
		n++;
	}
	return n > 0;
}

int app_signals(struct app *a)
{
	struct signals_seen seen = signals_look();

	if (seen.end)
		return seen.end;
	if (seen.stop)
		terminal_stop(&a->term);
	if (seen.resize || seen.resumed)
		terminal_resize(seen.resumed);
	if (seen.stop || seen.resumed)
		paint_forget(&a->painter);
	return 0;
}

static void tick(struct app *a)
{
	if (!a->timer || now_ms() < a->deadline)
		return;
	a->timer = false;
	app_effects(a, ui_step(&a->ui, STEP_TICK, 0));
}

bool app_hung_up(const struct pollfd *input, bool got_keys)
{
	return !got_keys && (input->revents & (POLLHUP | POLLERR | POLLNVAL));
}

static bool key_waits(void)
{
	struct pollfd input = {STDIN_FILENO, POLLIN, 0};

	return poll(&input, 1, 0) != 0;
}

static int run(struct app *a, int wake)
{
	int end = 0;

	while (!a->ui.quit && !end) {
		struct pollfd fds[3] = {{STDIN_FILENO, POLLIN, 0},
					{wake, POLLIN, 0},
					{app_arriving(a), POLLIN, 0}};
		struct key k;
		bool got;
		int ready;

		app_lesson(a);
		app_draw(a);
		ready = poll(fds, 3, wait_ms(a));
		end = app_signals(a);
		got = take_keys(a);
		if (got)
			app_check(a);
		if (!ready && !got && input_end_paste(&a->input, &k))
			take_key(a, k);
		if (!end && ready > 0 && app_hung_up(&fds[0], got))
			end = SIGHUP;
		if (ready > 0 && fds[2].revents)
			app_arrive(a);
		tick(a);
		app_decode(a);
		if (a->filling && !ready)
			app_fill(a, key_waits);
		else if (a->measuring && !ready)
			app_measure(a, key_waits);
	}
	return end;
}

static void start_screen(struct app *a, const struct tui_options *o)
{
	a->ui.ascii = o->ascii || !a->term.utf8;
	paint_init(&a->painter, &a->term);
	input_init(&a->input);
}

static void start(struct app *a, struct trace_producer *p, const struct tui_options *o)
{
	bool ascii = a->ui.ascii;

	a->producer = p;
	ui_init(&a->ui, p);
	a->ui.thumbs = thumb_cache_new();
	a->ui.presenter = o->presenter;
	if (o->choose)
		a->ui.overlay = OVERLAY_LIST;
	if (o->presenter)
		a->ui.view = VIEW_WALK;
	a->ui.lessons = o->lessons;
	a->ui.nlessons = o->nlessons;
	if (o->lesson)
		lesson_open(&a->ui, o->lesson, 0);
	a->ui.colour_map = o->colour_map;
	a->save = o->save;
	a->measuring = p->sentences != NULL;
	a->ui.ascii = ascii;
	a->ui.mono = a->term.depth < DEPTH_256;
}

static void finish(struct app *a)
{
	terminal_close(&a->term);
	input_fini(&a->input);
	paint_fini(&a->painter);
	grid_fini(&a->grid);
	thumb_cache_free(a->ui.thumbs);
}

/* In an open terminal. `waits`: it is still being opened. */
static int show(struct app *a, struct trace_producer *p, const struct tui_options *o, bool waits,
		int wake, int *end, struct err *err)
{
	start_screen(a, o);
	if (waits && !app_wait(a, o->wait, wake, end))
		return 0;
	if (waits && o->wait->finish(o->wait->self, err) != 0)
		return -1;
	start(a, p, o);
	*end = run(a, wake);
	return 0;
}

int tui_run(struct trace_producer *p, const struct tui_options *o, int *signal, struct err *err)
{
	struct app *a = mem_calloc(1, sizeof(*a));
	bool waits = o->wait && !tui_wait_soon(o->wait);
	int wake = signals_open(), rc = 0;

	*signal = 0;
	if (wake < 0)
		rc = err_errno(err, "a pipe for signals");
	if (rc == 0 && o->wait && !waits)
		rc = o->wait->finish(o->wait->self, err);
	if (rc == 0)
		rc = terminal_open(&a->term, o->colour, err);
	if (rc == 0) {
		rc = show(a, p, o, waits, wake, signal, err);
		finish(a);
	}
	if (wake >= 0)
		signals_close();
	free(a);
	return rc;
}
