#include "base/progress.h"
#include "base/mem.h"
#include "suite.h"

#include <pthread.h>

static const char text[] = "one\ntwo\nthree\n";

static void expect(struct progress *p, enum progress_stage stage, size_t done, size_t of)
{
	ck_assert_int_eq(atomic_load(&p->stage), (int)stage);
	ck_assert_uint_eq(atomic_load(&p->done), done);
	ck_assert_uint_eq(atomic_load(&p->of), of);
}

START_TEST(the_watched_thread_is_followed)
{
	struct progress p = {0};

	progress_watch(&p);
	expect(&p, PROGRESS_NONE, 0, 0);
	progress_begin(PROGRESS_PIPE, 0);
	progress_done(700);
	expect(&p, PROGRESS_PIPE, 700, 0);
	progress_begin(PROGRESS_SENTENCES, 9);
	expect(&p, PROGRESS_SENTENCES, 0, 9);
	progress_watch(NULL);
	progress_done(3);
	expect(&p, PROGRESS_SENTENCES, 0, 9);
}
END_TEST

/* A line of tokens from beside is no place in the text that is read. */
START_TEST(only_its_own_text_counts)
{
	static const char other[] = "beside\n";
	struct progress p = {0};

	progress_watch(&p);
	progress_text(text, sizeof text - 1);
	progress_at(text + 4);
	progress_at(other + 2);
	expect(&p, PROGRESS_TEXT, 4, sizeof text - 1);
	progress_at(text + sizeof text - 1);
	expect(&p, PROGRESS_TEXT, sizeof text - 1, sizeof text - 1);
	progress_begin(PROGRESS_SENTENCES, 2);
	progress_at(text + 4);
	expect(&p, PROGRESS_SENTENCES, 0, 2);
	progress_watch(NULL);
}
END_TEST

static void *work(void *arg)
{
	(void)arg;
	progress_begin(PROGRESS_PIPE, 5);
	progress_done(5);
	return NULL;
}

START_TEST(another_thread_is_not_watched)
{
	struct progress p = {0};
	pthread_t other;

	progress_watch(&p);
	ck_assert_int_eq(pthread_create(&other, NULL, work, NULL), 0);
	pthread_join(other, NULL);
	expect(&p, PROGRESS_NONE, 0, 0);
	progress_watch(NULL);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("progress", &tc);

	tcase_add_test(tc, the_watched_thread_is_followed);
	tcase_add_test(tc, only_its_own_text_counts);
	tcase_add_test(tc, another_thread_is_not_watched);
	return suite_main(s);
}
