/*
 * shown.h - what a view shows, for those who write it into a file: which heads, and their numbers as
 * they stand on the screen.
 */
#ifndef VIEW_SHOWN_H
#define VIEW_SHOWN_H

#include "view/ui.h"

/* What of the heads a view shows; its row in view_ops says. */
enum shown_what { SHOWN_HEAD, SHOWN_LAYER, SHOWN_ALL, SHOWN_LINKS, SHOWN_PAIR };

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

#endif
