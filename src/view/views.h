/*
 * views.h - what stands in the middle of the screen: one row of functions for each view of the list
 * VIEWS in ui.h, and the lines around it that all share.
 *
 *	title   tabs of the views that have something to show, the model, the place
 *	body
 *	status  the exact number under the cursor, its token pair, its formula
 *	footer  the notice, else the keys
 */
#ifndef VIEW_VIEWS_H
#define VIEW_VIEWS_H

#include "view/shown.h"
#include "view/ui.h"

struct hint {
	enum request first, second; /* second: REQ_NONE or the opposite */
	const char *what;
};

struct buf;

struct view_ops {
	/* Whether this trace has anything to show here: a view without has no tab. */
	bool (*real)(const struct ui *ui, const struct trace *t);
	/* The walk draws the whole screen itself, title and all (frame = false). */
	bool frame;
	void (*draw)(const struct ui *ui, struct grid *g, struct rect body);
	void (*status)(const struct ui *ui, struct grid *g, struct rect line);
	/* Settles what is in view; NULL: nothing scrolls. */
	void (*scroll)(struct ui *ui, struct rect body);
	/* The view's own meaning of a request. False: it has none, the general one applies. NULL: never. */
	bool (*request)(struct ui *ui, enum request r, unsigned *effects);
	/* A click or the wheel; as request. */
	bool (*mouse)(struct ui *ui, struct rect body, struct key k, unsigned *effects);
	/* What `/` looks for, other than tokens: true if `text` was understood. NULL: tokens only. */
	bool (*find)(struct ui *ui, const char *text, unsigned *effects);
	enum shown_what shows; /* what is saved from here */
	/* What stands at the right end of the title (appended). NULL: the selected head. */
	void (*place)(const struct ui *ui, struct buf *out);
	const struct hint *hints; /* ends with what = NULL */
	const struct hint *(*keys)(const struct ui *ui); /* instead, if they are not always the same; or NULL */
};

#define X(id, ops, name, request) extern const struct view_ops ops;
VIEWS(X)
#undef X

const struct view_ops *view_ops(enum view v);
const char *view_name(enum view v);
bool view_real(const struct ui *ui, enum view v);
/* The first of two models, or the only one: whose walk it is. */
struct trace_producer *view_home(const struct ui *ui);
/* ui->producer becomes the one whose heads the open view shows, ui->step goes over to its programme. */
void view_settle(struct ui *ui);
/* Opens it, or says why not. What is not decoded yet is decoded for the views that show it all. */
unsigned view_open(struct ui *ui, enum view v);
/* Where a sentence of a file is looked at first: beside that of another file, else the first view after the walk that has something to
 * show, else the walk. */
enum view view_first(const struct ui *ui);
/* True: r was the request of a view. */
bool view_request(struct ui *ui, enum request r, unsigned *effects);

/* The model's name, or the file's without its folder. */
const char *model_title(const struct trace *t);
/* The body of a framed view on a screen of that size. */
struct rect view_body(int rows, int cols);
/* Draws title, body, status and footer. */
void view_draw(const struct ui *ui, struct grid *g);

/* Tabs from the left edge of r; nothing if there is one view only. Returns the columns used. */
int view_tabs(const struct ui *ui, struct grid *g, struct rect r);
/* "what-if · place" at the right end of r, from its left edge at most: where both do not fit the what-if is cut,
 * then the end of the place. Returns its first column. */
int view_title_end(struct grid *g, struct rect r, const char *in_force, const char *place);
/* The view whose tab is at a column of the title; VIEW_COUNT: none. */
enum view view_tab_at(const struct ui *ui, int cols, int col);

#endif
