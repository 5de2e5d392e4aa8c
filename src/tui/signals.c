/*
 * signals.c - handlers only set flags and write one byte into a pipe: other threads may take a
 * signal, and the loop still wakes up.
 *
 * A crash sends one prepared string and restores the line settings; both calls are allowed in a
 * handler.
 */
#include "tui/signals.h"

#include "base/mapping.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static volatile sig_atomic_t resize, stop, resumed, end;
static int wake[2] = {-1, -1};

static char restore_bytes[1024];
static volatile sig_atomic_t restore_len; /* 0: nothing to put back */
static struct termios settings;
static char alternate_stack[1 << 16];

static void give_back(void)
{
	size_t n = (size_t)restore_len;
	ssize_t sent;

	if (!n)
		return;
	restore_len = 0;
	sent = write(STDOUT_FILENO, restore_bytes, n);
	(void)sent;
	tcsetattr(STDIN_FILENO, TCSANOW, &settings);
}

static void on_crash(int number)
{
	static const char text[] =
		"attnscope: internal error, the program ends; the terminal was put back\n";
	bool speaks = restore_len && number != SIGABRT && number != SIGQUIT;
	ssize_t sent;

	give_back();
	if (speaks) {
		sent = write(STDERR_FILENO, text, sizeof(text) - 1);
		(void)sent;
	}
	signal(number, SIG_DFL);
	raise(number);
}

/* A file that shrinks while it is looked at is no crash. */
static void on_bus(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code <= 0 || !mapping_fault(info->si_addr))
		on_crash(number);
}

static void on_event(int number)
{
	int saved = errno;
	ssize_t sent;

	if (number == SIGWINCH)
		resize = 1;
	else if (number == SIGTSTP)
		stop = 1;
	else if (number == SIGCONT)
		resumed = 1;
	else
		end = number;
	sent = write(wake[1], "", 1);
	(void)sent;
	errno = saved;
}

static const struct {
	int number;
	void (*handler)(int);
} handled[] = {
	{SIGWINCH, on_event}, {SIGTSTP, on_event}, {SIGCONT, on_event}, {SIGINT, on_event},
	{SIGTERM, on_event},  {SIGHUP, on_event},  {SIGUSR1, on_event}, {SIGUSR2, on_event},
	{SIGALRM, on_event},  {SIGSEGV, on_crash}, {SIGBUS, on_crash},	{SIGILL, on_crash},
	{SIGFPE, on_crash},   {SIGABRT, on_crash}, {SIGQUIT, on_crash},
};

static struct sigaction before[ARRAY_LEN(handled)];

/* No SA_RESTART: a read that waits for a key returns. A crash may be a stack overflow. */
static void install(size_t k)
{
	struct sigaction a = {.sa_handler = handled[k].handler};

	sigemptyset(&a.sa_mask);
	if (handled[k].handler == on_crash)
		a.sa_flags = SA_ONSTACK;
	if (handled[k].number == SIGBUS) {
		a.sa_sigaction = on_bus;
		a.sa_flags |= SA_SIGINFO;
	}
	sigaction(handled[k].number, &a, &before[k]);
	/* what the caller's shell ignores (nohup) stays ignored */
	if (before[k].sa_handler == SIG_IGN && handled[k].handler == on_event)
		sigaction(handled[k].number, &before[k], NULL);
}

int signals_open(void)
{
	stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof(alternate_stack)};

	if (pipe2(wake, O_NONBLOCK | O_CLOEXEC) != 0)
		return -1;
	tcgetattr(STDIN_FILENO, &settings);
	resize = stop = resumed = end = 0;
	sigaltstack(&stack, NULL);
	for (size_t k = 0; k < ARRAY_LEN(handled); k++)
		install(k);
	return wake[0];
}

void signals_close(void)
{
	for (size_t k = 0; k < ARRAY_LEN(handled); k++)
		sigaction(handled[k].number, &before[k], NULL);
	close(wake[0]);
	close(wake[1]);
	wake[0] = wake[1] = -1;
}

/* Takes a flag. A signal between reading and clearing is one that is dealt with anyway. */
static int taken(volatile sig_atomic_t *flag)
{
	int value = *flag;

	if (value)
		*flag = 0;
	return value;
}

struct signals_seen signals_look(void)
{
	char bytes[64];

	while (read(wake[0], bytes, sizeof(bytes)) > 0)
		continue;
	return (struct signals_seen){
		.resize = taken(&resize),
		.stop = taken(&stop),
		.resumed = taken(&resumed),
		.end = taken(&end),
	};
}

void signals_stop(void)
{
	struct sigaction ours, usual = {.sa_handler = SIG_DFL};

	sigaction(SIGTSTP, &usual, &ours);
	raise(SIGTSTP);
	sigaction(SIGTSTP, &ours, NULL);
	resumed = 0;
}

void signals_arm(const char *bytes, size_t n)
{
	static bool registered;

	if (n > sizeof(restore_bytes))
		n = sizeof(restore_bytes);
	memcpy(restore_bytes, bytes, n);
	mem_die_hook = give_back;
	if (!registered)
		registered = atexit(give_back) == 0;
	restore_len = (sig_atomic_t)n;
}

void signals_disarm(void)
{
	restore_len = 0;
	mem_die_hook = NULL;
}
