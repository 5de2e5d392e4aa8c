#include "cli/lessons.h"

#include "base/fs.h"
#include "base/mem.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char folder[] = "assets/lessons", suffix[] = ".txt";

enum { LESSON_LIMIT = 1 << 20 };

static int load(struct lesson *out, const char *path, const char *name, struct err *err)
{
	char *text;
	size_t len;
	int ret;

	if (fs_read(path, LESSON_LIMIT, &text, &len, err))
		return -1;
	ret = lesson_parse(out, text, len, name, err);
	free(text);
	return ret ? err_at_line(err, path, err ? err->line : 0, 0) : 0;
}

static int shipped_path(const char *name, char *out, size_t size, struct err *err)
{
	char file[NAME_MAX];

	snprintf(file, sizeof file, "%s/%.200s%s", folder, name, suffix);
	return fs_data_path(file, out, size, err);
}

int lessons_load(struct lessons *out, struct err *err)
{
	char **names, path[PATH_MAX];
	int ret = 0;

	*out = (struct lessons){0};
	if (fs_data_list(folder, suffix, &names, err))
		return -1;
	for (char **p = names; *p && ret == 0; p++) {
		out->list = mem_realloc(out->list, out->n + 1, sizeof *out->list);
		ret = shipped_path(*p, path, sizeof path, err);
		if (ret == 0)
			ret = load(&out->list[out->n], path, *p, err);
		out->n += ret == 0;
	}
	fs_names_free(names);
	if (ret)
		lessons_free(out);
	return ret;
}

static bool is_file(const char *name)
{
	size_t n = strlen(name), k = sizeof suffix - 1;

	return strchr(name, '/') || (n > k && strcmp(name + n - k, suffix) == 0);
}

static int no_such(const char *name, struct err *err)
{
	return err_set(err, ERR_MISSING,
		       "there is no lesson \"%.100s\": 'attnscope lesson --list' names them; give the path of a "
		       "file for one of your own",
		       name);
}

/* "1-attention" is also called "attention" and "1". */
static bool called(const char *full, const char *name)
{
	size_t n = strspn(full, "0123456789");

	return strcmp(full, name) == 0 ||
	       (n && full[n] == '-' &&
		(strcmp(full + n + 1, name) == 0 || (strlen(name) == n && strncmp(full, name, n) == 0)));
}

/* Path of a shipped lesson, its whole name into `full`. */
static int find(const char *name, char *full, char *path, size_t size, struct err *err)
{
	char **names, **p;
	int ret;

	if (fs_data_list(folder, suffix, &names, err))
		return -1;
	for (p = names; *p && !called(*p, name); p++)
		;
	snprintf(full, NAME_MAX, "%s", *p ? *p : "");
	ret = *p ? shipped_path(*p, path, size, err) : no_such(name, err);
	fs_names_free(names);
	return ret;
}

int lessons_load_one(struct lessons *out, const char *name, struct err *err)
{
	char full[NAME_MAX], path[PATH_MAX];
	bool own = is_file(name);

	*out = (struct lessons){0};
	if (!own && find(name, full, path, sizeof path, err))
		return -1;
	out->list = mem_calloc(1, sizeof *out->list);
	out->n = load(out->list, own ? name : path, own ? name : full, err) == 0;
	if (!out->n)
		lessons_free(out);
	return out->n ? 0 : -1;
}

void lessons_free(struct lessons *l)
{
	for (size_t k = 0; k < l->n; k++)
		lesson_free(&l->list[k]);
	free(l->list);
	*l = (struct lessons){0};
}
