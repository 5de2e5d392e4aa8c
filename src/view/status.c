#include "view/status.h"
#include "base/buf.h"
#include "view/change.h"
#include "view/token.h"
#include "view/hints.h"
#include "view/paint.h"

#include <math.h>
#include <string.h>

static const struct {
	const char *weights, *scores;
} formulas[TRACE_KIND_COUNT] = {
	[TRACE_CROSS] = {"α(t,i) = softmax_i e(t,i)", "e(t,i) = q_t · k_i"},
	[TRACE_ENCODER] = {"α(i,j) = softmax_j e(i,j)", "e(i,j) = q_i · k_j"},
	[TRACE_DECODER] = {"α(t,j) = softmax_j≤t e(t,j)", "e(t,j) = q_t · k_j"},
};

/* Only of a model's own trace is it known what its numbers were made of. */
static bool is_known(const struct trace_about *a)
{
	return a->decoder && *a->decoder && !a->unnormalised;
}

static void put_weights(const struct matrix *m, struct buf *out)
{
	const char *rule = m->t->about.attention;

	buf_puts(out, formulas[m->kind].weights);
	if (rule && *rule && strcmp(rule, "soft") != 0)
		buf_printf(out, ", then %s", rule);
}

/* What became of row r without the columns that are hidden. */
static void put_left(const struct matrix *m, size_t r, struct buf *out)
{
	float left = matrix_left(m, r);

	if (left <= 0)
		buf_puts(out, "nothing of the row is left");
	else if (matrix_faint(m, r))
		buf_printf(out, "only %.4f of the row is left, here to sum to 1", (double)left);
	else
		buf_puts(out, "of the columns shown, to sum to 1");
}

/* The word that a what-if has pinned row r of one head to; NULL: none, or not the trace that is decoded. */
static const char *pinned_to(const struct ui *ui, const struct matrix *m, size_t r)
{
	const struct trace_map *map = m->maps[0];
	size_t i = PIN_NONE;

	if (m->nmaps == 1 && m->t == ui->producer->trace(ui->producer->self) && !ui->producer->sentences)
		i = change_pinned(ui, (struct head_id){map->kind, map->layer, map->head}, r);
	return i < m->t->nsource ? token_shown(m->t->source[i].text) : NULL;
}

/* "α(t,i) = softmax_i e(t,i)": what the numbers of row r are. */
static void put_formula(const struct ui *ui, const struct matrix *m, size_t r, struct buf *out)
{
	if (pinned_to(ui, m, r))
		buf_printf(out, "pinned to %s", pinned_to(ui, m, r));
	else if (m->no_sinks)
		put_left(m, r, out);
	else if (m->type == TRACE_HARD)
		buf_puts(out, "1: a link, 0: none");
	else if (!is_known(&m->t->about))
		buf_puts(out, m->type == TRACE_SCORES ? "scores, as in the file"
						      : "rows as in the file");
	else if (m->type == TRACE_SCORES)
		buf_puts(out, formulas[m->kind].scores);
	else
		put_weights(m, out);
}

/* The score that a weight was made of: of one head only. */
static const struct trace_map *scores_of(const struct matrix *m)
{
	if (m->nmaps != 1 || m->type == TRACE_SCORES)
		return NULL;
	return trace_find(m->t, m->kind, m->maps[0]->layer, m->maps[0]->head, TRACE_SCORES);
}

static void describe(const struct ui *ui, const struct matrix *m, struct buf *out)
{
	size_t r = ui->sel.row, c = ui->sel.col;
	const struct trace_map *scores = scores_of(m);
	bool raw = m->type == TRACE_SCORES;
	float v = matrix_at(m, r, c);
	char text[16];

	buf_printf(out, "  %s(%zu,%zu) ", raw ? "e" : "α", r + 1, c + 1);
	if (isnan(v))
		buf_puts(out, matrix_hidden(m, c) ? "is hidden" : "is masked: this word comes later");
	else if (raw)
		buf_printf(out, "= %s", format_signed(v, 9, text));
	else
		buf_printf(out, "= %.4f", (double)v);
	if (!isnan(v) && scores && r < scores->rows && c < scores->cols)
		buf_printf(out, "  e = %s", format_signed(trace_at(scores, r, c), 7, text));
	if (m->nmaps > 1)
		buf_printf(out, "  %s of %d heads", m->how == COMBINE_MAX ? "largest" : "mean",
			   m->nmaps);
}

static bool rows_are_source(const struct matrix *m)
{
	return m->kind == TRACE_ENCODER;
}

static bool cols_are_source(const struct matrix *m)
{
	return m->kind != TRACE_DECODER;
}

static bool has_cross(const struct trace *t)
{
	for (size_t k = 0; k < t->nmaps; k++)
		if (t->maps[k].kind == TRACE_CROSS)
			return true;
	return false;
}

/* Of a file: which side the rows were taken for, and why, as far as there is room; `I` opens all of it. */
static void put_decided(const struct ui *ui, const struct matrix *m, struct grid *g, int row, int col,
			int end)
{
	static const char what[] = "orientation: ";
	const struct sentence_source *s = ui->producer->sentences;
	const char *const *notes = s ? s->notes(ui->producer->self) : NULL;
	char key[32];

	if (m->kind != TRACE_CROSS && has_cross(m->t))
		return; /* it was decided about the cross maps */
	while (notes && *notes && strncmp(*notes, what, sizeof what - 1) != 0)
		notes++;
	if (!notes || !*notes || end - col < 16)
		return;
	col += grid_put(g, row, col + 3, -1, STYLE_KEY, hint_key(REQ_NOTES, key, sizeof key));
	grid_put(g, row, col + 4, end - col - 4, STYLE_HINT, *notes + sizeof what - 1);
}

void status_cell(const struct ui *ui, const struct matrix *m, struct grid *g, struct rect line)
{
	struct buf rest = {0}, formula = {0};
	int col = line.col + 1, end = line.col + line.cols;

	if (ui->sel.row >= m->rows || ui->sel.col >= m->cols)
		return;
	describe(ui, m, &rest);
	col += grid_put(g, line.row, col, end - col, rows_are_source(m) ? STYLE_SOURCE : STYLE_TARGET,
			matrix_row_token(m, ui->sel.row));
	col += grid_put(g, line.row, col, end - col, STYLE_DIM, " ← ");
	col += grid_put(g, line.row, col, end - col, cols_are_source(m) ? STYLE_SOURCE : STYLE_TARGET,
			matrix_col_token(m, ui->sel.col));
	col += grid_put(g, line.row, col, end - col, STYLE_NUMBER, buf_str(&rest));
	put_formula(ui, m, ui->sel.row, &formula);
	if (end - col > 8)
		col += 3 + grid_put(g, line.row, col + 3, end - col - 3, STYLE_FORMULA,
				    buf_str(&formula));
	put_decided(ui, m, g, line.row, col, end);
	buf_free(&formula);
	buf_free(&rest);
}
