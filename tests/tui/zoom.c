/*
 * zoom.c - `attnscope open` on a matrix of 32768 × 32768 in 4 GiB, nearly all of it a hole: it opens whole,
 * + and - go in and out, and few of its numbers are held.
 */
#include "screen.h"
#include "suite.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEADER = 128, SIDE = 32768 };

static const char *const env[] = {"TERM=xterm-256color", NULL};
static char path[64];
static bool made;
static struct pty p;

static void put_number(int fd, size_t row, size_t col, float v)
{
	off_t at = HEADER + (off_t)(row * SIDE + col) * (off_t)sizeof v;

	ck_assert_int_eq(pwrite(fd, &v, sizeof v, at), sizeof v);
}

/* One number in a block of its own, one far from it. */
static void make_file(void)
{
	char header[HEADER + 1];
	int fd, n;

	strcpy(path, "/tmp/attnscope-zoom-XXXXXX");
	fd = mkstemp(path);
	n = snprintf(header, sizeof header,
		     "\x93NUMPY\x01%c%c%c{'descr':'<f4','fortran_order':False,'shape':(%d,%d)}", 0,
		     HEADER - 10, 0, SIDE, SIDE);
	memset(header + n, ' ', (size_t)(HEADER - n));
	ck_assert_int_eq(write(fd, header, HEADER), HEADER);
	made = ftruncate(fd, HEADER + (off_t)SIDE * SIDE * (off_t)sizeof(float)) == 0;
	if (made) {
		put_number(fd, 700, 1500, 0.75f);
		put_number(fd, 32767, 32767, 0.5f);
	}
	close(fd);
}

static void remove_file(void)
{
	pty_close(&p);
	unlink(path);
}

START_TEST(a_huge_matrix_zooms)
{
	static const char *argv[] = {ATTNSCOPE, "open", path, NULL};

	if (!made) /* the file system has no files of that size */
		return;
	pty_run(&p, 60, 200, env, argv);
	pty_expect(&p, "attnscope-zoom-");
	pty_key(&p, "2", "a dot is the largest of 512 × 512");
	pty_key(&p, "\033[F", "max 0.5000 at (32768,32768)");
	pty_key(&p, "-", "all of the map is in view");
	pty_key(&p, "+", "a dot is the largest of 256 × 256");
	pty_expect(&p, "all 32768 × 32768, + is here");
	pty_key(&p, "++++", "a dot is the largest of 16 × 16");
	pty_key(&p, "-----", "a dot is the largest of 512 × 512");
	pty_key(&p, "\033[H", "α(1,1) = 0.0000");
	pty_key(&p, "lljj", "α(1025,1025) = 0.0000");
	pty_key(&p, "k", "block rows 513–1024 × columns 1025–1536, max 0.7500 at (701,1501)");
	pty_key(&p, "+++++++++", "a dot is a number");
	pty_key(&p, "+", "α(513,1025) = 0.0000");
	pty_key(&p, "+", "every number is shown");
	pty_key(&p, "q", "[exit 0]");
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("tui zoom", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, make_file, remove_file);
	tcase_add_test(tc, a_huge_matrix_zooms);
	return suite_main(s);
}
