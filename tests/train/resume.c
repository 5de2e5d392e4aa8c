/*
 * resume.c - a training that was killed, stopped or ran into a full disk goes on to the same bytes
 * as one that nobody disturbed.
 */
#include "suite.h"

#include "tiny.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static const char settings[] = "epochs = 4\n[train]\ncopy = 0.2\nguided = 0.1\n";
static const char transformer[] = "epochs = 4\n[model]\narch = transformer\nheads = 2\nlayers = 1\n"
				  "ff = 16\n[train]\ncopy = 0.2\nguided = 0.1\nsharp = 0.05\n";

struct child {
	int fd;
	long last; /* waits to be killed here */
};

static void say_step(void *user, const struct train_progress *p)
{
	const struct child *c = user;
	long step = p->step;

	if (p->event != TRAIN_SAVED)
		return;
	if (write(c->fd, &step, sizeof step) < 0)
		_exit(1);
	if (step >= c->last)
		pause();
}

/* Trains in a child, saving after every step, and kills it once `step` was saved. */
static void train_and_kill(const struct recipe *r, const char *out, int threads, long step)
{
	int fds[2], status;
	long seen = -1;
	pid_t child;

	ck_assert_int_eq(pipe(fds), 0);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		struct child c = {fds[1], step};
		struct train_hooks h = {.user = &c, .progress = say_step};
		struct train_options o = {.out = out, .threads = threads, .resume = true};
		struct train_result res;

		close(fds[0]);
		_exit(train_run(r, &o, &h, &res, NULL) == 0 ? 0 : 1);
	}
	close(fds[1]);
	while (seen < step && read(fds[0], &seen, sizeof seen) == (ssize_t)sizeof seen)
		;
	kill(child, SIGKILL);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	close(fds[0]);
	ck_assert_int_ge(seen, step);
	ck_assert(WIFSIGNALED(status));
}

static const struct kill_case {
	int threads;
	long steps[3]; /* killed at each, 44 steps an epoch */
	const char *settings;
} kill_cases[] = {
	{1, {1}, settings},
	{1, {43, 45, 100}, settings}, /* around a validation, then two epochs later */
	{1, {150, 170, 175}, settings},
	{2, {20, 60, 90}, settings},
	{1, {60, 88, 120}, transformer}, /* while sharp grows, when it is there, later */
};

START_TEST(killed_and_resumed_is_undisturbed)
{
	const struct kill_case *c = &kill_cases[_i];
	struct recipe r = tiny_recipe(c->settings);
	struct train_result res;

	tiny_train(&r, tiny_path("calm"), c->threads, false, NULL);
	for (int i = 0; i < 3 && c->steps[i]; i++) {
		train_and_kill(&r, tiny_path("killed"), c->threads, c->steps[i]);
		ck_assert_int_eq(access(tiny_path("killed"), F_OK), -1);
	}
	tiny_train(&r, tiny_path("killed"), c->threads, true, &res);
	ck_assert(res.resumed);
	ck_assert_int_eq(res.epochs, 4);
	train_result_fini(&res);
	tiny_same(tiny_path("calm"), tiny_path("killed"), true);
	recipe_free(&r);
}
END_TEST

static bool stop_soon(void *user)
{
	return --*(int *)user <= 0;
}

/* Trains until should_stop was asked `steps` times. */
static int train_some(const struct recipe *r, const char *out, bool resume, int steps,
		      struct err *err)
{
	struct train_hooks h = {.user = &steps, .should_stop = stop_soon};
	struct train_options o = {.out = out, .resume = resume, .checkpoint_seconds = 1000};
	struct train_result res;
	int ret = train_run(r, &o, &h, &res, err);

	train_result_fini(&res);
	return ret;
}

START_TEST(stopped_and_resumed_is_undisturbed)
{
	static const int stops[] = {1, 30, 44, 45, 60};
	struct recipe r = tiny_recipe(settings);
	struct err err;

	tiny_train(&r, tiny_path("calm"), 1, false, NULL);
	for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
		ck_assert_int_eq(train_some(&r, tiny_path("stopped"), i > 0, stops[i], &err), -1);
		ck_assert_int_eq(err.code, ERR_CANCELLED);
	}
	tiny_train(&r, tiny_path("stopped"), 1, true, NULL);
	tiny_same(tiny_path("calm"), tiny_path("stopped"), true);
	recipe_free(&r);
}
END_TEST

