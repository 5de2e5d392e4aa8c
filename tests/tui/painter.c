/*
 * painter.c - cells → curses → bytes → libvterm → the same cells, for each kind of terminal.
 *
 * The child paints the frames below one after the other, each when a byte arrives; the parent draws
 * the same frames and compares every cell: text, width, attributes, colours.
 */
#include "suite.h"
#include "screen.h"
#include "tui/paint.h"
#include "tui/signals.h"
#include "tui/theme.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { G_ROWS = 24, G_COLS = 80, FRAMES = 6 };

enum quirk {
	PLAIN = 0,
	NO_UNDERLINE = 1, /* together with colours */
	COLOUR_SPACE = 2, /* in direct colours */
	CURSOR_STAYS = 4, /* cannot be hidden */
};

static const struct {
	const char *const env[4];
	enum depth depth;
	int quirks;
} terminals[] = {
	{{"TERM=xterm-256color"}, DEPTH_256, PLAIN},
	{{"TERM=xterm-256color", "COLORTERM=truecolor"}, DEPTH_DIRECT, PLAIN},
	{{"TERM=xterm", "COLORTERM=24bit"}, DEPTH_DIRECT, PLAIN},
	{{"TERM=xterm"}, DEPTH_256, PLAIN},
	{{"TERM=xterm-256color", "XTERM_VERSION=XTerm(379)"}, DEPTH_DIRECT, PLAIN},
	{{"TERM=xterm-256color", "XTERM_VERSION=XTerm(297)"}, DEPTH_256, PLAIN},
	{{"TERM=tmux-256color", "XTERM_VERSION=XTerm(379)"}, DEPTH_256, PLAIN},
	{{"TERM=xterm-direct"}, DEPTH_DIRECT, COLOUR_SPACE},
	{{"TERM=screen-256color", "COLORTERM=truecolor"}, DEPTH_256, PLAIN},
	{{"TERM=tmux-256color", "COLORTERM=truecolor"}, DEPTH_DIRECT, PLAIN},
	{{"TERM=foot-nonesuch"}, DEPTH_256, PLAIN},
	{{"TERM=linux"}, DEPTH_8, NO_UNDERLINE},
	{{"TERM=vt100"}, DEPTH_MONO, CURSOR_STAYS},
	{{"TERM=xterm-256color", "NO_COLOR=1"}, DEPTH_MONO, PLAIN},
	{{"TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=1"}, DEPTH_MONO, PLAIN},
};

/* Every style, every level as background and as the upper half of a block, wide and combined
 * characters. */
static void draw_samples(struct grid *g)
{
	for (int s = 0; s < STYLE_COUNT; s++)
		grid_put(g, s % (G_ROWS - 2), s / (G_ROWS - 2) * 16, 15, (enum style)s,
			 style_name((enum style)s));
	for (int level = 0; level < GRID_LEVELS; level++) {
		struct rect r = {level % 16, 34 + level / 16 * 5, 1, 5};

		grid_heat(g, r, (uint8_t)level);
		grid_printf(g, r.row, r.col, 4, STYLE_NORMAL, "%d", level);
		grid_put(g, r.row, r.col + 3, 1, STYLE_NORMAL, "▀");
		grid_at(g, r.row, r.col + 3)->fore = (uint8_t)(GRID_LEVELS - 1 - level);
		grid_at(g, r.row, r.col + 4)->reverse = level % 2;
	}
	for (int col = 0; col < 64; col++) {
		grid_heat(g, (struct rect){G_ROWS - 2, col, 1, 1}, (uint8_t)(LEVEL_SIGNED + col));
		grid_put(g, G_ROWS - 2, col, 1, STYLE_NORMAL, "▀");
		grid_at(g, G_ROWS - 2, col)->fore = (uint8_t)(LEVEL_SIGNED + 63 - col);
	}
	grid_put(g, 0, 60, -1, STYLE_SOURCE, "张三去银行 é");
	grid_put(g, 1, 60, -1, STYLE_TARGET, "x\xcc\x81y\xcc\x81\xcc\xa3z 汤姆");
	grid_at(g, 1, 60)->bold = true;
	grid_at(g, 1, 61)->underline = true;
	grid_put(g, G_ROWS - 1, 0, -1, STYLE_TITLE, "the last line up to its last column ");
	for (int col = 36; col < G_COLS; col++)
		grid_put(g, G_ROWS - 1, col, 1, STYLE_TITLE, col == G_COLS - 1 ? "|" : "-");
}

/* Wide characters that move by one column, are cut in half and come back. */
static void draw_frame(struct grid *g, int frame)
{
	grid_clear(g);
	draw_samples(g);
	for (int row = 2; row < 20; row++)
		grid_put(g, row, 60, -1, STYLE_NORMAL,
			 row % 2 ? "注意力权重注意力" : "a注意力权重注b");
	if (frame == 1 || frame == 3)
		for (int row = 2; row < 20; row++)
			grid_put(g, row, 60 + row % 5, 1, STYLE_ERROR, "X");
	if (frame == 2)
		grid_frame(g, (struct rect){3, 57, 9, 14}, STYLE_BORDER, "汤姆", false);
	if (frame == 4)
		g->colour_map = COLOUR_MAGMA;
	if (frame == 5) {
		g->cursor_row = 7;
		g->cursor_col = 9;
	}
}

