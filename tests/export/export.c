/*
 * export.c - every format that needs no module, on a recorded trace and on a hostile one. Pictures
 * and npz are tested through the program (tests/cli/export.sh).
 */
#include "export/escape.h"
#include "export/tex.h"
#include "golden.h"
#include "suite.h"

#include "base/buf.h"
#include "base/fs.h"
#include "base/utf8.h"
#include "file/safetensors.h"
#include "trace/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct trace *recorded(void)
{
	struct trace *t = NULL;
	struct err err = {0};
	size_t len;
	char *text;

	ck_assert_int_eq(fs_read(RECORDING, TRACE_JSON_MAX, &text, &len, &err), 0);
	ck_assert_msg(trace_json_read(text, len, "recording", &t, &err) == 0, "%s", err.text);
	free(text);
	return t;
}

/* Tokens that mean something to terminals and to every format. */
static const char *const evil[] = {
	"\033]52;c;x\a",
	"\xe2\x80\xae"
	"evil",
	"a\tb\nc\r",
	"</th><script>x</script>",
	"\\input{x}%$#&_^~{}",
	"x,\"y\"",
	"\xc2\x9b"
	"31m",
	"\xff\xfe",
	"' onx='",
	"]]>-->",
};

enum { EVIL = sizeof evil / sizeof *evil, HEADS = 2 };

/* evil × evil, two heads of each kind, weights and for the first cross map scores with a mask. */
static struct trace *hostile(void)
{
	struct trace *t = trace_new();
	struct arena *a = &t->arena;
	float *weights = arena_array(a, float, EVIL *EVIL),
	      *scores = arena_array(a, float, EVIL *EVIL);

	t->about.model = evil[3];
	t->nsource = t->nsteps = t->max_steps = EVIL;
	t->source = arena_array(a, struct trace_source, EVIL);
	t->steps = arena_array(a, struct trace_step, EVIL);
	t->maps = arena_array(a, struct trace_map, TRACE_KIND_COUNT * HEADS + 1);
	for (size_t i = 0; i < EVIL; i++) {
		t->source[i] = (struct trace_source){.token = evil[i], .text = evil[i]};
		t->steps[i] = (struct trace_step){
			.token = evil[i], .emitted = evil[i], .input = evil[(i + 1) % EVIL]};
	}
	for (size_t i = 0; i < EVIL * EVIL; i++) {
		weights[i] = i % EVIL == i / EVIL		 ? 0.75f
			     : i % EVIL == (i / EVIL + 1) % EVIL ? 0.25f
								 : 0;
		scores[i] = i % 7 == 0 ? -INFINITY : (float)i / 3 - 10;
	}
	for (int k = 0; k < TRACE_KIND_COUNT * HEADS; k++)
		t->maps[t->nmaps++] = (struct trace_map){.kind = (enum trace_kind)(k / HEADS),
							 .head = k % HEADS,
							 .rows = EVIL,
							 .cols = EVIL,
							 .data = weights,
							 .row_stride = EVIL,
							 .col_stride = 1};
	t->maps[t->nmaps] = t->maps[0];
	t->maps[t->nmaps].type = TRACE_SCORES;
	t->maps[t->nmaps++].data = scores;
	return t;
}

static const struct export_format *format(const char *name)
{
	struct err err = {0};
	const struct export_format *f = export_format_named(name, &err);

	ck_assert_msg(f != NULL, "%s", err.text);
	return f;
}

static struct buf written(const struct trace *t, const char *name, const struct export_options *o)
{
	struct buf b = {0};
	struct err err = {0};

	ck_assert_msg(export_write(t, format(name), o, &b, &err) == 0, "%s: %s", name, err.text);
	return b;
}

static struct export_options options(const char *choice)
{
	struct export_options o = {.width = 0};
	struct err err = {0};

	if (choice)
		ck_assert_msg(export_choice_parse(choice, &o.choice, &err) == 0, "%s", err.text);
	return o;
}

/* ---- golden files ---- */

/* The model that every figure is drawn from, as text. */
static void dump_figure(const struct trace *t, const struct export_options *o, struct buf *out)
{
	struct figure f;
	struct err err = {0};
	char text[16];

	ck_assert_msg(figure_init(&f, t, o, &err) == 0, "%s", err.text);
	buf_printf(out, "%s: %zu maps in %zu × %zu, %s\n", f.model, f.nmaps, f.grid_rows,
		   f.grid_cols, f.bars[0].scale);
	for (size_t i = 0; i < f.bars[0].nticks; i++)
		buf_printf(out, "tick %.3f %s\n", f.bars[0].ticks[i].at, f.bars[0].ticks[i].label);
	for (int k = 0; k < FIGURE_PAPER_COUNT; k++)
		if (f.paper[k])
			buf_printf(out, "key %s\n", figure_paper_name((enum figure_paper)k));
	for (size_t k = 0; k < f.nmaps; k++) {
		const struct figure_map *m = &f.maps[k];

		buf_printf(out, "\n%s at %zu,%zu%s%s\n", m->name, m->grid_row, m->grid_col,
			   m->labels_left ? ", queries" : "", m->labels_above ? ", keys" : "");
		for (size_t c = 0; c < m->cols; c++)
			buf_printf(out, "%s%s", c ? " | " : "", m->col[c]);
		for (size_t r = 0; r < m->rows; r++) {
			buf_printf(out, "\n%s:", m->row[r]);
			for (size_t c = 0; c < m->cols; c++)
				buf_printf(out, " %d%s%s", m->levels[r * m->cols + c],
					   o->numbers ? "=" : "",
					   o->numbers ? figure_number(&f, m, r * m->cols + c, text)
						      : "");
		}
		buf_putc(out, '\n');
	}
	figure_fini(&f);
}

