#include "golden.h"
#include "base/fs.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void first_difference(const char *a, const char *b, int *line)
{
	*line = 1;
	for (; *a && *a == *b; a++, b++)
		*line += *a == '\n';
}

void golden_check(const char *name, const char *got)
{
	char path[512], kept[512], *want = NULL;
	struct err err = {0};
	size_t len;
	int line;

	snprintf(path, sizeof path, "%s/%s.txt", GOLDEN_DIR, name);
	snprintf(kept, sizeof kept, "%s/%s.txt", KEPT_DIR, name);
	if (getenv("UPDATE_GOLDEN")) {
		ck_assert_msg(fs_replace(path, got, strlen(got), &err) == 0, "%s", err.text);
		return;
	}
	if (fs_read(path, 1 << 22, &want, &len, &err) == 0 && strcmp(want, got) == 0) {
		free(want);
		remove(kept);
		return;
	}
	first_difference(want ? want : "", got, &line);
	free(want);
	mkdir(KEPT_DIR, 0777); /* perhaps it is there */
	ck_assert_msg(fs_replace(kept, got, strlen(got), &err) == 0, "%s", err.text);
	ck_abort_msg("%s differs from line %d on: expected %s, drawn %s", name, line, path, kept);
}
