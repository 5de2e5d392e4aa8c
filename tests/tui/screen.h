/*
 * screen.h - a program in a pseudo terminal whose screen can be read back: forkpty and libvterm.
 *
 * Nothing here waits a fixed time: whoever expects something polls until it is there, and a deadline
 * turns into a failed test that shows the screen.
 */
#ifndef TESTS_TUI_SCREEN_H
#define TESTS_TUI_SCREEN_H

#include "base/buf.h"

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

struct pty {
	pid_t child;         /* session leader */
	int fd, slave;       /* both ends: the slave stays open so that its settings can be read */
	int rows, cols;
	VTerm *vt;
	VTermScreen *screen;
	struct buf log;      /* all bytes that were written */
	struct termios start;
	bool alternate, cursor;

};

/*
 * Runs argv in a terminal of that size under a small shell with job control. It says "[run PID]" before
 * and "[stopped]", "[exit N]" or "[signal N]" after, and takes "fg" and Enter when it was stopped. env
 * ("NAME=value", NULL-terminated) is the whole environment but for LC_ALL, which is C.UTF-8 unless given.
 */
void pty_run(struct pty *p, int rows, int cols, const char *const *env, const char *const *argv);
/* Runs a function in the child instead; its result is the exit status. */
void pty_call(struct pty *p, int rows, int cols, const char *const *env, int (*run)(void *arg), void *arg);
void pty_close(struct pty *p);

/* The process id that was said by "[run PID]". */
pid_t pty_program(struct pty *p);
/* Takes what the program wrote, waiting a few milliseconds if there is nothing. */
void pty_pump(struct pty *p);
void pty_send(struct pty *p, const char *bytes);
/* Until the program has read everything that was sent. */
void pty_drained(struct pty *p);
/* Sends and waits until `expect` is on the screen. */
void pty_key(struct pty *p, const char *bytes, const char *expect);
void pty_resize(struct pty *p, int rows, int cols);
/* Until the text is (is not) on the screen; lines are joined by newlines. */
void pty_expect(struct pty *p, const char *text);
void pty_expect_gone(struct pty *p, const char *text);
/* Until the child has ended; its wait status. */
int pty_wait(struct pty *p);
/* Until there is no such process; it may have been left behind by the child. */
void pty_wait_gone(struct pty *p, pid_t pid);
/* Closes the terminal under the program. */
void pty_hang_up(struct pty *p);
/* The screen as text, trailing spaces cut. Caller frees. */
char *pty_text(const struct pty *p);
VTermScreenCell pty_cell(const struct pty *p, int row, int col);
/* Whether a private mode (CSI ? N h) was switched on last. */
bool pty_mode(const struct pty *p, long mode);
/* Line settings as at the start, main screen, cursor on, no mouse, no bracketed paste. */
void pty_assert_restored(struct pty *p);

#endif
