#include "screen.h"

#include "base/utf8.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

enum { DEADLINE_MS = 20000, POLL_MS = 10 };

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- the shell in the terminal ---- */

static void say(const char *what, int number)
{
	char line[64];
	int n = snprintf(line, sizeof(line), "[%s %d]\r\n", what, number);

	if (write(STDOUT_FILENO, line, (size_t)n) < 0)
		_exit(99);
}

static pid_t start_job(const char *const *argv)
{
	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, 0);
		tcsetpgrp(STDIN_FILENO, getpid());
		say("run", getpid());
		signal(SIGTTOU, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		execv(argv[0], (char *const *)argv);
		_exit(98);
	}
	setpgid(pid, pid);
	return pid;
}

static int shell(void *arg)
{
	pid_t pid;
	int status;
	char line[64];

	signal(SIGTTOU, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	pid = start_job(arg);
	while (waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status)) {
		tcsetpgrp(STDIN_FILENO, getpgrp());
		say("stopped", WSTOPSIG(status));
		if (read(STDIN_FILENO, line, sizeof(line)) <= 0)
			return 97;
		tcsetpgrp(STDIN_FILENO, pid);
		kill(-pid, SIGCONT);
	}
	tcsetpgrp(STDIN_FILENO, getpgrp());
	if (WIFEXITED(status))
		say("exit", WEXITSTATUS(status));
	else
		say("signal", WTERMSIG(status));
	return 0;
}

/* ---- the terminal ---- */

static int on_property(VTermProp property, VTermValue *value, void *user)
{
	struct pty *p = user;

	if (property == VTERM_PROP_ALTSCREEN)
		p->alternate = value->boolean;
	else if (property == VTERM_PROP_CURSORVISIBLE)
		p->cursor = value->boolean;
	return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property};

static void open_screen(struct pty *p)
{
	p->vt = vterm_new(p->rows, p->cols);
	vterm_set_utf8(p->vt, 1);
	p->screen = vterm_obtain_screen(p->vt);
	vterm_screen_set_callbacks(p->screen, &callbacks, p);
	vterm_screen_enable_altscreen(p->screen, 1);
	vterm_screen_reset(p->screen, 1);
}

static void set_environment(const char *const *env)
{
	clearenv();
	setenv("LC_ALL", "C.UTF-8", 1);
	for (; *env; env++)
		putenv((char *)*env);
}

void pty_call(struct pty *p, int rows, int cols, const char *const *env, int (*run)(void *arg),
	      void *arg)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
	struct termios start;
	int fd, slave;
	pid_t child;

	ck_assert_int_eq(openpty(&fd, &slave, NULL, NULL, &size), 0);
	tcgetattr(slave, &start); /* before the child changes them */
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		close(fd);
		set_environment(env);
		if (login_tty(slave) != 0)
			_exit(96);
		_exit(run(arg));
	}
	*p = (struct pty){.child = child,
			  .fd = fd,
			  .slave = slave,
			  .rows = rows,
			  .cols = cols,
			  .start = start,
			  .cursor = true};
	fcntl(fd, F_SETFL, O_NONBLOCK);
	open_screen(p);
}

void pty_run(struct pty *p, int rows, int cols, const char *const *env, const char *const *argv)
{
	pty_call(p, rows, cols, env, shell, (void *)argv);
}

void pty_close(struct pty *p)
{
	int status;

	if (p->child > 0) {
		kill(p->child, SIGKILL);
		waitpid(p->child, &status, 0);
	}
	vterm_free(p->vt);
	buf_free(&p->log);
	close(p->fd);
	close(p->slave);
}

/* Takes what the program wrote, waiting a little if there is nothing. */
void pty_pump(struct pty *p)
{
	struct pollfd f = {p->fd, POLLIN, 0};
	char bytes[4096];
	ssize_t n;

	if (poll(&f, 1, POLL_MS) <= 0)
		return;
	while ((n = read(p->fd, bytes, sizeof(bytes))) > 0) {
		buf_add(&p->log, bytes, (size_t)n);
		vterm_input_write(p->vt, bytes, (size_t)n);
	}
}

char *pty_text(const struct pty *p)
{
	struct buf out = {0};

	for (int row = 0; row < p->rows; row++) {
		size_t end = out.len;

		for (int col = 0; col < p->cols; col++) {
			VTermScreenCell c = pty_cell(p, row, col);

			for (int k = 0; k < VTERM_MAX_CHARS_PER_CELL && c.chars[k]; k++) {
				char bytes[4];

				if (c.chars[k] <= 0x10ffff)
					buf_add(&out, bytes, utf8_encode(c.chars[k], bytes));
			}
			if (!c.chars[0])
				buf_putc(&out, ' ');
			else if (c.chars[0] != ' ' && c.chars[0] <= 0x10ffff)
				end = out.len;
		}
		if (out.data) {
			out.len = end;
			out.data[end] = '\0';
		}
		buf_putc(&out, '\n');
	}
	return out.data;
}