START_TEST(a_full_disk_loses_nothing)
{
	struct recipe r = tiny_recipe(settings);
	struct rlimit old, small;
	char *before, *after;
	size_t n, m;
	struct err err;
	int ret;

	tiny_train(&r, tiny_path("calm"), 1, false, NULL);
	ck_assert_int_eq(train_some(&r, tiny_path("full"), false, 30, &err), -1);
	ck_assert_int_eq(fs_read(tiny_path("full.state"), 1 << 24, &before, &n, NULL), 0);

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 10000;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	ret = train_some(&r, tiny_path("full"), true, 30, &err);
	setrlimit(RLIMIT_FSIZE, &old);

	ck_assert_int_eq(ret, -1);
	ck_assert_int_eq(err.code, ERR_IO);
	ck_assert_str_eq(err.file, tiny_path("full.state"));
	ck_assert(strstr(err.text, strerror(EFBIG)));
	ck_assert_int_eq(tiny_files(NULL), 2); /* nothing half-written lies about */
	ck_assert_int_eq(fs_read(tiny_path("full.state"), 1 << 24, &after, &m, NULL), 0);
	ck_assert_uint_eq(n, m);
	ck_assert_mem_eq(before, after, n);
	free(before);
	free(after);
	tiny_train(&r, tiny_path("full"), 1, true, NULL);
	tiny_same(tiny_path("calm"), tiny_path("full"), true);
	recipe_free(&r);
}
END_TEST

/* Changes one byte of a file, or cuts it. */
static void damage(const char *path, long at, bool cut)
{
	FILE *f = fopen(path, "r+b");
	int c;

	ck_assert_ptr_nonnull(f);
	if (cut)
		ck_assert_int_eq(ftruncate(fileno(f), at), 0);
	else {
		fseek(f, at, SEEK_SET);
		c = getc(f);
		fseek(f, at, SEEK_SET);
		putc(c ^ 1, f);
	}
	fclose(f);
}

static const struct damage_case {
	long at;
	bool cut;
	const char *says;
} damage_cases[] = {
	{0, false, "not the state"},   {0, true, "not the state"}, {20, true, "not the state"},
	{8, false, "another version"}, {24, false, "weights"},	   {32, false, "damaged"},
	{39, false, "damaged"},	       {60, false, "damaged"},	   {5000, false, "damaged"},
	{5000, true, "damaged"},
};

START_TEST(a_damaged_state_is_refused)
{
	const struct damage_case *c = &damage_cases[_i];
	struct recipe r = tiny_recipe(settings);
	struct err err;

	ck_assert_int_eq(train_some(&r, tiny_path("a"), false, 3, &err), -1);
	damage(tiny_path("a.state"), c->at, c->cut);
	ck_assert_int_eq(train_some(&r, tiny_path("a"), true, 3, &err), -1);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert_str_eq(err.file, tiny_path("a.state"));
	ck_assert_msg(strstr(err.text, c->says), "%s", err.text);
	recipe_free(&r);
}
END_TEST

START_TEST(another_recipe_is_refused)
{
	struct recipe r = tiny_recipe(settings), other = tiny_recipe("epochs = 5\n");
	struct err err;

	ck_assert_int_eq(train_some(&r, tiny_path("a"), false, 3, &err), -1);
	ck_assert_int_eq(train_some(&other, tiny_path("a"), true, 3, &err), -1);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert(strstr(err.text, "another recipe"));
	recipe_free(&r);
	recipe_free(&other);
}
END_TEST

START_TEST(no_place_to_save_is_known_before_the_work)
{
	struct recipe r = tiny_recipe(settings);
	int asked = 1000000;
	struct train_hooks h = {.user = &asked, .should_stop = stop_soon};
	struct train_options o = {.out = tiny_path("no-folder/a")};
	struct train_result res;
	struct err err;

	ck_assert_int_eq(train_run(&r, &o, &h, &res, &err), -1);
	ck_assert_int_eq(err.code, ERR_IO);
	ck_assert(strstr(err.file, "no-folder/a"));
	ck_assert_int_eq(asked, 1000000);
	recipe_free(&r);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("train resume", &tc);

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, tiny_setup, tiny_teardown);
	tcase_add_loop_test(tc, killed_and_resumed_is_undisturbed, 0,
			    (int)(sizeof kill_cases / sizeof *kill_cases));
	tcase_add_test(tc, stopped_and_resumed_is_undisturbed);
	tcase_add_test(tc, a_full_disk_loses_nothing);
	tcase_add_loop_test(tc, a_damaged_state_is_refused, 0,
			    (int)(sizeof damage_cases / sizeof *damage_cases));
	tcase_add_test(tc, another_recipe_is_refused);
	tcase_add_test(tc, no_place_to_save_is_known_before_the_work);
	return suite_main(s);
}
