/* mapping.c - files that are looked at where they lie, and what becomes of those that shrink. */
#include "base/mapping.h"
#include "suite.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

static char path[64];

static void make_file(size_t size)
{
	char page[PAGE];
	int fd;

	strcpy(path, "/tmp/attnscope-map-XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	memset(page, 'x', sizeof page);
	for (size_t at = 0; at < size; at += PAGE)
		ck_assert_int_gt(write(fd, page, size - at < PAGE ? size - at : PAGE), 0);
	close(fd);
}

static void remove_file(void)
{
	unlink(path);
}

START_TEST(a_file_is_its_bytes)
{
	struct mapping m;

	make_file(3 * PAGE + 5);
	ck_assert_int_eq(mapping_open(&m, path, NULL), 0);
	ck_assert_uint_eq(m.len, 3 * PAGE + 5);
	for (size_t i = 0; i < m.len; i++)
		ck_assert_int_eq(m.bytes[i], 'x');
	mapping_release(m.bytes, m.len);
	ck_assert_int_eq(m.bytes[m.len - 1], 'x');
	ck_assert_int_eq(mapping_check(&m, path, NULL), 0);
	mapping_close(&m);
	mapping_close(&m);
}
END_TEST

START_TEST(an_empty_file_is_no_error)
{
	struct mapping m;

	make_file(0);
	ck_assert_int_eq(mapping_open(&m, path, NULL), 0);
	ck_assert_uint_eq(m.len, 0);
	ck_assert_int_eq(mapping_check(&m, path, NULL), 0);
	mapping_close(&m);
}
END_TEST

START_TEST(what_is_no_file_is_refused)
{
	struct mapping m;
	struct err err = {0};
	char text[512];

	make_file(0);
	ck_assert_int_eq(mapping_open(&m, "/", &err), -1);
	ck_assert_str_eq(err_format(&err, text, sizeof text), "/: is a directory, not a file");
	ck_assert_int_eq(mapping_open(&m, "/dev/null", &err), -1);
	ck_assert_str_eq(err_format(&err, text, sizeof text), "/dev/null: is not a regular file");
	unlink(path);
	ck_assert_int_eq(mapping_open(&m, path, &err), -1);
	ck_assert_str_eq(err.text, "cannot open: No such file or directory");
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(mapping_open(&m, path, &err), -1);
	ck_assert_str_eq(err.text, "is not a regular file");
	mapping_close(&m);
}
END_TEST

START_TEST(what_a_file_lost_reads_as_zero)
{
	struct mapping m;
	struct err err = {0};

	make_file(8 * PAGE);
	ck_assert_int_eq(mapping_open(&m, path, NULL), 0);
	ck_assert_int_eq(truncate(path, 2 * PAGE), 0);
	ck_assert_int_eq(mapping_check(&m, path, &err), -1);
	ck_assert_int_eq(err.code, ERR_IO);
	ck_assert_str_eq(err.text, "the file became shorter while it was open: 32768 bytes then, 8192 "
				   "now; open it again");
	ck_assert_int_eq(m.bytes[2 * PAGE - 1], 'x');
	for (size_t i = 2 * PAGE; i < m.len; i++)
		ck_assert_int_eq(m.bytes[i], 0);
	/* that it has grown again does not bring back what was read in between */
	ck_assert_int_eq(truncate(path, 8 * PAGE), 0);
	ck_assert_int_eq(mapping_check(&m, path, &err), -1);
	ck_assert_str_eq(err.text, "a part of the file could not be read; open it again");
	mapping_close(&m);
	/* the next one in its place is whole */
	ck_assert_int_eq(mapping_open(&m, path, NULL), 0);
	ck_assert_int_eq(mapping_check(&m, path, NULL), 0);
	mapping_close(&m);
}
END_TEST

/* In a child: a fault that has nothing to do with a mapping ends it as before. */
static int fault_elsewhere(void)
{
	struct mapping m;
	int fd = open(path, O_RDONLY), status;
	pid_t pid = fork();

	if (pid == 0) {
		volatile const char *p = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);

		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		signal(SIGBUS, SIG_DFL);
		if (mapping_open(&m, path, NULL) < 0 || truncate(path, 0) < 0)
			_exit(1);
		_exit(p[0] ? 2 : 3);
	}
	waitpid(pid, &status, 0);
	close(fd);
	return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

START_TEST(other_faults_are_not_hidden)
{
	make_file(PAGE);
	ck_assert_int_eq(fault_elsewhere(), SIGBUS);
}
END_TEST

static long resident(void)
{
	long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(fscanf(f, "%*d %ld", &pages), 1);
	fclose(f);
	return pages * sysconf(_SC_PAGESIZE);
}

START_TEST(a_pass_over_a_file_holds_little)
{
	struct mapping m;
	size_t sum = 0;
	long before, most = 0;

	make_file(64 << 20);
	ck_assert_int_eq(mapping_open(&m, path, NULL), 0);
	before = resident();
	for (size_t at = 0; at < m.len; at += 1 << 16) {
		mapping_touch(m.bytes + at, 1 << 16, 1 << 16);
		for (size_t i = at; i < at + (1 << 16); i += PAGE)
			sum += (size_t)m.bytes[i];
		if (at % (1 << 20) == 0 && resident() - before > most)
			most = resident() - before;
	}
	ck_assert_uint_eq(sum, (size_t)'x' * (64 << 20) / PAGE);
	ck_assert_int_lt(most, 24 << 20);
	mapping_close(&m);
}
END_TEST

START_TEST(files_are_counted)
{
	struct mapping m[MAPPING_MAX + 1];
	struct err err = {0};

	make_file(1);
	for (int round = 0; round < 2; round++) {
		for (int k = 0; k < MAPPING_MAX; k++)
			ck_assert_int_eq(mapping_open(&m[k], path, NULL), 0);
		ck_assert_int_eq(mapping_open(&m[MAPPING_MAX], path, &err), -1);
		ck_assert_str_eq(err.text, "more than 64 files are open");
		for (int k = 0; k < MAPPING_MAX; k++)
			mapping_close(&m[k]);
	}
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("mapping", &tc);

	tcase_add_checked_fixture(tc, NULL, remove_file);
	tcase_add_test(tc, a_file_is_its_bytes);
	tcase_add_test(tc, an_empty_file_is_no_error);
	tcase_add_test(tc, what_is_no_file_is_refused);
	tcase_add_test(tc, what_a_file_lost_reads_as_zero);
	tcase_add_test(tc, other_faults_are_not_hidden);
	tcase_add_test(tc, a_pass_over_a_file_holds_little);
	tcase_add_test(tc, files_are_counted);
	return suite_main(s);
}
