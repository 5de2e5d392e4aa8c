/* overlay_help.c - help made from the request table, and what the symbols on the screen mean. */
#include "base/buf.h"
#include "base/mem.h"
#include "trace/head.h"
#include "view/hints.h"
#include "view/command.h"
#include "view/overlay_ops.h"
#include "view/views.h"

#include <string.h>

/* symbol, what it is */
static const struct {
	const char *symbol, *meaning;
} symbols[] = {
	{"t", "timestep: which word is being written, from 1"},
	{"i", "place in the source sentence, from 1"},
	{"h_i", "what the encoder remembers about source word i"},
	{"s_t", "state of the decoder at timestep t"},
	{"e(t,i)", "score: how well s_t fits h_i; any number"},
	{"α(t,i)",
	 "weight: how much of h_i is read for word t; softmax of the scores, a row sums to 1"},
	{"c_t", "context: Σ α(t,i) h_i, what is read at timestep t"},
	{"h̃_t", "context and state joined; the next word is predicted from it"},
	{"p", "probability of a word of the vocabulary"},
	{"</s>", "end of the sentence"},
};

/* on or beside a map, what it says */
static const struct {
	const char *mark, *meaning;
} marks[] = {
	{"▸", "the row of the cursor"},
	{"·", "a weight of exactly 0: cut by hard attention, or a file has it so"},
	{"╱", "masked: a later word, which must not be seen"},
	{"◆ ◇", "a gold link: sure, possible (g hides them)"},
	{"◆ ×", "Output: the word that a translation known to be right has here, or not"},
	{"≠", "the row, or its word, is not what it was before the what-if; or not the same in A and B"},
	{"2 ◂ ▸ 5", "so many columns are out of view to the left, to the right"},
	{"▴ 2 ▾ 5", "so many rows are out of view above, below"},
	{"␣", "a token that is a space"},
};

static const char *const looks[] = {
	"A row of the heatmap is a word that was written, a column a source word. The more a cell "
	"stands "
	"out, the larger α(t,i); z changes the scale, C the colours, % shows numbers.",
	"Words that the model does not know are marked; Tab takes the nearest known one. Otherwise "
	"the "
	"word is copied from the source place with the largest weight.",
	"Hard attention (H) sets weights that it cuts to exactly 0 and decodes the rest of the "
	"sentence "
	"again; what is different is marked. u goes back.",
	"A word can be forced (Output, Enter), a head switched off (M), a row pinned to one word (p): each "
	"decodes the rest again, the title says what is in force, 7 compares before and now, u takes "
	"the last one back.",
};

static const struct {
	const char *keys, *help;
} others[] = {
	{"click", "go to a cell, a word, a head; a name in the title opens that view"},
	{"wheel", "as ↑ ↓; in the walk the timestep before, next"},
	{"paste", "a sentence to translate"},
	{"^U ^W ^K", "while typing: delete to the start, a word, to the end"},
	{"^A ^E", "while typing: to the start, the end"},
};

static void heading(struct pen *p, const char *text)
{
	if (p->line)
		pen_newline(p);
	pen_put(p, STYLE_TITLE, " ");
	pen_put(p, STYLE_TITLE, text);
	pen_put(p, STYLE_TITLE, " ");
	pen_newline(p);
}

/* Columns of the page, and of it where help and commands begin. */
enum { HELP_COLS = 75, HELP_KEYS = 11, HELP_COMMANDS = 60 };

/* "Down . j" → "↓ . j" */
static void put_keys(struct pen *p, const char *keys)
{
	struct buf text = {0};
	char label[16];

	while (*keys) {
		size_t len = strcspn(keys, " ");

		buf_printf(&text, "%s%s", text.len ? " " : "",
			   key_label(key_parse(keys, len), label, sizeof(label)));
		keys += len;
		keys += strspn(keys, " ");
	}
	pen_put(p, STYLE_KEY, buf_str(&text));
	buf_free(&text);
}

/* Behind the keys: what they do, its command at the right of the first line where there is room. */
static void put_help(struct pen *p, const char *help, const char *command)
{
	int cols = p->r.cols;

	pen_tab(p, HELP_KEYS);
	if (cols >= HELP_COLS && *command) {
		int at = p->col;

		p->col = HELP_COMMANDS;
		pen_printf(p, STYLE_DIM, ":%s", command);
		p->col = at;
		p->r.cols = HELP_COMMANDS - 1;
	}
	pen_wrap(p, HELP_KEYS, STYLE_POPUP, help);
	p->r.cols = cols;
}

/* Keys of the walk mean something else in other views: what the last line says of them is all that is true
 * there. */
