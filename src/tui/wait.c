/* wait.c - the screen while what is to be shown is still being opened. */
#include "tui/app.h"
#include "tui/signals.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

/* What is opened sooner is shown at once; how often the screen says how far it is. */
enum { SOON_MS = 60, LOOK_MS = 100 };

bool tui_wait_soon(const struct tui_wait *w)
{
	struct pollfd ready = {w->fd(w->self), POLLIN, 0};

	return poll(&ready, 1, SOON_MS) > 0;
}

struct clock {
	int64_t start, came;
	enum progress_stage stage;
	size_t done;
};

static void look(const struct tui_wait *w, struct clock *c, struct waiting *out)
{
	int64_t now = now_ms();

	w->look(w->self, out);
	if (out->stage != c->stage || out->done != c->done)
		c->came = now;
	c->stage = out->stage;
	c->done = out->done;
	out->seconds = (int)((now - c->start) / 1000);
	out->idle = (int)((now - c->came) / 1000);
}

static void draw(struct app *a, const struct waiting *w)
{
	int rows, cols;

	getmaxyx(stdscr, rows, cols);
	if (rows != a->grid.rows || cols != a->grid.cols)
		grid_resize(&a->grid, rows, cols);
	waiting_draw(w, &a->grid, a->ui.ascii);
	paint(&a->painter, &a->grid);
}

/* Whether somebody wants to leave. */
static bool take_keys(struct app *a, bool *got)
{
	struct key k;

	*got = false;
	while (input_next(&a->input, &k)) {
		*got = true;
		if (request_of_key(k) == REQ_QUIT)
			return true;
		if (request_of_key(k) == REQ_REDRAW)
			app_effects(a, UI_CLEAR);
	}
	return false;
}

bool app_wait(struct app *a, const struct tui_wait *w, int wake, int *end)
{
	struct clock c = {.start = now_ms(), .came = now_ms()};
	bool got, quit = false;

	while (!quit && !*end) {
		struct pollfd fds[3] = {{STDIN_FILENO, POLLIN, 0},
					{wake, POLLIN, 0},
					{w->fd(w->self), POLLIN, 0}};
		struct waiting state = {0};

		look(w, &c, &state);
		draw(a, &state);
		poll(fds, 3, LOOK_MS);
		*end = app_signals(a);
		quit = take_keys(a, &got);
		if (!*end && app_hung_up(&fds[0], got))
			*end = SIGHUP;
		if (fds[2].revents && !quit && !*end)
			return true;
	}
	return false;
}
