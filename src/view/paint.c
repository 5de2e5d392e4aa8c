#include "view/paint.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/utf8.h"
#include "view/level.h"
#include "view/scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int area_left(const struct area *a)
{
	return a->r.rows - a->y;
}

int area_row(const struct area *a)
{
	return a->r.row + a->y;
}

void area_skip(struct area *a)
{
	if (a->y > 0 && area_left(a) > 0)
		a->y++;
}

void area_put(struct area *a, enum style style, const char *text)
{
	if (area_left(a) <= 0)
		return;
	grid_put(a->g, area_row(a), a->r.col, a->r.cols, style, text);
	a->y++;
}

void area_printf(struct area *a, enum style style, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	area_put(a, style, line);
}

/* Bytes of s that fill at most `cols` columns, broken behind a word if one ends there. */
static size_t line_bytes(const char *s, int cols)
{
	size_t n = strlen(s), i = 0, space = 0;
	int used = 0, w;

	while (i < n) {
		size_t len = utf8_cluster(s + i, n - i, &w);

		if (used + w > cols)
			return space ? space : i ? i : len;
		if (s[i] == ' ')
			space = i;
		used += w;
		i += len;
	}
	return n;
}

void area_wrap(struct area *a, int lines, enum style style, const char *text)
{
	char line[512];

	while (*text && lines-- > 0 && area_left(a) > 0 && a->r.cols > 0) {
		size_t len = line_bytes(text, a->r.cols);

		if (lines == 0 ||
		    area_left(a) == 1) { /* the last line takes the rest and cuts it */
			area_put(a, style, text);
			return;
		}
		snprintf(line, sizeof line, "%.*s", (int)len, text);
		area_put(a, style, line);
		text += len;
		text += strspn(text, " ");
	}
}

static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

void paint_bar(struct grid *g, int row, int col, int cols, enum style style, float frac, bool ascii)
{
	long n = lrintf((frac < 0 ? 0 : frac > 1 ? 1 : frac) * 8 * (float)cols);
	int full = (int)(n / 8), rest = (int)(n % 8);

	if (cols <= 0 || !(frac > 0))
		return;
	if (ascii) {
		full = (int)((n + 4) / 8);
		rest = 0;
	}
	grid_fill(g, (struct rect){row, col, 1, full}, style, ascii ? "#" : "█");
	if (rest)
		grid_put(g, row, col + full, 1, style, eighths[rest]);
	else if (full == 0 && !ascii)
		grid_put(g, row, col, 1, style, eighths[1]);
}

void paint_signed_bar(struct grid *g, int row, int col, int cols, bool on, float v, float range,
		      bool ascii)
{
	int half = (cols - 1) / 2, middle = col + half;
	float frac = range > 0 && isfinite(v) ? fabsf(v) / range : 0;
	int n = (int)lrintf(frac * (float)half);

	grid_put(g, row, middle, 1, STYLE_DIM, ascii ? "|" : "│");
	if (v >= 0)
		paint_bar(g, row, middle + 1, half, on ? STYLE_BAR_ON : STYLE_BAR, frac, ascii);
	else
		grid_fill(g, (struct rect){row, middle - n, 1, n}, STYLE_BAR_NEG,
			  ascii ? "-" : "█");
}

/* With colours a cell has two values, one above the other. */
static void strip_cell(struct cell *c, float above, float below, bool has_below, float range)
{
	c->back = level_signed(above, range);
	c->fore = c->back;
	if (has_below)
		c->back = level_signed(below, range);
	else
		c->back = LEVEL_NONE;
	strcpy(c->text, c->fore == c->back ? " " : "▀");
}

/* A short vector: whole cells, as wide as they can be and as high as the place. */
static int strip_whole(struct grid *g, struct rect r, struct trace_vec v, float range)
{
	int wide = r.cols / (int)v.n;

	wide = wide > 3 ? 3 : wide;
	for (size_t i = 0; i < v.n; i++)
		grid_heat(g, (struct rect){r.row, r.col + (int)i * wide, r.rows, wide},
			  level_signed(v.v[i], range));
	return r.rows;
}

