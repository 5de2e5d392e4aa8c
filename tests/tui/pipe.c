/*
 * pipe.c - `attnscope open` of what comes through a pipe that the test writes: what stalls is said, can be left,
 * and is shown when it has ended, or as it arrives.
 */
#include "screen.h"
#include "suite.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const env[] = {"TERM=xterm-256color", NULL};
static const char table[] = ",the,cat\nle,0.75,0.25\nchat,0.25,0.75\n";
static const char trace[] =
	"{\"format\":\"attnscope-trace\",\"version\":1,\"model\":\"m\",\"source\":[\"the\",\"%s\"],"
	"\"target\":[\"x\"],\"maps\":[{\"kind\":\"cross\",\"layer\":0,\"head\":0,\"rows\":1,\"cols\":2,"
	"\"type\":\"weights\",\"values\":[[0.5,0.5]]}]}\n";
static char folder[64], path[96];
static int fd;
static struct pty p;

static void make_pipe(void)
{
	strcpy(folder, "/tmp/attnscope-pipe-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/fifo", folder);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	fd = -1;
}

static void close_pipe(void)
{
	if (fd >= 0)
		close(fd);
	fd = -1;
}

static void remove_pipe(void)
{
	close_pipe();
	pty_close(&p);
	unlink(path);
	rmdir(folder);
}

/* what: a command of the shell with %s for the pipe, twice at most. Nobody else has its end to write into. */
static void run(const char *what)
{
	static char command[512];
	static const char *argv[] = {"/bin/sh", "-c", command, NULL};

	snprintf(command, sizeof command, what, path, path);
	pty_run(&p, 24, 80, env, argv);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
}

static void put(const char *text)
{
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

START_TEST(a_pipe_that_stalls_is_said)
{
	run("exec " ATTNSCOPE " open - < %s");
	pty_expect(&p, "reading the pipe: 0 bytes so far");
	put(",the,cat\n");
	pty_expect(&p, "reading the pipe: 9 bytes so far");
	pty_resize(&p, 12, 40);
	pty_expect(&p, "9 bytes so far");
	pty_resize(&p, 30, 100);
	put(table + 9);
	pty_expect(&p, "37 bytes so far");
	close_pipe();
	pty_expect(&p, "0.7500");
	pty_expect(&p, "standard input");
	pty_key(&p, "q", "[exit 0]");
	pty_assert_restored(&p);
}
END_TEST

START_TEST(a_pipe_that_stalls_can_be_left)
{
	run("exec " ATTNSCOPE " open - < %s");
	pty_expect(&p, "reading the pipe");
	pty_key(&p, "q", "[exit 0]");
	pty_assert_restored(&p);
}
END_TEST

START_TEST(it_ends_by_a_signal)
{
	run("exec " ATTNSCOPE " open - < %s");
	pty_expect(&p, "reading the pipe");
	kill(pty_program(&p), SIGTERM);
	pty_expect(&p, "[signal 15]");
	pty_assert_restored(&p);
}
END_TEST

START_TEST(it_can_be_stopped)
{
	run("exec " ATTNSCOPE " open - < %s");
	pty_expect(&p, "reading the pipe");
	pty_key(&p, "\032", "[stopped");
	pty_send(&p, "fg\r");
	put(table);
	pty_expect(&p, "37 bytes so far");
	close_pipe();
	pty_expect(&p, "0.7500");
	pty_key(&p, "q", "[exit 0]");
}
END_TEST

/* What is wrong is said where the shell goes on. */
START_TEST(nonsense_in_a_pipe)
{
	run("exec " ATTNSCOPE " open - < %s");
	pty_expect(&p, "reading the pipe");
	put("hello\n");
	close_pipe();
	pty_expect(&p, "attnscope: standard input: none of the known formats");
	pty_expect(&p, "[exit 1]");
	pty_assert_restored(&p);
}
END_TEST

/* <(command) of a shell; a pipe with a name on the disk is refused. */
START_TEST(a_pipe_by_its_descriptor)
{
	run("exec 5< %s; exec " ATTNSCOPE " open /dev/fd/5");
	pty_expect(&p, "reading the pipe");
	put(table);
	close_pipe();
	pty_expect(&p, "0.7500");
	pty_key(&p, "q", "[exit 0]");
	pty_close(&p);
	run("exec " ATTNSCOPE " open %s 9< %s");
	pty_expect(&p, "fifo: is not a regular file");
	pty_expect(&p, "[exit 1]");
}
END_TEST

static void put_trace(const char *word)
{
	char text[1024];

	snprintf(text, sizeof text, trace, word);
	put(text);
}

START_TEST(sentences_are_shown_as_they_arrive)
{
	run("exec " ATTNSCOPE " open --follow - < %s");
	pty_expect(&p, "no sentence yet: 0 bytes");
	put_trace("cat");
	pty_expect(&p, "cat");
	put_trace("dog");
	pty_expect(&p, "dog");
	pty_key(&p, "0", "2 sentences");
	close_pipe();
	pty_expect(&p, "the pipe has ended: 2 sentences");
	pty_key(&p, "q", "[exit 0]");
	pty_assert_restored(&p);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("tui pipe", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, make_pipe, remove_pipe);
	tcase_add_test(tc, a_pipe_that_stalls_is_said);
	tcase_add_test(tc, a_pipe_that_stalls_can_be_left);
	tcase_add_test(tc, it_ends_by_a_signal);
	tcase_add_test(tc, it_can_be_stopped);
	tcase_add_test(tc, nonsense_in_a_pipe);
	tcase_add_test(tc, a_pipe_by_its_descriptor);
	tcase_add_test(tc, sentences_are_shown_as_they_arrive);
	return suite_main(s);
}
