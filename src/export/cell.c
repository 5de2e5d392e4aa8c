/* cell.c - one cell of a figure, for the program and for the module that draws. */
#include "export/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool figure_level(const struct figure_map *m, size_t i, uint8_t *level)
{
	if (m->levels[i] == LEVEL_NONE)
		return false;
	*level = m->levels[i];
	return true;
}

enum figure_paper figure_paper(const struct figure_map *m, size_t i)
{
	bool future = m->causal && i % m->cols > i / m->cols;

	return future || !isfinite(m->values[i]) ? FIGURE_MASKED : FIGURE_ZERO;
}

const char *figure_paper_name(enum figure_paper p)
{
	static const char *const names[FIGURE_PAPER_COUNT] = {
#define X(id, name) [id] = name,
		FIGURE_PAPERS(X)
#undef X
	};

	return names[p];
}

const char *figure_block(const struct figure *f, char *out, size_t size)
{
	out[0] = '\0';
	if (f->block > 1)
		snprintf(out, size, "a cell is the largest of %zu × %zu", f->block, f->block);
	return out;
}

const char *figure_number(const struct figure *f, const struct figure_map *m, size_t i,
			  char out[16])
{
	const char *format = m->difference	     ? "%+.2f"
			     : f->type == TRACE_SCORES ? "%+.1f"
						       : "%.2f";
	bool sign = format[1] == '+';

	out[0] = '\0';
	if (m->levels[i] == LEVEL_NONE)
		return out;
	snprintf(out, 16, format, (double)m->values[i]);
	return sign && !strpbrk(out, "123456789") ? out + 1 : out;
}
