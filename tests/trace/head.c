/* head.c - labels and figures of heads, on weights that are known. */
#include "suite.h"
#include "trace/head.h"

#include <math.h>

enum { N = 6 };

static struct trace_source source[N];
static struct trace_step steps[N];
static struct trace_link links[N];
static struct trace t;
static float cells[N * N], other[N * N];

static void set_up(void)
{
	t = (struct trace){
		.nsource = N, .nsteps = N, .max_steps = N, .source = source, .steps = steps};
	for (int i = 0; i < N; i++) {
		source[i] = (struct trace_source){.token = i + 1 < N ? "a" : "</s>", .text = "a"};
		steps[i] =
			(struct trace_step){.token = "x", .input = i ? "x" : "<s>", .emitted = "x"};
		for (int c = 0; c < N; c++)
			cells[i * N + c] = other[i * N + c] = 0;
	}
}

static struct trace_map map_of(enum trace_kind kind, const float *data)
{
	return (struct trace_map){.kind = kind,
				  .type = TRACE_WEIGHTS,
				  .rows = N,
				  .cols = N,
				  .data = data,
				  .row_stride = N,
				  .col_stride = 1};
}

static struct head_figures measure(enum trace_kind kind)
{
	struct trace_map m = map_of(kind, cells);

	return head_measure(&t, &m);
}

/* Weight w on column c of row r, the rest spread over the other columns that it sees. */
static void put(enum trace_kind kind, int r, int c, float w)
{
	int n = kind == TRACE_DECODER ? r + 1 : N;

	for (int k = 0; k < n; k++)
		cells[r * N + k] = n == 1 ? 1 : k == c ? w : (1 - w) / (float)(n - 1);
}

static int clamp(int c, int r, enum trace_kind kind)
{
	int last = kind == TRACE_DECODER ? r : N - 1;

	return c < 0 ? 0 : c > last ? last : c;
}

START_TEST(places_are_labelled)
{
	static const struct {
		enum trace_kind kind;
		int shift; /* from the diagonal; 9: the last column, -9: the first */
		enum head_label label;
	} cases[] = {
		{TRACE_ENCODER, 0, HEAD_DIAGONAL}, {TRACE_ENCODER, -1, HEAD_PREVIOUS},
		{TRACE_ENCODER, 1, HEAD_NEXT},	   {TRACE_ENCODER, 9, HEAD_SINK},
		{TRACE_ENCODER, 2, HEAD_MIXED},	   {TRACE_ENCODER, -9, HEAD_MIXED},
		{TRACE_DECODER, 0, HEAD_DIAGONAL}, {TRACE_DECODER, -1, HEAD_PREVIOUS},
		{TRACE_DECODER, -9, HEAD_SINK},	   {TRACE_CROSS, 0, HEAD_DIAGONAL},
		{TRACE_CROSS, 9, HEAD_SINK},	   {TRACE_CROSS, -1, HEAD_MIXED},
	};
	struct head_figures f;

	for (int r = 0; r < N; r++)
		put(cases[_i].kind, r, clamp(r + cases[_i].shift, r, cases[_i].kind), 0.75f);
	f = measure(cases[_i].kind);
	ck_assert_int_eq(f.label, cases[_i].label);
	if (f.label == HEAD_SINK)
		ck_assert_str_eq(head_label_name(f.label, cases[_i].kind),
				 cases[_i].kind == TRACE_DECODER ? "BOS sink" : "EOS sink");
	if (f.label != HEAD_MIXED)
		ck_assert_double_eq_tol(f.share[f.label], 0.75, 1e-6);
}
END_TEST

/* Heads of models that end and begin with other symbols rest there too; on a word none does. */
START_TEST(sinks_are_the_symbols_of_any_toolkit)
{
	static const struct {
		const char *end, *start;
		enum head_label label;
	} cases[] = {{"[SEP]", "[CLS]", HEAD_SINK},
		     {"<eos>", "<pad>", HEAD_SINK},
		     {"<EOS>", "</s>", HEAD_SINK},
		     {"[MASK]", "<unk>", HEAD_MIXED}};

	source[N - 1].token = cases[_i].end;
	steps[0].input = cases[_i].start;
	for (enum trace_kind k = 0; k < TRACE_KIND_COUNT; k++) {
		for (int r = 0; r < N; r++)
			put(k, r, k == TRACE_DECODER ? 0 : N - 1, 0.75f);
		ck_assert_int_eq(measure(k).label, cases[_i].label);
		memset(cells, 0, sizeof cells);
	}
}
END_TEST

START_TEST(equal_weights_are_broad)
{
	static const double entropy[] = {
		[TRACE_CROSS] = 2.584962500721156, /* log2 6 */
		[TRACE_ENCODER] = 2.584962500721156,
		[TRACE_DECODER] =
			1.898370619, /* mean of log2 2 … log2 6: the first row says nothing */
	};
	struct head_figures f;

	for (int r = 0; r < N; r++)
		put((enum trace_kind)_i, r, 0, 1 / (float)(_i == TRACE_DECODER ? r + 1 : N));
	f = measure((enum trace_kind)_i);
	ck_assert_int_eq(f.label, HEAD_BROAD);
	ck_assert_double_eq_tol(f.share[HEAD_BROAD], 1, 1e-6);
	ck_assert_double_eq_tol(f.entropy, entropy[_i], 1e-6);
}
END_TEST

