/*
 * heads.h - the parts of the Heads view: a grid of all heads of a layer, one of them large, two of them
 * compared.
 *
 *	caption   kind, layer, how many heads
 *	main      tiles, or maps        │ side      figures of the selected head, its row
 *	scale                           │           (below where the screen is narrow)
 */
#ifndef VIEW_HEADS_H
#define VIEW_HEADS_H

#include "trace/pool.h"
#include "view/figures.h"
#include "view/paint.h"

enum heads_mode { HEADS_GRID, HEADS_ZOOM, HEADS_COMPARE };

struct heads {
	const struct ui *ui;
	const struct trace *t;
	enum heads_mode mode;
	int layers, count; /* of the kind; heads of the layer */
	struct rect caption, main, side, scale;
	bool below; /* side is below */
	/* the grid */
	int across, down; /* tiles beside each other, rows of tiles in view */
	int first;        /* row of tiles in view */
	int tile_rows, tile_cols;
};

/* False: there is nothing to show. */
bool heads_init(struct heads *h, const struct ui *ui, struct rect body);
enum heads_mode heads_mode(const struct ui *ui, const struct trace *t);
/* The place of a head's tile; rows = 0: not in view. */
struct rect heads_tile(const struct heads *h, int head);

void heads_draw_grid(const struct heads *h, struct grid *g);
void heads_draw_maps(const struct heads *h, struct grid *g);
void heads_draw_side(const struct heads *h, struct grid *g);
void heads_status(const struct ui *ui, struct grid *g, struct rect r);

/* The cell of a large map at a place of the screen. */
bool heads_hit(const struct heads *h, int at_row, int at_col, size_t *row, size_t *col);
/* Rows and columns of the large maps in view: settles ui->top and ui->left. */
void heads_scroll_maps(const struct heads *h, struct ui *ui);

/* Settles what ui->zoom may be, and with which zoom a map opens; before heads_scroll_maps(). */
void heads_settle_zoom(const struct heads *h, struct ui *ui);

/* One head large: not all of its map is in view. *seen: the numbers that are. */
bool heads_cut(const struct heads *h, struct trace_window *seen);

/* Keys of a large map that is zoomed out, or can be; false: none of them. */
bool heads_zoom_request(struct ui *ui, enum request r, unsigned *effects);
/* "a dot is the largest of 16 × 16"; "at reading size" where it was zoomed out and cannot be now; else "". */
const char *heads_zoom_caption(const struct ui *ui, char *out, size_t size);
/* The cell under the cursor and the block it is in; false: not zoomed out. */
bool heads_zoom_status(const struct ui *ui, const struct matrix *m, struct grid *g, struct rect line);

/* `n` maps of the same size, side by side or below each other. */
struct heads_panels {
	struct rect labels; /* cols > 0: the row labels of all; else each has its own */
	struct rect at[3];
};
/* m: the first of them; shared: all have its rows; beside: not below each other. */
struct heads_panels heads_panels(const struct heads *h, const struct matrix *m, int n, bool shared,
				 bool beside);

/* The two heads marked last; false: there are none. */
bool heads_marked(const struct heads *h, struct head_id ab[2]);
/* "A", "B" for the last two marked ones, "•" for others, "" else. */
const char *heads_flag(const struct ui *ui, struct head_id at);
/* The head whose weights were taught with gold links. */
bool heads_taught(const struct trace *t, struct head_id at);
/* The head of the selected kind and layer. */
struct head_id heads_id(const struct heads *h, int head);

#endif
