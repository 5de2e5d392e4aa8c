/*
 * save.h - what `s` in the walk saves, for tui_options.
 */
#ifndef CLI_SAVE_H
#define CLI_SAVE_H

#include "base/err.h"
#include "view/ui.h"

/* The maps on the screen, with its colours, scale and numbers, into a file whose ending says how.
 */
int save_shown(const struct ui *ui, const char *file, struct err *err);

#endif
