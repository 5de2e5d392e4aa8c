/* drive.h - carries out the effects of a ui on a producer, as the loop of the program does. */
#ifndef TESTS_VIEW_DRIVE_H
#define TESTS_VIEW_DRIVE_H

#include "view/ui.h"

/* Keys by name, separated by spaces: "Space Down*3 C". Unknown names abort. */
void drive_keys(struct ui *ui, const struct grid *g, const char *keys);
void drive_effects(struct ui *ui, unsigned effects);

#endif
