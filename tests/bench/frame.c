/*
 * A frame of a whole walk, of all heads of a Transformer, of their links: ui_draw() into cells, and painting them through ncurses into a pseudo
 * terminal that is read as fast as it writes; changed cells only, as after a key, and everything,
 * as after ^L. Then the same from outside: the time from a key to the end of the answer.
 */
#include "base/mem.h"
#include "bench.h"
#include "child.h"
#include "drive.h"
#include "replay.h"
#include "sample.h"
#include "tui/paint.h"

#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRAMES = 300, WHOLE_FRAMES = 60, KEYS = 60 };

/* What the painting process tells: seconds of each frame, and how many bytes it wrote altogether.
 */
struct frame_times {
	double draw[FRAMES], paint[FRAMES], whole[WHOLE_FRAMES];
};

/* What is drawn: the keys that open it, and those that change a little there and back. */
struct subject {
	const char *name;
	bool heads; /* 6 layers of 8 heads, each kind, 40 × 40; else the recording of a walk */
	const char *open, *there, *back;
};

static const struct subject subjects[] = {{"frame", false, "End", ".", ","},
					  {"model_view", true, "3", "Down", "Up"},
					  {"links_view", true, "4 Home", "Down", "Up"}};

struct stage {
	struct trace_producer producer;
	struct sample_producer sample;
	struct ui ui;
	struct grid grid;
	struct terminal terminal;
	struct painter painter;
};

static bool open_producer(struct stage *s, const struct subject *what)
{
	static struct sample_spec spec;
	struct err err = {0};

	if (!what->heads)
		return replay_open_file(&s->producer, RECORDING, &err) == 0;
	spec = sample_heads_large;
	spec.heads = 8;
	sample_open(&s->sample, &spec);
	s->producer = s->sample.p;
	return true;
}

static bool open_stage(struct stage *s, const struct subject *what, int rows, int cols)
{
	struct err err = {0};

	if (!open_producer(s, what) || terminal_open(&s->terminal, TUI_COLOUR_ALWAYS, &err) < 0)
		return false;
	ui_init(&s->ui, &s->producer);
	drive_effects(&s->ui, ui_begun(&s->ui));
	grid_init(&s->grid, rows, cols);
	paint_init(&s->painter, &s->terminal);
	drive_keys(&s->ui, &s->grid, what->open);
	return true;
}

static double frame(struct stage *s, double *draw)
{
	double start = bench_now(), drawn;

	grid_clear(&s->grid);
	ui_scroll(&s->ui, s->grid.rows, s->grid.cols);
	ui_draw(&s->ui, &s->grid);
	drawn = bench_now();
	paint(&s->painter, &s->grid);
	if (draw)
		*draw = drawn - start;
	return bench_now() - drawn;
}

/* Up and down through the timesteps: a row, the pane and the status change with each key. */
static void frames(struct stage *s, const struct subject *what, struct frame_times *out)
{
	for (int i = 0; i < WHOLE_FRAMES; i++) {
		paint_forget(&s->painter);
		clearok(curscr, TRUE);
		out->whole[i] = frame(s, NULL);
	}
	for (int i = 0; i < FRAMES; i++) {
		drive_keys(&s->ui, &s->grid, i % 8 < 4 ? what->back : what->there);
		out->paint[i] = frame(s, &out->draw[i]);
	}
}

static int paint_child(const struct subject *what, int rows, int cols, int result)
{
	static struct frame_times times;
	static struct stage s;
	bool ok = open_stage(&s, what, rows, cols);

	if (!ok)
		return 1;
	frames(&s, what, &times);
	terminal_close(&s.terminal);
	return write(result, &times, sizeof times) == (ssize_t)sizeof times ? 0 : 1;
}

static struct bench_runs runs_of(const double *seconds, size_t n)
{
	struct bench_runs r = {0};

	for (size_t i = 0; i < n; i++)
		bench_add(&r, seconds[i]);
	bench_sort(&r);
	return r;
}

