/* Two producers moved together: what both do, what happens when one of them cannot. */
#include "suite.h"
#include "trace/both.h"

#include <stdio.h>
#include <string.h>

/* Decodes `length` timesteps of any sentence that its language reads. */
struct fake {
	struct trace_producer p;
	struct trace trace;
	struct trace_map weights;
	struct what_if what_if;
	size_t length;
	char sentence[64];
	const char *refuses; /* a sentence that it cannot begin, or the model that it cannot choose */
	bool broken;         /* next() and redo() fail */
	int begun, redone;
	size_t at;           /* its open sentence */
	bool read[READING_COUNT];
};

static struct fake a, b;
static const struct what_if hard = {
	.n = 1, .changes = {{.kind = CHANGE_RULE, .rule = {.mode = ATTENTION_HARD}}}};

static const struct trace *get_trace(void *self)
{
	return &((struct fake *)self)->trace;
}

static int begin(void *self, const char *sentence, struct err *err)
{
	struct fake *f = self;

	if (f->refuses && strcmp(sentence, f->refuses) == 0)
		return err_set(err, ERR_RANGE, "too long");
	snprintf(f->sentence, sizeof f->sentence, "%s", sentence);
	f->trace.nsteps = f->weights.rows = 0;
	f->trace.finished = false;
	f->begun++;
	return 0;
}

static int next(void *self, struct err *err)
{
	struct fake *f = self;

	if (f->broken)
		return err_set(err, ERR_FORMAT, "not finite");
	if (f->trace.finished)
		return 0;
	f->weights.rows = ++f->trace.nsteps;
	f->trace.finished = f->trace.nsteps == f->length;
	return 0;
}

static int redo(void *self, size_t t, const struct what_if *w, struct err *err)
{
	struct fake *f = self;

	if (f->broken)
		return err_set(err, ERR_MISSING, "a recording");
	f->what_if = *w;
	f->redone++;
	if (t < f->trace.nsteps) {
		f->trace.nsteps = t;
		f->trace.finished = false;
	}
	return 0;
}

static const struct what_if *get_what_if(void *self)
{
	return &((struct fake *)self)->what_if;
}

static const char *get_sentence(void *self)
{
	return ((struct fake *)self)->sentence;
}

static int choose(void *self, const char *model, struct err *err)
{
	struct fake *f = self;

	if (f->refuses && strcmp(model, f->refuses) == 0)
		return err_set(err, ERR_MISSING, "no such model");
	return begin(self, "its example", err);
}

static int draw(void *self, struct err *err)
{
	return begin(self, "drawn", err);
}

static size_t count(void *self)
{
	return ((struct fake *)self)->length;
}

static int open_sentence(void *self, size_t n, struct err *err)
{
	struct fake *f = self;
	char text[32];

	snprintf(text, sizeof text, "sentence %zu", n);
	if (begin(self, text, err) < 0)
		return -1;
	f->at = n;
	return 0;
}

static size_t current(void *self)
{
	return ((struct fake *)self)->at;
}

static bool reads(void *self, enum reading how)
{
	return ((struct fake *)self)->read[how];
}

static int reread(void *self, enum reading how, bool on, struct err *err)
{
	struct fake *f = self;

	if (f->broken)
		return err_set(err, ERR_FORMAT, "no pieces");
	f->read[how] = on;
	return 0;
}

static const struct sentence_source file = {
	.count = count, .open = open_sentence, .current = current, .reads = reads, .reread = reread};

static void make(struct fake *f, const char *model, size_t length, bool attends)
{
	*f = (struct fake){.length = length};
	f->p = (struct trace_producer){.self = f,
				       .trace = get_trace,
				       .begin = begin,
				       .next = next,
				       .redo = redo,
				       .what_if = get_what_if,
				       .sentence = get_sentence,
				       .choose = choose};
	f->p.draw = draw;
	f->p.sentences = &file;
	f->trace.about.model = model;
	f->trace.maps = &f->weights;
	f->trace.nmaps = attends;
}

static void setup(void)
{
	make(&a, "a", 3, true);
	make(&b, "b", 5, true);
	a.p.other = &b.p;
}