VTermScreenCell pty_cell(const struct pty *p, int row, int col)
{
	VTermScreenCell c = {0};

	vterm_screen_get_cell(p->screen, (VTermPos){row, col}, &c);
	return c;
}

/* The screen goes to stderr: it may be longer than a message of Check. */
static void give_up(const struct pty *p, const char *what, const char *text)
{
	char *screen = pty_text(p);

	fputs(screen, stderr);
	free(screen);
	ck_abort_msg("\"%s\" %s", text, what);
}

static bool shows(const struct pty *p, const char *text)
{
	char *screen = pty_text(p);
	bool found = strstr(screen, text) != NULL;

	free(screen);
	return found;
}

static void expect(struct pty *p, const char *text, bool there)
{
	long end = now_ms() + DEADLINE_MS;

	while (shows(p, text) != there) {
		if (now_ms() > end)
			give_up(p, there ? "is not on the screen" : "is still on the screen", text);
		pty_pump(p);
	}
}

void pty_expect(struct pty *p, const char *text)
{
	expect(p, text, true);
}

void pty_expect_gone(struct pty *p, const char *text)
{
	expect(p, text, false);
}

void pty_send(struct pty *p, const char *bytes)
{
	size_t left = strlen(bytes);
	long end = now_ms() + DEADLINE_MS;

	while (left) {
		ssize_t n = write(p->fd, bytes, left);

		ck_assert_msg(n > 0 || errno == EAGAIN, "write: %s", strerror(errno));
		ck_assert_msg(now_ms() < end, "the program reads nothing");
		if (n > 0)
			bytes += n, left -= (size_t)n;
		else
			pty_pump(p);
	}
}

void pty_key(struct pty *p, const char *bytes, const char *text)
{
	pty_send(p, bytes);
	pty_expect(p, text);
}

void pty_resize(struct pty *p, int rows, int cols)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

	p->rows = rows;
	p->cols = cols;
	vterm_set_size(p->vt, rows, cols);
	ck_assert_int_eq(ioctl(p->fd, TIOCSWINSZ, &size), 0);
}

void pty_drained(struct pty *p)
{
	long end = now_ms() + DEADLINE_MS;
	int waiting = 1;

	while (ioctl(p->slave, FIONREAD, &waiting) == 0 && waiting) {
		ck_assert_msg(now_ms() < end, "the program does not read its input");
		pty_pump(p);
	}
}

pid_t pty_program(struct pty *p)
{
	const char *at;

	pty_expect(p, "");
	while (!(at = strstr(buf_str(&p->log), "[run ")))
		pty_pump(p);
	return (pid_t)atoi(at + strlen("[run "));
}

void pty_hang_up(struct pty *p)
{
	close(p->fd);
	close(p->slave);
	p->fd = p->slave = -1;
}

void pty_wait_gone(struct pty *p, pid_t pid)
{
	long end = now_ms() + DEADLINE_MS;
	int status;

	while (waitpid(pid, &status, WNOHANG) != pid && kill(pid, 0) == 0) {
		ck_assert_msg(now_ms() < end, "process %d goes on", (int)pid);
		pty_pump(p);
	}
}

int pty_wait(struct pty *p)
{
	long end = now_ms() + DEADLINE_MS;
	int status = 0;

	while (waitpid(p->child, &status, WNOHANG) == 0) {
		if (now_ms() > end)
			give_up(p, "the program does not end", "");
		pty_pump(p);
	}
	p->child = -1;
	pty_pump(p);
	return status;
}

/* One CSI ? … h or l at `at`: whether it names the mode, and what for. */
static bool names_mode(const char *at, long mode, bool *on)
{
	char *end;

	for (at += strlen("\033[?"); *at >= '0' && *at <= '9'; at = end + 1) {
		bool found = strtol(at, &end, 10) == mode;
		const char *last = end + strspn(end, "0123456789;");

		if (found && (*last == 'h' || *last == 'l')) {
			*on = *last == 'h';
			return true;
		}
		if (*end != ';')
			break;
	}
	return false;
}

bool pty_mode(const struct pty *p, long mode)
{
	bool is_on = false, on;

	for (const char *at = buf_str(&p->log); (at = strstr(at, "\033[?")); at++)
		if (names_mode(at, mode, &on))
			is_on = on;
	return is_on;
}

void pty_assert_restored(struct pty *p)
{
	struct termios now;

	tcgetattr(p->slave, &now);
	ck_assert_uint_eq(now.c_lflag, p->start.c_lflag);
	ck_assert_uint_eq(now.c_iflag, p->start.c_iflag);
	ck_assert_uint_eq(now.c_oflag, p->start.c_oflag);
	ck_assert_msg(!p->alternate, "the alternate screen is still on");
	ck_assert_msg(p->cursor, "the cursor is still hidden");
	ck_assert_msg(!pty_mode(p, 1000), "the mouse is still reported");
	ck_assert_msg(!pty_mode(p, 1006), "the mouse is still reported at length");
	ck_assert_msg(!pty_mode(p, 2004), "pastes are still bracketed");
	ck_assert_msg(!pty_mode(p, 1), "the cursor keys are still those of an application");
}