START_TEST(the_figure_model_is_as_recorded)
{
	struct trace *t = recorded();
	struct buf b = {0};
	struct export_options o = options(NULL);

	for (int n = 0; n < NORMAL_COUNT; n++) {
		o.normal = (enum normal)n;
		o.numbers = n == NORMAL_ABSOLUTE;
		dump_figure(t, &o, &b);
		buf_putc(&b, '\n');
	}
	golden_check("figure", buf_str(&b));
	buf_free(&b);
	trace_free(t);
}
END_TEST

/* The colour bar ends where the weights do, and says where. */
START_TEST(small_weights_fill_the_colour_bar)
{
	struct trace *t = recorded();
	struct trace_map *m = &t->maps[0];
	float *v = arena_array(&t->arena, float, m->rows * m->cols);
	struct export_options o = options(NULL);
	struct figure f;
	struct err err = {0};

	for (size_t r = 0; r < m->rows; r++)
		trace_row(m, r, v + r * m->cols);
	for (size_t i = 0; i < m->rows * m->cols; i++)
		v[i] = 0.004f * fminf(v[i], 0.5f);
	m->data = v;
	m->row_stride = (ptrdiff_t)m->cols;
	m->col_stride = 1;
	ck_assert_msg(figure_init(&f, t, &o, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(f.bars[0].nticks, 3);
	ck_assert_str_eq(f.bars[0].ticks[1].label, "0.001");
	ck_assert_str_eq(f.bars[0].ticks[2].label, "0.002");
	ck_assert_uint_eq(f.maps[0].levels[0], 63);
	figure_fini(&f);
	o.normal = NORMAL_ABSOLUTE;
	ck_assert_msg(figure_init(&f, t, &o, &err) == 0, "%s", err.text);
	ck_assert_str_eq(f.bars[0].ticks[2].label, "1");
	ck_assert_uint_eq(f.maps[0].levels[0], 0);
	figure_fini(&f);
	trace_free(t);
}
END_TEST

START_TEST(a_grid_of_hostile_maps_is_as_recorded)
{
	struct trace *t = hostile();
	struct buf b = {0};
	struct export_options o = options("all");

	dump_figure(t, &o, &b);
	golden_check("figure-grid", buf_str(&b));
	buf_free(&b);
	trace_free(t);
}
END_TEST

static const struct {
	const char *golden, *format;
	bool hostile;
	const char *choice;
} files[] = {
	{"csv", "csv", false, NULL},	       {"tsv", "tsv", false, NULL},
	{"tex", "tex", false, NULL},	       {"html", "html", false, NULL},
	{"txt", "txt", false, NULL},	       {"ansi", "ansi", false, NULL},
	{"csv-hostile", "csv", true, "cross"}, {"tex-hostile", "tex", true, "all"},
	{"html-hostile", "html", true, "all"}, {"txt-hostile", "txt", true, NULL},
};

START_TEST(files_are_as_recorded)
{
	struct trace *t = files[_i].hostile ? hostile() : recorded();
	struct export_options o = options(files[_i].choice);
	struct buf b;

	o.numbers = strcmp(files[_i].format, "txt") == 0;
	b = written(t, files[_i].format, &o);
	golden_check(files[_i].golden, buf_str(&b));
	buf_free(&b);
	trace_free(t);
}
END_TEST

/* ---- nothing of a token gets through ---- */

static const char *const harmless[] = {"csv", "tsv", "tex", "html", "txt"};

START_TEST(no_control_of_a_token_reaches_a_file)
{
	struct trace *t = hostile();
	struct export_options o = options("all");
	struct buf b = written(t, harmless[_i], &o), again = {0};
	size_t start = 0;

	ck_assert(utf8_valid(b.data, b.len, NULL));
	/* line by line, and field by field: what is visible already is not changed by being made so
	 */
	for (size_t i = 0; i < b.len; i++) {
		if (b.data[i] != '\n' && b.data[i] != '\t')
			continue;
		buf_clear(&again);
		utf8_visible(&again, b.data + start, i - start);
		ck_assert_msg(again.len == i - start &&
				      memcmp(buf_str(&again), b.data + start, again.len) == 0,
			      "%s: %s", harmless[_i], buf_str(&again));
		start = i + 1;
	}
	ck_assert_uint_eq(start, b.len);
	buf_free(&again);
	buf_free(&b);
	trace_free(t);
}
END_TEST

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (const char *p = text; (p = strstr(p, what)); p += strlen(what))
		n++;
	return n;
}

START_TEST(tokens_make_no_elements_and_no_commands)
{
	struct trace *t = hostile();
	struct export_options o = options(NULL);
	struct buf html = written(t, "html", &o), tex = written(t, "tex", &o);

	ck_assert_uint_eq(count(html.data, "<script"), 1);
	ck_assert_uint_eq(count(html.data, "</script"), 1);
	ck_assert_uint_eq(count(html.data, "</th>"), 1 + EVIL + EVIL);
	ck_assert_ptr_null(strstr(html.data, "http:"));
	ck_assert_ptr_null(strstr(html.data, "https:"));
	ck_assert_ptr_null(strstr(tex.data, "\\input"));
	ck_assert_ptr_nonnull(strstr(tex.data, "\\textbackslash{}input\\{x\\}\\%\\$\\#\\&\\_"));
	buf_free(&html);
	buf_free(&tex);
	trace_free(t);
}
END_TEST

START_TEST(csv_fields_are_quoted)
{
	static const struct {
		const char *text, *field;
	} fields[] = {{"plain", "plain"}, {"a,b", "\"a,b\""}, {"\"", "\"\"\"\""},
		      {" x", "\" x\""},	  {"x ", "\"x \""},   {"", ""}};

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		struct buf b = {0};

		escape_csv(&b, fields[i].text);
		ck_assert_str_eq(buf_str(&b), fields[i].field);
		buf_free(&b);
	}
}
END_TEST