static int strip_colour(struct grid *g, struct rect r, struct trace_vec v, float range)
{
	size_t cols = (size_t)r.cols, lines = (v.n + 2 * cols - 1) / (2 * cols), n = v.n;

	if (v.n <= cols)
		return strip_whole(g, r, v, range);
	if (lines <= (size_t)r.rows) /* all of it: lines of equal length */
		cols = (v.n + 2 * lines - 1) / (2 * lines);
	else {
		lines = (size_t)r.rows;
		n = 2 * cols * lines;
	}
	for (size_t y = 0; y < lines; y++)
		for (size_t x = 0; x < cols; x++) {
			size_t i = 2 * y * cols + x;
			struct cell *c = grid_at(g, r.row + (int)y, r.col + (int)x);

			if (c && i < n)
				strip_cell(c, v.v[i], i + cols < n ? v.v[i + cols] : 0,
					   i + cols < n, range);
		}
	return (int)lines;
}

/* Without colours a value is the height of its block (a sign in ASCII): the middle is 0. */
static int strip_mono(struct grid *g, struct rect r, struct trace_vec v, float range, bool ascii)
{
	static const char *const heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const signs[] = {"=", "-", "-", ".", ".", "+", "+", "#"};
	size_t cols = (size_t)r.cols, lines = (v.n + cols - 1) / cols;

	lines = lines < (size_t)r.rows ? lines : (size_t)r.rows;
	for (size_t i = 0; i < v.n && i < cols * lines; i++) {
		int h = (level_signed(v.v[i], range) - LEVEL_SIGNED) / (GRID_LEVELS / 8);

		grid_put(g, r.row + (int)(i / cols), r.col + (int)(i % cols), 1, STYLE_NUMBER,
			 (ascii ? signs : heights)[h]);
	}
	return (int)lines;
}

int paint_strip(const struct ui *ui, struct grid *g, struct rect r, struct trace_vec v, float range)
{
	if (v.n == 0 || r.cols <= 0 || r.rows <= 0)
		return 0;
	if (ui->mono || ui->ascii)
		return strip_mono(g, r, v, range, ui->ascii);
	return strip_colour(g, r, v, range);
}

int paint_strip_large(const struct ui *ui, struct grid *g, struct rect r, struct trace_vec v,
		      float range)
{
	static const struct {
		int rows, cols;
	} blocks[] = {{3, 6}, {2, 4}, {1, 2}, {1, 1}};

	for (size_t b = 0; b < ARRAY_LEN(blocks) && v.n && !ui->mono && !ui->ascii; b++) {
		int across = r.cols / blocks[b].cols, down;

		if (across < 1)
			continue;
		down = ((int)v.n + across - 1) / across;
		if (down * blocks[b].rows > r.rows)
			continue;
		if (down == 1 && r.rows > blocks[b].rows) /* in a line they can be higher */
			break;
		for (int i = 0; i < (int)v.n; i++)
			grid_heat(g,
				  (struct rect){r.row + i / across * blocks[b].rows,
						r.col + i % across * blocks[b].cols, blocks[b].rows,
						blocks[b].cols},
				  level_signed(v.v[i], range));
		return down * blocks[b].rows;
	}
	return paint_strip(ui, g, r, v, range);
}

size_t paint_strip_room(const struct ui *ui, struct rect r)
{
	size_t cells = r.cols > 0 && r.rows > 0 ? (size_t)r.cols * (size_t)r.rows : 0;

	return ui->mono || ui->ascii ? cells : 2 * cells;
}

void area_vec(struct area *a, const char *label, struct trace_vec v, int lines)
{
	float range = vec_range(v);
	struct rect r;

	if (area_left(a) < 2)
		return;
	if (v.n == 0) {
		area_printf(a, STYLE_DIM, "%s  not in this model", label);
		return;
	}
	if (v.n <= (size_t)a->r.cols)
		lines = 1;
	lines = lines < area_left(a) - 1 ? lines : area_left(a) - 1;
	r = (struct rect){area_row(a) + 1, a->r.col, lines, a->r.cols};
	if (paint_strip_room(a->ui, r) < v.n)
		area_printf(a, STYLE_NORMAL, "%s  %zu of %zu, ±%.2f", label,
			    paint_strip_room(a->ui, r), v.n, (double)range);
	else
		area_printf(a, STYLE_NORMAL, "%s  %zu numbers, ±%.2f", label, v.n, (double)range);
	a->y += paint_strip(a->ui, a->g, r, v, range);
}