/* Crossing links, and a row without one. Without gold links nothing aligns. */
START_TEST(alignment_is_measured_on_gold_links)
{
	struct head_figures f;

	for (int r = 0; r < N; r++)
		put(TRACE_CROSS, r, N - 1 - r, 0.9f);
	f = measure(TRACE_CROSS);
	ck_assert(isnan(f.share[HEAD_ALIGNS]));
	ck_assert_int_eq(f.label, HEAD_MIXED);
	t.links = links;
	for (int r = 0; r < N - 1; r++)
		links[t.nlinks++] = (struct trace_link){N - 1 - r, r, true};
	f = measure(TRACE_CROSS);
	ck_assert_double_eq(f.share[HEAD_ALIGNS], 1);
	ck_assert_int_eq(f.label, HEAD_ALIGNS);
	ck_assert(isnan(measure(TRACE_ENCODER).share[HEAD_ALIGNS]));
	links[0].source = links[1].source = 0;
	f = measure(TRACE_CROSS);
	ck_assert_double_eq_tol(f.share[HEAD_ALIGNS], 0.6, 1e-9);
	ck_assert_int_eq(f.label, HEAD_MIXED);
	links[2].target = 0; /* two links of row 0, one of them hit */
	links[2].source = N - 1;
	ck_assert_double_eq_tol(measure(TRACE_CROSS).share[HEAD_ALIGNS], 0.75, 1e-9);
}
END_TEST

/* What lacks least of what its label asks for: aligns and broad ask for more. */
START_TEST(the_nearest_label)
{
	double share[HEAD_LABEL_COUNT];

	for (enum head_label l = HEAD_MIXED; l < HEAD_LABEL_COUNT; l++)
		share[l] = NAN;
	ck_assert_int_eq(head_label_nearest(share), HEAD_MIXED);
	share[HEAD_BROAD] = 0.6;
	ck_assert_int_eq(head_label_nearest(share), HEAD_BROAD);
	share[HEAD_NEXT] = 0.37;
	ck_assert_int_eq(head_label_nearest(share), HEAD_BROAD);
	share[HEAD_NEXT] = 0.38;
	ck_assert_int_eq(head_label_nearest(share), HEAD_NEXT);
	ck_assert_int_eq(head_label_of(share), HEAD_MIXED);
}
END_TEST

START_TEST(without_rows_nothing_is_measured)
{
	struct trace_map m = map_of(TRACE_DECODER, cells);
	struct head_figures f;
	struct head_difference d;

	m.rows = m.cols = 0;
	f = head_measure(&t, &m);
	ck_assert(isnan(f.entropy) && isnan(f.share[HEAD_SINK]));
	ck_assert_int_eq(f.label, HEAD_MIXED);
	ck_assert(!head_compare(&m, &m, &d));
	m.rows = m.cols = 1;
	cells[0] = 1;
	f = head_measure(&t, &m);
	ck_assert(isnan(f.entropy));
	ck_assert_int_eq(f.label, HEAD_MIXED);
}
END_TEST

START_TEST(heads_are_compared)
{
	struct trace_map a = map_of(TRACE_CROSS, cells), b = map_of(TRACE_CROSS, other);
	struct head_difference d;

	for (int r = 0; r < N; r++)
		cells[r * N + r] = other[r * N + (r < 2 ? r : 5 - r)] = 1;
	ck_assert(head_compare(&a, &a, &d));
	ck_assert_double_eq(d.divergence, 0);
	ck_assert_uint_eq(d.agree, N);
	ck_assert(head_compare(&a, &b, &d)); /* two rows the same, four disjoint */
	ck_assert_double_eq_tol(d.divergence, 4.0 / 6, 1e-9);
	ck_assert_uint_eq(d.agree, 2);
	ck_assert_uint_eq(d.rows, N);
	/* (1, 0) against (½, ½): H(¾, ¼) - ½ */
	for (int r = 0; r < N; r++)
		for (int c = 0; c < N; c++) {
			cells[r * N + c] = c == 0;
			other[r * N + c] = c < 2 ? 0.5f : 0;
		}
	ck_assert(head_compare(&a, &b, &d));
	ck_assert_double_eq_tol(d.divergence, 0.311278124459, 1e-9);
	b.cols--;
	ck_assert(!head_compare(&a, &b, &d));
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("head", &tc);

	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_loop_test(tc, places_are_labelled, 0, 12);
	tcase_add_loop_test(tc, sinks_are_the_symbols_of_any_toolkit, 0, 4);
	tcase_add_loop_test(tc, equal_weights_are_broad, 0, TRACE_KIND_COUNT);
	tcase_add_test(tc, alignment_is_measured_on_gold_links);
	tcase_add_test(tc, the_nearest_label);
	tcase_add_test(tc, without_rows_nothing_is_measured);
	tcase_add_test(tc, heads_are_compared);
	return suite_main(s);
}
