/* report.c - figures as JSON for programs and as tables for people. */
#include "base/buf.h"
#include "train/eval.h"
#include "train/heads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void json_number(struct buf *out, const char *name, double x)
{
	if (isfinite(x))
		buf_printf(out, ",\"%s\":%.6g", name, x);
	else
		buf_printf(out, ",\"%s\":null", name);
}

void eval_json(const struct eval *e, struct buf *out)
{
	buf_printf(out, "\"sentences\":%zu", e->sentences);
	json_number(out, "exact_match", e->exact_match);
	json_number(out, "token_accuracy", e->token_accuracy);
	json_number(out, "loss", e->loss);
	json_number(out, "bleu", e->bleu);
	json_number(out, "aer", e->aer);
	json_number(out, "aer_floor", e->aer_floor);
	buf_puts(out, ",\"by_length\":[");
	for (size_t i = 0; i < e->nlengths; i++) {
		const struct eval_length *l = &e->lengths[i];

		buf_printf(out, "%s{\"length\":%d,\"sentences\":%d,\"exact_match\":%.6g}",
			   i ? "," : "", l->length, l->sentences,
			   (double)l->exact / (double)l->sentences);
	}
	buf_puts(out, "]");
}

static void cell(struct buf *out, double x, const char *unit)
{
	if (isfinite(x))
		buf_printf(out, " %6.2f%s", x, unit);
	else
		buf_printf(out, " %6s%*s", "-", (int)strlen(unit), "");
}

void eval_table(const struct eval *sets, const char *const *names, size_t n, struct buf *out)
{
	buf_printf(out, "%-8s %9s %8s %8s %6s %8s %8s\n", "set", "sentences", "exact", "tokens",
		   "BLEU", "AER", "floor");
	for (size_t i = 0; i < n; i++) {
		const struct eval *e = &sets[i];

		if (e->sentences == 0)
			continue;
		buf_printf(out, "%-8s %9zu", names[i], e->sentences);
		cell(out, 100 * e->exact_match, " %");
		cell(out, 100 * e->token_accuracy, " %");
		cell(out, e->bleu, "");
		cell(out, 100 * e->aer, " %");
		cell(out, 100 * e->aer_floor, " %");
		buf_putc(out, '\n');
	}
}

void eval_table_lengths(const struct eval *sets, const char *const *names, size_t n,
			struct buf *out)
{
	buf_printf(out, "%-8s %9s %9s %8s\n", "set", "words", "sentences", "exact");
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < sets[i].nlengths; k++) {
			const struct eval_length *l = &sets[i].lengths[k];

			buf_printf(out, "%-8s %9d %9d", names[i], l->length, l->sentences);
			cell(out, 100.0 * l->exact / l->sentences, " %");
			buf_putc(out, '\n');
		}
	}
}

void heads_json(const struct heads *h, struct buf *out)
{
	buf_putc(out, '[');
	for (size_t i = 0; i < h->n; i++) {
		const struct heads_row *r = &h->rows[i];
		enum head_label l = r->mean.label;

		buf_printf(out, "%s{\"kind\":\"%s\",\"layer\":%d,\"head\":%d,\"label\":\"%s\"",
			   i ? "," : "", trace_kind_name(r->kind), r->layer, r->head,
			   head_label_name(l, r->kind));
		json_number(out, "share", r->mean.share[l]);
		if (r->relation != REL_NONE)
			buf_printf(out, ",\"relation\":\"%s\"", heads_relation_name(r->relation));
		else
			buf_puts(out, ",\"relation\":null");
		json_number(out, "relation_share", r->relation_share[r->relation]);
		json_number(out, "entropy", r->mean.entropy);
		json_number(out, "aer", r->aer);
		json_number(out, "exact_match_masked", r->exact_masked);
		json_number(out, "drop", h->exact_match - r->exact_masked);
		buf_putc(out, '}');
	}
	buf_putc(out, ']');
}

/* The label and its share; in brackets the nearest one where none holds. */
static void label_cells(struct buf *out, const struct heads_row *r)
{
	bool holds = r->mean.label != HEAD_MIXED || r->mean.nearest == HEAD_MIXED;
	enum head_label l = holds ? r->mean.label : r->mean.nearest;
	char name[32];

	snprintf(name, sizeof name, holds ? "%s" : "(%s)", head_label_name(l, r->kind));
	buf_printf(out, "%-10s", name);
	cell(out, r->mean.share[l], "");
}

void heads_table(const struct heads *h, struct buf *out)
{
	buf_printf(out, "%zu sentences, exact match with all heads", h->sentences);
	cell(out, 100 * h->exact_match, " %");
	buf_printf(out, "\n\n%-8s %5s %4s  %-10s %6s %7s %8s %8s %15s\n", "kind", "layer", "head",
		   "label", "share", "entropy", "AER", "masked", "drop  words");
	for (size_t i = 0; i < h->n; i++) {
		const struct heads_row *r = &h->rows[i];

		buf_printf(out, "%-8s %5d %4d  ", trace_kind_name(r->kind), r->layer, r->head);
		label_cells(out, r);
		buf_putc(out, ' ');
		cell(out, r->mean.entropy, "");
		cell(out, 100 * r->aer, " %");
		cell(out, 100 * r->exact_masked, " %");
		cell(out, 100 * (h->exact_match - r->exact_masked), " %");
		if (r->relation != REL_NONE)
			buf_printf(out, "  %s %.2f", heads_relation_name(r->relation),
				   r->relation_share[r->relation]);
		buf_putc(out, '\n');
	}
}
