/* command.h - `:` commands: a request's name, or a name with an argument. */
#ifndef VIEW_COMMAND_H
#define VIEW_COMMAND_H

#include "view/ui.h"

/* Commands with an argument, for the help screen. False behind the last. */
bool command_describe(size_t index, const char **name, const char **argument, const char **help);
/*
 * Completes the word at the end of `text` (a command, then an argument) as far as it is certain.
 * Appends what is added to `added` (size bytes) and writes the choices that remain, separated by
 * spaces, to `choices`. Returns how many choices there are.
 */
size_t command_complete(const struct ui *ui, const char *text, char *added, size_t added_size,
			char *choices, size_t choices_size);

#endif