/* ---- the child ---- */

static int paint_frames(void *arg)
{
	struct terminal t;
	struct painter p;
	struct grid g;
	struct err err = {0};
	char byte;

	(void)arg;
	if (signals_open() < 0 || terminal_open(&t, TUI_COLOUR_AUTO, &err) != 0) {
		fprintf(stderr, "[%s]\n", err.text);
		return 1;
	}
	paint_init(&p, &t);
	grid_init(&g, G_ROWS, G_COLS);
	for (int frame = 0; frame < FRAMES; frame++) {
		draw_frame(&g, frame);
		paint(&p, &g);
		if (read(STDIN_FILENO, &byte, 1) != 1)
			return 2;
	}
	grid_fini(&g);
	paint_fini(&p);
	terminal_close(&t);
	return 0;
}

/* ---- the parent ---- */

static struct look look_of(enum depth d, const struct grid *g, const struct cell *c)
{
	struct look l;
	bool heat = d >= DEPTH_256 && (c->back != LEVEL_NONE || c->fore != LEVEL_NONE);

	l = heat ? theme_heat(d, g->colour_map, c->style, c->back, c->fore)
		 : theme_style(d, c->style);
	l.bold |= c->bold;
	l.underline |= c->underline;
	l.reverse = l.reverse != c->reverse;
	return l;
}

/* libvterm 0.1 takes the empty colour space of 38:2::R:G:B, which xterm-direct sends, for the red.
 */
static bool is_rgb(bool colour_space, int want, const VTermColor *have)
{
	int red = want >> 16, green = want >> 8 & 255, blue = want & 255;

	if (colour_space && have->rgb.red == 255)
		return have->rgb.green == red && have->rgb.blue == green;
	return have->rgb.red == red && have->rgb.green == green && have->rgb.blue == blue;
}

static bool same_colour(int k, int want, const VTermColor *have)
{
	enum depth d = terminals[k].depth;

	if (want == COLOUR_DEFAULT)
		return VTERM_COLOR_IS_DEFAULT_FG(have) || VTERM_COLOR_IS_DEFAULT_BG(have);
	if (d != DEPTH_DIRECT)
		return VTERM_COLOR_IS_INDEXED(have) && have->indexed.idx == want;
	return VTERM_COLOR_IS_RGB(have) && is_rgb(terminals[k].quirks & COLOUR_SPACE, want, have);
}

static void text_of(const VTermScreenCell *c, char *out)
{
	size_t n = 0;

	for (int k = 0; k < VTERM_MAX_CHARS_PER_CELL && c->chars[k]; k++)
		n += utf8_encode(c->chars[k], out + n);
	out[n] = '\0';
	if (!n)
		strcpy(out, " ");
}

/* "" or what is different in one cell. */
static const char *difference(int k, const struct grid *g, const struct pty *p, int row, int col)
{
	static char what[256];
	const struct cell *c = &g->cells[row * g->cols + col];
	VTermScreenCell have = pty_cell(p, row, col);
	enum depth d = terminals[k].depth;
	struct look want = look_of(d, g, c);
	const char *glyph = want.fg == want.bg && want.bg != COLOUR_DEFAULT ? " " : c->text;
	char text[64];

	if (c->width == 0)
		return "";
	text_of(&have, text);
	if (strcmp(text, glyph) != 0 || have.width != c->width)
		snprintf(what, sizeof(what), "\"%s\" of width %d instead of \"%s\" of %d", text,
			 have.width, c->text, c->width);
	else if (have.attrs.bold != want.bold || have.attrs.reverse != want.reverse)
		snprintf(what, sizeof(what), "bold %d reverse %d", have.attrs.bold,
			 have.attrs.reverse);
	else if (!(terminals[k].quirks & NO_UNDERLINE) && !have.attrs.underline != !want.underline)
		snprintf(what, sizeof(what), "underline %d", have.attrs.underline);
	else if (!same_colour(k, want.fg, &have.fg) && strcmp(glyph, " ") != 0)
		snprintf(what, sizeof(what), "foreground type %d value %d, not %#x", have.fg.type,
			 have.fg.indexed.idx, (unsigned)want.fg);
	else if (!same_colour(k, want.bg, &have.bg))
		snprintf(what, sizeof(what), "background type %d value %d, not %#x", have.bg.type,
			 have.bg.indexed.idx, (unsigned)want.bg);
	else
		return "";
	return what;
}

static const char *first_difference(int k, const struct grid *g, const struct pty *p)
{
	static char what[400];

	for (int row = 0; row < g->rows; row++) {
		for (int col = 0; col < g->cols; col++) {
			const char *d = difference(k, g, p, row, col);

			if (*d) {
				snprintf(what, sizeof(what), "row %d column %d: %s", row, col, d);
				return what;
			}
		}
	}
	return "";
}

