/*
 * The golden program must be able to fail: one number of a good fixture is changed, one at a time,
 * and the program must end with 1. The unchanged copy must pass, so that it is the change that
 * counts.
 */
#include "base/fs.h"
#include "base/mem.h"
#include "file/safetensors.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char folder[64], weights[128], sidecar[128];

static void setup(void)
{
	strcpy(folder, "attnscope-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(weights, sizeof weights, "%s/x.safetensors", folder);
	snprintf(sidecar, sizeof sidecar, "%s/x.json", folder);
}

static void teardown(void)
{
	unlink(weights);
	unlink(sidecar);
	rmdir(folder);
}

static void copy(const char *from, const char *to)
{
	char *bytes;
	size_t n;

	ck_assert_int_eq(fs_read(from, 1 << 20, &bytes, &n, NULL), 0);
	ck_assert_int_eq(fs_replace(to, bytes, n, NULL), 0);
	free(bytes);
}

/* Adds `by` to element 0 of a tensor (to an integer: 1). */
static void change(const char *name, float by)
{
	const struct st_tensor *t;
	struct st_file f;
	char *bytes, *at;
	size_t n;

	ck_assert_int_eq(fs_read(weights, 1 << 20, &bytes, &n, NULL), 0);
	ck_assert_int_eq(st_parse(bytes, n, weights, &f, NULL), 0);
	t = st_find(&f, name);
	ck_assert_msg(t != NULL, "no %s", name);
	at = bytes + ((const char *)t->data - bytes);
	if (t->dtype == ST_I32) {
		*at = (char)(*at + 1);
	} else {
		float x;

		memcpy(&x, at, sizeof x);
		x += by;
		memcpy(at, &x, sizeof x);
	}
	ck_assert_int_eq(fs_replace(weights, bytes, n, NULL), 0);
	st_fini(&f);
	free(bytes);
}

static int run(const char *file)
{
	int status;
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		char *argv[] = {(char *)GOLDEN, (char *)file, NULL};

		execve(GOLDEN, argv, environ);
		_exit(99);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static const struct {
	const char *name;
	float by;
} changes[] = {
	{"param.src_emb.weight", 0}, /* the copy as it is */
	{"param.encoder.weight_ih_l0", 0.01f},
	{"param.encoder.bias_hh_l0_reverse", 0.01f},
	{"param.decoder.weight_hh", 0.01f},
	{"param.out.bias", 0.01f},
	{"act.dec.alpha", 1e-3f},
	{"act.logprobs", 1e-3f},
	{"loss.ls0", 1e-4f},
	{"loss.ls0.1", 1e-4f},
	{"grad.ls0.Wc.weight", 1e-4f},
	{"grad.ls0.1.bridge.weight", 1e-4f},
	{"adam3.decoder.bias_ih", 1e-4f},
	{"adam3.losses", 1e-4f},
	{"greedy.ids", 1},
	{"in.tgt_out", 1},
};

START_TEST(test_change)
{
	copy(FIXTURES "/s2s_gru_gru_dot.safetensors", weights);
	copy(FIXTURES "/s2s_gru_gru_dot.json", sidecar);
	if (changes[_i].by > 0)
		change(changes[_i].name, changes[_i].by);
	ck_assert_msg(run(weights) == (changes[_i].by > 0), "%s", changes[_i].name);
}
END_TEST

START_TEST(test_bad_files)
{
	ck_assert_int_eq(run(weights), 1); /* none there */
	copy(FIXTURES "/s2s_gru_gru_dot.safetensors", weights);
	ck_assert_int_eq(run(weights), 1); /* no sidecar */
	copy(FIXTURES "/s2s_gru_gru_general.json", sidecar);
	ck_assert_int_eq(run(weights), 1); /* another model's */
	ck_assert_int_eq(fs_replace(sidecar, "{}", 2, NULL), 0);
	ck_assert_int_eq(run(weights), 1);
	ck_assert_int_eq(fs_replace(sidecar, "{", 1, NULL), 0);
	ck_assert_int_eq(run(weights), 1);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("golden_fails");
	TCase *t = tcase_create("all");
	SRunner *r = srunner_create(s);
	int failed;

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, test_change, 0, (int)ARRAY_LEN(changes));
	tcase_add_test(t, test_bad_files);
	suite_add_tcase(s, t);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? 1 : 0;
}
