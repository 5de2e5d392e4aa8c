/*
 * child.h - running other programs to time them.
 */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>

struct child_times {
	double output; /* seconds from fork to the last byte of its output */
	double exit;   /* to its end */
	double cpu;    /* user + system */
	double rss_mb; /* most memory it held */
	size_t bytes;
};

/* The path of the program under test: ../attnscope beside this one. false: not there. */
bool child_program(char *path, size_t size);

/* Runs argv with its output in a pipe. false if it did not exit with 0. */
bool child_run(char *const *argv, struct child_times *out);

/* A program in a pseudo terminal. */
struct child_tty {
	int fd, pid;
};

bool child_tty_open(struct child_tty *c, int rows, int cols, char *const *argv);
/*
 * Reads until nothing has come for quiet_ms. Returns the time from `start` to the last byte, or a
 * negative number if nothing came; *bytes (may be NULL) is how many came.
 */
double child_tty_read(struct child_tty *c, double start, int quiet_ms, size_t *bytes);
bool child_tty_send(struct child_tty *c, const char *keys);
bool child_tty_alive(struct child_tty *c);
void child_tty_close(struct child_tty *c);

#endif
