/*
 * signals.h - signals as flags for the loop, and a crash that gives the terminal back.
 */
#ifndef TUI_SIGNALS_H
#define TUI_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>

/* What happened since the last look. */
struct signals_seen {
	bool resize, stop, resumed;
	int end; /* SIGINT, SIGTERM or SIGHUP; 0: none */
};

/* Remembers the line settings and installs the handlers; call it before curses. Returns the
 * descriptor that becomes readable when one of them ran, -1 with errno if that fails. */
int signals_open(void);
/* What was before. */
void signals_close(void);
struct signals_seen signals_look(void);
/* Stops this process as SIGTSTP does by default; returns when it is continued. */
void signals_stop(void);

/* The bytes that put the terminal back; from then on until signals_disarm() a crash, exit() or
 * running out of memory sends them. */
void signals_arm(const char *bytes, size_t n);
void signals_disarm(void);

#endif
