/* What-ifs as values: which count, where two of them part, what they are called. */
#include "suite.h"
#include "trace/what_if.h"

#include <stdio.h>
#include <string.h>

static struct err err;
static const struct attention_rule hard = {.mode = ATTENTION_HARD}, soft = {0};

static struct change rule(size_t t, const struct attention_rule *r)
{
	return (struct change){.kind = CHANGE_RULE, .t = t, .rule = *r};
}

static struct change token(size_t t, const char *text)
{
	struct change c = {.kind = CHANGE_TOKEN, .t = t};

	snprintf(c.token, sizeof c.token, "%s", text);
	return c;
}

static struct change head(int layer, int n)
{
	return (struct change){.kind = CHANGE_HEAD, .head = {TRACE_CROSS, layer, n}};
}

static struct change pin(size_t t, size_t i)
{
	return (struct change){.kind = CHANGE_PIN, .t = t, .head = {TRACE_CROSS, 1, 2}, .i = i};
}

static void add(struct what_if *w, struct change c)
{
	ck_assert_int_eq(what_if_add(w, &c, &err), 0);
}

START_TEST(the_later_one_counts)
{
	struct what_if w = {0};

	add(&w, rule(2, &hard));
	add(&w, token(3, "chien"));
	add(&w, rule(1, &hard));
	add(&w, rule(5, &soft));
	ck_assert_int_eq(what_if_rule(&w, 0).mode, ATTENTION_SOFT);
	ck_assert_int_eq(what_if_rule(&w, 1).mode, ATTENTION_HARD);
	ck_assert_int_eq(what_if_rule(&w, 4).mode, ATTENTION_HARD);
	ck_assert_int_eq(what_if_rule(&w, SIZE_MAX).mode, ATTENTION_SOFT);
	ck_assert_str_eq(what_if_token(&w, 3), "chien");
	ck_assert_ptr_null(what_if_token(&w, 2));
	add(&w, head(0, 1));
	add(&w, token(3, ""));
	ck_assert_ptr_null(what_if_token(&w, 3));
	ck_assert(what_if_masked(&w, TRACE_CROSS, 0, 1));
	ck_assert(!what_if_masked(&w, TRACE_ENCODER, 0, 1) && !what_if_masked(&w, TRACE_CROSS, 1, 1));
	add(&w, head(0, 1));
	ck_assert(!what_if_masked(&w, TRACE_CROSS, 0, 1));
	add(&w, pin(4, 7));
	ck_assert_uint_eq(what_if_pin(&w, 4, 1, 2), 7);
	ck_assert_uint_eq(what_if_pin(&w, 4, 1, 0), PIN_NONE);
	ck_assert_uint_eq(what_if_pin(&w, 3, 1, 2), PIN_NONE);
}
END_TEST

/* What changes nothing is none; the same thing changed again is one more, which can be taken back alone. */
START_TEST(what_changes_nothing_is_no_change)
{
	struct what_if w = {0};

	add(&w, rule(2, &soft));
	ck_assert_uint_eq(w.n, 0);
	add(&w, head(1, 1));
	add(&w, token(1, ""));
	add(&w, pin(1, PIN_NONE));
	ck_assert_uint_eq(w.n, 1);
	add(&w, rule(0, &hard));
	add(&w, rule(3, &hard)); /* it is hard there already */
	ck_assert_uint_eq(w.n, 2);
	add(&w, pin(1, 3));
	add(&w, pin(1, 5));
	add(&w, pin(1, 5));
	ck_assert_uint_eq(w.n, 4);
	ck_assert_uint_eq(what_if_pin(&w, 1, 1, 2), 5);
	w.n--;
	ck_assert_uint_eq(what_if_pin(&w, 1, 1, 2), 3);
	add(&w, head(1, 1));
	ck_assert(!what_if_masked(&w, TRACE_CROSS, 1, 1));
	w.n--;
	ck_assert(what_if_masked(&w, TRACE_CROSS, 1, 1));
}
END_TEST

START_TEST(where_two_part)
{
	struct what_if a = {0}, b = {0};

	ck_assert_uint_eq(what_if_first(&a, &b), SIZE_MAX);
	add(&a, rule(4, &hard));
	ck_assert_uint_eq(what_if_first(&a, &b), 4);
	b = a;
	add(&b, rule(6, &soft));
	ck_assert_uint_eq(what_if_first(&a, &b), 6);
	add(&b, token(9, "x"));
	add(&a, rule(6, &soft));
	ck_assert_uint_eq(what_if_first(&a, &b), 9);
	ck_assert_uint_eq(what_if_first(&b, &a), 9);
	add(&a, token(9, "y"));
	ck_assert_uint_eq(what_if_first(&a, &b), 9);
	add(&a, token(9, "x"));
	ck_assert_uint_eq(what_if_first(&a, &b), SIZE_MAX);
	add(&a, pin(5, 0));
	ck_assert_uint_eq(what_if_first(&b, &a), 5);
	add(&b, pin(5, 0));
	ck_assert_uint_eq(what_if_first(&a, &b), SIZE_MAX);
	add(&a, head(3, 3));
	ck_assert_uint_eq(what_if_first(&a, &b), 0);
	ck_assert_uint_eq(what_if_first(&b, &a), 0);
}
END_TEST

