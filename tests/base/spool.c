#include "base/spool.h"
#include "base/fs.h"
#include "suite.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONG = 300000 };

/* Writes LONG bytes in odd pieces: more than a pipe holds. */
static void *write_long(void *fd)
{
	char block[777];

	for (size_t at = 0; at < LONG; at += sizeof block) {
		size_t n = LONG - at < sizeof block ? LONG - at : sizeof block;

		for (size_t i = 0; i < n; i++)
			block[i] = (char)((at + i) * 31);
		if (write(*(int *)fd, block, n) != (ssize_t)n)
			break;
	}
	close(*(int *)fd);
	return NULL;
}

START_TEST(a_pipe_becomes_a_file)
{
	struct spool s;
	pthread_t writer;
	int end[2];
	char *data;
	size_t len;

	ck_assert_int_eq(pipe(end), 0);
	ck_assert_int_eq(pthread_create(&writer, NULL, write_long, &end[1]), 0);
	ck_assert_int_eq(spool_read(&s, end[0], "pipe", NULL), 0);
	pthread_join(writer, NULL);
	ck_assert_int_eq(fs_read(s.path, LONG + 1, &data, &len, NULL), 0);
	ck_assert_uint_eq(len, LONG);
	for (size_t i = 0; i < LONG; i++)
		ck_assert_int_eq(data[i], (char)(i * 31));
	free(data);
	spool_close(&s);
	close(end[0]);
}
END_TEST

START_TEST(an_empty_pipe_is_an_empty_file)
{
	struct spool s;
	int end[2];
	char *data;
	size_t len;

	ck_assert_int_eq(pipe(end), 0);
	close(end[1]);
	ck_assert_int_eq(spool_read(&s, end[0], "pipe", NULL), 0);
	ck_assert_int_eq(fs_read(s.path, 1, &data, &len, NULL), 0);
	ck_assert_uint_eq(len, 0);
	free(data);
	spool_close(&s);
	spool_close(&s);
}
END_TEST

/* A redirection: nothing is copied, and the file is still there afterwards. */
START_TEST(a_file_is_taken_as_it_is)
{
	static const char path[] = "spool-scratch";
	struct spool s;
	char want[32];
	int fd;

	ck_assert_int_eq(fs_replace(path, "abc", 3, NULL), 0);
	fd = open(path, O_RDONLY);
	ck_assert_int_eq(spool_read(&s, fd, "file", NULL), 0);
	snprintf(want, sizeof want, "/proc/self/fd/%d", fd);
	ck_assert_str_eq(s.path, want);
	spool_close(&s);
	ck_assert_int_eq(close(fd), 0);
	unlink(path);
}
END_TEST

/* What a shell puts in for <(command). */
START_TEST(names_of_descriptors)
{
	char path[64];
	int end[2], file;

	ck_assert_int_eq(pipe(end), 0);
	snprintf(path, sizeof path, "/dev/fd/%d", end[0]);
	ck_assert_int_eq(spool_descriptor(path), end[0]);
	snprintf(path, sizeof path, "/proc/self/fd/%d", end[0]);
	ck_assert_int_eq(spool_descriptor(path), end[0]);
	strcat(path, "x");
	ck_assert_int_eq(spool_descriptor(path), -1);
	ck_assert_int_eq(spool_descriptor("-"), STDIN_FILENO);
	ck_assert_int_eq(spool_descriptor("/dev/fd/"), -1);
	ck_assert_int_eq(spool_descriptor("/dev/fd/-1"), -1);
	ck_assert_int_eq(spool_descriptor("/dev/fd/99999999999999999999"), -1);
	ck_assert_int_eq(spool_descriptor("/etc/passwd"), -1);
	/* a file can be mapped by that name */
	file = open("/etc/passwd", O_RDONLY);
	snprintf(path, sizeof path, "/dev/fd/%d", file);
	ck_assert_int_eq(spool_descriptor(path), -1);
	close(file);
	close(end[0]);
	close(end[1]);
	/* closed meanwhile */
	snprintf(path, sizeof path, "/dev/fd/%d", end[0]);
	ck_assert_int_eq(spool_descriptor(path), -1);
}
END_TEST

START_TEST(what_cannot_be_read)
{
	struct spool s;
	struct err err = {0};
	char text[256];
	int end[2];

	ck_assert_int_eq(spool_read(&s, -1, "x", &err), -1);
	ck_assert_str_eq(err_format(&err, text, sizeof text), "x: cannot read: Bad file descriptor");
	ck_assert_int_eq(pipe(end), 0);
	setenv("TMPDIR", "/nowhere", 1);
	ck_assert_int_eq(spool_read(&s, end[0], "x", &err), -1);
	ck_assert_str_eq(err_format(&err, text, sizeof text),
			 "x: cannot make a temporary file in /nowhere: No such file or directory");
	ck_assert_int_eq(s.fd, 0);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("spool", &tc);

	tcase_add_test(tc, a_pipe_becomes_a_file);
	tcase_add_test(tc, an_empty_pipe_is_an_empty_file);
	tcase_add_test(tc, a_file_is_taken_as_it_is);
	tcase_add_test(tc, names_of_descriptors);
	tcase_add_test(tc, what_cannot_be_read);
	return suite_main(s);
}