void area_numbers(struct area *a, struct trace_vec v)
{
	struct buf line = {0};
	size_t fit = a->r.cols > 0 ? (size_t)a->r.cols / 6 : 0;

	for (size_t i = 0; i < v.n && i < fit; i++)
		buf_printf(&line, "%+.2f ", number_shown((double)v.v[i], 2));
	if (v.n)
		area_put(a, STYLE_NUMBER, buf_str(&line));
	buf_free(&line);
}

const char *paint_shade(uint8_t level, bool ascii)
{
	static const char *const ramp[] = {" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"};
	static const char *const shades[] = {" ", "░", "▒", "▓", "█"};

	if (level == LEVEL_NONE)
		return ascii ? "0" : "·";
	if (level >= LEVEL_SIGNED) { /* how far from 0 */
		int middle = LEVEL_SIGNED + GRID_LEVELS / 2;

		level = (uint8_t)(level < middle ? 2 * (middle - level) - 1 : 2 * (level - middle));
	}
	if (ascii)
		return ramp[level * (int)ARRAY_LEN(ramp) / GRID_LEVELS];
	return shades[level < 2 ? 0 : 1 + level * 4 / GRID_LEVELS];
}

void paint_heat(const struct ui *ui, struct grid *g, struct rect r, uint8_t level)
{
	if (level == LEVEL_NONE) {
		grid_put(g, r.row + (r.rows - 1) / 2, r.col + (r.cols - 1) / 2, 1, STYLE_DIM,
			 paint_shade(level, ui->ascii));
		return;
	}
	if (!ui->mono) {
		grid_heat(g, r, level);
		return;
	}
	if (r.cols > 2) /* without colours a gap keeps the columns apart */
		r.cols--;
	grid_fill(g, r, STYLE_NORMAL, paint_shade(level, ui->ascii));
}

const char *format_weight(float w, int cols, char out[16])
{
	char full[32];

	if (w == 0) {
		strcpy(out, "0");
	} else if (cols >= 4) {
		int digits = cols - 2 < 4 ? cols - 2 : 4;

		for (; digits >= 0; digits--) {
			snprintf(full, sizeof full, "%.*f", digits, (double)w);
			if ((int)strlen(full) <= cols)
				return strcpy(out, full);
		}
		strcpy(out, "…");
	} else if (w > 1.005f) { /* not a share */
		strcpy(out, "…");
	} else if (cols == 3) { /* ".93" */
		snprintf(full, sizeof full, w < 0.995f ? "%.2f" : "%.1f", (double)w);
		snprintf(out, 16, "%s", full + (full[0] == '0'));
	} else {
		snprintf(out, 16, "%.0f", fmin(99, 100 * (double)w));
	}
	return out;
}

const char *format_signed(float v, int cols, char out[16])
{
	char full[32];

	if (isinf(v)) {
		strcpy(out, cols < 2 ? "∞" : v < 0 ? "-∞" : "+∞");
		return out;
	}
	for (int digits = cols >= 7 ? 3 : 2; digits >= 0; digits--) {
		snprintf(full, sizeof full, "%+.*f", digits, number_shown((double)v, digits));
		if ((int)strlen(full) <= cols)
			return strcpy(out, full);
	}
	if (v > 0 && (int)strlen(full) - 1 <= cols) /* "12" where "+12" is too wide */
		return strcpy(out, full + 1);
	if (cols >= 6)
		snprintf(full, sizeof full, "%+.0e", (double)v);
	if (cols >= 6 && (int)strlen(full) <= cols)
		return strcpy(out, full);
	return strcpy(out, v < 0 && cols > 1 ? "-…" : "…");
}
