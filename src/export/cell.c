/* cell.c - one cell of a figure, for the program and for the module that draws. */
#include "export/figure.h"

#include <stdio.h>

bool figure_level(const struct figure_map *m, size_t i, uint8_t *level)
{
	if (m->levels[i] == LEVEL_NONE)
		return false;
	*level = m->levels[i];
	return true;
}

const char *figure_number(const struct figure *f, const struct figure_map *m, size_t i,
			  char out[16])
{
	out[0] = '\0';
	if (m->levels[i] != LEVEL_NONE)
		snprintf(out, 16,
			 m->difference		   ? "%+.2f"
			 : f->type == TRACE_SCORES ? "%+.1f"
						   : "%.2f",
			 (double)m->values[i]);
	return out;
}