START_TEST(both_are_decoded_side_by_side)
{
	ck_assert_int_eq(both_begin(&a.p, "the cat", NULL), 0);
	ck_assert_str_eq(b.sentence, "the cat");
	for (size_t k = 0; k < 8; k++) {
		size_t low = a.trace.nsteps < b.trace.nsteps ? a.trace.nsteps : b.trace.nsteps;

		ck_assert(!both_finished(&a.p));
		ck_assert_int_eq(both_next(&a.p, NULL), 0);
		ck_assert(both_reached(&a.p, low));
		if (!a.trace.finished)
			ck_assert_uint_le(b.trace.nsteps, a.trace.nsteps + 1);
	}
	ck_assert(both_finished(&a.p));
	ck_assert_uint_eq(a.trace.nsteps, 3);
	ck_assert_uint_eq(b.trace.nsteps, 5);
	ck_assert_uint_eq(both_steps(&a.p), 5);
	ck_assert(both_reached(&a.p, 5) && both_reached(&a.p, 99));
}
END_TEST

START_TEST(one_alone_is_moved_as_it_is)
{
	a.p.other = NULL;
	ck_assert_int_eq(both_begin(&a.p, "x", NULL), 0);
	while (!both_finished(&a.p))
		ck_assert_int_eq(both_next(&a.p, NULL), 0);
	ck_assert_uint_eq(both_steps(&a.p), 3);
	ck_assert_int_eq(b.begun, 0);
	ck_assert_int_eq(both_redo(&a.p, 1, &hard, NULL), 0);
	ck_assert_uint_eq(both_steps(&a.p), 1);
	ck_assert_ptr_eq(both_attending(&a.p), &a.p);
	ck_assert_int_eq(both_choose(&a.p, "m", NULL), 0);
}
END_TEST

/* A sentence that one of them cannot read is begun by neither. */
START_TEST(a_sentence_is_begun_by_both_or_by_none)
{
	struct err err = {0};

	ck_assert_int_eq(both_begin(&a.p, "first", NULL), 0);
	b.refuses = "second";
	ck_assert_int_eq(both_begin(&a.p, "second", &err), -1);
	ck_assert_str_eq(err.text, "b: too long");
	ck_assert_str_eq(a.sentence, "first");
	ck_assert_str_eq(b.sentence, "first");
	ck_assert_int_eq(a.begun, 1);
	b.refuses = NULL;
	a.refuses = "second";
	ck_assert_int_eq(both_begin(&a.p, "second", &err), -1);
	ck_assert_str_eq(a.sentence, "first");
	ck_assert_str_eq(b.sentence, "first");
}
END_TEST

START_TEST(the_rule_is_that_of_those_with_attention)
{
	both_begin(&a.p, "x", NULL);
	ck_assert_int_eq(both_redo(&a.p, 0, &hard, NULL), 0);
	ck_assert_int_eq(a.redone + b.redone, 2);
	ck_assert_ptr_eq(both_attending(&a.p), &a.p);
	a.trace.nmaps = 0;
	a.what_if.n = 0;
	ck_assert_ptr_eq(both_attending(&a.p), &b.p);
	ck_assert_int_eq(both_redo(&a.p, 0, &hard, NULL), 0);
	ck_assert_int_eq(a.redone, 1);
	ck_assert_int_eq(b.redone, 2);
	b.trace.nmaps = 0; /* neither: the producer itself says so */
	b.what_if.n = 0;
	ck_assert_ptr_eq(both_attending(&a.p), &a.p);
	ck_assert_int_eq(both_redo(&a.p, 0, &hard, NULL), 0);
	ck_assert_int_eq(a.redone, 2);
	ck_assert_int_eq(b.redone, 2);
}
END_TEST

/* A rule is for all that attend, a head and a word for the one they are of. */
START_TEST(every_change_goes_where_it_belongs)
{
	struct what_if w = hard;

	what_if_add(&w, &(struct change){.kind = CHANGE_TOKEN, .t = 1, .token = "chien"}, NULL);
	what_if_add(&w, &(struct change){.kind = CHANGE_HEAD, .head = {TRACE_CROSS, 0, 2}, .other = true}, NULL);
	both_begin(&a.p, "x", NULL);
	ck_assert_int_eq(both_redo(&a.p, 0, &w, NULL), 0);
	ck_assert_uint_eq(a.what_if.n, 2);
	ck_assert(!what_if_masked(&a.what_if, TRACE_CROSS, 0, 2));
	ck_assert_uint_eq(b.what_if.n, 2);
	ck_assert_int_eq(b.what_if.changes[0].kind, CHANGE_RULE);
	ck_assert(what_if_masked(&b.what_if, TRACE_CROSS, 0, 2));
	a.trace.nmaps = 0; /* only b has heads */
	ck_assert_int_eq(both_redo(&a.p, 0, &w, NULL), 0);
	ck_assert_uint_eq(a.what_if.n, 1);
	ck_assert_int_eq(a.what_if.changes[0].kind, CHANGE_TOKEN);
	ck_assert_uint_eq(b.what_if.n, 2);
}
END_TEST

