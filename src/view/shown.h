/*
 * shown.h - what a view shows, for those who write it into a file: which heads, and their numbers as
 * they stand on the screen.
 */
#ifndef VIEW_SHOWN_H
#define VIEW_SHOWN_H

#include "view/ui.h"

/* What of the heads a view shows; its row in view_ops says. */
enum shown_what { SHOWN_HEAD, SHOWN_LAYER, SHOWN_ALL, SHOWN_LINKS, SHOWN_PAIR, SHOWN_COMPARED };

struct shown {
	enum shown_what what;
	struct head_id at;      /* HEAD, LINKS: this one; LAYER: its kind and layer */
	struct head_id pair[2]; /* PAIR */
};

struct shown shown_now(const struct ui *ui);
/*
 * A trace whose maps hold what the screen makes of them: sinks hidden (0, the rest renormalised), several
 * heads combined into the selected one. NULL: the trace is shown as it is. trace_free() it.
 */
struct trace *shown_trace(const struct ui *ui);

enum { SHOWN_NAME = 160 };

/*
 * COMPARED: the maps of both sides as heads 0 and 1 of a small trace, as far as both are shown; where their
 * words differ a row has both. names: of the two, "A en-fr-gru cross:0:0", and of their difference,
 * "B − A", as Compare shows it. NULL with err: why there is none. trace_free() it.
 */
struct trace *shown_compared(const struct ui *ui, char names[3][SHOWN_NAME], struct err *err);

/* What a file would hold: "map cross:1:3", "all heads of cross layer 1" … into out; returns out. */
const char *shown_words(const struct ui *ui, char *out, size_t size);

#endif
