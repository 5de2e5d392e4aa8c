#include "view/waiting.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "view/hints.h"
#include "view/paint.h"
#include "view/views.h"

static const struct hint hints[] = {{REQ_QUIT, REQ_NONE, "leave"}, {REQ_NONE, REQ_NONE, NULL}};

/* "17 bytes", "12.3 MiB" */
static void put_bytes(struct buf *b, size_t n)
{
	static const char *const units[] = {"KiB", "MiB", "GiB"};
	double x = (double)n / 1024;
	size_t k = 0;

	if (n < 1024) {
		buf_printf(b, "%zu byte%s", n, n == 1 ? "" : "s");
		return;
	}
	for (; x >= 1024 && k < 2; k++)
		x /= 1024;
	buf_printf(b, "%.1f %s", x, units[k]);
}

static void put_stage(const struct waiting *w, struct buf *b)
{
	switch (w->stage) {
	case PROGRESS_NONE:
		buf_puts(b, "opening");
		break;
	case PROGRESS_PIPE:
		buf_puts(b, "reading the pipe: ");
		put_bytes(b, w->done);
		buf_puts(b, " so far");
		break;
	case PROGRESS_TEXT:
		buf_puts(b, "reading the text: ");
		put_bytes(b, w->done);
		buf_puts(b, " of ");
		put_bytes(b, w->of);
		break;
	case PROGRESS_SENTENCES:
		buf_printf(b, "finding out what the numbers mean: sentence %zu of %zu", w->done,
			   w->of);
		break;
	}
}

/* "7 s, nothing more for 5 s" */
static void put_time(const struct waiting *w, struct buf *b)
{
	buf_printf(b, "%d s", w->seconds);
	if (w->idle >= 2 && w->stage == PROGRESS_PIPE)
		buf_printf(b, ", nothing %sfor %d s", w->done ? "more " : "", w->idle);
}

static void put_what_follows(const struct waiting *w, struct area *a)
{
	if (w->stage != PROGRESS_PIPE)
		return;
	area_skip(a);
	area_wrap(a, 2, STYLE_DIM, "It is shown when the pipe has ended.");
	area_wrap(a, 3, STYLE_DIM,
		  "attnscope open --follow - shows sentences as they arrive, if there is one a line.");
}

static void draw_body(const struct waiting *w, struct area *a, bool ascii)
{
	struct buf b = {0};

	put_stage(w, &b);
	area_wrap(a, 3, STYLE_NORMAL, buf_str(&b));
	if (w->of && area_left(a) > 0) {
		paint_bar(a->g, area_row(a), a->r.col, a->r.cols, STYLE_BAR_ON,
			  (float)w->done / (float)w->of, ascii);
		a->y++;
	}
	buf_clear(&b);
	put_time(w, &b);
	area_put(a, STYLE_DIM, buf_str(&b));
	put_what_follows(w, a);
	buf_free(&b);
}

/* Where the text stands. */
static struct area place(const struct ui *ui, struct grid *g)
{
	int top = g->rows / 3, rows = g->rows - 3 - top, cols = g->cols < 64 ? g->cols - 2 : 62;

	return (struct area){.g = g, .ui = ui, .r = {top, 1, rows > 0 ? rows : 0, cols}};
}

void waiting_first(size_t bytes, bool ended, struct grid *g)
{
	struct area a = place(NULL, g);
	struct buf b = {0};

	buf_puts(&b, ended ? "the pipe has ended without a sentence: " : "no sentence yet: ");
	put_bytes(&b, bytes);
	buf_puts(&b, ended ? " came through it" : " have come through the pipe");
	area_wrap(&a, 3, STYLE_NORMAL, buf_str(&b));
	buf_free(&b);
	if (ended)
		return;
	area_skip(&a);
	area_wrap(&a, 2, STYLE_DIM, "Each is shown as soon as its line has ended.");
}

void waiting_draw(const struct waiting *w, struct grid *g, bool ascii)
{
	const struct ui none = {.ascii = ascii};
	struct area a = place(&none, g);

	grid_clear(g);
	grid_fill(g, (struct rect){0, 0, 1, g->cols}, STYLE_TITLE, " ");
	grid_put(g, 0, 1, g->cols - 2, STYLE_TITLE, w->name);
	draw_body(w, &a, ascii);
	hints_draw(&none, hints, g, (struct rect){g->rows - 1, 0, 1, g->cols});
	if (ascii)
		grid_ascii(g);
}
