/*
 * screen.h - what the subcommands that open a screen share.
 */
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include "cli/cli.h"
#include "tui/tui.h"

/* The same choice as the screen names it. */
enum tui_colour screen_colour(enum cli_colour c);
/* --color=auto|always|never for tui_options; -1 with err. */
int screen_colour_parse(const char *when, enum tui_colour *out, struct err *err);
/* Ends the program by the signal that ended the screen, as if it had not been caught; 0: does nothing. */
void screen_end(int signal);

#endif