static void print(const char *name, int rows, int cols, const struct frame_times *t, size_t bytes)
{
	struct bench_runs draw = runs_of(t->draw, FRAMES), paint = runs_of(t->paint, FRAMES);
	struct bench_runs whole = runs_of(t->whole, WHOLE_FRAMES);
	struct buf line = {0};

	buf_printf(&line,
		   "\"bench\": \"%s\", \"rows\": %d, \"cols\": %d, \"draw_us\": %.1f, "
		   "\"paint_us\": %.1f, \"frame_us\": %.1f, \"frame_us_max\": %.1f, "
		   "\"whole_paint_us\": %.1f, \"bytes\": %zu",
		   name, rows, cols, bench_median(&draw) * 1e6, bench_median(&paint) * 1e6,
		   (bench_median(&draw) + bench_median(&paint)) * 1e6,
		   (draw.seconds[FRAMES - 1] + paint.seconds[FRAMES - 1]) * 1e6,
		   bench_median(&whole) * 1e6, bytes);
	bench_print(&line, FRAMES, -1);
	bench_free(&draw);
	bench_free(&paint);
	bench_free(&whole);
}

static bool measure_frames(const struct subject *what, int rows, int cols)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
	static struct frame_times times;
	struct child_tty tty;
	int ends[2], status = 1;
	size_t bytes = 0;
	bool ok;

	if (pipe(ends) < 0)
		return false;
	tty.pid = forkpty(&tty.fd, NULL, NULL, &size);
	if (tty.pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		setenv("COLORTERM", "truecolor", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		_exit(paint_child(what, rows, cols, ends[1]));
	}
	close(ends[1]);
	ok = tty.pid > 0 && child_tty_read(&tty, 0, 2000, &bytes) >= 0;
	ok = ok && read(ends[0], &times, sizeof times) == (ssize_t)sizeof times;
	close(ends[0]);
	if (tty.pid > 0) {
		close(tty.fd);
		waitpid(tty.pid, &status, 0);
	}
	if (ok && status == 0)
		print(what->name, rows, cols, &times, bytes);
	else
		fprintf(stderr, "bench: frame: the painting process failed\n");
	return ok && status == 0;
}

/* Keys sent to the walk of a recorded trace, each when the one before was answered. */
static bool measure_keys(int rows, int cols)
{
	char *argv[] = {(char[]){WALK}, (char[]){RECORDING}, NULL};
	struct bench_runs runs = {0};
	struct child_tty tty;
	struct buf line = {0};

	if (!child_tty_open(&tty, rows, cols, argv) || child_tty_read(&tty, 0, 100, NULL) < 0)
		return false;
	child_tty_send(&tty, "\033[F");
	child_tty_read(&tty, 0, 50, NULL);
	for (int i = 0; i < KEYS; i++) {
		double start = bench_now(), answered;

		child_tty_send(&tty, i % 8 < 4 ? "," : ".");
		answered = child_tty_read(&tty, start, 5, NULL);
		if (answered >= 0)
			bench_add(&runs, answered);
	}
	child_tty_close(&tty);
	bench_sort(&runs);
	if (runs.n < KEYS / 2)
		return false;
	buf_printf(&line,
		   "\"bench\": \"key\", \"rows\": %d, \"cols\": %d, \"answer_ms\": %.3f, "
		   "\"answer_ms_max\": %.3f",
		   rows, cols, bench_median(&runs) * 1e3, runs.seconds[runs.n - 1] * 1e3);
	bench_print(&line, runs.n, -1);
	bench_free(&runs);
	return true;
}

bool bench_frame(void)
{
	static const int sizes[][2] = {{24, 80}, {36, 120}, {60, 200}};
	bool ok = true;

	for (size_t k = 0; k < ARRAY_LEN(subjects); k++)
		for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
			ok = measure_frames(&subjects[k], sizes[i][0], sizes[i][1]) && ok;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		ok = measure_keys(sizes[i][0], sizes[i][1]) && ok;
	return ok;
}