static void expect_frame(int k, struct pty *p, const struct grid *g, int frame)
{
	time_t end = time(NULL) + 10;
	bool cursor = (terminals[k].quirks & CURSOR_STAYS) || g->cursor_row >= 0;
	const char *d;

	while (*(d = first_difference(k, g, p)) || p->cursor != cursor) {
		if (time(NULL) > end)
			ck_abort_msg("%s frame %d: %s, cursor %d\n%s", terminals[k].env[0], frame,
				     d, p->cursor, pty_text(p));
		pty_pump(p);
	}
}

static bool entry_exists(const char *term)
{
	char path[2][128];
	struct stat s;

	snprintf(path[0], sizeof(path[0]), "/usr/share/terminfo/%c/%s", term[0], term);
	snprintf(path[1], sizeof(path[1]), "/lib/terminfo/%c/%s", term[0], term);
	return stat(path[0], &s) == 0 || stat(path[1], &s) == 0;
}

START_TEST(the_same_cells_arrive)
{
	const char *term = terminals[_i].env[0] + strlen("TERM=");
	struct pty p;
	struct grid g;

	/* xterm-direct is in a package of its own */
	if (strcmp(term, "xterm-direct") == 0 && !entry_exists(term))
		return;
	grid_init(&g, G_ROWS, G_COLS);
	pty_call(&p, G_ROWS, G_COLS, terminals[_i].env, paint_frames, NULL);
	for (int frame = 0; frame < FRAMES; frame++) {
		draw_frame(&g, frame);
		expect_frame(_i, &p, &g, frame);
		pty_send(&p, "x");
	}
	ck_assert_int_eq(pty_wait(&p), 0);
	pty_assert_restored(&p);
	pty_close(&p);
	grid_fini(&g);
}
END_TEST

/* TERM, its entry exists, true colour promised, --color → entry, direct */
static const struct {
	const char *name;
	bool exists, true_colour;
	enum tui_colour colour;
	const char *entry;
	bool direct;
} choices[] = {
	{"xterm-256color", true, true, TUI_COLOUR_ALWAYS, "xterm-256color", true},
	{"xterm-256color", true, false, TUI_COLOUR_ALWAYS, "xterm-256color", false},
	{"xterm-256color", true, true, TUI_COLOUR_NEVER, "xterm-256color", false},
	{"xterm", true, false, TUI_COLOUR_ALWAYS, "xterm-256color", false},
	{"xterm", true, false, TUI_COLOUR_NEVER, "xterm", false},
	{"xterm-direct", true, true, TUI_COLOUR_ALWAYS, "xterm-direct", false},
	{"xterm-kitty", false, true, TUI_COLOUR_ALWAYS, "xterm-256color", true},
	{"foot", false, false, TUI_COLOUR_ALWAYS, "xterm-256color", false},
	{"screen.xterm-256color", false, true, TUI_COLOUR_ALWAYS, "screen-256color", false},
	{"tmux-256color", true, true, TUI_COLOUR_ALWAYS, "tmux-256color", true},
	{"linux", true, true, TUI_COLOUR_ALWAYS, "linux", false},
	{"vt100", true, true, TUI_COLOUR_ALWAYS, "vt100", false},
	{"foo", false, true, TUI_COLOUR_ALWAYS, NULL, false},
};

START_TEST(a_name_is_understood)
{
	struct terminal_choice c = terminal_choose(choices[_i].name, choices[_i].exists,
						   choices[_i].true_colour, choices[_i].colour);

	if (choices[_i].entry)
		ck_assert_str_eq(c.entry, choices[_i].entry);
	else
		ck_assert_ptr_null(c.entry);
	ck_assert_int_eq(c.direct, choices[_i].direct);
}
END_TEST

/* On a terminal of any kind these must not look like text around them. */
static const enum style marks[] = {STYLE_CURRENT, STYLE_CURSOR, STYLE_PHASE_ON,
				   STYLE_UNKNOWN, STYLE_ERROR,	STYLE_POPUP_ON,
				   STYLE_MATCH,	  STYLE_KEY,	STYLE_CHANGED};

START_TEST(marks_stand_out_at_every_depth)
{
	for (enum depth d = DEPTH_MONO; d <= DEPTH_DIRECT; d++) {
		struct look l = theme_style(d, marks[_i]), n = theme_style(d, STYLE_NORMAL);

		ck_assert(l.fg != n.fg || l.bg != n.bg || l.bold || l.underline || l.reverse);
		ck_assert_msg(n.fg == COLOUR_DEFAULT && n.bg == COLOUR_DEFAULT,
			      "normal text is the terminal's own");
		ck_assert_msg(d != DEPTH_MONO || (l.fg == COLOUR_DEFAULT && l.bg == COLOUR_DEFAULT),
			      "no colours without colours");
	}
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("painter", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, the_same_cells_arrive, 0, sizeof(terminals) / sizeof(terminals[0]));
	tcase_add_loop_test(tc, a_name_is_understood, 0, sizeof(choices) / sizeof(choices[0]));
	tcase_add_loop_test(tc, marks_stand_out_at_every_depth, 0,
			    sizeof(marks) / sizeof(marks[0]));
	return suite_main(s);
}
