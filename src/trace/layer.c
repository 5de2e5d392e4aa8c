/* layer.c - the inside of a Transformer as it is read: shares of heads, the way of x through a
 * layer. */
#include "trace/trace.h"

struct trace_vec trace_head(const struct trace *t, struct trace_vec v, int head)
{
	size_t n = t->about.heads > 0 ? v.n / (size_t)t->about.heads : 0;

	if (!n || head < 0 || head >= t->about.heads)
		return (struct trace_vec){0};
	return (struct trace_vec){n, v.v + (size_t)head * n};
}

struct trace_vec trace_layer_left(const struct trace *t, const struct trace_layer *l,
				  enum trace_part part)
{
	return t->about.pre_norm ? l->added[part] : l->norm[part];
}

struct trace_vec trace_layer_x(const struct trace *t, const struct trace_layer *l,
			       enum trace_part part, bool decoder)
{
	if (part == TRACE_PART_SELF)
		return l->in;
	if (part == TRACE_PART_FFN && decoder)
		return trace_layer_left(t, l, TRACE_PART_CROSS);
	return trace_layer_left(t, l, TRACE_PART_SELF);
}