/* The same head, the same word of two models are two things. */
START_TEST(two_models_are_kept_apart)
{
	struct what_if w = {0}, was;
	struct change c = head(0, 1);
	char text[160];

	add(&w, c);
	add(&w, token(1, "x"));
	c.other = true;
	was = w;
	add(&w, c);
	ck_assert_uint_eq(what_if_first(&was, &w), 0);
	c = token(1, "x");
	c.other = true;
	was = w;
	add(&w, c);
	ck_assert_uint_eq(w.n, 4);
	ck_assert_uint_eq(what_if_first(&was, &w), 1);
	ck_assert_str_eq(what_if_words(&w, text, sizeof text), "2 forced · 2 off");
}
END_TEST

START_TEST(there_is_room_for_so_many)
{
	struct what_if w = {0};
	struct change c;

	for (size_t k = 0; k < WHAT_IF_CHANGES; k++)
		add(&w, token(k, "x"));
	c = token(99, "x");
	ck_assert_int_eq(what_if_add(&w, &c, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "32 changes"));
	ck_assert_uint_eq(w.n, WHAT_IF_CHANGES);
	w.n = 0;
	add(&w, head(0, 0));
	for (size_t k = 0; k < 3 * WHAT_IF_CHANGES; k++) /* one thing again and again: the oldest is forgotten */
		add(&w, token(1, k % 2 ? "x" : "y"));
	ck_assert_uint_eq(w.n, WHAT_IF_CHANGES);
	ck_assert_str_eq(what_if_token(&w, 1), "x");
	ck_assert(what_if_masked(&w, TRACE_CROSS, 0, 0));
	for (size_t k = 0; k < 2 * WHAT_IF_CHANGES + 1; k++) /* off and on: pairs are */
		add(&w, head(2, 2));
	ck_assert(what_if_masked(&w, TRACE_CROSS, 2, 2) && what_if_masked(&w, TRACE_CROSS, 0, 0));
}
END_TEST

START_TEST(parts_and_what_is_kept)
{
	struct what_if w = {0}, part;

	add(&w, token(1, "x"));
	add(&w, rule(3, &hard));
	add(&w, head(0, 0));
	w.changes[2].other = true;
	part = what_if_part(&w, true, true);
	ck_assert_uint_eq(part.n, 2);
	ck_assert_int_eq(part.changes[1].kind, CHANGE_HEAD);
	part = what_if_part(&w, false, false);
	ck_assert_uint_eq(part.n, 1);
	ck_assert_int_eq(part.changes[0].kind, CHANGE_TOKEN);
	part = what_if_kept(&w);
	ck_assert_uint_eq(part.n, 1);
	ck_assert_int_eq(what_if_rule(&part, 0).mode, ATTENTION_HARD);
	add(&w, rule(0, &soft));
	ck_assert_uint_eq(what_if_kept(&w).n, 0);
}
END_TEST

START_TEST(in_words)
{
	struct what_if w = {0};
	char text[160];
	struct change c;

	ck_assert_str_eq(what_if_words(&w, text, sizeof text), "");
	c = rule(2, &hard);
	ck_assert_str_eq(change_words(&c, text, sizeof text), "attention: hard (arg-max) from t 3 on");
	c = token(2, "chien");
	ck_assert_str_eq(change_words(&c, text, sizeof text), "t 3 is chien");
	c = head(1, 3);
	ck_assert_str_eq(change_words(&c, text, sizeof text), "cross layer 1 head 3 switched off");
	c = pin(0, 4);
	ck_assert_str_eq(change_words(&c, text, sizeof text), "α(1,·) is on word 5");
	add(&w, rule(2, &hard));
	add(&w, token(2, "chien"));
	add(&w, token(4, "chat"));
	add(&w, head(1, 3));
	add(&w, pin(0, 4));
	ck_assert_str_eq(what_if_words(&w, text, sizeof text),
			 "hard (arg-max) · 2 forced · 1 off · 1 pinned");
	add(&w, token(2, "voit"));
	add(&w, head(1, 3));
	add(&w, rule(0, &soft));
	ck_assert_str_eq(what_if_words(&w, text, sizeof text), "2 forced · 1 pinned");
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("what-if", &tc);

	tcase_add_test(tc, the_later_one_counts);
	tcase_add_test(tc, what_changes_nothing_is_no_change);
	tcase_add_test(tc, where_two_part);
	tcase_add_test(tc, two_models_are_kept_apart);
	tcase_add_test(tc, there_is_room_for_so_many);
	tcase_add_test(tc, parts_and_what_is_kept);
	tcase_add_test(tc, in_words);
	return suite_main(s);
}
