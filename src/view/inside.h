/*
 * inside.h - the inside of a Transformer at the cursor: which of the trace's vectors a phase is about. The
 * place is the source word i while encoding, else timestep t.
 */
#ifndef VIEW_INSIDE_H
#define VIEW_INSIDE_H

#include "view/scene.h"

/* A vector and what it is called on screen ("x", "q", "h"; index 'i' or 't' and number are the caller's). */
struct named_vec {
	const char *name;
	struct trace_vec v; /* n = 0: not recorded */
};

/* What the layer of this phase computed at source word i; at timestep t when decoding (i does not count).
 * NULL: not a layered phase, not recorded. */
const struct trace_layer *inside_layer(const struct scene *sc, size_t i);
/* The part of a layer that a layered phase, or the current one, belongs to. */
enum trace_part inside_part_of(enum step_phase p);
enum trace_part inside_part(const struct scene *sc);
/* Its attention; NULL where there is none. */
const struct trace_heads *inside_heads(const struct scene *sc, size_t i);
/* Key and value of column j, all heads; of a cross-attention those of source word j. */
struct trace_vec inside_key(const struct scene *sc, size_t j);
struct trace_vec inside_value(const struct scene *sc, size_t j);
/* The share of the head that is walked. */
struct trace_vec inside_share(const struct scene *sc, struct trace_vec v);
int inside_head(const struct scene *sc);
/* x as it came to this part, and (pre-norm) its norm that the part reads. */
struct trace_vec inside_x(const struct scene *sc, size_t i);
struct trace_vec inside_read(const struct scene *sc, size_t i);
/* What this phase made of source word i or of timestep t: its strip, also of a recurrent encoder. */
struct named_vec inside_result(const struct scene *sc, size_t i);

/* The strips of source word i, as many as returned: the result, or query, key and value of the head. While
 * decoding: what the encoder left. */
enum { INSIDE_STRIPS = 3 };
int inside_strips(const struct scene *sc, size_t i, struct named_vec out[INSIDE_STRIPS]);

struct moments {
	double mean, variance; /* Σ (x - mean)² / n, as in a layer norm */
};
struct moments inside_moments(struct trace_vec v);
float inside_dot(struct trace_vec a, struct trace_vec b);

#endif
