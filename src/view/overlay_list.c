/*
 * overlay_list.c - lessons, examples of this model, the other models; Enter takes one.
 *
 * Items are numbered through. The list has a heading line above each part.
 */
#include "base/mem.h"
#include "base/utf8.h"
#include "view/lesson.h"
#include "view/line.h"
#include "view/overlay_ops.h"

#include <string.h>

enum { MARK = 2, WIDEST = 90 };

static const char this_one[] = "  (this one)";

static int count(const char *const *list)
{
	int n = 0;

	while (list && list[n])
		n++;
	return n;
}

static const char *const *examples_of(const struct ui *ui)
{
	return ui->producer->examples(ui->producer->self);
}

static const char *const *models_of(const struct ui *ui)
{
	return ui->producer->models(ui->producer->self);
}

/* ---- the parts ---- */

static int lessons(const struct ui *ui)
{
	return (int)ui->nlessons;
}

static const char *lesson_text(const struct ui *ui, int k)
{
	return ui->lessons[k].title;
}

static bool lesson_current(const struct ui *ui, int k)
{
	return ui->lesson == &ui->lessons[k];
}

static unsigned lesson_take(struct ui *ui, int k)
{
	return lesson_open(ui, &ui->lessons[k], 0);
}

static int examples(const struct ui *ui)
{
	return count(examples_of(ui));
}

static const char *example_text(const struct ui *ui, int k)
{
	return examples_of(ui)[k];
}

static bool example_current(const struct ui *ui, int k)
{
	const char *sentence = ui->producer->sentence(ui->producer->self);

	return sentence && strcmp(sentence, example_text(ui, k)) == 0;
}

static unsigned example_take(struct ui *ui, int k)
{
	line_set(&ui->line, example_text(ui, k));
	return UI_BEGIN;
}

static int models(const struct ui *ui)
{
	return count(models_of(ui));
}

static const char *model_text(const struct ui *ui, int k)
{
	return models_of(ui)[k];
}

static const char *model_about(const struct ui *ui, int k)
{
	return ui->producer->about ? ui->producer->about(ui->producer->self, (size_t)k) : "";
}

static bool model_current(const struct ui *ui, int k)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);

	return t && strcmp(model_text(ui, k), t->about.model) == 0;
}

static unsigned model_take(struct ui *ui, int k)
{
	line_set(&ui->line, model_text(ui, k));
	return UI_CHOOSE;
}

static const struct part {
	const char *heading;
	int (*count)(const struct ui *ui);
	const char *(*text)(const struct ui *ui, int k);
	const char *(*about)(const struct ui *ui, int k); /* NULL: nothing is said */
	bool (*current)(const struct ui *ui, int k);
	unsigned (*take)(struct ui *ui, int k); /* effects but STEP_REDRAW */
} parts[] = {
	{"Lessons", lessons, lesson_text, NULL, lesson_current, lesson_take},
	{"Examples", examples, example_text, NULL, example_current, example_take},
	{"Models", models, model_text, model_about, model_current, model_take},
};

/* The part of item `*pos`, which becomes its place there; NULL: there are not so many. */
static const struct part *part_of(const struct ui *ui, int *pos)
{
	for (size_t p = 0; p < ARRAY_LEN(parts); p++) {
		int n = parts[p].count(ui);

		if (*pos < n)
			return &parts[p];
		*pos -= n;
	}
	return NULL;
}

static int items(const struct ui *ui)
{
	int n = 0;

	for (size_t p = 0; p < ARRAY_LEN(parts); p++)
		n += parts[p].count(ui);
	return n;
}

/* Lines above item `pos`: headings and an empty line between the parts. */
static int line_of(const struct ui *ui, int pos)
{
	int line = pos, n;

	for (size_t p = 0; p < ARRAY_LEN(parts); p++) {
		n = parts[p].count(ui);
		if (!n)
			continue;
		line++;
		if (pos < n)
			break;
		line++;
		pos -= n;
	}
	return line;
}

static int lines(const struct ui *ui)
{
	return items(ui) ? line_of(ui, items(ui) - 1) + 1 : 1;
}

static int widest_of(const struct ui *ui, const struct part *p)
{
	int most = 0;

	for (int k = 0; k < p->count(ui); k++)
		if (utf8_width(p->text(ui, k)) > most)
			most = utf8_width(p->text(ui, k));
	return most;
}

/* Where what is said about an item begins: behind all names of its part. */
static int about_col(const struct ui *ui, const struct part *p)
{
	return MARK + widest_of(ui, p) + 2;
}

static int item_width(const struct ui *ui, const struct part *p, int k)
{
	return p->about ? about_col(ui, p) + utf8_width(p->about(ui, k)) : MARK + utf8_width(p->text(ui, k));
}

static int widest(const struct ui *ui)
{
	int most = 40;

	for (int pos = 0; pos < items(ui); pos++) {
		int k = pos, w;
		const struct part *p = part_of(ui, &k);

		w = item_width(ui, p, k) + (p->current(ui, k) ? utf8_width(this_one) : 0);
		most = w > most ? w : most;
	}
	return most < WIDEST ? most : WIDEST;
}