/* ---- read back, bit for bit ---- */

static void same_maps(const struct trace_map *a, const struct trace_map *b)
{
	ck_assert_uint_eq(a->rows, b->rows);
	ck_assert_uint_eq(a->cols, b->cols);
	for (size_t i = 0; i < a->rows * a->cols; i++) {
		float x = trace_at(a, i / a->cols, i % a->cols),
		      y = trace_at(b, i / a->cols, i % a->cols);

		ck_assert_msg(memcmp(&x, &y, sizeof x) == 0, "cell %zu: %.9g, %.9g", i, (double)x,
			      (double)y);
	}
}

START_TEST(json_read_back_is_the_same)
{
	struct trace *t = recorded(), *back = NULL;
	struct export_options o = options(NULL);
	struct buf b = written(t, "json", &o);
	struct err err = {0};

	ck_assert_msg(trace_json_read(b.data, b.len, "export", &back, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(back->nmaps, t->nmaps);
	for (size_t k = 0; k < t->nmaps; k++)
		same_maps(&t->maps[k], &back->maps[k]);
	for (size_t i = 0; i < t->nsteps; i++)
		ck_assert_str_eq(back->steps[i].token, t->steps[i].token);
	trace_free(back);
	trace_free(t);
	buf_free(&b);
}
END_TEST

START_TEST(safetensors_read_back_is_the_same)
{
	struct trace *t = hostile();
	struct export_options o = options(NULL);
	struct buf b = written(t, "safetensors", &o), list = {0};
	struct st_file f;
	struct err err = {0};

	ck_assert_msg(st_parse(b.data, b.len, "export", &f, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(f.ntensors, t->nmaps);
	for (size_t k = 0; k < t->nmaps; k++) {
		const struct trace_map *m = &t->maps[k];
		const struct st_tensor *x = st_find(&f, export_map_name(&t->arena, m));
		float *data = arena_array(&t->arena, float, EVIL *EVIL);
		struct trace_map read = *m;

		ck_assert_ptr_nonnull(x);
		ck_assert_int_eq(x->dtype, ST_F32);
		ck_assert_uint_eq(x->count, EVIL * EVIL);
		st_floats(x, 0, x->count, data);
		read.data = data;
		same_maps(m, &read);
	}
	ck_assert_ptr_nonnull(st_find(&f, "decoder.0.1"));
	ck_assert_ptr_nonnull(st_find(&f, "cross.0.0.scores"));
	ck_assert_ptr_nonnull(strstr(st_meta_get(&f, "source"), "\"x,\\\"y\\\"\""));
	ck_assert_ptr_nonnull(strstr(st_meta_get(&f, "target"), "␛]52;c;x␇"));
	ck_assert(utf8_valid(st_meta_get(&f, "model"), strlen(st_meta_get(&f, "model")), NULL));
	st_fini(&f);
	buf_free(&list);
	buf_free(&b);
	trace_free(t);
}
END_TEST

/* ---- what is asked for ---- */

START_TEST(scores_are_drawn_when_there_are_no_weights)
{
	struct trace *t = hostile();
	struct export_options o = options(NULL);
	struct figure f;
	struct err err = {0};
	uint8_t level;

	t->maps[0] = t->maps[t->nmaps - 1];
	t->nmaps = 1;
	ck_assert_int_eq(figure_init(&f, t, &o, &err), 0);
	ck_assert_int_eq(f.type, TRACE_SCORES);
	ck_assert(!figure_level(&f.maps[0], 0, &level)); /* masked */
	ck_assert(figure_level(&f.maps[0], 1, &level));
	ck_assert_int_ge(level, LEVEL_SIGNED);
	ck_assert_int_lt(level, LEVEL_SIGNED + GRID_LEVELS / 2); /* negative */
	ck_assert(figure_level(&f.maps[0], EVIL * EVIL - 1, &level));
	ck_assert_int_eq(level, LEVEL_COUNT - 1); /* the largest */
	ck_assert_str_eq(f.bars[0].ticks[0].label, "−23");
	figure_fini(&f);
	trace_free(t);
}
END_TEST

START_TEST(a_choice_restricts_every_format)
{
	struct trace *t = hostile(), *back = NULL;
	struct export_options o = options("encoder:0:1");
	struct buf json = written(t, "json", &o), st = written(t, "safetensors", &o);
	struct st_file f;
	struct err err = {0};

	ck_assert_int_eq(st_parse(st.data, st.len, "export", &f, &err), 0);
	ck_assert_uint_eq(f.ntensors, 1);
	ck_assert_str_eq(f.tensors[0].name, "encoder.0.1");
	ck_assert_uint_eq(count(json.data, "\"kind\":"), 1);
	ck_assert_ptr_nonnull(strstr(json.data, "\"kind\":\"encoder\",\"layer\":0,\"head\":1"));
	st_fini(&f);
	trace_free(back);
	buf_free(&json);
	buf_free(&st);
	trace_free(t);
}
END_TEST

START_TEST(two_heads_are_shown_with_their_difference)
{
	struct trace *t = hostile();
	struct export_options o = options("cross:0:0,encoder:0:1");
	float other[EVIL * EVIL] = {1}; /* all weight on the first of the first row */
	struct buf json, csv;
	struct figure f;
	struct err err = {0};
	uint8_t level;
	char text[16];

	for (size_t k = 0; k < t->nmaps; k++)
		if (t->maps[k].kind == TRACE_ENCODER && t->maps[k].head == 1)
			t->maps[k].data = other;
	ck_assert_int_eq(figure_init(&f, t, &o, &err), 0);
	ck_assert_uint_eq(f.nmaps, 3);
	ck_assert_uint_eq(f.grid_rows, 1);
	ck_assert(f.maps[2].difference && !f.maps[1].difference);
	ck_assert_float_eq_tol(f.maps[2].values[0], -0.25f, 1e-6f);
	ck_assert_float_eq_tol(f.maps[2].values[1], 0.25f, 1e-6f);
	ck_assert(!figure_level(&f.maps[2], 2, &level)); /* the same */
	ck_assert(figure_level(&f.maps[2], EVIL + 1, &level));
	ck_assert_int_eq(level, LEVEL_COUNT - 1); /* 0.75 − 0 is the most */
	ck_assert_str_eq(figure_number(&f, &f.maps[2], 0, text), "-0.25");
	ck_assert_int_eq(f.high, LEVEL_COUNT);
	ck_assert_uint_eq(f.nbars, 2);
	ck_assert_str_eq(f.bars[1].scale, "A − B");
	ck_assert_str_eq(f.bars[1].ticks[0].label, "−0.75");
	ck_assert_str_eq(f.bars[1].ticks[2].label, "+0.75");
	ck_assert_str_eq(f.maps[1].name, "B  encoder:0:1");
	figure_fini(&f);
	o.choice.backwards = true;
	o.choice.names[2] = "now − before";
	ck_assert_int_eq(figure_init(&f, t, &o, &err), 0);
	ck_assert_float_eq_tol(f.maps[2].values[0], 0.25f, 1e-6f);
	ck_assert_str_eq(f.bars[1].scale, "now − before");
	figure_fini(&f);
	o = options("cross:0:0,encoder:0:1");
	json = written(t, "json", &o);
	ck_assert_uint_eq(count(json.data, "\"kind\":"), 3); /* cross 0:0 has scores too */
	csv = written(t, "csv", &o);
	ck_assert_uint_eq(count(csv.data, "A − B"), 1);
	buf_free(&json);
	buf_free(&csv);
	trace_free(t);
}
END_TEST

/* A white cell is a zero; what a decoder cannot see yet is another thing. */
START_TEST(cells_without_a_colour_are_told_apart)
{
	struct trace *t = hostile();
	struct export_options o = options("decoder:0:0");
	struct figure f;
	struct err err = {0};

	ck_assert_int_eq(figure_init(&f, t, &o, &err), 0);
	ck_assert(f.paper[FIGURE_ZERO] && f.paper[FIGURE_MASKED]);
	ck_assert_int_eq(figure_paper(&f.maps[0], EVIL - 1), FIGURE_MASKED);
	ck_assert_int_eq(figure_paper(&f.maps[0], EVIL), FIGURE_ZERO);
	figure_fini(&f);
	o = options("encoder:0:0");
	ck_assert_int_eq(figure_init(&f, t, &o, &err), 0);
	ck_assert(f.paper[FIGURE_ZERO] && !f.paper[FIGURE_MASKED]);
	figure_fini(&f);
	trace_free(t);
}
END_TEST

/* What another toolkit masked with NaN is masked here, in every format. */
START_TEST(a_cell_that_is_nan_is_masked_and_stays_nan)
{
	struct trace *t = hostile();
	struct export_options o = options("cross:0:0");
	static float w[EVIL * EVIL] = {NAN, 1, -0.0f};
	struct buf csv, st, txt;
	struct st_file file;
	struct figure f;
	struct err err = {0};
	float first;

	t->maps[0].data = w;
	t->maps[0].nan_masked = true;
	ck_assert_int_eq(figure_init(&f, t, &o, &err), 0);
	ck_assert_int_eq(f.maps[0].levels[0], LEVEL_NONE);
	ck_assert_int_eq(figure_paper(&f.maps[0], 0), FIGURE_MASKED);
	ck_assert_int_eq(figure_paper(&f.maps[0], 2), FIGURE_ZERO);
	ck_assert_int_eq(f.maps[0].levels[1], GRID_LEVELS - 1);
	figure_fini(&f);
	csv = written(t, "csv", &o);
	ck_assert_ptr_nonnull(strstr(csv.data, ",nan,1,-0,"));
	st = written(t, "safetensors", &o);
	ck_assert_int_eq(st_parse(st.data, st.len, "export", &file, &err), 0);
	st_floats(st_find(&file, "cross.0.0"), 0, 1, &first);
	ck_assert(isnan(first));
	st_fini(&file);
	txt = written(t, "txt", &o);
	ck_assert_ptr_nonnull(strstr(txt.data, "\n╱ masked\n"));
	ck_assert_ptr_nonnull(strstr(txt.data, "\n· exactly 0\n"));
	ck_assert_uint_eq(count(txt.data, "╱"), 2);
	buf_free(&csv);
	buf_free(&st);
	buf_free(&txt);
	trace_free(t);
}
END_TEST

START_TEST(zeros_have_no_sign)
{
	struct trace *t = hostile();
	struct export_options o = options("cross:0:0,encoder:0:0");
	static float a[EVIL * EVIL] = {0.5f, -0.0f}, b[EVIL * EVIL] = {0.503f};
	struct figure f;
	struct err err = {0};
	char text[16];

	for (size_t k = 0; k < t->nmaps; k++)
		t->maps[k].data = t->maps[k].kind == TRACE_CROSS ? a : b;
	ck_assert_int_eq(figure_init(&f, t, &o, &err), 0);
	ck_assert_str_eq(figure_number(&f, &f.maps[2], 0, text), "0.00");
	ck_assert(!signbit(f.maps[0].values[1]));
	figure_fini(&f);
	trace_free(t);
}
END_TEST

START_TEST(links_are_those_of_one_head)
{
	struct trace *t = recorded();
	struct export_options o = options(NULL);
	struct buf tex = {0}, out = {0};
	struct err err = {0};

	o.links = true;
	tex = written(t, "tex", &o);
	ck_assert_ptr_nonnull(strstr(tex.data, "\\draw[link,"));
	ck_assert_uint_eq(count(tex.data, "\\node[query]"), t->maps[0].cols);
	ck_assert_uint_eq(count(tex.data, "\\node[tick]"), t->maps[0].rows);
	ck_assert_ptr_null(strstr(tex.data, "\\definecolor{l0}"));
	ck_assert_int_eq(export_write(t, format("csv"), &o, &out, &err), -1);
	ck_assert_int_eq(err.code, ERR_USAGE);
	trace_free(t);
	t = hostile();
	o.choice.given = true;
	o.choice.kind = o.choice.layer = o.choice.head = -1;
	ck_assert_int_eq(export_write(t, format("tex"), &o, &out, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "one head"));
	buf_free(&tex);
	buf_free(&out);
	trace_free(t);
}
END_TEST

START_TEST(what_is_not_there_is_said)
{
	struct trace *t = hostile();
	struct export_options o = options("cross:7:3");
	struct buf b = {0};
	struct err err = {0};

	for (size_t i = 0; export_format_at(i); i++) {
		ck_assert_int_eq(export_write(t, export_format_at(i), &o, &b, &err), -1);
		ck_assert_str_eq(err.text, "there is no map cross:7:3: cross has layers 0–0, heads 0–1");
		ck_assert_uint_eq(b.len, 0);
	}
	t->nmaps = 0;
	t->about.model = "en-fr-fixed";
	o.choice.given = false;
	ck_assert_int_eq(export_write(t, format("svg"), &o, &b, &err), -1);
	ck_assert_str_eq(err.text,
			 "en-fr-fixed has no attention: there is no map to export, only json");
	ck_assert_int_eq(export_write(t, format("json"), &o, &b, &err), 0);
	buf_free(&b);
	trace_free(t);
}
END_TEST

START_TEST(too_many_cells_are_refused_before_they_are_copied)
{
	struct trace *t = hostile();
	struct export_options o = options(NULL);
	struct buf b = {0};
	struct err err = {0};

	t->maps[0].rows = t->maps[0].cols = SIZE_MAX / 2; /* as a file may say */
	ck_assert_int_eq(export_write(t, format("csv"), &o, &b, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "at most 1048576 cells"));
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(export_write(t, format(i ? "safetensors" : "json"), &o, &b, &err), -1);
		ck_assert_str_eq(err.text, i ? "safetensors is written with at most 134217728 numbers, "
					       "and there are more: choose fewer maps, as in --map "
					       "cross:0:0"
					     : "json is written with at most 16777216 numbers, and there "
					       "are more: choose fewer maps, as in --map cross:0:0");
	}
	t->maps[0].rows = t->maps[0].cols = 1025;
	ck_assert_int_eq(export_write(t, format("txt"), &o, &b, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "at most 1048576 cells"));
	trace_free(t);
}
END_TEST

/* One map of n words × n words. */
static struct trace *large(size_t n, const float *w)
{
	struct trace *t = hostile();

	t->nsource = t->nsteps = n;
	t->source = arena_array(&t->arena, struct trace_source, n);
	t->steps = arena_array(&t->arena, struct trace_step, n);
	for (size_t i = 0; i < n; i++)
		t->source[i].token = t->source[i].text = t->steps[i].emitted =
			t->steps[i].input = "x";
	t->maps[0].rows = t->maps[0].cols = n;
	t->maps[0].row_stride = (ptrdiff_t)n;
	t->maps[0].data = w;
	return t;
}

/* Rather blocks than no figure: each cell is the largest of its block, and the page says so. */
START_TEST(a_page_with_more_cells_than_a_browser_bears_shows_blocks)
{
	static float w[513 * 513];
	struct trace *t = large(513, w);
	struct export_options o = options(NULL);
	struct buf b = {0};
	struct err err = {0};

	w[512 * 513 + 511] = 0.5f;
	ck_assert_msg(export_write(t, format("html"), &o, &b, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(count(b.data, "<th scope=\"row\""), 257);
	ck_assert_uint_eq(count(b.data, "<th scope=\"col\""), 257);
	ck_assert_uint_eq(count(b.data, "data-v=\"0.5\""), 1);
	ck_assert_ptr_nonnull(strstr(b.data, ">a cell is the largest of 2 × 2<"));
	buf_free(&b);
	trace_free(t);
}
END_TEST

START_TEST(blocks_keep_what_is_masked_and_what_is_largest)
{
	enum { SIDE = 10 };
	static float w[SIDE * SIDE];
	struct trace *t = large(SIDE, w);
	struct export_options o = options(NULL);
	struct figure f;
	struct err err = {0};

	t->maps[0].kind = TRACE_DECODER;
	for (size_t r = 0; r < SIDE; r++)
		for (size_t c = 0; c <= r; c++)
			w[r * SIDE + c] = (float)(r * SIDE + c + 1) / 100;
	t->nmaps = 1;
	ck_assert_int_eq(figure_init_pooled(&f, t, &o, 16, &err), 0);
	ck_assert_uint_eq(f.block, 3);
	ck_assert_uint_eq(f.maps[0].rows, 4);
	/* 10 rows are cut into 2, 3, 2 and 3 */
	ck_assert_float_eq(f.maps[0].values[0], 0.12f);
	ck_assert_float_eq(f.maps[0].values[15], 1);
	for (size_t i = 0; i < 16; i++)
		if (i % 4 > i / 4)
			ck_assert_int_eq(figure_paper(&f.maps[0], i), FIGURE_MASKED);
		else
			ck_assert_int_ne(f.maps[0].levels[i], LEVEL_NONE);
	figure_fini(&f);
	t->maps[1] = t->maps[0];
	t->maps[1].head = 1;
	t->nmaps = 2;
	o = options("decoder:0:0,decoder:0:1");
	ck_assert_int_eq(figure_init_pooled(&f, t, &o, 16, &err), -1); /* no blocks in a comparison */
	ck_assert_str_eq(err.text, "a figure has at most 16 cells: choose fewer maps, or npz or "
				   "safetensors");
	trace_free(t);
}
END_TEST

/* TeX keeps a page in its memory, which has an end; cells of one colour side by side count once. */
START_TEST(more_cells_than_tex_can_hold_become_blocks)
{
	enum { SIDE = 220 };
	static float w[SIDE * SIDE];
	struct trace *t = large(SIDE, w);
	struct export_options o = options(NULL);
	struct buf b = {0};
	struct err err = {0};

	for (size_t i = 0; i < SIDE * SIDE; i++)
		w[i] = 0.5f;
	ck_assert_msg(export_write(t, format("tex"), &o, &b, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(count(b.data, "\\q0,"), SIDE);
	ck_assert_uint_eq(count(b.data, ",220;"), SIDE);
	for (size_t i = 0; i < SIDE * SIDE; i++)
		w[i] = i % 2 ? 0.75f : 0.25f;
	buf_clear(&b);
	ck_assert_msg(export_write(t, format("tex"), &o, &b, &err) == 0, "%s", err.text);
	ck_assert_ptr_nonnull(strstr(b.data, "a~cell~is~the~largest~of~2~×~2"));
	buf_free(&b);
	trace_free(t);
}
END_TEST

/* A row of a map with many numbers has only its strongest lines, and that is said. */
START_TEST(many_tokens_keep_their_strongest_lines)
{
	enum { SIDE = 512, KEPT = FIGURE_LINES / (SIDE + 1) };
	static float w[SIDE * SIDE];
	struct trace *t = large(SIDE, w);
	struct export_options o = options(NULL);
	struct buf b = {0};
	struct err err = {0};
	struct figure f;

	o.links = true;
	for (size_t i = 0; i < SIDE * SIDE; i++)
		w[i] = 0.1f + 0.001f * (float)(i % SIDE * 7 % SIDE);
	ck_assert_msg(export_write(t, format("tex"), &o, &b, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(count(b.data, "\\draw[link,"), SIDE * KEPT);
	ck_assert_ptr_nonnull(strstr(b.data, "strongest~lines~of~each~row"));
	ck_assert_int_eq(figure_init(&f, t, &o, &err), 0);
	ck_assert_uint_eq(f.strongest, KEPT);
	for (size_t c = 0; c < SIDE; c++) {
		uint8_t level;

		ck_assert_int_eq(figure_level(&f.maps[0], c, &level), c * 7 % SIDE >= SIDE - KEPT);
	}
	figure_fini(&f);
	buf_free(&b);
	trace_free(t);
}
END_TEST

/* ---- how it is laid out ---- */

static struct page laid_out(const struct trace *t, const struct export_options *o, struct figure *f)
{
	struct page p = {.f = f, .measure = tex_measure};
	struct err err = {0};

	ck_assert_msg(figure_init(f, t, o, &err) == 0, "%s", err.text);
	page_layout(&p);
	return p;
}

static void end_layout(struct page *p, struct figure *f)
{
	page_fini(p);
	figure_fini(f);
}

START_TEST(a_map_of_one_row_has_a_bar_with_room_for_its_ticks)
{
	struct trace *t = recorded();
	struct export_options o = options(NULL);
	struct figure f;
	struct page p;

	t->maps[0].rows = 1;
	p = laid_out(t, &o, &f);
	ck_assert_uint_eq(f.bars[0].nticks, 3);
	ck_assert(p.bar_height >= 2 * p.line);
	ck_assert(p.height >= p.bar_y + p.bar_height + p.line / 2);
	ck_assert_str_eq(p.scale, "α"); /* no room for words beside it */
	end_layout(&p, &f);
	trace_free(t);
}
END_TEST

START_TEST(a_figure_is_as_wide_as_asked_and_says_what_it_leaves_out)
{
	struct trace *t = recorded();
	struct export_options o = options(NULL);
	struct figure f;
	struct page p;

	o.width = 8.5;
	o.numbers = true;
	p = laid_out(t, &o, &f);
	ck_assert_double_eq_tol(p.width, 8.5 * 72 / 2.54, 1e-6);
	ck_assert_double_eq_tol(p.angle, M_PI / 4, 1e-6);
	ck_assert_uint_eq(p.panels[0].every_col, 1);
	ck_assert(p.number_size > 3);
	ck_assert_uint_eq(p.nnotes, 0);
	ck_assert_str_eq(p.scale, "attention weight α");
	end_layout(&p, &f);
	o.width = 3;
	p = laid_out(t, &o, &f);
	ck_assert(p.panels[0].cw >= 2); /* rather wider than asked than nothing to see */
	ck_assert_double_eq_tol(p.angle, M_PI / 2, 1e-6);
	ck_assert(p.number_size <= 0);
	ck_assert_uint_eq(p.nnotes, 2);
	ck_assert_ptr_nonnull(strstr(p.notes[0], "is named"));
	ck_assert_str_eq(p.notes[1], "cells are too small for numbers");
	end_layout(&p, &f);
	trace_free(t);
}
END_TEST

/* ---- text of TeX ---- */

START_TEST(labels_of_tex)
{
	static const struct {
		const char *text, *label;
	} labels[] = {
		{"plain", "{plain}"},
		{"a_b", "{a\\_b}"},
		{"é", "{\\attntext{00E9}{é}{é}}"},
		{"▁the", "{\\attntext{2581}{▁the}{\\textunderscore{}the}}"},
		{"␛[", "{\\attntext{241B}{␛[}{\\attncode{ESC}[}}"},
		{"汤x", "{\\attntext{6C64}{汤x}{\\attncode{U+6C64}x}}"},
		{"a ש, ש", "{\\attntext[\\attnright]{05E9,05E9}{a~\\attnrtl{ש,{\\kern0pt}~ש}}"
			   "{a~\\attncode{U+05E9},{\\kern0pt}~\\attncode{U+05E9}}}"},
		{"ש a", "{\\attntext[\\attnright]{05E9}{a\\attnrtl{ש~}}{\\attncode{U+05E9}~a}}"},
		{"שם", "{\\attntext[\\attnright]{05E9,05DD}{\\attnrtl{שם}}{\\attncode{U+05E9}\\attncode{U+05DD}}}"},
	};

	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
		struct buf b = {0};

		tex_label(labels[i].text, &b);
		ck_assert_str_eq(buf_str(&b), labels[i].label);
		buf_free(&b);
	}
}
END_TEST

START_TEST(tex_names_the_program_that_compiles_it)
{
	struct trace *t = recorded();
	struct export_options o = options(NULL);
	struct buf b = written(t, "tex", &o);

	ck_assert_int_eq(strncmp(b.data, "% Compile with pdflatex, ", 25), 0);
	t->source[0].token = t->source[0].text = "猫";
	buf_free(&b);
	b = written(t, "tex", &o);
	ck_assert_int_eq(strncmp(b.data, "% !TeX program = lualatex\n", 26), 0);
	buf_free(&b);
	trace_free(t);
}
END_TEST

static const struct {
	const char *text;
	bool ok;
	int kind, layer, head;
} choices[] = {
	{"all", true, -1, -1, -1},
	{"cross", true, TRACE_CROSS, -1, -1},
	{"encoder:2", true, TRACE_ENCODER, 2, -1},
	{"decoder:0:15", true, TRACE_DECODER, 0, 15},
	{"", false, 0, 0, 0},
	{"cros", false, 0, 0, 0},
	{"cross:", false, 0, 0, 0},
	{"cross:-1", false, 0, 0, 0},
	{"cross:1:", false, 0, 0, 0},
	{"cross:1:2:3", false, 0, 0, 0},
	{"cross:0:1,cross:1", false, 0, 0, 0},
	{"cross:0:1,", false, 0, 0, 0},
	{"cross:0:1,encoder:0:2", true, -1, -1, -1},
	{"cross:99999999999", false, 0, 0, 0},
	{"all:1", false, 0, 0, 0},
	{"cross 1", false, 0, 0, 0},
};

START_TEST(choices_are_understood)
{
	struct export_choice c = {0};
	struct err err = {0};

	ck_assert_msg((export_choice_parse(choices[_i].text, &c, &err) == 0) == choices[_i].ok,
		      "\"%s\"", choices[_i].text);
	if (!choices[_i].ok)
		return;
	ck_assert(c.given);
	ck_assert_int_eq(c.kind, choices[_i].kind);
	ck_assert_int_eq(c.layer, choices[_i].layer);
	ck_assert_int_eq(c.head, choices[_i].head);
}
END_TEST

START_TEST(endings_name_formats)
{
	static const struct {
		const char *file, *format;
	} names[] = {{"a.svg", "svg"},	{"a/b.c/x.PNG", "png"}, {"x.tar.npz", "npz"}, {"svg", NULL},
		     {"a.svg/b", NULL}, {"a.", NULL},		{"x.jpeg", NULL},     {"", NULL}};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct err err = {0};
		const struct export_format *f = export_format_of_file(names[i].file, &err);

		ck_assert_msg(!f == !names[i].format, "%s", names[i].file);
		if (f)
			ck_assert_str_eq(f->name, names[i].format);
		else
			ck_assert_int_eq(err.code, ERR_USAGE);
	}
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("export", &tc);

	tcase_add_test(tc, the_figure_model_is_as_recorded);
	tcase_add_test(tc, small_weights_fill_the_colour_bar);
	tcase_add_test(tc, a_grid_of_hostile_maps_is_as_recorded);
	tcase_add_loop_test(tc, files_are_as_recorded, 0, sizeof files / sizeof *files);
	tcase_add_loop_test(tc, no_control_of_a_token_reaches_a_file, 0,
			    sizeof harmless / sizeof *harmless);
	tcase_add_test(tc, tokens_make_no_elements_and_no_commands);
	tcase_add_test(tc, csv_fields_are_quoted);
	tcase_add_test(tc, json_read_back_is_the_same);
	tcase_add_test(tc, safetensors_read_back_is_the_same);
	tcase_add_test(tc, scores_are_drawn_when_there_are_no_weights);
	tcase_add_test(tc, a_choice_restricts_every_format);
	tcase_add_test(tc, two_heads_are_shown_with_their_difference);
	tcase_add_test(tc, cells_without_a_colour_are_told_apart);
	tcase_add_test(tc, a_cell_that_is_nan_is_masked_and_stays_nan);
	tcase_add_test(tc, zeros_have_no_sign);
	tcase_add_test(tc, a_page_with_more_cells_than_a_browser_bears_shows_blocks);
	tcase_add_test(tc, blocks_keep_what_is_masked_and_what_is_largest);
	tcase_add_test(tc, more_cells_than_tex_can_hold_become_blocks);
	tcase_add_test(tc, a_map_of_one_row_has_a_bar_with_room_for_its_ticks);
	tcase_add_test(tc, a_figure_is_as_wide_as_asked_and_says_what_it_leaves_out);
	tcase_add_test(tc, labels_of_tex);
	tcase_add_test(tc, tex_names_the_program_that_compiles_it);
	tcase_add_test(tc, links_are_those_of_one_head);
	tcase_add_test(tc, many_tokens_keep_their_strongest_lines);
	tcase_add_test(tc, what_is_not_there_is_said);
	tcase_add_test(tc, too_many_cells_are_refused_before_they_are_copied);
	tcase_add_loop_test(tc, choices_are_understood, 0, sizeof choices / sizeof *choices);
	tcase_add_test(tc, endings_name_formats);
	return suite_main(s);
}
