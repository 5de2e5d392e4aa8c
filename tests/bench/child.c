#include "child.h"
#include "bench.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

bool child_program(char *path, size_t size)
{
	char self[4096], *slash;
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	if (n < 0)
		return false;
	self[n] = '\0';
	slash = strrchr(self, '/');
	if (!slash)
		return false;
	*slash = '\0';
	if ((size_t)snprintf(path, size, "%s/../attnscope", self) >= size)
		return false;
	return access(path, X_OK) == 0;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* The child's end: its output goes to fd. */
static void become(char *const *argv, int fd)
{
	dup2(fd, STDOUT_FILENO);
	execv(argv[0], argv);
	_exit(127);
}

bool child_run(char *const *argv, struct child_times *out)
{
	struct rusage usage;
	int ends[2], status;
	char bytes[65536];
	double start;
	ssize_t n;
	pid_t pid;

	*out = (struct child_times){0};
	if (pipe(ends) < 0)
		return false;
	start = bench_now();
	pid = fork();
	if (pid == 0)
		become(argv, ends[1]);
	close(ends[1]);
	while (pid > 0 && (n = read(ends[0], bytes, sizeof bytes)) > 0) {
		out->output = bench_now() - start;
		out->bytes += (size_t)n;
	}
	close(ends[0]);
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
		return false;
	out->exit = bench_now() - start;
	out->cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
	out->rss_mb = (double)usage.ru_maxrss / 1024;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool child_tty_open(struct child_tty *c, int rows, int cols, char *const *argv)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

	c->pid = forkpty(&c->fd, NULL, NULL, &size);
	if (c->pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		setenv("COLORTERM", "truecolor", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		unsetenv("NO_COLOR");
		execv(argv[0], argv);
		_exit(127);
	}
	return c->pid > 0;
}

double child_tty_read(struct child_tty *c, double start, int quiet_ms, size_t *bytes)
{
	struct pollfd p = {.fd = c->fd, .events = POLLIN};
	double last = -1;
	char buffer[65536];
	ssize_t n;

	if (bytes)
		*bytes = 0;
	while (poll(&p, 1, last < 0 ? 2000 : quiet_ms) > 0) {
		n = read(c->fd, buffer, sizeof buffer);
		if (n <= 0)
			break;
		last = bench_now() - start;
		if (bytes)
			*bytes += (size_t)n;
	}
	return last;
}

bool child_tty_send(struct child_tty *c, const char *keys)
{
	size_t n = strlen(keys);

	return write(c->fd, keys, n) == (ssize_t)n;
}

bool child_tty_alive(struct child_tty *c)
{
	if (c->pid > 0 && waitpid(c->pid, NULL, WNOHANG) != 0)
		c->pid = 0;
	return c->pid > 0;
}

void child_tty_close(struct child_tty *c)
{
	close(c->fd);
	if (!child_tty_alive(c))
		return;
	kill(c->pid, SIGHUP);
	waitpid(c->pid, NULL, 0);
}
