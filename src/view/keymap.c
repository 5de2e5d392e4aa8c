/* keymap.c - the request table as functions. */
#include "base/mem.h"
#include "view/ui.h"

#include <string.h>

static const struct {
	const char *command, *keys, *group, *help;
} requests[REQ_COUNT] = {
#define X(id, command, keys, group, help) {command, keys, group, help},
#include "view/request.def"
#undef X
};

static bool same_key(struct key a, struct key b)
{
	if (a.code != b.code)
		return false;
	return (a.code != KEY_CHAR && a.code != KEY_CTRL) || a.cp == b.cp;
}

static bool has_key(const char *keys, struct key k)
{
	while (*keys) {
		size_t len = strcspn(keys, " ");

		if (same_key(key_parse(keys, len), k))
			return true;
		keys += len;
		keys += strspn(keys, " ");
	}
	return false;
}

enum request request_of_key(struct key k)
{
	if (k.code == KEY_NONE)
		return REQ_NONE;
	for (size_t r = 0; r < REQ_COUNT; r++)
		if (has_key(requests[r].keys, k))
			return (enum request)r;
	return REQ_NONE;
}

enum request request_of_command(const char *command, size_t len)
{
	for (size_t r = 0; r < REQ_COUNT; r++)
		if (strlen(requests[r].command) == len &&
		    memcmp(requests[r].command, command, len) == 0)
			return (enum request)r;
	return REQ_NONE;
}

const char *request_help(enum request r)
{
	return requests[r].help;
}

const char *request_keys(enum request r)
{
	return requests[r].keys;
}

const char *request_command(enum request r)
{
	return requests[r].command;
}

const char *request_group(enum request r)
{
	return requests[r].group;
}
