#include "base/fs.h"
#include "base/mem.h"
#include "suite.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each test stands in an empty folder of its own, which is removed afterwards. */
static char folder[PATH_MAX];

static void enter(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(folder, sizeof folder, "%s/attnscope-fs-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
}

static void remove_tree(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char sub[PATH_MAX];

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		snprintf(sub, sizeof sub, "%s/%s", path, e->d_name);
		if (e->d_type == DT_DIR)
			remove_tree(sub);
		else
			unlink(sub);
	}
	if (d)
		closedir(d);
	rmdir(path);
}

static void leave(void)
{
	ck_assert_int_eq(chdir("/"), 0);
	remove_tree(folder);
}

static int count_files(void)
{
	DIR *d = opendir(".");
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	ck_assert_int_eq(fclose(f), 0);
}

static void check_content(const char *path, const char *text)
{
	char *data = NULL;
	size_t len = 0;
	struct err e = {0};

	ck_assert_msg(fs_read(path, 1 << 20, &data, &len, &e) == 0, "%s", e.text);
	ck_assert_uint_eq(len, strlen(text));
	ck_assert_str_eq(data, text);
	free(data);
}

static void check_error(int ret, const struct err *e, const char *text)
{
	char got[1024];

	ck_assert_int_eq(ret, -1);
	ck_assert_str_eq(err_format(e, got, sizeof got), text);
}

START_TEST(reads_a_file_and_the_empty_one)
{
	write_file("a", "hello\nworld");
	check_content("a", "hello\nworld");
	write_file("empty", "");
	check_content("empty", "");
}
END_TEST

START_TEST(what_cannot_be_read)
{
	char *data = NULL;
	size_t len;
	struct err e = {0};

	check_error(fs_read("none", 9, &data, &len, &e), &e,
		    "none: cannot open: No such file or directory");
	ck_assert_int_eq(mkdir("dir", 0777), 0);
	check_error(fs_read("dir", 9, &data, &len, &e), &e, "dir: is a directory, not a file");
	ck_assert_int_eq(mkfifo("fifo", 0666), 0);
	check_error(fs_read("fifo", 9, &data, &len, &e), &e, "fifo: is not a regular file");
	check_error(fs_read("/dev/zero", 9, &data, &len, &e), &e,
		    "/dev/zero: is not a regular file");
	write_file("big", "0123456789");
	check_error(fs_read("big", 9, &data, &len, &e), &e, "big: is larger than 9 bytes");
	ck_assert_ptr_null(data);
}
END_TEST

START_TEST(replaces_a_file_and_makes_a_new_one)
{
	struct err e = {0};

	umask(022);
	ck_assert_int_eq(fs_replace("a", "one", 3, &e), 0);
	check_content("a", "one");
	ck_assert_int_eq(fs_replace("a", "", 0, &e), 0);
	check_content("a", "");
	ck_assert_int_eq(count_files(), 1);
}
END_TEST

START_TEST(keeps_permissions_and_links)
{
	struct err e = {0};
	struct stat st;

	umask(027);
	ck_assert_int_eq(fs_replace("fresh", "x", 1, &e), 0);
	ck_assert_int_eq(stat("fresh", &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0640);

	write_file("secret", "old");
	ck_assert_int_eq(chmod("secret", 0600), 0);
	ck_assert_int_eq(symlink("secret", "link"), 0);
	ck_assert_int_eq(fs_replace("link", "new", 3, &e), 0);
	ck_assert_int_eq(lstat("link", &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_int_eq(stat("secret", &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0600);
	check_content("secret", "new");
}
END_TEST

/* A link to what does not exist yet: the file is made where it points, and the link stays. */
START_TEST(a_link_to_nothing_makes_its_file)
{
	struct err e = {0};
	struct stat st;

	ck_assert_int_eq(mkdir("far", 0777), 0);
	ck_assert_int_eq(symlink("new", "far/second"), 0);
	ck_assert_int_eq(symlink("far/second", "first"), 0);
	ck_assert_int_eq(fs_replace("first", "here", 4, &e), 0);
	ck_assert_int_eq(lstat("first", &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	check_content("far/new", "here");
	ck_assert_int_eq(symlink("round", "round"), 0);
	check_error(fs_replace("round", "x", 1, &e), &e, "round: is a link to itself");
}
END_TEST

START_TEST(what_cannot_be_replaced)
{
	struct err e = {0};
	struct stat st;
	char name[PATH_MAX + 10];

	ck_assert_int_eq(mkdir("dir", 0777), 0);
	check_error(fs_replace("dir", "x", 1, &e), &e, "dir: is a directory, not a file");
	ck_assert_int_eq(mkfifo("fifo", 0666), 0);
	check_error(fs_replace("fifo", "x", 1, &e), &e, "fifo: is not a regular file");
	check_error(fs_replace("/dev/null", "x", 1, &e), &e, "/dev/null: is not a regular file");
	ck_assert_int_eq(stat("/dev/null", &st), 0);
	ck_assert(S_ISCHR(st.st_mode));
	check_error(fs_replace("none/a", "x", 1, &e), &e,
		    "none/a: cannot create a file beside it: No such file or directory");
	memset(name, 'n', sizeof name);
	name[sizeof name - 1] = '\0';
	ck_assert_int_eq(fs_replace(name, "x", 1, &e), -1);
	ck_assert_str_eq(e.text, "the name is too long");
}
END_TEST

/* A file size limit stands for the full disk: write(2) fails half-way in the same manner. */
START_TEST(a_failed_write_leaves_the_old_file)
{
	static char data[100000];
	struct rlimit limit = {.rlim_cur = 50000, .rlim_max = RLIM_INFINITY};
	struct err e = {0};

	write_file("a", "precious");
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	check_error(fs_replace("a", data, sizeof data, &e), &e,
		    "a: cannot write; what was there before is unchanged: File too large");
	check_content("a", "precious");
	ck_assert_int_eq(count_files(), 1);
	check_error(fs_replace("fresh", data, sizeof data, &e), &e,
		    "fresh: cannot write; what was there before is unchanged: File too large");
	ck_assert_int_eq(count_files(), 1);
}
END_TEST

START_TEST(finds_shipped_files)
{
	struct err e = {0};
	char path[PATH_MAX], tiny[8];

	ck_assert_int_eq(setenv("ATTNSCOPE_DATA", "/x/y", 1), 0);
	ck_assert_int_eq(fs_data_path("corpora/a.rules", path, sizeof path, &e), 0);
	ck_assert_str_eq(path, "/x/y/corpora/a.rules");
	check_error(fs_data_path("corpora/a.rules", tiny, sizeof tiny, &e), &e,
		    "the path of corpora/a.rules is too long");
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("fs", &tc);

	tcase_add_checked_fixture(tc, enter, leave);
	tcase_add_test(tc, reads_a_file_and_the_empty_one);
	tcase_add_test(tc, what_cannot_be_read);
	tcase_add_test(tc, replaces_a_file_and_makes_a_new_one);
	tcase_add_test(tc, keeps_permissions_and_links);
	tcase_add_test(tc, a_link_to_nothing_makes_its_file);
	tcase_add_test(tc, what_cannot_be_replaced);
	tcase_add_test(tc, a_failed_write_leaves_the_old_file);
	tcase_add_test(tc, finds_shipped_files);
	return suite_main(s);
}
