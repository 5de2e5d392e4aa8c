/*
 * import.c - every format of other toolkits, from files that make.py wrote out of one attention:
 * each cell, each token, each decision. With ATTNSCOPE_SAMPLES set to a folder of real files those
 * are opened too.
 */
#include "suite.h"

#include "base/buf.h"
#include "base/fs.h"
#include "import/import.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What make.py made: rows = target tokens + end, columns = source tokens + end. */
static const float A[4][3] = {
	{0.7f, 0.2f, 0.1f}, {0.1f, 0.8f, 0.1f}, {0.25f, 0.5f, 0.25f}, {0.05f, 0.15f, 0.8f}};
static const float links[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {0, 0, 1}};
static const float old[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {0, 0, 1}};
static const float shifted[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {0, 0, 0}};
static const float scored[4][3] = {{0.5f, 0, 0}, {0, 0.25f, 0}, {0, 1, 0}, {0, 0, 0}};
static const float encoder[3][3] = {{0.5f, 0.25f, 0.25f}, {0.125f, 0.75f, 0.125f}, {0, 0, 1}};
static const float decoder[4][4] = {
	{1, 0, 0, 0}, {0.5f, 0.5f, 0, 0}, {0.25f, 0.25f, 0.5f, 0}, {0.25f, 0.25f, 0.25f, 0.25f}};
static const char *const source[] = {"the", "cat", "</s>"}, *const target[] = {"le", "chat", "noir",
									       "</s>"};

enum { NAMES_NONE = 0, NAMES_SOURCE = 1, NAMES_TARGET = 2, NAMES_BOTH = 3 };

