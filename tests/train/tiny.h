/* tiny.h - a training that takes a second, in a folder of its own. */
#ifndef TESTS_TRAIN_TINY_H
#define TESTS_TRAIN_TINY_H

#include "base/fs.h"
#include "train/train.h"

#include <check.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char tiny_text[] = "[task]\nname = tiny\ngrammar = reverse\nsource_side = chars\n"
				"target_side = chars\npairs = 700\nvalid = 60\ntest = 100\n"
				"max_words = 3\nlong_from = 9\n"
				"[model]\nemb = 16\nenc_hidden = 16\ndec_hidden = 32\nscore = dot\n"
				"combine = 16\ntied = yes\ndropout = 0.1\n"
				"[train]\nepochs = 30\nbatch = 16\nlr = 0.01\nwarmup = 20\n";

static char tiny_folder[PATH_MAX];

static inline void tiny_setup(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(tiny_folder, sizeof tiny_folder, "%s/train-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(tiny_folder));
}

/* Calls fn (may be NULL) for every file of the folder; returns how many there are. */
static inline int tiny_files(void (*fn)(const char *path))
{
	DIR *d = opendir(tiny_folder);
	struct dirent *e;
	int n = 0;

	ck_assert_ptr_nonnull(d);
	while ((e = readdir(d))) {
		char path[PATH_MAX + 300];

		if (e->d_name[0] == '.')
			continue;
		n++;
		snprintf(path, sizeof path, "%s/%s", tiny_folder, e->d_name);
		if (fn)
			fn(path);
	}
	closedir(d);
	return n;
}

static inline void tiny_remove(const char *path)
{
	unlink(path);
}

static inline void tiny_teardown(void)
{
	tiny_files(tiny_remove);
	rmdir(tiny_folder);
}

static inline const char *tiny_path(const char *name)
{
	static char paths[4][PATH_MAX + 300];
	static int next;
	char *p = paths[next++ % 4];

	snprintf(p, sizeof paths[0], "%s/%s", tiny_folder, name);
	return p;
}

static inline struct recipe tiny_recipe(const char *more)
{
	struct recipe r;
	struct err err = {0};
	char text[2000];

	snprintf(text, sizeof text, "%s%s", tiny_text, more);
	ck_assert_msg(recipe_parse(&r, text, strlen(text), "tiny", &err) == 0, "%s", err.text);
	return r;
}

/* Trains to the end; *res (may be NULL) is to be released. */
static inline void tiny_train(const struct recipe *r, const char *out, int threads, bool resume,
			      struct train_result *res)
{
	struct train_options o = {
		.out = out, .resume = resume, .threads = threads, .checkpoint_seconds = 1000};
	struct train_result own;
	struct err err = {0};

	ck_assert_msg(train_run(r, &o, NULL, res ? res : &own, &err) == 0, "%s: %s", err.file,
		      err.text);
	if (!res)
		train_result_fini(&own);
}

static inline void tiny_same(const char *a, const char *b, bool same)
{
	char *x, *y;
	size_t n, m;

	ck_assert_int_eq(fs_read(a, 1 << 24, &x, &n, NULL), 0);
	ck_assert_int_eq(fs_read(b, 1 << 24, &y, &m, NULL), 0);
	ck_assert_uint_gt(n, 1000);
	ck_assert_int_eq(n == m && memcmp(x, y, n) == 0, same);
	free(x);
	free(y);
}

#endif
