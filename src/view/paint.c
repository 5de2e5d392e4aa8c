#include "view/paint.h"
#include "base/buf.h"
#include "base/mem.h"
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

		if (lines == 0 || area_left(a) == 1) { /* the last line takes the rest and cuts it */
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

	if (!(frac > 0))
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

void paint_signed_bar(struct grid *g, int row, int col, int cols, bool on, float v, float range, bool ascii)
{
	int half = (cols - 1) / 2, middle = col + half;
	float frac = range > 0 && isfinite(v) ? fabsf(v) / range : 0;
	int n = (int)lrintf(frac * (float)half);

	grid_put(g, row, middle, 1, STYLE_DIM, ascii ? "|" : "│");
	if (v >= 0)
		paint_bar(g, row, middle + 1, half, on ? STYLE_BAR_ON : STYLE_BAR, frac, ascii);
	else
		grid_fill(g, (struct rect){row, middle - n, 1, n}, STYLE_BAR_NEG, ascii ? "-" : "█");
}

/* With colours a cell has two values, one above the other. */
static void strip_cell(struct cell *c, float above, float below, bool has_below, float range)
{
	c->back = level_signed(above, range);
	if (!has_below) {
		strcpy(c->text, "▀");
		c->fore = c->back;
		c->back = LEVEL_NONE;
		return;
	}
	c->fore = c->back;
	c->back = level_signed(below, range);
	strcpy(c->text, c->fore == c->back ? " " : "▀");
}

static void strip_colour(struct grid *g, struct rect r, struct trace_vec v, float range, int lines)
{
	size_t cols = (size_t)r.cols;

	for (int y = 0; y < lines; y++)
		for (size_t x = 0; x < cols; x++) {
			size_t i = 2 * (size_t)y * cols + x;
			struct cell *c = grid_at(g, r.row + y, r.col + (int)x);

			if (c && i < v.n)
				strip_cell(c, v.v[i], i + cols < v.n ? v.v[i + cols] : 0, i + cols < v.n, range);
		}
}

/* Without colours a value is the height of its block: the middle is 0. */
static void strip_mono(struct grid *g, struct rect r, struct trace_vec v, float range, bool ascii, int lines)
{
	static const char *const heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const signs[] = {"=", "-", "-", ".", ".", "+", "+", "#"};
	size_t cols = (size_t)r.cols;

	for (size_t i = 0; i < v.n && i < cols * (size_t)lines; i++) {
		int h = (level_signed(v.v[i], range) - LEVEL_SIGNED) / (GRID_LEVELS / 8);

		grid_put(g, r.row + (int)(i / cols), r.col + (int)(i % cols), 1, STYLE_NUMBER,
		         (ascii ? signs : heights)[h]);
	}
}

int paint_strip(const struct ui *ui, struct grid *g, struct rect r, struct trace_vec v, float range)
{
	bool plain = ui->mono || ui->ascii;
	int per_line = r.cols * (plain ? 1 : 2), lines;

	if (v.n == 0 || r.cols <= 0 || r.rows <= 0)
		return 0;
	lines = (int)((v.n + (size_t)per_line - 1) / (size_t)per_line);
	lines = lines < r.rows ? lines : r.rows;
	if (plain)
		strip_mono(g, r, v, range, ui->ascii, lines);
	else
		strip_colour(g, r, v, range, lines);
	return lines;
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
	area_printf(a, STYLE_NORMAL, "%s  %zu in ±%.2f", label, v.n, (double)range);
	lines = lines < area_left(a) ? lines : area_left(a);
	r = (struct rect){area_row(a), a->r.col, lines, a->r.cols};
	a->y += paint_strip(a->ui, a->g, r, v, range);
}

void area_numbers(struct area *a, struct trace_vec v)
{
	struct buf line = {0};
	size_t fit = a->r.cols > 0 ? (size_t)a->r.cols / 6 : 0;

	for (size_t i = 0; i < v.n && i < fit; i++)
		buf_printf(&line, "%+.2f ", (double)v.v[i]);
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

		snprintf(out, 16, "%.*f", digits, (double)w);
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
		strcpy(out, v < 0 ? "-∞" : "+∞");
		return out;
	}
	for (int digits = cols >= 7 ? 3 : 2; digits >= 0; digits--) {
		snprintf(full, sizeof full, "%+.*f", digits, (double)v);
		if ((int)strlen(full) <= cols || digits == 0)
			break;
	}
	snprintf(out, 16, "%.*s", cols, full);
	return out;
}