static void put_hint(struct pen *p, const struct hint *h)
{
	bool walk = strcmp(request_group(h->first), "Walk") == 0, two = h->second != REQ_NONE;
	struct buf help = {0};

	put_keys(p, request_keys(h->first));
	if (two) {
		pen_put(p, STYLE_KEY, " ");
		put_keys(p, request_keys(h->second));
	}
	buf_puts(&help, walk ? h->what : request_help(h->first));
	if (two && !walk)
		buf_printf(&help, "; %s", request_help(h->second));
	put_help(p, buf_str(&help), request_command(h->first));
	buf_free(&help);
}

/* What the keys of the last line do in this view. */
static void put_view(const struct ui *ui, struct pen *p)
{
	struct buf title = {0};

	buf_printf(&title, "Here, in %s", view_name(ui->view));
	heading(p, buf_str(&title));
	buf_free(&title);
	for (const struct hint *h = view_ops(ui->view)->hints; h && h->what; h++)
		if (h->first != REQ_HELP && h->first != REQ_QUIT && hint_applies(ui, h->first))
			put_hint(p, h);
}

static void put_requests(struct pen *p)
{
	const char *group = "";

	for (enum request r = 0; r < REQ_COUNT; r++) {
		if (strcmp(group, request_group(r)) != 0)
			heading(p, group = request_group(r));
		put_keys(p, request_keys(r));
		put_help(p, request_help(r), request_command(r));
	}
}

static void put_others(struct pen *p)
{
	const char *name, *argument, *help;

	heading(p, "Mouse and typing");
	for (size_t k = 0; k < ARRAY_LEN(others); k++) {
		pen_put(p, STYLE_KEY, others[k].keys);
		pen_wrap(p, HELP_KEYS, STYLE_POPUP, others[k].help);
	}
	heading(p, "Commands with an argument");
	for (size_t k = 0; command_describe(k, &name, &argument, &help); k++) {
		pen_printf(p, STYLE_KEY, ":%s %s", name, argument);
		pen_tab(p, 18);
		pen_wrap(p, 18, STYLE_POPUP, help);
	}
}

/* "previous   mean weight on the word before …; a label from 0.5 on" */
static void put_labels(struct pen *p)
{
	struct buf text = {0};

	heading(p, "What heads do (2 Heads, 3 Model)");
	for (enum head_label l = HEAD_MIXED; l < HEAD_LABEL_COUNT; l++) {
		buf_clear(&text);
		buf_puts(&text, head_label_measure(l));
		if (head_label_least(l) > 0)
			buf_printf(&text, "; a label from %.1f on", head_label_least(l));
		pen_put(p, STYLE_FORMULA, head_label_name(l, TRACE_CROSS));
		pen_wrap(p, HELP_KEYS, STYLE_POPUP, buf_str(&text));
	}
	buf_free(&text);
}

static void content(const struct ui *ui, struct pen *p)
{
	bool heads = ui->view == VIEW_HEADS || ui->view == VIEW_MODEL;

	if (view_ops(ui->view)->frame)
		put_view(ui, p);
	if (heads)
		put_labels(p);
	put_requests(p);
	put_others(p);
	heading(p, "What the symbols mean");
	for (size_t k = 0; k < ARRAY_LEN(symbols); k++) {
		pen_put(p, STYLE_FORMULA, symbols[k].symbol);
		pen_wrap(p, HELP_KEYS, STYLE_POPUP, symbols[k].meaning);
	}
	if (!heads)
		put_labels(p);
	heading(p, "Marks on a map");
	for (size_t k = 0; k < ARRAY_LEN(marks); k++) {
		pen_put(p, STYLE_FORMULA, marks[k].mark);
		pen_wrap(p, HELP_KEYS, STYLE_POPUP, marks[k].meaning);
	}
	heading(p, "What the picture shows");
	for (size_t k = 0; k < ARRAY_LEN(looks); k++)
		pen_wrap(p, 0, STYLE_POPUP, looks[k]);
}

static const struct page page = {
	.title = "Help", .keys = "↓ ↑ PgDn PgUp scroll  Esc close", .cols = HELP_COLS, .content = content};

static void draw(const struct ui *ui, struct grid *g)
{
	page_draw(ui, g, &page);
}

static unsigned key(struct ui *ui, const struct grid *g, struct key k)
{
	if (page_key(ui, g, &page, k))
		return STEP_REDRAW;
	if (k.code == KEY_K_ENTER || request_of_key(k) == REQ_HELP || request_of_key(k) == REQ_QUIT)
		return ui_request(ui, REQ_CLOSE);
	return 0;
}

const struct overlay_ops overlay_help = {draw, key};
