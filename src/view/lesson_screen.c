/* lesson_screen.c - a lesson on the screen: the way to a page, the lines at the bottom, turning pages. */
#include "view/change.h"
#include "view/lesson.h"

#include "base/utf8.h"
#include "trace/both.h"
#include "view/chrome.h"
#include "view/layout.h"
#include "view/line.h"
#include "view/pen.h"
#include "view/views.h"

#include <stdio.h>
#include <string.h>

/* Columns of text at most: longer lines are hard to read. */
enum { WIDEST = 100, MARGIN = 1 };

/* The way to a page: these, then its commands. */
enum { STEP_MODEL, STEP_SENTENCE, STEP_PLAIN, STEP_COMMANDS };

const struct lesson_page *lesson_page(const struct ui *ui)
{
	return ui->lesson ? &ui->lesson->pages[ui->lesson_page] : NULL;
}

unsigned lesson_open(struct ui *ui, const struct lesson *l, size_t page)
{
	ui->lesson = l;
	ui->lesson_page = page;
	ui->lesson_step = STEP_MODEL;
	ui->overlay = OVERLAY_NONE;
	ui->notice[0] = '\0';
	return STEP_REDRAW;
}

/* ---- the way to a page ---- */

static unsigned ask(struct ui *ui, unsigned effect, const char *text)
{
	line_set(&ui->line, text);
	return effect;
}

static unsigned to_model(struct ui *ui, const struct lesson_page *page)
{
	const struct trace *t = view_home(ui)->trace(view_home(ui)->self);

	return t && t->about.model && strcmp(t->about.model, page->model) == 0
		       ? 0
		       : ask(ui, UI_CHOOSE, page->model);
}

/* A what-if of another page is not in force here. */
static unsigned to_sentence(struct ui *ui, const struct lesson_page *page)
{
	const struct trace_producer *p = view_home(ui);

	return strcmp(p->sentence(p->self), page->sentence) == 0 ? 0 : ask(ui, UI_BEGIN, page->sentence);
}

/* As a page is to be found: the walk at its beginning, nothing marked, hidden or changed. */
static unsigned to_plain(struct ui *ui)
{
	unsigned effects = view_open(ui, VIEW_WALK) | ui_step(ui, STEP_FIRST, 0);

	ui->nmarks = 0;
	ui->zoomed = ui->comparing = ui->no_sinks = ui->numbers = false;
	ui->combine = COMBINE_ONE;
	ui->normal = NORMAL_ABSOLUTE;
	ui->search[0] = '\0';
	return effects | change_none(ui);
}

bool lesson_step(struct ui *ui, unsigned *effects)
{
	const struct lesson_page *page = lesson_page(ui);
	size_t step = ui->lesson_step;

	if (!page || step >= STEP_COMMANDS + page->ncommands)
		return false;
	ui->lesson_step++;
	switch (step) {
	case STEP_MODEL:
		*effects = to_model(ui, page);
		break;
	case STEP_SENTENCE:
		*effects = to_sentence(ui, page);
		break;
	case STEP_PLAIN:
		*effects = to_plain(ui);
		break;
	default:
		*effects = ui_command(ui, page->commands[step - STEP_COMMANDS]);
	}
	return true;
}

/* ---- turning pages ---- */

static unsigned leave(struct ui *ui)
{
	ui->lesson = NULL;
	ui_notice(ui, false, "the lesson is closed: o lists lessons, examples and models");
	return STEP_REDRAW;
}

static unsigned turn(struct ui *ui, bool forth)
{
	if (forth && ui->lesson_page + 1 < ui->lesson->npages)
		return lesson_open(ui, ui->lesson, ui->lesson_page + 1);
	if (!forth && ui->lesson_page > 0)
		return lesson_open(ui, ui->lesson, ui->lesson_page - 1);
	ui_notice(ui, false, forth ? "this is the last page: Esc leaves the lesson" : "this is the first page");
	return STEP_REDRAW;
}

bool lesson_request(struct ui *ui, enum request r, unsigned *effects)
{
	if (!ui->lesson)
		return false;
	switch (r) {
	case REQ_NEXT_LAYER: /* what the keys of a presenter's remote control send */
	case REQ_NEXT_SENTENCE:
		*effects = turn(ui, true);
		return true;
	case REQ_PREV_LAYER:
	case REQ_PREV_SENTENCE:
		*effects = turn(ui, false);
		return true;
	case REQ_CLOSE:
		*effects = leave(ui);
		return true;
	default:
		return false;
	}
}

/* ---- the lines ---- */

static void put_text(const char *text, struct pen *p)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		char line[1024];

		snprintf(line, sizeof line, "%.*s", (int)n, text);
		pen_wrap(p, 0, STYLE_NORMAL, line);
		text += n + (text[n] == '\n');
	}
}

static int text_cols(int cols)
{
	cols -= 2 * MARGIN;
	return cols < WIDEST ? cols : WIDEST;
}

int lesson_lines(const struct lesson_page *page, int cols)
{
	struct pen count = {.r = {0, 0, 0, text_cols(cols)}};

	put_text(page->text, &count);
	return count.line;
}

int lesson_rows(const struct ui *ui, int rows, int cols)
{
	int lines, room = rows - LAYOUT_MIN_ROWS - 1;

	if (!ui->lesson || room < 1 || !layout_fits(rows, cols))
		return 0;
	lines = lesson_lines(lesson_page(ui), cols);
	lines = lines < LESSON_LINES ? lines : LESSON_LINES;
	return 1 + (lines < room ? lines : room);
}

static void draw_title(const struct ui *ui, struct grid *g, struct rect r)
{
	static const char keys[] = "PgDn next  PgUp back  Esc leave ";
	const char *page = lesson_page(ui)->title, *lesson = ui->lesson->title;
	int end = r.cols - utf8_width(keys), width = utf8_width(lesson) + utf8_width(page) + 12;

	grid_fill(g, r, STYLE_TITLE, " ");
	grid_printf(g, r.row, MARGIN, end - MARGIN, STYLE_TITLE, "%s%s%zu/%zu  %s", width < end ? lesson : "",
		    width < end ? "  " : "", ui->lesson_page + 1, ui->lesson->npages, page);
	if (end > 0)
		grid_put(g, r.row, end, -1, STYLE_TITLE, keys);
}

void lesson_draw(const struct ui *ui, struct grid *g, struct rect r)
{
	struct pen pen = {.g = g, .r = {r.row + 1, MARGIN, r.rows - 1, text_cols(r.cols)}};

	draw_title(ui, g, (struct rect){r.row, 0, 1, r.cols});
	put_text(lesson_page(ui)->text, &pen);
}