START_TEST(who_failed_is_said)
{
	struct err err = {0};

	both_begin(&a.p, "x", NULL);
	b.broken = true;
	ck_assert_int_eq(both_next(&a.p, &err), 0); /* a's turn */
	ck_assert_int_eq(both_next(&a.p, &err), -1);
	ck_assert_str_eq(err.text, "b: not finite");
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert_int_eq(both_redo(&a.p, 0, &hard, &err), -1);
	ck_assert_str_eq(err.text, "b: a recording");
	ck_assert_int_eq(a.redone, 0);
}
END_TEST

START_TEST(another_model_takes_the_other_with_it)
{
	struct err err = {0};

	both_begin(&a.p, "x", NULL);
	ck_assert_int_eq(both_choose(&a.p, "m", NULL), 0);
	ck_assert_str_eq(b.sentence, "its example");
	ck_assert_int_eq(both_draw(&a.p, NULL), 0);
	ck_assert_str_eq(b.sentence, "drawn");
	a.refuses = "n";
	ck_assert_int_eq(both_choose(&a.p, "n", &err), -1);
	ck_assert_str_eq(err.text, "no such model");
	b.refuses = "its example";
	ck_assert_int_eq(both_choose(&a.p, "m", &err), 1);
	ck_assert_str_eq(err.text, "b: too long");
}
END_TEST

/* a has 3 sentences, b 5. */
START_TEST(files_are_gone_through_together)
{
	struct err err = {0};

	ck_assert_int_eq(both_open(&a.p, 2, NULL), 0);
	ck_assert_str_eq(a.sentence, "sentence 2");
	ck_assert_str_eq(b.sentence, "sentence 2");
	b.p.other = &a.p; /* the longer file first: the other one stays where it is */
	a.p.other = NULL;
	ck_assert_int_eq(both_open(&b.p, 4, &err), 1);
	ck_assert_str_eq(err.text, "a: no sentence 5 there: its sentence 3 stays");
	ck_assert_str_eq(b.sentence, "sentence 4");
	ck_assert_str_eq(a.sentence, "sentence 2");
	a.refuses = "sentence 1";
	ck_assert_int_eq(both_open(&b.p, 1, &err), 1);
	ck_assert_str_eq(err.text, "a: too long");
	b.refuses = "sentence 3";
	ck_assert_int_eq(both_open(&b.p, 3, &err), -1);
	ck_assert_str_eq(b.sentence, "sentence 1");
}
END_TEST

/* Pieces are joined in both; where one has none that is said, and the first stays as it is read then. */
START_TEST(files_are_read_alike)
{
	struct err err = {0};

	ck_assert_int_eq(both_reread(&a.p, READING_MERGED, true, NULL), 0);
	ck_assert(a.read[READING_MERGED] && b.read[READING_MERGED]);
	b.broken = true;
	ck_assert_int_eq(both_reread(&a.p, READING_MERGED, true, NULL), 0); /* it is so already */
	ck_assert_int_eq(both_reread(&a.p, READING_MERGED, false, &err), 1);
	ck_assert_str_eq(err.text, "b: no pieces");
	ck_assert(!a.read[READING_MERGED]);
	a.broken = true;
	ck_assert_int_eq(both_reread(&a.p, READING_TRANSPOSED, true, &err), -1);
	ck_assert(!a.read[READING_TRANSPOSED] && !b.read[READING_TRANSPOSED]);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("both", &tc);

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, both_are_decoded_side_by_side);
	tcase_add_test(tc, one_alone_is_moved_as_it_is);
	tcase_add_test(tc, a_sentence_is_begun_by_both_or_by_none);
	tcase_add_test(tc, the_rule_is_that_of_those_with_attention);
	tcase_add_test(tc, every_change_goes_where_it_belongs);
	tcase_add_test(tc, who_failed_is_said);
	tcase_add_test(tc, another_model_takes_the_other_with_it);
	tcase_add_test(tc, files_are_gone_through_together);
	tcase_add_test(tc, files_are_read_alike);
	return suite_main(s);
}
