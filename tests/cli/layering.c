/*
 * layering.c - which folder of src/ may include what. The table is the architecture: the showing
 * half (trace, step, view, export, tui) never sees the computing half (num, nn, text, engine, train), BLAS
 * has one door and so has ncurses.
 */
#include "suite.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct layer {
	const char *folder,
		*may; /* folders, separated and enclosed by spaces; its own goes without saying */
} layers[] = {
	{"base", " "},
	{"num", " base "},
	{"file", " base "},
	{"text", " base "},
	{"nn", " num file base "},
	{"trace", " file base "},
	{"import", " trace file base "},
	{"engine", " nn num text trace base "},
	{"train", " nn num text engine trace file base "},
	{"step", " trace base "},
	{"view", " step trace base "},
	{"export", " view trace file base "},
	{"tui", " view step trace base "},
	{"cli", " base num file text nn trace import engine train step view export tui "},
};

/* System headers that are not the C library's, and who may include them. */
static const struct library {
	const char *header, *folders;
} libraries[] = {
	/* clang-format off */
	{"utf8proc.h", " base "},
	{"cblas.h", " num "},
	{"dlfcn.h", " num file export "}, /* what is opened when it is first needed */
	{"zip.h", " file export "},
	{"zlib.h", " file "},
	{"cairo", " export "},
	{"pango/", " export "},
	{"immintrin.h", " num "},
	{"curses.h", " tui "},
	{"ncurses", " tui "},
	{"term.h", " tui "},
	{"json-c", " cli "},
	{"ini.h", " train "},
	/* clang-format on */
};

static const char *const libc[] = {
	"assert.h", "ctype.h",	"dirent.h", "errno.h",	   "fcntl.h",	 "float.h",
	"getopt.h", "limits.h", "locale.h", "math.h",	   "poll.h",	 "pthread.h",
	"sched.h",  "signal.h", "stdarg.h", "stdatomic.h", "stdbool.h",	 "stddef.h",
	"stdint.h", "stdio.h",	"stdlib.h", "string.h",	   "strings.h",	 "termios.h",
	"time.h",   "unistd.h", "wchar.h",  "wctype.h",	   "langinfo.h",
};

#define LEN(a) (sizeof(a) / sizeof *(a))

static char why[512];

static bool in_list(const char *list, const char *word, size_t n)
{
	char spaced[128];

	snprintf(spaced, sizeof spaced, " %.*s ", (int)n, word);
	return strstr(list, spaced) != NULL;
}

static const struct layer *find_layer(const char *folder, size_t n)
{
	for (size_t i = 0; i < LEN(layers); i++) {
		if (strlen(layers[i].folder) == n && strncmp(layers[i].folder, folder, n) == 0)
			return &layers[i];
	}
	return NULL;
}

/* `name` is what stands between the quotes: "FOLDER/FILE". */
static bool ours_allowed(const struct layer *from, const char *name)
{
	size_t n = strcspn(name, "/");

	if (name[n] != '/' || !find_layer(name, n)) {
		snprintf(why, sizeof why, "\"%s\" does not begin with a folder of src/", name);
		return false;
	}
	if ((strlen(from->folder) == n && strncmp(from->folder, name, n) == 0) ||
	    in_list(from->may, name, n))
		return true;
	snprintf(why, sizeof why, "%s/ must not include \"%s\"", from->folder, name);
	return false;
}

static bool system_allowed(const struct layer *from, const char *name)
{
	for (size_t i = 0; i < LEN(libraries); i++) {
		if (strncmp(libraries[i].header, name, strlen(libraries[i].header)) != 0)
			continue;
		if (in_list(libraries[i].folders, from->folder, strlen(from->folder)))
			return true;
		snprintf(why, sizeof why, "%s/ must not include <%s>", from->folder, name);
		return false;
	}
	if (strncmp(name, "sys/", 4) == 0)
		return true;
	for (size_t i = 0; i < LEN(libc); i++) {
		if (strcmp(libc[i], name) == 0)
			return true;
	}
	snprintf(why, sizeof why, "<%s> is in no list of tests/cli/layering.c", name);
	return false;
}

/* One line of a source file; lines that include nothing are allowed. */
static bool line_allowed(const char *folder, const char *line)
{
	const struct layer *from = find_layer(folder, strlen(folder));
	char name[256] = "";

	if (!from) {
		snprintf(why, sizeof why, "%s/ is in no list of tests/cli/layering.c", folder);
		return false;
	}
	if (sscanf(line, " # include \"%255[^\"]", name) == 1)
		return ours_allowed(from, name);
	if (sscanf(line, " # include <%255[^>]", name) == 1)
		return system_allowed(from, name);
	return true;
}

