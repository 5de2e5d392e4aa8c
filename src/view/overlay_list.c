/*
 * overlay_list.c - examples of this model, then the other models; Enter takes one.
 *
 * Items are numbered through, examples first. The list has a heading line above each part.
 */
#include "base/utf8.h"
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

static int items(const struct ui *ui)
{
	return count(examples_of(ui)) + count(models_of(ui));
}

/* Lines above item `pos`: headings and an empty line between the parts. */
static int line_of(const struct ui *ui, int pos)
{
	int examples = count(examples_of(ui));

	if (pos < examples)
		return pos + 1;
	return pos + (examples ? 3 : 1);
}

static int lines(const struct ui *ui)
{
	return items(ui) ? line_of(ui, items(ui) - 1) + 1 : 1;
}

static const char *about(const struct ui *ui, int model)
{
	return ui->producer->about ? ui->producer->about(ui->producer->self, (size_t)model) : "";
}

static int widest_of(const char *const *list)
{
	int most = 0;

	for (int k = 0; k < count(list); k++)
		if (utf8_width(list[k]) > most)
			most = utf8_width(list[k]);
	return most;
}

/* Where what is said about a model begins: behind the names. */
static int about_col(const struct ui *ui)
{
	return MARK + widest_of(models_of(ui)) + 2;
}

static int widest(const struct ui *ui)
{
	int most = 40, names = about_col(ui), w = widest_of(examples_of(ui)) + MARK + 2;

	if (w > most)
		most = w;
	for (int k = 0; k < count(models_of(ui)); k++) {
		w = names + utf8_width(about(ui, k)) + utf8_width(this_one);
		if (w > most)
			most = w;
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

static void put_item(struct pen *p, const struct ui *ui, int pos, const char *text, const char *more,
		     bool current)
{
	enum style style = pos == ui->list_pos ? STYLE_POPUP_ON : STYLE_POPUP;
	const char *mark = pos != ui->list_pos ? "  " : ui->ascii ? "> " : "▸ ";

	pen_put(p, style, mark);
	pen_put(p, style, text);
	if (*more) {
		fill(p, style, about_col(ui));
		pen_put(p, pos == ui->list_pos ? style : STYLE_DIM, more);
	}
	if (current)
		pen_put(p, style, this_one);
	if (pos == ui->list_pos)
		fill(p, style, p->r.cols);
	pen_newline(p);
}

static void put_heading(struct pen *p, const char *what, const char *of)
{
	pen_put(p, STYLE_TITLE, what);
	pen_put(p, STYLE_TITLE, of);
	pen_newline(p);
}

static void content(const struct ui *ui, struct pen *p)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);
	const char *const *examples = examples_of(ui), *const *models = models_of(ui);
	const char *model = t ? t->about.model : "",
		   *sentence = ui->producer->sentence(ui->producer->self);
	int n = count(examples), pos = 0;

	if (!items(ui))
		put_heading(p, "this model comes without examples", "");
	if (n)
		put_heading(p, "Examples of ", model);
	for (int k = 0; k < n; k++, pos++)
		put_item(p, ui, pos, examples[k], "", sentence && strcmp(sentence, examples[k]) == 0);
	if (n && count(models))
		pen_newline(p);
	if (count(models))
		put_heading(p, "Models", "");
	for (int k = 0; k < count(models); k++, pos++)
		put_item(p, ui, pos, models[k], about(ui, k), strcmp(models[k], model) == 0);
}

static void draw(const struct ui *ui, struct grid *g)
{
	struct rect in = inside(ui, g);
	struct pen pen = {.g = g, .r = in, .top = first_line(ui, in)};

	popup_draw(ui, g, in, "Examples and models", "↓ ↑ choose  Enter take  Esc close");
	content(ui, &pen);
}

static unsigned take(struct ui *ui)
{
	const char *const *examples = examples_of(ui), *const *models = models_of(ui);
	int n = count(examples), pos = ui->list_pos;

	if (pos >= items(ui))
		return ui_request(ui, REQ_CLOSE);
	line_set(&ui->line, pos < n ? examples[pos] : models[pos - n]);
	ui->overlay = OVERLAY_NONE;
	return STEP_REDRAW | (pos < n ? UI_BEGIN : UI_CHOOSE);
}

static unsigned move(struct ui *ui, int pos)
{
	int last = items(ui) - 1;

	ui->list_pos = pos < 0 || last < 0 ? 0 : pos > last ? last : pos;
	return STEP_REDRAW;
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
	case KEY_K_TAB: /* the other part of the list */
		return move(ui, ui->list_pos < count(examples_of(ui)) ? count(examples_of(ui)) : 0);
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
