/*
 * app.h - the running screen: the pure ui, the producer, the terminal, and what is still to be
 * decoded.
 */
#ifndef TUI_APP_H
#define TUI_APP_H

#include "tui/input.h"
#include "tui/paint.h"
#include "tui/terminal.h"
#include "view/thumb_cache.h"
#include "view/ui.h"

#include <stdint.h>

struct app {
	struct ui ui;
	struct trace_producer *producer; /* borrowed */
	struct terminal term;
	struct painter painter;
	struct input input;
	struct grid grid;
	/* Decoding goes on in slices between keys until the trace has `want` steps or is finished.
	 */
	bool decoding;
	size_t want;
	enum { REDO_NONE, REDO_WHOLE, REDO_AGAIN } redoing; /* a what-if: the sentence is decoded to its
	                                                   end as it was, then again */
	bool measuring; /* sentences of a file are still to be measured */
	bool filling;   /* thumbnails of large maps in view are not complete */
	bool timer;
	int64_t deadline; /* of the play timer, now_ms() */
	int (*save)(const struct ui *ui, const char *file, struct err *err); /* as in tui_options */
	char replace[UI_LINE]; /* a file that is there: saved over if the name is given again */
};

int64_t now_ms(void);

/* While decoding goes on the state may stand behind the trace: a settled copy is shown. */
void app_draw(struct app *a);
/* Carries out what the ui asked for. */
void app_effects(struct app *a, unsigned effects);
/* Goes on towards the page of a lesson, as far as nothing has to be decoded first. */
void app_lesson(struct app *a);
/* Decodes on for at most a few milliseconds. */
void app_decode(struct app *a);
/* Measures sentences of a file for a while, as long as no key waits. */
void app_measure(struct app *a, bool (*key_waits)(void));
/* Pools large maps in view for a while, as long as no key waits. */
void app_fill(struct app *a, bool (*key_waits)(void));
/* Says so if the file that is shown has shrunk meanwhile. */
void app_check(struct app *a);
/* A descriptor through which more sentences come, -1: none; and taking what has come. */
int app_arriving(const struct app *a);
void app_arrive(struct app *a);
/* True: what was waited for is done. False: somebody leaves, by the signal *end if that is not 0. */
bool app_wait(struct app *a, const struct tui_wait *w, int wake, int *end);
/* Whether it is done before a screen is worth while. */
bool tui_wait_soon(const struct tui_wait *w);
/* Carries out the signals that came; the one that ends the program, or 0. */
int app_signals(struct app *a);
/* The terminal is gone: nothing to read any more and nobody to read it. */
struct pollfd;
bool app_hung_up(const struct pollfd *input, bool got_keys);
/* Stops decoding where it is: a key came. A what-if is not left half done. */
void app_interrupt(struct app *a);

#endif