static const struct one {
	const char *file, *format;
	size_t sentences, nsource, ntarget;
	int names; /* which tokens the file holds */
	enum trace_type type;
	const float (*cross)[3]; /* NULL: there is none */
	int layers, heads;	 /* of cross; without it the first layer */
	float tolerance;
	bool unnormalised;
	const char *orientation, *eos; /* how they begin */
} files[] = {
	/* clang-format off */
	{"marian-soft.txt", "marian", 2, 3, 4, NAMES_TARGET, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target", "one row more than target tokens in 2 of 2"},
	{"marian-soft-crlf.txt", "marian", 1, 3, 4, NAMES_TARGET, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target", "one row more"},
	{"marian-nbest.txt", "marian", 3, 3, 4, NAMES_TARGET, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target", "one row more than target tokens in 3 of 3"},
	{"marian-scorer.txt", "marian", 1, 3, 4, NAMES_NONE, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target", "cannot be known"},
	{"marian-bare.txt", "marian", 1, 3, 4, NAMES_NONE, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target", "cannot be known"},
	{"marian-hard.txt", "marian", 1, 3, 4, NAMES_TARGET, TRACE_HARD, links, 1, 1, 0, false, "links are source-target", "one row more"},
	{"marian-hard-nbest.txt", "marian", 1, 3, 4, NAMES_TARGET, TRACE_HARD, links, 1, 1, 0, false, "links are source-target", "one row more"},
	{"marian-report-align.txt", "marian", 1, 2, 3, NAMES_TARGET, TRACE_HARD, links, 1, 1, 0, false, "links are source-target", "as many rows"},
	{"marian-amunmt.txt", "marian", 1, 3, 3, NAMES_TARGET, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target", "as many rows"},
	{"nematus.txt", "nematus", 2, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target", "one row more than target tokens in 2 of 2 sentences, one column more than source tokens in 2"},
	{"nematus-lua.txt", "nematus", 1, 2, 3, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, true, "rows are target", "as many rows"},
	{"nematus-amunmt.txt", "nematus", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target", "one row more"},
	{"sockeye.txt", "sockeye", 1, 2, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, true, "transposed: the format", "as many rows"},
	{"opennmt-tf.txt", "opennmt-tf", 1, 2, 3, NAMES_TARGET, TRACE_WEIGHTS, A, 1, 1, 0, true, "rows are target", "as many rows"},
	{"opennmt-py-v2.log", "opennmt-py", 1, 2, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, true, "rows are target", "as many rows"},
	{"opennmt-py-v3.log", "opennmt-py", 1, 2, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, true, "rows are target", "as many rows"},
	{"fairseq-soft.txt", "fairseq", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target", "one row more"},
	{"fairseq-hard.txt", "fairseq", 1, 2, 3, NAMES_BOTH, TRACE_HARD, links, 1, 1, 0, false, "links are source-target", "as many rows"},
	{"fairseq-old.txt", "fairseq", 1, 3, 4, NAMES_BOTH, TRACE_HARD, old, 1, 1, 0, false, "links are source-target", "one row more"},
	{"pharaoh.txt", "pharaoh", 2, 2, 3, NAMES_NONE, TRACE_HARD, links, 1, 1, 0, false, "links are source-target", "cannot be known"},
	{"pharaoh-scored.txt", "pharaoh", 2, 2, 3, NAMES_NONE, TRACE_WEIGHTS, scored, 1, 1, 0, true, "links are source-target", "cannot be known"},
	{"table.csv", "table", 1, 3, 4, NAMES_NONE, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target tokens: every row sums to 1", "cannot be known"},
	{"table-turned.csv", "table", 1, 3, 4, NAMES_NONE, TRACE_WEIGHTS, A, 1, 1, 0, false, "transposed: every column", "cannot be known"},
	{"table-labels.tsv", "table", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target", "as many rows"},
	{"npy-f4.npy", "npy", 1, 3, 4, NAMES_NONE, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target tokens: every row sums to 1", "cannot be known"},
	{"npy-f8-fortran.npy", "npy", 1, 3, 4, NAMES_NONE, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target tokens: every row sums to 1", "cannot be known"},
	{"npy-f4-big.npy", "npy", 1, 3, 4, NAMES_NONE, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target tokens: every row sums to 1", "cannot be known"},
	{"npy-f2-heads.npy", "npy", 1, 3, 4, NAMES_NONE, TRACE_WEIGHTS, A, 1, 2, 5e-4f, false, "rows are target tokens: every row sums to 1", "cannot be known"},
	{"npy-turned.npy", "npy", 1, 3, 4, NAMES_NONE, TRACE_WEIGHTS, A, 1, 1, 0, false, "transposed: every column", "cannot be known"},
	{"npz-stored.npz", "npz", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 2, 2, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"npz-deflated.npz", "npz", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 2, 2, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"npz-seq2seq.npz", "npz", 2, 3, 4, NAMES_NONE, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target tokens: every row sums to 1", "cannot be known"},
	{"npz-generate-layers.npz", "npz", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 2, 2, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"npz-generate-steps.npz", "npz", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 2, 2, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"npz-generate-stack.npz", "npz", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 2, 2, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"npz-generate-six.npz", "npz", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 2, 2, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"npz-generate-beams.npz", "npz", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 2, 2, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"npz-generate.npz", "npz", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 2, 2, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"npz-batch.npz", "npz", 2, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"npz-sequences.npz", "npz", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 2, 2, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"npz-beams.npz", "npz", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 2, 2, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"npz-ends.npz", "npz", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"npz-left.npz", "npz", 1, 0, 4, NAMES_BOTH, TRACE_WEIGHTS, NULL, 0, 0, 0, false, "rows are queries", "as many rows"},
	{"npz-generate-one.npz", "npz", 1, 0, 4, NAMES_BOTH, TRACE_WEIGHTS, NULL, 0, 0, 0, false, "rows are queries", "as many rows"},
	{"npz-generate-alone.npz", "npz", 1, 0, 4, NAMES_BOTH, TRACE_WEIGHTS, NULL, 0, 0, 0, false, "rows are queries", "as many rows"},
	{"npz-layer-head.npz", "npz", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 2, 2, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"npz-positional.npz", "npz", 1, 3, 4, NAMES_NONE, TRACE_WEIGHTS, A, 2, 2, 0, false, "rows are target tokens: every row sums to 1", "cannot be known"},
	{"npy-self.npy", "npy", 1, 0, 4, NAMES_NONE, TRACE_WEIGHTS, NULL, 1, 0, 0, false, "rows are queries", "cannot be known"},
	{"npy-links.npy", "npy", 1, 3, 4, NAMES_NONE, TRACE_WEIGHTS, shifted, 1, 1, 0, true, "", "cannot be known"},
	{"safetensors-f32.safetensors", "safetensors", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 2, 2, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"safetensors-f64.safetensors", "safetensors", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 2, 2, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"safetensors-f16.safetensors", "safetensors", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 2, 2, 5e-4f, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"safetensors-bf16.safetensors", "safetensors", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 2, 2, 4e-3f, true, "rows are target tokens: every row sums to 1", "as many rows"},
	{"safetensors-links.safetensors", "safetensors", 1, 2, 3, NAMES_NONE, TRACE_WEIGHTS, links, 1, 1, 0, false, "rows are target tokens: every row sums to 1", "cannot be known"},
	{"safetensors-own.safetensors", "safetensors", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"ctranslate2.json", "ctranslate2", 1, 2, 3, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, true, "rows are target", "as many rows"},
	{"tensor2tensor.js", "tensor2tensor", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 2, 0, false, "rows are target tokens: every row sums to 1", "one row more"},
	{"tensor2tensor-nan.json", "tensor2tensor", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 2, 0, false, "rows are target tokens: every row sums to 1", "one row more"},
	{"inspectus.html", "inspectus", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 2, 0, false, "rows are target tokens: every row sums to 1", "as many rows"},
	{"circuitsvis.json", "circuitsvis", 1, 0, 4, NAMES_NONE, TRACE_WEIGHTS, NULL, 0, 0, 0, false, "rows are queries", "as many rows"},
	{"circuitsvis.html", "circuitsvis", 1, 0, 4, NAMES_NONE, TRACE_WEIGHTS, NULL, 0, 0, 0, false, "rows are queries", "as many rows"},
	{"bertviz.html", "bertviz", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 2, 2, 0, false, "rows are target", "as many rows"},
	{"bertviz-self.html", "bertviz", 1, 0, 4, NAMES_NONE, TRACE_WEIGHTS, NULL, 3, 0, 0, false, "rows are queries", "as many rows"},
	{"bertviz-old.js", "bertviz", 1, 0, 4, NAMES_NONE, TRACE_WEIGHTS, NULL, 0, 0, 0, false, "rows are queries", "as many rows"},
	{"notebook.ipynb", "notebook", 2, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 2, 0, false, "rows are target tokens: every row sums to 1", "one row more than target tokens in 1 of 2"},
	{"npz-generate-prompt.npz", "npz", 1, 0, 4, NAMES_NONE, TRACE_WEIGHTS, NULL, 0, 0, 0, false, "rows are queries", "cannot be known"},
	{"exbert.json", "exbert", 1, 0, 4, NAMES_NONE, TRACE_WEIGHTS, NULL, 0, 0, 0, false, "rows are queries", "as many rows"},
	{"llm-viz.json", "llm-viz", 1, 0, 4, NAMES_NONE, TRACE_WEIGHTS, NULL, 0, 0, 0, false, "rows are queries", "cannot be known"},
	{"inseq.json", "inseq", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 2, 0, false, "rows are target", "as many rows"},
	{"inseq-gzip.json", "inseq", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 2, 0, false, "rows are target", "as many rows"},
	{"inseq-double.json", "inseq", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 2, 0, false, "rows are target", "as many rows"},
	{"inseq-half.json", "inseq", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 2, 5e-4f, false, "rows are target", "as many rows"},
	{"pointer-generator.json", "pointer-generator", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target", "one row more"},
	{"nematus-json-graph.json", "nematus-json", 2, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target", "as many rows"},
	{"nematus-json-links.json", "nematus-json", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target", "as many rows"},
	{"nematus-json-lines.json", "nematus-json", 2, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are target", "one row more than target tokens in 2 of 2 sentences, one column more than source tokens in 2"},
	{"sockeye-json.jsonl", "sockeye-json", 2, 2, 3, NAMES_TARGET, TRACE_HARD, links, 1, 1, 0, false, "links are source-target", "as many rows"},
	{"sockeye-text.txt", "sockeye-text", 2, 2, 3, NAMES_BOTH, TRACE_HARD, links, 1, 1, 0, false, "links are source-target", "as many rows"},
	{"bitext-sockeye.txt", "bitext", 2, 2, 3, NAMES_TARGET, TRACE_HARD, links, 1, 1, 0, false, "links are source-target", "as many rows"},
	{"bitext-picaro.tsv", "bitext", 2, 2, 3, NAMES_BOTH, TRACE_HARD, links, 1, 1, 0, false, "links are source-target", "as many rows"},
	{"attnscope.json", "attnscope", 1, 3, 4, NAMES_BOTH, TRACE_WEIGHTS, A, 1, 1, 0, false, "rows are queries", "as recorded"},
	/* clang-format on */
};

#define SCRATCH "import-scratch.txt"
#define LEN(a) (sizeof(a) / sizeof *(a))

static const char *path_of(const char *file, char *out, size_t size)
{
	snprintf(out, size, "%s/%s", FILES, file);
	return out;
}

static void begins(const char *file, const char *got, const char *want)
{
	ck_assert_msg(strncmp(got, want, strlen(want)) == 0, "%s: \"%s\", not \"%s…\"", file, got,
		      want);
}

static void check_map(const char *file, const struct trace_map *m, const float *want, size_t rows,
		      size_t cols, size_t stride, float tolerance)
{
	ck_assert_msg(m != NULL, "%s: a map is missing", file);
	ck_assert_uint_eq(m->rows, rows);
	ck_assert_uint_eq(m->cols, cols);
	for (size_t r = 0; r < rows; r++)
		for (size_t c = 0; c < cols; c++)
			ck_assert_msg(fabsf(trace_at(m, r, c) - want[r * stride + c]) <= tolerance,
				      "%s: cell %zu,%zu is %g, not %g", file, r, c,
				      (double)trace_at(m, r, c), (double)want[r * stride + c]);
}

static void check_tokens(const struct one *f, const struct trace *t)
{
	for (size_t i = 0; i < t->nsource && (f->names & NAMES_SOURCE); i++)
		ck_assert_str_eq(t->source[i].token, source[i]);
	for (size_t i = 0; i < t->nsteps && (f->names & NAMES_TARGET); i++)
		ck_assert_str_eq(t->steps[i].token, target[i]);
	if (!(f->names & NAMES_SOURCE) && f->cross)
		ck_assert_str_eq(t->source[0].token, "1");
}

static void check_trace(const struct one *f, const struct trace *t)
{
	ck_assert_uint_eq(t->nsource, f->nsource);
	ck_assert_uint_eq(t->nsteps, f->ntarget);
	check_tokens(f, t);
	ck_assert_msg(t->about.unnormalised == f->unnormalised, "%s: unnormalised %d", f->file,
		      t->about.unnormalised);
	for (int l = 0; l < f->layers; l++)
		for (int h = 0; h < f->heads; h++)
			check_map(f->file, trace_find(t, TRACE_CROSS, l, h, f->type),
				  &f->cross[0][0], f->ntarget, f->nsource, 3, f->tolerance);
	if (trace_find(t, TRACE_ENCODER, 0, 0, TRACE_WEIGHTS) && f->cross)
		check_map(f->file, trace_find(t, TRACE_ENCODER, 0, 0, TRACE_WEIGHTS),
			  &encoder[0][0], 3, 3, 3, f->tolerance);
	if (trace_find(t, TRACE_DECODER, 0, 0, TRACE_WEIGHTS))
		check_map(f->file, trace_find(t, TRACE_DECODER, 0, 0, TRACE_WEIGHTS),
			  &decoder[0][0], 4, 4, 4, f->tolerance);
	if (!f->cross)
		check_map(f->file, trace_find(t, TRACE_DECODER, f->layers, 1, TRACE_WEIGHTS),
			  &decoder[0][0], 4, 4, 4, f->tolerance);
}

static void open_with(struct import *im, const char *file, const struct import_options *o)
{
	char path[1024], why[1024];
	struct err err = {0};

	ck_assert_msg(import_open(im, path_of(file, path, sizeof path), o, &err) == 0, "%s",
		      err_format(&err, why, sizeof why));
}

static struct trace *read_text(struct import *im, const char *text, const struct import_options *o)
{
	struct trace *t = NULL;
	struct err err = {0};

	*im = (struct import){0};
	ck_assert_msg(import_read(im, text, strlen(text), "x", o, &err) == 0, "%s", err.text);
	ck_assert_msg(import_trace(im, 0, &t, &err) == 0, "%s", err.text);
	return t;
}

/* As other systems write text. */
START_TEST(a_byte_order_mark_changes_nothing)
{
	const struct one *f = &files[_i];
	char path[1024], *text;
	size_t len;
	struct buf marked = {0};
	struct import im = {0};
	struct err err = {0};

	ck_assert_int_eq(fs_read(path_of(f->file, path, sizeof path), 1 << 20, &text, &len, NULL), 0);
	buf_puts(&marked, "\xef\xbb\xbf");
	buf_add(&marked, text, len);
	/* arrays are no text, and one file has a mark already */
	if (strncmp(f->format, "np", 2) != 0 && strcmp(f->format, "safetensors") != 0 &&
	    strncmp(text, "\xef\xbb\xbf", 3) != 0) {
		ck_assert_msg(import_read(&im, buf_str(&marked), marked.len, f->file, NULL, &err) == 0,
			      "%s: %s", f->file, err.text);
		ck_assert_str_eq(im.format, f->format);
		import_close(&im);
	}
	buf_free(&marked);
	free(text);
}
END_TEST

START_TEST(a_file_is_recognised_and_read)
{
	const struct one *f = &files[_i];
	struct import im;

	open_with(&im, f->file, NULL);
	ck_assert_str_eq(im.format, f->format);
	ck_assert_uint_eq(im.n, f->sentences);
	begins(f->file, im.orientation, f->orientation);
	begins(f->file, im.eos, f->eos);
	for (size_t i = 0; i < im.n; i++) {
		struct trace *t;
		struct err err = {0};

		ck_assert_msg(import_trace(&im, i, &t, &err) == 0, "%s", err.text);
		check_trace(f, t);
		trace_free(t);
	}
	import_close(&im);
}
END_TEST

static bool has_note(const struct import *im, const char *part)
{
	for (size_t i = 0; i < im->nnotes; i++)
		if (strstr(im->notes[i], part))
			return true;
	return false;
}

START_TEST(links_that_count_from_one)
{
	struct import im;
	struct trace *t;

	open_with(&im, "pharaoh-one.txt", &(struct import_options){.format = "pharaoh"});
	ck_assert(!has_note(&im, "from 1:"));
	import_close(&im);
	char src[1024], trg[1024];
	open_with(&im, "pharaoh-one.txt",
		  &(struct import_options){.source = path_of("source.txt", src, sizeof src),
					   .target = path_of("target.txt", trg, sizeof trg)});
	ck_assert(has_note(
		&im, "links count tokens from 1: no index is 0 and one is the number of tokens"));
	ck_assert_int_eq(import_trace(&im, 1, &t, NULL), 0);
	ck_assert_uint_eq(t->nsource, 2);
	ck_assert_uint_eq(t->nsteps, 3);
	check_map("pharaoh-one.txt", &t->maps[0], &shifted[0][0], 3, 2, 3, 0);
	/* they are the attention, not what it is measured by */
	ck_assert_uint_eq(t->nlinks, 0);
	trace_free(t);
	import_close(&im);
}
END_TEST

START_TEST(sentences_of_an_array_and_their_padding)
{
	char src[1024], trg[1024];
	struct import im;
	struct trace *t;

	open_with(&im, "npy-sentences.npy",
		  &(struct import_options){.source = path_of("source.txt", src, sizeof src),
					   .target = path_of("target.txt", trg, sizeof trg)});
	ck_assert_uint_eq(im.n, 2);
	begins("padding", im.padding, "rows and columns behind the last token");
	ck_assert_int_eq(import_trace(&im, 1, &t, NULL), 0);
	ck_assert_str_eq(t->source[2].token, "</s>");
	ck_assert_str_eq(t->steps[3].token, "</s>");
	check_map("npy-sentences.npy", &t->maps[0], &A[0][0], 4, 3, 3, 0);
	trace_free(t);
	import_close(&im);
}
END_TEST

/* Rows of what filled a shorter sentence up are not 0; what is one row more is not always an end symbol. */
START_TEST(a_shorter_sentence_of_a_batch)
{
	struct import im;
	struct trace *t;

	open_with(&im, "npz-padded.npz", NULL);
	ck_assert_uint_eq(im.n, 2);
	begins("padded", im.eos, "as many rows and columns as tokens");
	ck_assert_int_eq(import_trace(&im, 1, &t, NULL), 0);
	check_map("npz-padded.npz", &t->maps[0], &A[0][0], 4, 3, 3, 0);
	ck_assert_str_eq(t->source[2].token, "</s>");
	ck_assert_str_eq(t->steps[3].token, "</s>");
	trace_free(t);
	import_close(&im);
}
END_TEST

/* Heads of one sentence reach equally far. */
START_TEST(slices_that_reach_differently_far_are_sentences)
{
	struct import im;
	struct trace *t;

	open_with(&im, "npy-slices.npy", NULL);
	ck_assert_uint_eq(im.n, 2);
	ck_assert(has_note(&im, "read as sentences × rows × columns"));
	ck_assert_int_eq(import_trace(&im, 0, &t, NULL), 0);
	check_map("npy-slices.npy", &t->maps[0], &A[0][0], 3, 3, 3, 0);
	trace_free(t);
	import_close(&im);
}
END_TEST

/* SentencePiece glued the words together again: six rows for three of them are not padding. */
START_TEST(detokenised_text_is_not_forced_onto_the_rows)
{
	static const char text[] = "l'accord fut ||| 0.5,0.5 0.5,0.5 0.5,0.5 0.5,0.5 0.25,0.75\n";
	struct import im = {0};
	struct trace *t;

	ck_assert_int_eq(import_read(&im, text, sizeof text - 1, "x", NULL, NULL), 0);
	ck_assert(has_note(&im, "probably detokenised"));
	ck_assert_int_eq(import_trace(&im, 0, &t, NULL), 0);
	ck_assert_uint_eq(t->nsteps, 5);
	ck_assert_str_eq(t->steps[4].token, "5");
	trace_free(t);
	import_close(&im);
}
END_TEST

START_TEST(no_words_for_several_columns)
{
	struct import im;
	struct trace *t = read_text(&im, "0 ||| a ||| 0 |||  ||| 0 0\n0 0 0\n", NULL);

	ck_assert_uint_eq(t->nsource, 3);
	ck_assert_str_eq(t->source[2].token, "3");
	trace_free(t);
	import_close(&im);
	/* one is the end symbol's, whatever is asked for */
	for (int eos = IMPORT_EOS_AUTO; eos <= IMPORT_EOS_NO; eos++) {
		t = read_text(&im, "0 ||| a ||| 0 |||  ||| 0 0\n0\n",
			      &(struct import_options){.eos = (enum import_eos)eos});
		ck_assert_uint_eq(t->nsource, 1);
		ck_assert_str_eq(t->source[0].token, "</s>");
		trace_free(t);
		import_close(&im);
	}
}
END_TEST

START_TEST(scores_stay_scores)
{
	struct import im;
	struct trace *t;

	open_with(&im, "table-scores.csv", NULL);
	ck_assert_str_eq(im.format, "table");
	ck_assert(has_note(&im, "kept as scores"));
	begins("scores", im.orientation, "kept as it is");
	ck_assert_int_eq(import_trace(&im, 0, &t, NULL), 0);
	ck_assert_int_eq(t->maps[0].type, TRACE_SCORES);
	ck_assert(trace_at(&t->maps[0], 0, 0) == -1.5f && trace_at(&t->maps[0], 1, 1) == -INFINITY);
	trace_free(t);
	import_close(&im);
}
END_TEST

/* Weights are told from the scores beside them, whether all is looked at or a sample. */
/* With a head line that is shorter by a cell, and with quotes, as R and spreadsheets write tables. */
START_TEST(tables_with_a_short_head)
{
	static const struct {
		const char *text, *source, *target;
	} tables[] = {
		{"the\tcat\nle\t0.75\t0.25\nchat\t0.5\t0.5\n", "the", "chat"},
		{"1\t2\nle\t0.75\t0.25\nchat\t0.5\t0.5\n", "1", "chat"},
		{"the\tcat\n1\t0.75\t0.25\n2\t0.5\t0.5\n", "the", "2"},
		{"1,2\n1,0.75,0.25\n2,0.5,0.5\n", "1", "2"},
		{";the;cat\nle;0,75;0,25\nchat;0,5;0,5\n", "the", "chat"},
		{";the;cat\nle;0.75;0.25\n\",\";0.5;0.5\n", "the", ","},
		{"the\tcat\nle\t0.75\t0.25\n", "the", "le"},
		/* DataFrame.to_csv(): an empty cell above the labels, which may be numbers, and so may be the others */
		{",the,cat\n0,0.75,0.25\n1,0.5,0.5\n", "the", "1"},
		{",0,1\n0,0.75,0.25\n1,0.5,0.5\n", "0", "1"},
		{"\t0\t1\nle\t0.75\t0.25\nchat\t0.5\t0.5\n", "0", "chat"},
		{"\"\",\"a, \"\"b\"\"\",\"cat\"\n\"le\",0.75,0.25\n\"un, deux\",0.5,0.5\n",
		 "a, \"b\"", "un, deux"},
	};

	for (size_t k = 0; k < LEN(tables); k++) {
		struct import im;
		struct trace *t = read_text(&im, tables[k].text, NULL);

		ck_assert_str_eq(im.format, "table");
		ck_assert_uint_eq(t->nsource, 2);
		ck_assert_str_eq(t->source[0].token, tables[k].source);
		ck_assert_str_eq(t->steps[t->nsteps - 1].token, tables[k].target);
		ck_assert_float_eq(trace_at(&t->maps[0], 0, 0), 0.75f);
		trace_free(t);
		import_close(&im);
	}
}
END_TEST

/* Only a row and a part of the next one are seen when a format is looked for. */
START_TEST(tables_with_long_lines)
{
	struct buf text = {0};
	struct import im;

	for (int row = 0; row < 4; row++) {
		buf_puts(&text, row ? "w" : "");
		for (int col = 0; col < 3000; col++)
			buf_printf(&text, row ? "\t0.%06d" : "\tw%d", col);
		buf_putc(&text, '\n');
	}
	trace_free(read_text(&im, buf_str(&text), NULL));
	ck_assert_str_eq(im.format, "table");
	import_close(&im);
	buf_free(&text);
}
END_TEST

START_TEST(weights_beside_their_scores)
{
	for (size_t look = 0; look < 2; look++) {
		struct import im;
		struct trace *t;

		open_with(&im, "safetensors-own.safetensors", &(struct import_options){.look = look});
		ck_assert(im.sampled == (look == 1));
		ck_assert(!has_note(&im, "kept as scores"));
		begins("own", im.orientation, "rows are target tokens: ");
		ck_assert_int_eq(import_trace(&im, 0, &t, NULL), 0);
		ck_assert_uint_eq(t->nmaps, 2);
		ck_assert_ptr_nonnull(trace_find(t, TRACE_CROSS, 0, 0, TRACE_WEIGHTS));
		ck_assert_ptr_nonnull(trace_find(t, TRACE_CROSS, 0, 0, TRACE_SCORES));
		ck_assert(!t->about.unnormalised);
		trace_free(t);
		import_close(&im);
	}
}
END_TEST

START_TEST(names_and_scores_of_an_n_best_list)
{
	struct import im;
	double score;

	open_with(&im, "marian-nbest.txt", NULL);
	ck_assert_str_eq(import_id(&im, 2, &score), "1");
	ck_assert(score == -1.5);
	import_close(&im);
}
END_TEST

/* ---- what is told instead of worked out ---- */

START_TEST(transposed_as_asked_for)
{
	static const float turned[2][2] = {{0.5f, 0.25f}, {0.5f, 0.75f}};
	struct import im;
	struct trace *t = read_text(&im, "0.5,0.5\n0.25,0.75\n",
				    &(struct import_options){.transpose = true});

	begins("transpose", im.orientation, "transposed, as asked for (else: rows are target");
	check_map("x", &t->maps[0], &turned[0][0], 2, 2, 2, 0);
	trace_free(t);
	import_close(&im);
	t = read_text(&im, "0-0 0-1\n", &(struct import_options){.transpose = true});
	begins("transpose", im.orientation, "links are target-source, as asked for");
	ck_assert_uint_eq(t->nsource, 2);
	ck_assert_uint_eq(t->nsteps, 1);
	trace_free(t);
	import_close(&im);
}
END_TEST

START_TEST(end_symbols_as_asked_for)
{
	static const char text[] = "a b ||| 0.5,0.5 0.25,0.75 0,1\n";
	struct import im;
	struct trace *t = read_text(&im, text, &(struct import_options){.eos = IMPORT_EOS_NO});

	ck_assert_uint_eq(t->nsteps, 2);
	begins("eos no", im.eos, "none, as asked for");
	trace_free(t);
	import_close(&im);
	t = read_text(&im, text, &(struct import_options){.eos = IMPORT_EOS_YES});
	begins("eos yes", im.eos, "the last row and the last column, as asked for");
	ck_assert_str_eq(t->steps[2].token, "</s>");
	ck_assert_str_eq(t->source[0].token, "1");
	ck_assert_str_eq(t->source[1].token, "</s>");
	ck_assert(has_note(&im, "no source tokens for 1 of 1"));
	trace_free(t);
	import_close(&im);
}
END_TEST

START_TEST(a_model_from_right_to_left)
{
	struct import im;
	struct trace *t = read_text(&im, "a b ||| 0.5,0.5 0.25,0.75 0,1\n",
				    &(struct import_options){.right_left = true});

	ck_assert_str_eq(t->steps[0].token, "b");
	ck_assert_str_eq(t->steps[1].token, "a");
	ck_assert_str_eq(t->steps[2].token, "</s>");
	ck_assert(has_note(&im, "from right to left"));
	trace_free(t);
	import_close(&im);
}
END_TEST

/* ---- gold links and bitext from beside ---- */

static const char *scratch(const char *text)
{
	static const char path[] = SCRATCH;

	ck_assert_int_eq(fs_replace(path, text, strlen(text), NULL), 0);
	return path;
}

START_TEST(gold_links_from_beside)
{
	struct import im;
	struct trace *t = read_text(&im, "a b ||| 0.5,0.5 0.25,0.75 0,1\n",
				    &(struct import_options){.gold = scratch("1-2 2p3\n")});

	/* 3 rows: 3 is behind them unless they count from 1 */
	ck_assert(has_note(&im, "gold links count tokens from 1"));
	ck_assert_uint_eq(t->nlinks, 2);
	ck_assert(t->links[0].source == 0 && t->links[0].target == 1 && t->links[0].sure);
	ck_assert(t->links[1].source == 1 && t->links[1].target == 2 && !t->links[1].sure);
	trace_free(t);
	import_close(&im);
	/* of a system's links too: the map is theirs */
	t = read_text(&im, "0-0 1-1\n", &(struct import_options){.gold = scratch("0-1\n")});
	ck_assert_uint_eq(t->nlinks, 1);
	ck_assert_int_eq(t->links[0].target, 1);
	ck_assert(trace_at(&t->maps[0], 0, 0) == 1 && trace_at(&t->maps[0], 1, 0) == 0);
	trace_free(t);
	import_close(&im);
	/* no tokens: how long the sentence is, the gold links know as well */
	t = read_text(&im, "0-0 1-1\n", &(struct import_options){.gold = scratch("0-3 4p0\n")});
	ck_assert_uint_eq(t->nlinks, 2);
	ck_assert(t->nsource == 5 && t->nsteps == 4 && t->maps[0].rows == 4);
	trace_free(t);
	import_close(&im);
}
END_TEST

START_TEST(gold_links_that_do_not_fit)
{
	static const struct {
		const char *gold, *want;
	} bad[] = {
		{"0-9\n", SCRATCH ":1: link 0-9 leaves the 2 source and 2 target tokens of "
			  "sentence 1"},
		{"0-1 x\n", SCRATCH ":1: \"x\" is not a link such as 3-4"},
		{"", SCRATCH ": 0 lines of gold links, but sentence 1 of x needs line 1"},
	};

	for (size_t i = 0; i < LEN(bad); i++) {
		struct import im = {0};
		struct err err = {0};
		char text[1024];

		ck_assert_int_eq(import_read(&im, "0.5,0.5\n0.25,0.75\n", 18, "x",
					     &(struct import_options){.gold = scratch(bad[i].gold)},
					     &err),
				 -1);
		ck_assert_str_eq(err_format(&err, text, sizeof text), bad[i].want);
	}
}
END_TEST

START_TEST(bitext_gives_both_sides)
{
	struct import im;
	struct trace *t = read_text(&im, "0-0 1-1\n",
				    &(struct import_options){.source = scratch("the cat ||| le chat noir\n")});

	ck_assert_str_eq(t->source[1].token, "cat");
	ck_assert_uint_eq(t->nsteps, 3);
	ck_assert_str_eq(t->steps[2].token, "noir");
	trace_free(t);
	import_close(&im);
}
END_TEST

/* ---- which index is the source ---- */

START_TEST(links_with_the_target_first)
{
	struct import im;
	/* AmuNMT: a link for every target token, the target first */
	struct trace *t = read_text(&im, "a b c ||| 0-0 1-2 2-2\na b ||| 0-1 1-0\n", NULL);

	begins("amunmt", im.orientation, "links are target-source: their first index");
	ck_assert_str_eq(t->steps[2].token, "c");
	ck_assert(trace_at(&t->maps[0], 1, 2) == 1 && trace_at(&t->maps[0], 2, 1) == 0);
	trace_free(t);
	import_close(&im);
	/* Marian: the same sentence as source-target */
	t = read_text(&im, "a b c ||| 0-0 2-1 2-2\n", NULL);
	begins("marian", im.orientation, "links are source-target");
	ck_assert(trace_at(&t->maps[0], 1, 2) == 1);
	trace_free(t);
	import_close(&im);
	/* without words to glue together, what leaves the sentence tells */
	t = read_text(&im, "0-0 2-1\n",
		      &(struct import_options){.source = scratch("a ||| b c d\n")});
	begins("pharaoh", im.orientation, "links are target-source: source-target, some would lie");
	ck_assert(trace_at(&t->maps[0], 2, 1) == 1);
	trace_free(t);
	import_close(&im);
}
END_TEST

/* ---- arrays as people save them ---- */

static bool is_read_in_itself(const struct trace *t)
{
	for (size_t i = 0; i < t->nsteps; i++)
		if (strcmp(t->steps[i].input, t->steps[i].token) != 0)
			return false;
	return t->nsteps > 0;
}

START_TEST(what_tokenizers_give_besides)
{
	struct import im;
	struct trace *t;

	open_with(&im, "npz-masks.npz", NULL);
	ck_assert_uint_eq(im.n, 2);
	ck_assert(has_note(&im, "not used: \"input_ids\", \"labels\", \"hidden_states.3\", \"sequences\", \"loss\""));
	ck_assert_int_eq(import_trace(&im, 1, &t, NULL), 0);
	ck_assert_uint_eq(t->nmaps, 4);
	check_map("npz-masks.npz", trace_find(t, TRACE_CROSS, 1, 1, TRACE_WEIGHTS), &A[0][0], 4, 3, 3, 0);
	for (size_t i = 0; i < 4; i++)
		ck_assert_str_eq(t->steps[i].token, target[i]);
	ck_assert_str_eq(t->source[2].token, "</s>");
	trace_free(t);
	import_close(&im);
}
END_TEST

/* The first of two numbers is a sentence's where there are several queries. */
START_TEST(sentences_of_different_sizes)
{
	static const char *const names[] = {"npz-sentences.npz", "npz-sentence-layer.npz"};

	for (size_t k = 0; k < LEN(names); k++) {
		struct import im;
		struct trace *t;
		double score;

		open_with(&im, names[k], NULL);
		ck_assert_uint_eq(im.n, 2);
		ck_assert(has_note(&im, "2 sentences by the numbers in the names"));
		ck_assert_int_eq(import_trace(&im, 0, &t, NULL), 0);
		ck_assert_uint_eq(t->nsource, 2);
		ck_assert_uint_eq(t->nsteps, 2);
		ck_assert_str_eq(t->source[0].token, k ? "1" : "un");
		trace_free(t);
		ck_assert_int_eq(import_trace(&im, 1, &t, NULL), 0);
		check_map(names[k], trace_find(t, TRACE_CROSS, 1, 1, TRACE_WEIGHTS), &A[0][0], 4, 3, 3, 0);
		ck_assert_str_eq(t->source[1].token, k ? "2" : "cat");
		trace_free(t);
		if (k == 0)
			ck_assert_str_eq(import_id(&im, 1, &score), "7");
		import_close(&im);
	}
}
END_TEST

START_TEST(what_generate_adds_is_said)
{
	static const struct {
		const char *file, *note;
	} said[] = {
		{"npz-sequences.npz", "the first target token is left out"},
		{"npz-beams.npz", "the steps are of 3 beams a sentence"},
		{"npz-generate-alone.npz", "the last token is left out"},
		{"npz-left.npz", "1 of 1 sentences hold one text whose tokens look at earlier ones: a decoder alone"},
	};

	for (size_t k = 0; k < LEN(said); k++) {
		struct import im;
		struct trace *t;

		open_with(&im, said[k].file, NULL);
		ck_assert_msg(has_note(&im, said[k].note), "%s", said[k].file);
		ck_assert(!has_note(&im, "its rows belong to the tokens that were read"));
		ck_assert_int_eq(import_trace(&im, 0, &t, NULL), 0);
		ck_assert(is_read_in_itself(t) == (t->nsource == 0));
		trace_free(t);
		import_close(&im);
	}
}
END_TEST

/* The same words at both sides; or somebody says so. */
START_TEST(which_kind_it_is)
{
	static const char ahead[] = ",a,b,c\na,0.5,0.25,0.25\nb,0.25,0.5,0.25\nc,0,0.5,0.5\n",
			  back[] = ",a,b,c\na,1,0,0\nb,0.25,0.75,0\nc,0,0.5,0.5\n",
			  unlike[] = ",a,b,c\nx,0.5,0.25,0.25\nb,0.25,0.5,0.25\nc,0,0.5,0.5\n";
	static const struct {
		const char *text;
		int wanted;
		enum trace_kind kind;
	} kinds[] = {
		{ahead, 0, TRACE_ENCODER},
		{back, 0, TRACE_DECODER},
		{unlike, 0, TRACE_CROSS},
		{ahead, 1 + TRACE_CROSS, TRACE_CROSS},
		{back, 1 + TRACE_ENCODER, TRACE_ENCODER},
		{unlike, 1 + TRACE_ENCODER, TRACE_ENCODER},
	};

	for (size_t k = 0; k < LEN(kinds); k++) {
		struct import_options o = {.kind = kinds[k].wanted};
		struct import im;
		struct trace *t = read_text(&im, kinds[k].text, &o);
		bool self = kinds[k].kind != TRACE_CROSS;

		ck_assert_int_eq(t->maps[0].kind, kinds[k].kind);
		ck_assert_uint_eq(t->nsource, kinds[k].kind == TRACE_DECODER ? 0 : 3);
		ck_assert_uint_eq(t->nsteps, kinds[k].kind == TRACE_ENCODER ? 0 : 3);
		ck_assert(has_note(&im, self && !kinds[k].wanted ? "the same words" : "") || !self || kinds[k].wanted);
		ck_assert(!kinds[k].wanted || has_note(&im, "as asked for"));
		trace_free(t);
		import_close(&im);
	}
}
END_TEST

/* number, text, features, score, alignment: as some put it. */
START_TEST(an_alignment_behind_the_scores)
{
	static const char *const lines[] = {"3 ||| le chat ||| F0= -0.5 ||| -0.5 ||| 0.75,0.25 0.25,0.75 0.5,0.5\n",
					    "3 ||| le chat ||| F0= -0.5 ||| 0.75,0.25 0.25,0.75 0.5,0.5\n"};

	for (size_t k = 0; k < LEN(lines); k++) {
		struct import im;
		struct trace *t = read_text(&im, lines[k], NULL);
		double score;

		ck_assert_str_eq(t->steps[1].token, "chat");
		ck_assert_str_eq(t->steps[2].token, "</s>");
		ck_assert_str_eq(import_id(&im, 0, &score), "3");
		ck_assert(k ? isnan(score) : score == -0.5);
		trace_free(t);
		import_close(&im);
	}
}
END_TEST

/* What is wrong with numbers that are kept. */
START_TEST(odd_numbers_are_explained)
{
	static const struct {
		const char *text, *note;
	} odd[] = {
		{"0.5,0.25\n0.25,1\n", "rows of weights sum to 0.750 … 1.250 in 1 of 1 sentences: kept as they are; "
					   "sums on both sides of 1 are those of dropout"},
		{"0.5,0.25\n0.5,0.25\n0.25,0.5\n", "sum to 0.750 … 0.750 in 1 of 1 sentences: kept as they are"},
		{"0.5,0.5\n-0.25,1\n", "numbers below 0 or above 1 in 1 of 1 sentences, -0.25 in the cross map of layer 0, "
					 "head 0: kept as scores"},
	};

	for (size_t k = 0; k < LEN(odd); k++) {
		struct import im;

		trace_free(read_text(&im, odd[k].text, NULL));
		ck_assert_msg(has_note(&im, odd[k].note), "%s", odd[k].text);
		ck_assert(has_note(&im, "dropout") == (k == 0));
		import_close(&im);
	}
}
END_TEST

START_TEST(arrays_that_are_no_attention_are_named)
{
	static const struct {
		const char *file;
		int kind;
		const char *why;
	} faults[] = {
		{"npz-ids.npz", 0, "no attention in it, only \"input_ids\", \"labels\""},
		{"npz-twice.npz", 0, "arrays \"attn\" and \"my_attention\" both give layer 0, head 0 of cross attention"},
		{"npz-apart.npz", 0, "array \"cross_attentions.1.0\" has 3 columns, \"cross_attentions.0.0\" has 2"},
		{"npz-stored.npz", 1 + TRACE_CROSS, "--kind cross: sentence 1 has maps of several kinds"},
		{"npy-f4.npy", 1 + TRACE_DECODER, "array \"array\": the decoder map of layer 0, head 0 has 4 × 3 numbers, but"},
	};
	char path[1024], why[1024];

	for (size_t k = 0; k < LEN(faults); k++) {
		struct import_options o = {.kind = faults[k].kind};
		struct import im;
		struct err err = {0};

		ck_assert_int_eq(import_open(&im, path_of(faults[k].file, path, sizeof path), &o, &err), -1);
		ck_assert_msg(strstr(err_format(&err, why, sizeof why), faults[k].why) != NULL, "%s: %s",
			      faults[k].file, why);
	}
}
END_TEST

/* ---- what single formats have besides ---- */

START_TEST(the_prompt_of_a_decoder_has_no_rows)
{
	struct import im;
	struct trace *t;

	open_with(&im, "inseq-decoder.json", NULL);
	ck_assert(has_note(&im, "the first 2 tokens are the prompt"));
	ck_assert_int_eq(import_trace(&im, 0, &t, NULL), 0);
	ck_assert(t->about.unnormalised);
	for (size_t r = 0; r < 4; r++)
		for (size_t c = 0; c < 4; c++)
			ck_assert(trace_at(&t->maps[1], r, c) == (r < 2 ? 0 : decoder[r][c]));
	ck_assert_str_eq(t->steps[2].token, "noir");
	trace_free(t);
	import_close(&im);
}
END_TEST

START_TEST(rows_of_what_was_read_are_noted)
{
	struct import im;
	struct trace *t = read_text(&im, "<pad> le ||| 0.5,0.5 0.25,0.75\n", NULL);

	ck_assert(has_note(&im, "the target begins with <pad>: its rows belong to the tokens that were read"));
	ck_assert_str_eq(t->steps[1].input, "le"); /* of the column as of the row */
	trace_free(t);
	import_close(&im);
	open_with(&im, "npz-stored.npz", NULL);
	ck_assert(!has_note(&im, "begins with"));
	ck_assert(has_note(&im, "columns of decoder maps are the tokens that were read: <s>, then"));
	import_close(&im);
	open_with(&im, "npy-f4.npy", NULL);
	ck_assert(!has_note(&im, "that were read"));
	import_close(&im);
}
END_TEST

START_TEST(names_and_gold_of_a_bitext)
{
	struct import im;
	struct trace *t;
	double score;

	open_with(&im, "bitext-picaro.tsv", NULL);
	ck_assert_int_eq(import_trace(&im, 1, &t, NULL), 0);
	ck_assert_uint_eq(t->nlinks, 2);
	ck_assert_int_eq(t->links[1].target, 2);
	trace_free(t);
	import_close(&im);
	open_with(&im, "sockeye-json.jsonl", NULL);
	ck_assert_str_eq(import_id(&im, 1, &score), "1");
	ck_assert(score == -2);
	import_close(&im);
	t = read_text(&im, "-1.25 ||| le chat ||| 0-0 1-1\n", NULL);
	ck_assert_ptr_null(import_id(&im, 0, &score));
	ck_assert(score == -1.25);
	ck_assert_str_eq(t->steps[1].token, "chat");
	trace_free(t);
	import_close(&im);
	open_with(&im, "pointer-generator.json", NULL);
	ck_assert(has_note(&im, "the encoder read 3 of 5 words") && has_note(&im, "probability 0.500"));
	import_close(&im);
}
END_TEST

/* Scores of tokens stand between the text and its alignment; a source is as wide as the longest of its batch. */
START_TEST(variants_of_opennmt_tf)
{
	static const struct {
		const char *text, *format;
		double score;
		size_t nsource;
	} lines[] = {
		{"-1.25 ||| le chat ||| 0.25 -0.5 ||| 0-0 1-1\n", "marian", -1.25, 2},
		{"le chat ||| 0.25 -0.5 ||| 0-0 1-1\n", "marian", NAN, 2},
		{"-1.25 ||| le chat ||| -0.25 -0.5 ||| 0.75 0.25 0 0 ; 0.5 0.5 0 0\n", "opennmt-tf", -1.25, 2},
		{"le chat ||| 0.25 0.5 ||| 0.75 0.25 ; 0.5 0.5\n", "opennmt-tf", NAN, 2},
	};

	struct import im;
	double score;

	for (size_t k = 0; k < LEN(lines); k++) {
		struct trace *t = read_text(&im, lines[k].text, NULL);

		ck_assert_str_eq(im.format, lines[k].format);
		import_id(&im, 0, &score);
		ck_assert(isnan(lines[k].score) ? isnan(score) : score == lines[k].score);
		ck_assert_uint_eq(t->nsource, lines[k].nsource);
		ck_assert_uint_eq(t->nsteps, 2);
		ck_assert_str_eq(t->steps[1].token, "chat");
		trace_free(t);
		import_close(&im);
	}
	trace_free(read_text(&im, "12 ||| 0.25 ||| 0.75 0.25\n", &(struct import_options){.format = "opennmt-tf"}));
	import_id(&im, 0, &score);
	ck_assert(isnan(score));
	import_close(&im);
}
END_TEST

/* One word has one row, which does not look like a matrix. */
START_TEST(a_first_sentence_of_one_word)
{
	struct import im;
	struct trace *t = read_text(&im, "oui ||| 0.75 0.25\nle chat ||| 0.5 0.5 ; 0.25 0.75\n", NULL);

	ck_assert_str_eq(im.format, "opennmt-tf");
	ck_assert_uint_eq(im.n, 2);
	ck_assert_str_eq(t->steps[0].token, "oui");
	trace_free(t);
	import_close(&im);
}
END_TEST

/* --remove-bpe joins the words; the links count pieces, and none is the end symbol's. */
START_TEST(joined_words_of_fairseq)
{
	struct import im;
	struct trace *t = read_text(
		&im, "S-0\tabc d\nH-0\t-0.1\txyz w\nA-0\t0-0 1-1 2-2\nS-1\ta b\nH-1\t-0.1\tx y\nA-1\t0-0 1-1\n", NULL);

	ck_assert(has_note(&im, "probably detokenised"));
	ck_assert_str_eq(t->steps[2].token, "3");
	ck_assert_str_eq(t->source[2].token, "3");
	trace_free(t);
	import_close(&im);
}
END_TEST

START_TEST(links_with_weights_are_not_summed_up)
{
	struct import im;

	open_with(&im, "pharaoh-scored.txt", NULL);
	ck_assert(has_note(&im, "rows of weights do not sum to 1 in 2 of 2 sentences: kept as they are"));
	import_close(&im);
}
END_TEST

START_TEST(words_that_look_like_weights)
{
	struct import im;
	struct trace *t = read_text(&im,
				    "                  the        cat \n"
				    "3.14159265  0.7500000  0.2500000 \n"
				    "      </s>  0.5000000  0.5000000 \n",
				    NULL);

	ck_assert_str_eq(im.format, "opennmt-py");
	ck_assert_str_eq(t->steps[0].token, "3.14159265");
	ck_assert(trace_at(&t->maps[0], 0, 0) == 0.75f);
	trace_free(t);
	import_close(&im);
}
END_TEST

/* As many rows as columns, and six fields: what sums to 1 tells AmuNMT from Sockeye. */
START_TEST(square_matrices_of_six_fields)
{
	static const char sockeye[] = "1 ||| a b ||| -0.5 ||| c d ||| 2 ||| 2\n0.25 0.5\n0.75 0.5\n\n",
			  amunmt[] = "1 ||| a b ||| -0.5 ||| c d ||| 2 ||| 2\n0.25 0.75\n0.5 0.5\n\n";
	struct import im;
	struct trace *t = read_text(&im, sockeye, NULL);

	begins("sockeye", im.orientation, "transposed: every column");
	ck_assert(trace_at(&t->maps[0], 0, 1) == 0.75f);
	trace_free(t);
	import_close(&im);
	t = read_text(&im, amunmt, NULL);
	begins("amunmt", im.orientation, "rows are target tokens");
	ck_assert(trace_at(&t->maps[0], 0, 1) == 0.75f);
	trace_free(t);
	import_close(&im);
}
END_TEST

/* ---- damage: exactly one sentence each ---- */

static const struct damage {
	const char *format, *text, *want;
	size_t len; /* 0: of a string */
} damages[] = {
	/* clang-format off */
	{NULL, "hello\n", "x: none of the known formats; name one with --format", 0},
	{NULL, "", "x: it is empty", 0},
	{NULL, "\xff\xfe[\0", "x: it is UTF-16: convert it with iconv -f UTF-16 -t UTF-8", 4},
	{NULL, "\x1f\x8b\x08\0", "x: it is packed by gzip: zcat it into attnscope open -", 4},
	{NULL, "\x80\x04\x95\0", "x: a Python pickle is not read: save with numpy.savez or safetensors", 4},
	{NULL, "common_debug_cb_eval:    kq_soft_max-0 = (f32) SOFT_MAX(kq-0{32, 9, 8, 1}, }) = {32, 9, 8, 1}\n", "x: llama.cpp prints tensors with most of their numbers left out: save kq_soft_max as an array of numpy", 0},
	{NULL, "GGUF\3\0\0\0", "x: GGUF holds a model's weights, not its attention", 8},
	{"nosuch", "a", "there is no format \"nosuch\": attnscope, npy, npz, safetensors, ctranslate2, notebook, bertviz, tensor2tensor, circuitsvis, inspectus, exbert, llm-viz, inseq, pointer-generator, nematus-json, sockeye-json, fairseq, nematus, sockeye, sockeye-text, opennmt-tf, marian, opennmt-py, bitext, pharaoh, table", 0},
	{"marian", "a b ||| 0.5,0.5 0.5,0.5\na ||| 0.5,x\n", "x:2: no field with weights w,w,w or links i-j in this line", 0},
	{"marian", "a b ||| 0.5,0.5 0.5,0.5,0.5\n", "x:1: row 2 holds 3 numbers, the rows before it 2", 0},
	{"marian", "a b ||| 0.5,0.5 0.5,0.y\n", "x:1: behind number 2 of row 2 stands \"y\"", 0},
	{"marian", "a b c ||| 0.5,0.5 0.5,0.5\n", "x:1: sentence 1: 2 rows do not fit 3 target tokens (as many, or one more for the end symbol)", 0},
	{"marian", "a ||| 0-0 0-5000\n", "x:1: \"0-5000\" is a link to a token that no sentence has", 0},
	{"marian", "a ||| 0.5,0.5 inf,0.5\n", "x:1: sentence 1: the cross map of layer 0, head 0 holds an infinite number", 0},
	{"marian", "a\xff ||| 0-0\n", "x: byte 1: the text is not UTF-8; convert it with iconv", 0},
	{"marian", "a\0b", "x: byte 1: it holds a NUL byte, but text is expected", 3},
	{"nematus", "0 ||| a ||| 0 ||| b ||| 2 2\n0.5 0.5\n", "x:1: 2 × 2 numbers are announced, but 1 × 2 follow", 0},
	{"nematus", "0 ||| a ||| 0 ||| b ||| 2 2\n", "x:1: no matrix behind this line; the file is cut off", 0},
	{"nematus", "0.5 0.5\n", "x:1: a line \"ID ||| target ||| SCORE ||| source ||| NSRC NTRG\" is expected", 0},
	{"nematus", "0 ||| a ||| 0 ||| b ||| 1 1\n1\n1 ||| a ||| 0 ||| b ||| 1 1\n1\n", "x:3: the next sentence begins without an empty line before it", 0},
	{"opennmt-tf", "a ||| 0.5 0.5 ; 1\n", "x:1: row 2 holds 1 numbers, the rows before it 2", 0},
	{"fairseq", "S-1\ta\nA-1\tx\n", "x:2: \"x\" is neither weights, a link nor the index of a source token", 0},
	{"fairseq", "S-1\ta\nH-1\ta\n", "x:2: H-1 needs a score, a tab and tokens", 0},
	{"fairseq", "S-1\ta\nH-1\t-1\ta\n", "x: no line A-N with an alignment; fairseq-generate writes them with --print-alignment", 0},
	{"pharaoh", "0-0 1\n", "x:1: \"1\" is not a link such as 3-4", 0},
	{"pharaoh", "99999999999-1\n", "x:1: \"99999999999-1\" is a link to a token that no sentence has", 0},
	{"opennmt-py", "nothing\n", "x: no sentence in it", 0},
	{"table", ",a,b\nx,10%,90%\n", "x:2: number 1 of row 1 is a percentage: divide the numbers by 100", 0},
	{"table", "layer,head,from,to,weight\n0,0,a,b,0.5\n", "x:2: it has a number a line, each with its place: make a matrix of one head, in pandas with pivot(index=, columns=, values=).to_csv()", 0},
	{"table", "from,to,weight\n0,1,0.5\n", "x:2: it has a number a line, each with its place: make a matrix of one head, in pandas with pivot(index=, columns=, values=).to_csv()", 0},
	{"table", "0.5,0.5\n0.5\n", "x:2: row 2 holds 1 numbers, the rows before it 2", 0},
	{"table", "a,b\n0.5,0.5,0\n", "x: 2 tokens in the first line, but 3 columns", 0},
	{"table", "0.5,\n0.25,0.75\n", "x:1: cell 2 of the first line is empty", 0},
	{"table", "0.25,0.75\n0.5,\n", "x:2: row 2 holds 1 numbers, the rows before it 2", 0},
	{"npy", "PK", "x: is not an npy file: it does not begin with \\x93NUMPY", 0},
	{"npy", "\x93NUMPY\x09\0\x02\0{}", "x: byte 6: npy version 9.0 is not known (1, 2 and 3 are)", 12},
	{"npy", "\x93NUMPY\x01\0\xff\xff{}", "x: byte 8: the npy header of 65535 bytes is longer than the file", 12},
	{"npy", "\x93NUMPY\x01\0\x02\0{}", "x: byte 12: damaged npy header: descr, fortran_order or shape is missing", 12},
	{"npy", "\x93NUMPY\x01\0\x11\0{'descr': '|O'   }", "x: byte 24: the numbers are of type \"|O\": Python objects are not read; of texts save numpy.array(list_of_str), of arrays of different sizes each under a name of its own", 27},
	{"npy", "\x93NUMPY\x01\0\x3d\0{'descr':'<f4','fortran_order':False,'shape':(99999999,9999)}", "x: byte 71: the shape needs 3999599960004 bytes, but 0 follow the header; the file is cut off or damaged", 71},
	{"npy", "\x93NUMPY\x01\0\x50\0{'descr':'<f4','fortran_order':False,'shape':(18446744073709551615,2)}           ", "x: byte 90: damaged npy header: the shape is too large", 90},
	{"npz", "PK\3\4", "x: damaged npz: no directory at its end; the file is cut off", 0},
	{"npz", "PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "x: no array of 2 to 6 dimensions in it", 22},
	{"safetensors", "\x02\0\0\0\0\0\0\0{}", "x: no array of 2 to 6 dimensions in it", 10},
	{"safetensors", "\xff\0\0\0\0\0\0\0{}", "x: byte 0: the header has 255 bytes, but only 2 follow; the file is cut off or damaged", 10},
	{"ctranslate2", "[{\"hypotheses\":[[\"a\"]]}]", "x: \"attention\" must have one entry for each of \"hypotheses\"; ask translate_batch for return_attention=True", 0},
	{"ctranslate2", "[{\"hypotheses\":[[\"a\"]],\"source\":[\"b\"],\"attention\":[[[\"c\"]]]}]", "x: attention: number 1 of row 1 is no number", 0},
	{"ctranslate2", "[{\"hypotheses\":", "x: byte 15: bad JSON: the text ends too early", 0},
	{"tensor2tensor", "{}", "x: none of inp_out, inp_inp and out_out in it", 0},
	{"tensor2tensor", "{\"inp_out\":{\"att\":[]}}", "x: sentence 1: trace: no source tokens", 0},
	{"tensor2tensor", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "x: byte 32: bad JSON: nesting too deep", 0},
	{"circuitsvis", "{\"tokens\":[\"a\",\"b\"],\"attention\":[[[1,0],[1]]]}", "x: attention[0]: row 2 holds 1 numbers, the first 2", 0},
	{"circuitsvis", "{\"tokens\":[\"a\"],\"attention\":[[[1,0],[1,0],[0,1]]]}", "x: sentence 1: the encoder map of layer 0, head 0 has 3 × 2 numbers, but tokens of one text look at themselves", 0},
	{"inspectus", "chartsEmbed('x',{\"attention\":[{\"values\":\"AAAA\",\"shape\":[9,9],\"info\":{}}]})", "x: attention[0]: 9 × 9 numbers do not fit 4 characters of BASE64", 0},
	{"notebook", "{\"cells\":[{\"cell_type\":\"code\",\"outputs\":[]}]}", "x: no output of BertViz, Tensor2Tensor, CircuitsVis or Inspectus in its cells", 0},
	{"notebook", "{\"cells\":[{},{\"outputs\":[{\"data\":{\"text/html\":\"params = {\\\"attention\\\": \"}}]}]}", "x: cell 2: bad JSON: the text ends too early", 0},
	{"bertviz", "<html>", "x: no \"params = {\"attention\": …}\" in it", 0},
	{"bertviz", "params = {\"attention\": [{\"attn\":[[[[1,0],[1]]]]}]}", "x: attn[0][0]: row 2 holds 1 numbers, the first 2", 0},
	{"bertviz", "params = {\"attention\": {}}", "x: \"attention\" has no part \"all\"", 0},
	{"bertviz", "params = {\"attention\": []}", "x: \"attention\" must be a list of parts with maps", 0},
	{"exbert", "{\"aa\":{\"left\":[{}]}}", "x: left[0]: a \"text\" is expected", 0},
	{"exbert", "{\"aa\":{}}", "x: \"aa\" holds no list \"att\" of heads", 0},
	{"llm-viz", "{\"attSm\":{\"shape\":[1,1,9,9],\"dtype\":\"torch.float32\",\"data\":\"AAAA\"}}", "x: \"attSm\": a shape (batch, head, q, k) that fits its data is expected", 0},
	{"llm-viz", "{\"attSm\":{\"shape\":[1,1,1,1],\"dtype\":\"torch.int\",\"data\":\"AAAA\"}}", "x: \"attSm\": only torch.float32 is read", 0},
	{"llm-viz", "{\"a\":1}", "x: no tensor of attention (attSm) in it", 0},
	{"inseq", "{\"sequence_attributions\":[{\"source_attributions\":{\"__ndarray__\":\"b64.gz:H4sI\"}}]}", "x: source_attributions: an array packed in another way than float16, 32 or 64 in b64; save() with ndarray_compact=False", 0},
	{"inseq", "{\"sequence_attributions\":[{\"source_attributions\":{\"__ndarray__\":\"b64:AAAA\",\"dtype\":\"float32\",\"shape\":[1,2]}}]}", "x: source_attributions: a shape of 2 to 4 dimensions that fits its numbers is expected", 0},
	{"inseq", "{\"sequence_attributions\":[{\"source_attributions\":{\"__ndarray__\":\"b64:AAAAAAAAAAA=\",\"dtype\":\"float32\",\"shape\":[1,3]}}]}", "x: source_attributions: not so many numbers in BASE64 as its shape says", 0},
	{"inseq", "{\"sequence_attributions\":[{\"source_attributions\":{\"__ndarray__\":\"b64:AAAA\",\"dtype\":\"float32\",\"shape\":[99999999,99]}}]}", "x: source_attributions: more numbers than are unpacked at once", 0},
	{"inseq", "{\"sequence_attributions\":[{\"source_attributions\":{\"__ndarray__\":\"b64.gz:H4sIAAAAAAA=\",\"dtype\":\"float64\",\"shape\":[9,9]}}]}", "x: source_attributions: the packed numbers are damaged, or another number of them than is said", 0},
	{"inseq", "{\"sequence_attributions\":[{\"target\":[\"a\",\"b\"],\"attr_pos_start\":1,\"target_attributions\":[[1,0],[0,1]]}]}", "x: target_attributions: 2 generated tokens from token 2 on, but 2 in all", 0},
	{"inseq", "{}", "x: no \"sequence_attributions\" in it", 0},
	{"pointer-generator", "{\"article_lst\":[1]}", "x: article_lst[0]: a text is expected", 0},
	{"nematus-json", "{\"nodes\":[{\"group\":1,\"name\":\"a\"}],\"links\":[1,2]}", "x: 2 links for 1 source and 0 target words", 0},
	{"nematus-json", "[[\"a\",\"b\",\"0.5\"]]", "x: 1 links are no matrix of 2 source words", 0},
	{"nematus-json", "[[\"a\",\"</s>\",\"x\"]]", "x: link 1 has no weight", 0},
	{"nematus-json", "{}", "x: neither nodes with links nor a matrix", 0},
	{"sockeye-json", "{\"translation\":\"a\"}", "x: no \"alignments\": Sockeye writes them with --nbest-size above 1", 0},
	{"sockeye-json", "{\"translations\":[\"a\"],\"alignments\":[[[0,1.5]]]}", "x: alignments: link 1 is not [source, target]", 0},
	{"sockeye-text", "  ------\n |(*)(x) | a\n", "x:2: cell 2 is \"(x)\", not \"(*)\", \"(?)\" or blank", 0},
	{"sockeye-text", "  ------\n |(*) | a\n", "x:2: \" |\", 2 cells of three characters, \" | \" and a source token are expected", 0},
	{"sockeye-text", "  ---\n |(*) | a\n", "x:2: no lower rule below source tokens; the drawing is cut off", 0},
	{"sockeye-text", "  ------\n |(*)    | a\n  ------\n   b\n", "x:4: no letters below column 2; the drawing is cut off", 0},
	{"sockeye-text", "  ---\n |(*) | a\n  ---\n  b\n", "x:4: letters of target tokens are expected below their columns", 0},
	{"bitext", "a b\n", "x:1: a text, a tab and links i-j are expected, or two texts before them", 0},
	{"bitext", "a\tb\t0-0\t0-7\n", "x:1: gold link 0-7 leaves the sentence", 0},
	{"attnscope", "{\"format\":\"attnscope-trace\"}", "x:1: version: only version 1 is known", 0},
	/* clang-format on */
};

START_TEST(damage_is_one_sentence)
{
	const struct damage *d = &damages[_i];
	struct import im = {0};
	struct err err = {0};
	char text[1024];
	size_t len = d->len ? d->len : strlen(d->text);

	ck_assert_int_eq(import_read(&im, d->text, len, "x",
				     &(struct import_options){.format = d->format}, &err),
			 -1);
	ck_assert_str_eq(err_format(&err, text, sizeof text), d->want);
	ck_assert_uint_eq(im.n, 0);
}
END_TEST

/* Short lines must not make much of little: 4 MiB of empty ones. */
START_TEST(too_many_lines)
{
	size_t len = (1 << 22) + 8;
	char *text = malloc(len), why[256];
	struct import im = {0};
	struct err err = {0};

	memset(text, '\n', len);
	memcpy(text, "0-0", 3);
	ck_assert_int_eq(import_read(&im, text, len, "x", NULL, &err), -1);
	ck_assert_str_eq(err_format(&err, why, sizeof why),
			 "x: more than 4194304 sentences: cut the file into parts, or pipe some of its lines into "
			 "attnscope open -");
	free(text);
}
END_TEST

/* Nor must a prompt of which the file holds no numbers. */
START_TEST(a_prompt_that_is_too_long)
{
	enum { N = 40000 };
	struct buf text = {0};
	struct import im = {0};
	struct err err = {0};
	char why[256];

	buf_printf(&text, "{\"sequence_attributions\":[{\"attr_pos_start\":%d,\"target\":[\"a\"", N - 1);
	for (int i = 1; i < N; i++)
		buf_puts(&text, ",\"a\"");
	buf_puts(&text, "],\"target_attributions\":[[1]");
	for (int i = 1; i < N; i++)
		buf_puts(&text, ",[1]");
	buf_puts(&text, "]}]}");
	ck_assert_int_eq(import_read(&im, buf_str(&text), text.len, "x", NULL, &err), -1);
	ck_assert_str_eq(err_format(&err, why, sizeof why),
			 "x: 40000 × 40000 numbers of 1 layers and heads are more than are read");
	buf_free(&text);
}
END_TEST

/* ---- real files, where there are some ---- */

static size_t open_folder(const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	size_t n = 0;

	while (d && (e = readdir(d))) {
		char path[2048], why[1024];
		struct import im;
		struct err err = {0};

		/* a list of the samples is none of them */
		if (e->d_name[0] == '.' || strcmp(e->d_name, "MANIFEST.tsv") == 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		if (e->d_type == DT_DIR) {
			n += open_folder(path);
			continue;
		}
		if (import_open(&im, path, NULL, &err) < 0) {
			/* token files are none of the formats, and nothing else is refused */
			ck_assert_msg(strstr(err.text, "none of the known formats"), "%s",
				      err_format(&err, why, sizeof why));
			continue;
		}
		n++;
		import_close(&im);
	}
	if (d)
		closedir(d);
	return n;
}

START_TEST(samples)
{
	const char *folder = getenv("ATTNSCOPE_SAMPLES");

	if (folder && *folder)
		ck_assert_uint_ge(open_folder(folder), 1);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("import", &tc);
	int status;

	tcase_add_loop_test(tc, a_file_is_recognised_and_read, 0, (int)LEN(files));
	tcase_add_loop_test(tc, a_byte_order_mark_changes_nothing, 0, (int)LEN(files));
	tcase_add_loop_test(tc, damage_is_one_sentence, 0, (int)LEN(damages));
	tcase_add_test(tc, links_that_count_from_one);
	tcase_add_test(tc, sentences_of_an_array_and_their_padding);
	tcase_add_test(tc, a_shorter_sentence_of_a_batch);
	tcase_add_test(tc, slices_that_reach_differently_far_are_sentences);
	tcase_add_test(tc, detokenised_text_is_not_forced_onto_the_rows);
	tcase_add_test(tc, no_words_for_several_columns);
	tcase_add_test(tc, scores_stay_scores);
	tcase_add_test(tc, tables_with_a_short_head);
	tcase_add_test(tc, tables_with_long_lines);
	tcase_add_test(tc, weights_beside_their_scores);
	tcase_add_test(tc, names_and_scores_of_an_n_best_list);
	tcase_add_test(tc, transposed_as_asked_for);
	tcase_add_test(tc, end_symbols_as_asked_for);
	tcase_add_test(tc, a_model_from_right_to_left);
	tcase_add_test(tc, gold_links_from_beside);
	tcase_add_test(tc, gold_links_that_do_not_fit);
	tcase_add_test(tc, bitext_gives_both_sides);
	tcase_add_test(tc, links_with_the_target_first);
	tcase_add_test(tc, what_tokenizers_give_besides);
	tcase_add_test(tc, sentences_of_different_sizes);
	tcase_add_test(tc, what_generate_adds_is_said);
	tcase_add_test(tc, which_kind_it_is);
	tcase_add_test(tc, an_alignment_behind_the_scores);
	tcase_add_test(tc, odd_numbers_are_explained);
	tcase_add_test(tc, arrays_that_are_no_attention_are_named);
	tcase_add_test(tc, the_prompt_of_a_decoder_has_no_rows);
	tcase_add_test(tc, rows_of_what_was_read_are_noted);
	tcase_add_test(tc, names_and_gold_of_a_bitext);
	tcase_add_test(tc, variants_of_opennmt_tf);
	tcase_add_test(tc, a_first_sentence_of_one_word);
	tcase_add_test(tc, joined_words_of_fairseq);
	tcase_add_test(tc, links_with_weights_are_not_summed_up);
	tcase_add_test(tc, words_that_look_like_weights);
	tcase_add_test(tc, square_matrices_of_six_fields);
	tcase_add_test(tc, too_many_lines);
	tcase_add_test(tc, a_prompt_that_is_too_long);
	tcase_add_test(tc, samples);
	status = suite_main(s);
	unlink(SCRATCH);
	return status;
}
