/*
 * pair_heads.h - which heads of two traces Compare shows beside each other. Pure.
 *
 * As long as they are tied the keys choose a head of the trace that has more of them, and the other one
 * shows its counterpart: the same kind, layer and head. Where there is no such head it is the nearest
 * that makes sense, and the screen says so. Untied, each side keeps its own.
 */
#ifndef VIEW_PAIR_HEADS_H
#define VIEW_PAIR_HEADS_H

#include "view/ui.h"

/* How a counterpart was found. */
enum head_match {
	MATCH_SAME,   /* kind, layer and head */
	MATCH_WALKED, /* models of another build: the cross-attention that each walk follows */
	MATCH_ONLY,   /* there is one map of that kind */
	MATCH_LAYER,  /* there is no such layer: the last one */
	MATCH_HEAD,   /* there is no such head in the layer: the last one before */
	MATCH_NONE    /* no map of that kind */
};

/* The head of `to` beside the one of `from`; MATCH_NONE: *out is not set. */
enum head_match head_counterpart(const struct trace *from, struct head_id at, const struct trace *to,
				 struct head_id *out);

/* Plain value. */
struct pair_heads {
	struct head_id at[2];
	bool there[2];         /* at is set, and such a map exists */
	int driver;            /* tied: the side that the keys choose a head of */
	enum head_match match; /* tied: of the other side */
};

/* t: the two traces. */
struct pair_heads pair_heads_of(const struct ui *ui, const struct trace *const t[2]);

/* Whether Compare shows whole maps of heads and not a walk. */
bool pair_shows_heads(const struct ui *ui);
/* From now on it does: of these heads. */
void pair_heads_show(struct ui *ui, const struct head_id at[2]);

/* Each returns effects; at an end they say so. They go along the heads of the driver, or of the one that
 * ui->pair.keys names. label: what the two are called. */
unsigned pair_next_head(struct ui *ui, const struct trace *const t[2], int by);
unsigned pair_next_layer(struct ui *ui, const struct trace *const t[2], int by);
unsigned pair_next_kind(struct ui *ui, const struct trace *const t[2]);
/* The keys choose the heads of both, of the first, of the second, of both … */
void pair_next_keys(struct ui *ui, const struct trace *const t[2]);

/* "B has no layer 5: its last", "" for MATCH_SAME; label: of the other side. Returns
 * out. */
const char *pair_match_words(const struct pair_heads *h, const char *const label[2], char *out,
			     size_t size);

#endif
