/*
 * From the start of the process: a sentence translated and its heatmap printed, with the default
 * model; and the first frame of a walk in a terminal of 80×24.
 */
#include "base/fs.h"
#include "bench.h"
#include "child.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char sentence[] = "the black cat does not see the red car .";

struct startup {
	char program[4096];
	struct bench_runs output, exit, cpu;
	double rss_mb, first;
	bool failed;
};

static void translate(void *user)
{
	struct startup *s = user;
	char *argv[] = {s->program, "translate", "--format", "heatmap", sentence, NULL};
	struct child_times t;

	if (s->failed)
		return;
	if (!child_run(argv, &t)) {
		s->failed = true;
		return;
	}
	if (s->output.n == 0)
		s->first = t.output;
	bench_add(&s->output, t.output);
	bench_add(&s->exit, t.exit);
	bench_add(&s->cpu, t.cpu);
	s->rss_mb = t.rss_mb > s->rss_mb ? t.rss_mb : s->rss_mb;
}

static void first_frame(void *user)
{
	struct startup *s = user;
	char *argv[] = {s->program, "walk", sentence, NULL};
	double start = bench_now(), frame = -1;
	struct child_tty tty;

	if (s->failed)
		return;
	if (child_tty_open(&tty, 24, 80, argv)) {
		frame = child_tty_read(&tty, start, 30, NULL);
		if (!child_tty_alive(&tty)) /* that was an error message */
			frame = -1;
		child_tty_close(&tty);
	}
	if (frame < 0)
		s->failed = true;
	else
		bench_add(&s->output, frame);
}

static void print(struct startup *s, const char *stage, double other)
{
	struct buf line = {0};

	bench_sort(&s->output);
	buf_printf(&line,
		   "\"bench\": \"startup\", \"stage\": \"%s\", \"wall_to_matrix_ms\": %.2f, "
		   "\"wall_to_matrix_ms_min\": %.2f",
		   stage, bench_median(&s->output) * 1e3, s->output.seconds[0] * 1e3);
	if (s->exit.n) {
		bench_sort(&s->exit);
		bench_sort(&s->cpu);
		buf_printf(&line,
			   ", \"wall_to_exit_ms\": %.2f, \"cpu_ms\": %.2f, \"peak_rss_mb\": %.1f, "
			   "\"first_run_ms\": %.2f",
			   bench_median(&s->exit) * 1e3, bench_median(&s->cpu) * 1e3, s->rss_mb,
			   s->first * 1e3);
	}
	bench_print(&line, s->output.n, other);
}

static bool measure(void (*once)(void *), const char *stage)
{
	struct startup s = {0};
	double other;
	bool ok;

	setenv("ATTNSCOPE_DATA", DATA, 0);
	if (!child_program(s.program, sizeof s.program)) {
		fprintf(stderr, "bench: startup needs the program attnscope; build it first\n");
		return false;
	}
	other = bench_collect(once, &s, 1, 10);
	ok = !s.failed && s.output.n > 0;
	if (ok)
		print(&s, stage, other);
	else
		fprintf(stderr, "bench: startup: '%s %s' failed; is the default model there?\n",
			s.program, stage);
	bench_free(&s.output);
	bench_free(&s.exit);
	bench_free(&s.cpu);
	return ok;
}

bool bench_startup(void)
{
	bool ok = measure(translate, "translate");

	return measure(first_frame, "walk") && ok;
}
