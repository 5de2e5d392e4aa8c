/*
 * open.c - `attnscope open` on a large file: 16 heads of 1024 × 1024 in 64 MiB, nearly all of it a hole.
 * Little of it is held in memory; that it shrinks is said and is no crash. Then on two small ones.
 */
#include "screen.h"
#include "suite.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEADER = 128, BYTES = 64 << 20 };

static const char *const env[] = {"TERM=xterm-256color", NULL};
static char path[64];
static struct pty p;

static void make_file(void)
{
	char header[HEADER + 1];
	int fd, n;

	strcpy(path, "/tmp/attnscope-open-XXXXXX");
	fd = mkstemp(path);
	n = snprintf(header, sizeof header,
		     "\x93NUMPY\x01%c%c%c{'descr':'<f4','fortran_order':False,'shape':(1,16,1024,1024)}", 0,
		     HEADER - 10, 0);
	memset(header + n, ' ', (size_t)(HEADER - n));
	ck_assert_int_eq(write(fd, header, HEADER), HEADER);
	ck_assert_int_eq(ftruncate(fd, HEADER + BYTES), 0);
	close(fd);
}

static void remove_file(void)
{
	pty_close(&p);
	unlink(path);
}

static void open_file(void)
{
	static const char *argv[] = {ATTNSCOPE, "open", path, NULL};

	pty_run(&p, 30, 100, env, argv);
	pty_expect(&p, "attnscope-open-");
}

/* Mebibytes that the program has held at most. */
static double peak(void)
{
	char name[64], line[256];
	double kib = -1;
	FILE *f;

	snprintf(name, sizeof name, "/proc/%d/status", (int)pty_program(&p));
	f = fopen(name, "r");
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof line, f))
		sscanf(line, "VmHWM: %lf", &kib);
	fclose(f);
	ck_assert(kib > 0);
	return kib / 1024;
}

START_TEST(little_of_a_large_file_is_held)
{
	open_file();
	pty_key(&p, "2", "head 0");
	pty_key(&p, "3", "one scale for all heads");
	pty_drained(&p);
#ifndef __SANITIZE_ADDRESS__
	ck_assert(peak() < 64);
#endif
	pty_key(&p, "q", "[exit 0]");
}
END_TEST

START_TEST(a_file_that_shrinks_is_told)
{
	open_file();
	pty_drained(&p);
	ck_assert_int_eq(truncate(path, 4096), 0);
	pty_key(&p, "2", "became shorter");
	pty_key(&p, "1", "became shorter");
	pty_key(&p, "q", "[exit 0]");
	ck_assert_int_eq(pty_wait(&p), 0);
	pty_assert_restored(&p);
}
END_TEST

static void write_text(char *file, const char *text)
{
	int fd;

	strcpy(file, "/tmp/attnscope-table-XXXXXX");
	fd = mkstemp(file);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

/* Two files of the same words: side by side, with what is between them. */
START_TEST(two_files_are_compared)
{
	static char a[64], b[64];
	static const char *argv[] = {ATTNSCOPE, "open", a, b, NULL};

	write_text(a, ",the,cat\nle,0.75,0.25\nchat,0.25,0.75\n");
	write_text(b, ",the,cat\nle,0.5,0.5\nchien,0.125,0.875\n");
	pty_run(&p, 30, 120, env, argv);
	pty_expect(&p, "A  cross layer 0 head 0  attnscope-ta");
	pty_expect(&p, "B  cross layer 0 head 0  attnscope-ta");
	pty_expect(&p, "≠chien");
	pty_expect(&p, "look at the same word in 2 of 2");
	pty_expect(&p, "α(1,1)  A 0.7500  B 0.5000  B − A = -0.2500");
	pty_key(&p, "j", "α(2,1)");
	pty_key(&p, "l", "α(2,2)  A 0.7500  B 0.8750  B − A = +0.1250");
	pty_key(&p, "q", "[exit 0]");
	unlink(a);
	unlink(b);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("tui open", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, make_file, remove_file);
	tcase_add_test(tc, little_of_a_large_file_is_held);
	tcase_add_test(tc, a_file_that_shrinks_is_told);
	tcase_add_test(tc, two_files_are_compared);
	return suite_main(s);
}