static struct rect inside(const struct ui *ui, const struct grid *g)
{
	return popup_inside(g, lines(ui), widest(ui));
}

/* The first line in view keeps the chosen item in the middle where it can. */
static int first_line(const struct ui *ui, struct rect in)
{
	int top = line_of(ui, ui->list_pos) - in.rows / 2, last = lines(ui) - in.rows;

	if (top > last)
		top = last;
	return top < 0 ? 0 : top;
}

static void fill(struct pen *p, enum style style, int col)
{
	while (p->col < col)
		pen_put(p, style, " ");
}

static void put_item(struct pen *p, const struct ui *ui, int pos, const struct part *part, int k)
{
	bool on = pos == ui->list_pos;
	enum style style = on ? STYLE_POPUP_ON : STYLE_POPUP;

	pen_put(p, style, !on ? "  " : ui->ascii ? "> " : "▸ ");
	pen_put(p, style, part->text(ui, k));
	if (part->about) {
		fill(p, style, about_col(ui, part));
		pen_put(p, on ? style : STYLE_DIM, part->about(ui, k));
	}
	if (part->current(ui, k))
		pen_put(p, style, this_one);
	if (on)
		fill(p, style, p->r.cols);
	pen_newline(p);
}

static void put_heading(struct pen *p, const char *text)
{
	pen_put(p, STYLE_TITLE, text);
	pen_newline(p);
}

static void content(const struct ui *ui, struct pen *p)
{
	int pos = 0;

	if (!items(ui))
		put_heading(p, "this model comes without examples");
	for (size_t k = 0; k < ARRAY_LEN(parts); k++) {
		int n = parts[k].count(ui);

		if (n && pos)
			pen_newline(p);
		if (n)
			put_heading(p, parts[k].heading);
		for (int i = 0; i < n; i++, pos++)
			put_item(p, ui, pos, &parts[k], i);
	}
}

static void draw(const struct ui *ui, struct grid *g)
{
	struct rect in = inside(ui, g);
	int last = lines(ui) - in.rows;
	struct pen pen = {.g = g, .r = in, .top = first_line(ui, in)};

	popup_draw(ui, g, in, "Lessons, examples, models", "↓ ↑ choose  Enter take  Esc close");
	content(ui, &pen);
	popup_scroll(ui, g, in, pen.top, last > 0 ? last : 0);
}

static unsigned take(struct ui *ui)
{
	int k = ui->list_pos;
	const struct part *p = part_of(ui, &k);

	if (!p)
		return ui_request(ui, REQ_CLOSE);
	ui->overlay = OVERLAY_NONE;
	return STEP_REDRAW | p->take(ui, k);
}

static unsigned move(struct ui *ui, int pos)
{
	int last = items(ui) - 1;

	ui->list_pos = pos < 0 || last < 0 ? 0 : pos > last ? last : pos;
	return STEP_REDRAW;
}

/* The first item of the next part of the list, in a circle. */
static int next_part(const struct ui *ui)
{
	int k = ui->list_pos, pos = ui->list_pos;
	const struct part *p = part_of(ui, &k);

	if (p)
		pos += p->count(ui) - k;
	return pos < items(ui) ? pos : 0;
}

/* A click chooses, on the chosen item it takes; outside it closes. */
static unsigned click(struct ui *ui, const struct grid *g, struct key k)
{
	struct rect in = inside(ui, g);
	int line = k.row - in.row + first_line(ui, in);

	if (k.row < in.row || k.row >= in.row + in.rows || k.col < in.col ||
	    k.col >= in.col + in.cols)
		return ui_request(ui, REQ_CLOSE);
	for (int pos = 0; pos < items(ui); pos++)
		if (line_of(ui, pos) == line)
			return pos == ui->list_pos ? take(ui) : move(ui, pos);
	return 0;
}

static unsigned key(struct ui *ui, const struct grid *g, struct key k)
{
	switch (k.code) {
	case KEY_K_ENTER:
		return take(ui);
	case KEY_K_DOWN:
	case KEY_K_WHEEL_DOWN:
		return move(ui, ui->list_pos + 1);
	case KEY_K_UP:
	case KEY_K_WHEEL_UP:
		return move(ui, ui->list_pos - 1);
	case KEY_K_PGDN:
		return move(ui, ui->list_pos + inside(ui, g).rows - 1);
	case KEY_K_PGUP:
		return move(ui, ui->list_pos - inside(ui, g).rows + 1);
	case KEY_K_HOME:
		return move(ui, 0);
	case KEY_K_END:
		return move(ui, items(ui) - 1);
	case KEY_K_TAB:
		return move(ui, next_part(ui));
	case KEY_K_MOUSE_PRESS:
		return click(ui, g, k);
	case KEY_CHAR:
		if (k.cp == 'j' || k.cp == 'k')
			return move(ui, ui->list_pos + (k.cp == 'j' ? 1 : -1));
		if (k.cp == ' ')
			return take(ui);
		break;
	default:
		break;
	}
	if (request_of_key(k) == REQ_EXAMPLES || request_of_key(k) == REQ_QUIT)
		return ui_request(ui, REQ_CLOSE);
	return 0;
}

const struct overlay_ops overlay_list = {draw, key};
