/* zoom.h - how many numbers a zoom shows as one. */
#ifndef VIEW_ZOOM_H
#define VIEW_ZOOM_H

#include "view/ui.h"

/* ui->zoom as far as the map that is shown has it. */
static inline int zoom_level(const struct ui *ui)
{
	return ui->zoom < ui->zoom_most ? ui->zoom : ui->zoom_most;
}

/* Numbers on a side of a block: 1 at reading size and at zoom 1. */
static inline size_t zoom_size(int zoom)
{
	return zoom > 1 ? (size_t)1 << (zoom - 1) : 1;
}

#endif