static const char *source_root(void)
{
	const char *root = getenv("SOURCE_ROOT");

	ck_assert_msg(root && *root, "SOURCE_ROOT must name the source tree");
	return root;
}

static int check_file(const char *folder, const char *file)
{
	char path[1024], line[1024];
	int bad = 0;
	FILE *f;

	snprintf(path, sizeof path, "%s/src/%s/%s", source_root(), folder, file);
	f = fopen(path, "r");
	ck_assert_msg(f != NULL, "cannot open %s", path);
	for (int n = 1; fgets(line, sizeof line, f); n++) {
		if (line_allowed(folder, line))
			continue;
		fprintf(stderr, "src/%s/%s:%d: %s\n", folder, file, n, why);
		bad++;
	}
	fclose(f);
	return bad;
}

START_TEST(every_file_keeps_to_its_layer)
{
	const char *folder = layers[_i].folder;
	char path[1024];
	struct dirent *e;
	int bad = 0, files = 0;
	DIR *d;

	snprintf(path, sizeof path, "%s/src/%s", source_root(), folder);
	d = opendir(path);
	ck_assert_msg(d != NULL, "cannot open %s", path);
	while ((e = readdir(d))) {
		const char *dot = strrchr(e->d_name, '.');

		if (!dot || (strcmp(dot, ".c") && strcmp(dot, ".h") && strcmp(dot, ".def")))
			continue;
		files++;
		bad += check_file(folder, e->d_name);
	}
	closedir(d);
	ck_assert_msg(files > 0, "no source in %s", path);
	ck_assert_msg(bad == 0, "%s/ breaks the layering %d times, see above", folder, bad);
}
END_TEST

START_TEST(every_folder_has_a_layer)
{
	char path[1024];
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof path, "%s/src", source_root());
	d = opendir(path);
	ck_assert_msg(d != NULL, "cannot open %s", path);
	while ((e = readdir(d))) {
		if (strchr(e->d_name, '.'))
			continue;
		ck_assert_msg(find_layer(e->d_name, strlen(e->d_name)) != NULL,
			      "src/%s is in no list of tests/cli/layering.c", e->d_name);
	}
	closedir(d);
}
END_TEST

/* The rules themselves: what must be refused is. */
static const struct {
	const char *folder, *line;
	bool allowed;
} samples[] = {
	{"base", "#include \"base/err.h\"", true},
	{"base", "#include \"num/tape.h\"", false},
	{"num", "#include <cblas.h>", true},
	{"nn", "#include <cblas.h>", false},
	{"view", "#include \"engine/engine.h\"", false},
	{"view", "\t#  include \"nn/model.h\"", false},
	{"view", "#include <curses.h>", false},
	{"view", "#include <ncursesw/curses.h>", false},
	{"tui", "#include <curses.h>", true},
	{"tui", "#include \"text/vocab.h\"", false},
	{"step", "#include \"view/ui.h\"", false},
	{"trace", "#include \"text/token.h\"", false},
	{"train", "#include \"view/ui.h\"", false},
	{"import", "#include \"trace/trace.h\"", true},
	{"import", "#include \"nn/model.h\"", false},
	{"export", "#include <cairo.h>", true},
	{"export", "#include \"engine/engine.h\"", false},
	{"tui", "#include \"export/export.h\"", false},
	{"cli", "#include <pango/pangocairo.h>", false},
	{"cli", "#include \"tui/tui.h\"", true},
	{"cli", "#include <curses.h>", false},
	{"text", "#include \"err.h\"", false},
	{"text", "#include \"../nn/model.h\"", false},
	{"text", "#include <cairo.h>", false},
	{"text", "// nothing", true},
	{"nosuch", "#include <stdio.h>", false},
};

START_TEST(the_rules_refuse_what_they_must)
{
	ck_assert_msg(line_allowed(samples[_i].folder, samples[_i].line) == samples[_i].allowed,
		      "%s: %s", samples[_i].folder, samples[_i].line);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("layering", &tc);

	tcase_add_loop_test(tc, the_rules_refuse_what_they_must, 0, (int)LEN(samples));
	tcase_add_loop_test(tc, every_file_keeps_to_its_layer, 0, (int)LEN(layers));
	tcase_add_test(tc, every_folder_has_a_layer);
	return suite_main(s);
}
