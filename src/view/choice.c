#include "view/choice.h"
#include "view/level.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const char *choice_scale_at(size_t k)
{
	return k < NORMAL_COUNT ? normal_name((enum normal)k) : NULL;
}

const char *choice_colour_map_at(size_t k)
{
	return k < COLOUR_MAP_COUNT ? colour_map_name((enum colour_map)k) : NULL;
}

/* The place of `name` in a list, or -1 with what is allowed. */
static int choose(const char *what, const char *(*at)(size_t k), const char *name, struct err *err)
{
	char list[128] = "";

	for (size_t k = 0; at(k); k++) {
		size_t used = strlen(list);

		if (strcasecmp(at(k), name) == 0)
			return (int)k;
		snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", at(k));
	}
	return err_set(err, ERR_USAGE, "%s \"%.40s\" is not one of %s", what, name, list);
}

int choice_scale(const char *name, enum normal *out, struct err *err)
{
	int k = strcmp(name, "0-1") == 0 ? NORMAL_ABSOLUTE
					 : choose("scale", choice_scale_at, name, err);

	if (k < 0)
		return -1;
	*out = (enum normal)k;
	return 0;
}

int choice_colour_map(const char *name, enum colour_map *out, struct err *err)
{
	int k = choose("colour map", choice_colour_map_at, name, err);

	if (k < 0)
		return -1;
	*out = (enum colour_map)k;
	return 0;
}
