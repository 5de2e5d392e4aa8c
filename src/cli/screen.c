#include "cli/screen.h"

#include "cli/cli.h"

#include <signal.h>

int screen_colour_parse(const char *when, enum tui_colour *out, struct err *err)
{
	static const enum tui_colour tui[] = {
		[CLI_AUTO] = TUI_COLOUR_AUTO,
		[CLI_ALWAYS] = TUI_COLOUR_ALWAYS,
		[CLI_NEVER] = TUI_COLOUR_NEVER,
	};
	enum cli_colour c;

	if (cli_colour_parse(when, &c, err) != 0)
		return -1;
	*out = tui[c];
	return 0;
}

void screen_end(int end)
{
	if (!end)
		return;
	signal(end, SIG_DFL);
	raise(end);
}
