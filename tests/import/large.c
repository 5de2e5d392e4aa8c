/*
 * large.c - files that are looked at where they lie: sparse ones of gigabytes, with a few numbers put into
 * them; what is decided from a sample; files that shrink; headers that lie about sizes. Memory is limited
 * to what opening may take, so that taking more ends the test.
 */
#include "suite.h"

#include "base/buf.h"
#include "import/producer.h"
#include "trace/pool.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#define MIB ((size_t)1 << 20)

static char path[256];
static int fd;

static void create(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(path, sizeof path, "%s/attnscope-large-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	/* writable private memory; what is mapped of a file does not count */
	if (!SANITIZED)
		setrlimit(RLIMIT_DATA, &(struct rlimit){128 * MIB, 128 * MIB});
}

static void delete(void)
{
	close(fd);
	unlink(path);
}

static void put(size_t at, const void *bytes, size_t n)
{
	ck_assert_int_eq(pwrite(fd, bytes, n, (off_t)at), (ssize_t)n);
}

/* Makes the file that long without writing; false: the file system refuses. */
static bool extend(size_t size)
{
	struct stat st;

	if (ftruncate(fd, (off_t)size) != 0 || fstat(fd, &st) != 0 ||
	    (size_t)st.st_blocks * 512 > 64 * MIB) {
		printf("large: no sparse files here\n");
		return false;
	}
	return true;
}

/* An npy header; returns where the numbers begin. */
static size_t put_npy(const char *descr, bool fortran, const char *shape)
{
	char text[256];
	int n = snprintf(text, sizeof text, "\x93NUMPY\x01%c%c%c{'descr':'%s','fortran_order':%s,'shape':(%s)}",
			 0, 118, 0, descr, fortran ? "True" : "False", shape);

	memset(text + n, ' ', (size_t)(128 - n));
	put(0, text, 128);
	return 128;
}

/* `layers` arrays (1, heads, n, n) of F32 named NAME.LAYER; returns where the numbers begin. */
static size_t put_safetensors(const char *name, size_t layers, size_t heads, size_t n, bool *ok)
{
	struct buf b = {0};
	unsigned char length[8] = {0};
	size_t bytes = heads * n * n * 4;

	buf_putc(&b, '{');
	for (size_t l = 0; l < layers; l++)
		buf_printf(&b, "%s\"%s.%zu\":{\"dtype\":\"F32\",\"shape\":[1,%zu,%zu,%zu],\"data_offsets\":[%zu,%zu]}",
			   l ? "," : "", name, l, heads, n, n, l * bytes, (l + 1) * bytes);
	buf_putc(&b, '}');
	while (b.len % 8)
		buf_putc(&b, ' ');
	for (int k = 0; k < 8; k++)
		length[k] = (unsigned char)(b.len >> 8 * k);
	put(0, length, 8);
	put(8, b.data, b.len);
	bytes = 8 + b.len;
	buf_free(&b);
	*ok = extend(bytes + layers * heads * n * n * 4);
	return bytes;
}

static void open_file(struct import *im)
{
	struct err err = {0};
	char text[1024];

	ck_assert_msg(import_open(im, path, NULL, &err) == 0, "%s", err_format(&err, text, sizeof text));
}

static struct trace *first_trace(const struct import *im)
{
	struct err err = {0};
	struct trace *t;

	ck_assert_msg(import_trace(im, 0, &t, &err) == 0, "%s", err.text);
	ck_assert_int_eq(trace_check(t, &err), 0);
	return t;
}

static bool has_note(const struct import *im, const char *part)
{
	for (size_t i = 0; i < im->nnotes; i++)
		if (strstr(im->notes[i], part))
			return true;
	return false;
}

static size_t peak(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (size_t)u.ru_maxrss * 1024;
}

static bool inside(const struct import *im, const struct trace_map *m)
{
	const char *p = m->data;

	return p >= im->file.bytes && p < im->file.bytes + im->file.len;
}

START_TEST(four_gibibytes_of_maps)
{
	float half = 0.5f;
	size_t begin, before;
	const struct trace_map *m;
	struct import_map about;
	struct import im;
	struct trace *t;
	bool ok;

	begin = put_safetensors("encoder_attentions", 64, 16, 1024, &ok);
	if (!ok)
		return;
	put(begin + 4096 * MIB - 4, &half, 4);
	before = peak();
	open_file(&im);
	ck_assert(im.sampled && has_note(&im, "too many numbers"));
	ck_assert_uint_eq(import_sentence(&im, 0).nmaps, 1024);
	ck_assert_uint_eq(import_sentence(&im, 0).nsource, 1024);
	about = import_map(&im, 0, 1023);
	ck_assert(about.kind == TRACE_ENCODER && about.layer == 63 && about.head == 15 &&
		  about.type == TRACE_WEIGHTS && about.rows == 1024 && about.cols == 1024);
	t = first_trace(&im);
	m = trace_find(t, TRACE_ENCODER, 63, 15, TRACE_WEIGHTS);
	ck_assert(m && inside(&im, m) && m->unchecked);
	ck_assert(trace_at(m, 1023, 1023) == 0.5f && trace_at(m, 1023, 1022) == 0);
	if (!SANITIZED)
		ck_assert_uint_lt(peak() - before, 40 * MIB);
	ck_assert_int_eq(import_check(&im, NULL), 0);
	trace_free(t);
	import_close(&im);
}
END_TEST

/* The whole of it is pooled in pieces: one number is found, little memory is held. */
START_TEST(an_overview_of_a_large_matrix)
{
	static float out[50 * 80];
	float one = 1;
	size_t begin = put_npy("<f4", false, "8192,8192"), before;
	struct trace_pooling p;
	struct import im;
	struct trace *t;

	if (!extend(begin + 256 * MIB))
		return;
	put(begin + (8000 * 8192 + 100) * 4, &one, 4);
	open_file(&im);
	t = first_trace(&im);
	before = peak();
	trace_pooling_begin(&p, &t->maps[0], (struct trace_window){0, 8192, 0, 8192}, out, 50, 80);
	while (!trace_pooling_step(&p, 1 << 20))
		ck_assert_uint_le(p.seen, p.total);
	for (size_t i = 0; i < 50 * 80; i++)
		ck_assert(out[i] == (i == 48 * 80 ? 1 : 0));
	if (!SANITIZED)
		ck_assert_uint_lt(peak() - before, 32 * MIB);
	trace_free(t);
	import_close(&im);
}
END_TEST

static const struct type {
	const char *descr;
	size_t size;
	const char *bytes; /* of 1 */
} types[] = {
	{"<f4", 4, "\0\0\x80\x3f"}, {">f4", 4, "\x3f\x80\0\0"}, {"<f2", 2, "\0\x3c"},
	{">f2", 2, "\x3c\0"},       {"<f8", 8, "\0\0\0\0\0\0\xf0\x3f"}, {"|b1", 1, "\1"},
	{"|u1", 1, "\1"},           {"|i1", 1, "\1"}, {"<i4", 4, "\1\0\0\0"}, {">i8", 8, "\0\0\0\0\0\0\0\1"},
};

/* Nothing is converted: 4096 × 4096 numbers stay in the file, whatever they are. */
START_TEST(numbers_stay_in_the_file)
{
	const struct type *ty = &types[_i % 10];
	bool fortran = _i >= 10;
	size_t begin = put_npy(ty->descr, fortran, "4096,4096"), at;
	struct import im;
	struct trace *t;

	if (!extend(begin + 16 * MIB * ty->size))
		return;
	at = fortran ? 3 * 4096 + 4095 : 4095 * 4096 + 3;
	put(begin + at * ty->size, ty->bytes, ty->size);
	open_file(&im);
	t = first_trace(&im);
	ck_assert(inside(&im, &t->maps[0]) && !im.transposed);
	ck_assert(trace_at(&t->maps[0], 4095, 3) == 1);
	ck_assert(trace_at(&t->maps[0], 4095, 4) == 0);
	trace_free(t);
	import_close(&im);
}
END_TEST

/* ---- decided from a sample ---- */

/* A file of rows × cols floats, each row the same. */
static void put_rows(const char *shape, const float *row, size_t rows, size_t cols)
{
	size_t begin = put_npy("<f4", false, shape);

	for (size_t r = 0; r < rows; r++)
		put(begin + r * cols * 4, row, cols * 4);
}

START_TEST(weights_of_a_large_file)
{
	static float row[2048];
	struct import im;
	struct trace *t;

	row[0] = row[2047] = 0.5f;
	row[1] = NAN;
	put_rows("1024,2048", row, 1024, 2048);
	open_file(&im);
	ck_assert(im.sampled && has_note(&im, "NaN was seen"));
	ck_assert_str_eq(im.orientation, "rows are target tokens: those that were looked at sum to 1");
	t = first_trace(&im);
	ck_assert(t->maps[0].type == TRACE_WEIGHTS && !t->about.unnormalised);
	ck_assert(trace_at(&t->maps[0], 1000, 1) == 0 && trace_at(&t->maps[0], 1000, 2047) == 0.5f);
	trace_free(t);
	import_close(&im);
}
END_TEST

START_TEST(scores_of_a_large_file)
{
	static float row[2048];
	struct import im;
	struct trace *t;

	row[0] = -3;
	row[1] = NAN;
	put_rows("1024,2048", row, 1024, 2048);
	open_file(&im);
	ck_assert(has_note(&im, "kept as scores"));
	t = first_trace(&im);
	ck_assert_int_eq(t->maps[0].type, TRACE_SCORES);
	ck_assert_int_eq(import_map(&im, 0, 0).type, TRACE_SCORES);
	ck_assert(trace_at(&t->maps[0], 7, 1) == -INFINITY);
	trace_free(t);
	import_close(&im);
}
END_TEST

START_TEST(a_large_file_turned)
{
	static float row[1024];
	struct import im;

	for (size_t i = 0; i < 1024; i++)
		row[i] = 1 / 2048.0f;
	put_rows("2048,1024", row, 2048, 1024);
	open_file(&im);
	ck_assert(im.sampled && im.transposed);
	ck_assert_uint_eq(import_sentence(&im, 0).ntarget, 1024);
	ck_assert_uint_eq(import_sentence(&im, 0).nsource, 2048);
	import_close(&im);
}
END_TEST

START_TEST(an_infinite_number_that_was_seen)
{
	static float row[2048];
	struct import im = {0};
	struct err err = {0};

	row[5] = INFINITY;
	put_rows("1024,2048", row, 1024, 2048);
	ck_assert_int_eq(import_open(&im, path, NULL, &err), -1);
	ck_assert_str_eq(err.text,
			 "sentence 1: the cross map of layer 0, head 0 holds an infinite number");
}
END_TEST

/* ---- files that shrink ---- */

START_TEST(a_file_that_shrinks_while_it_is_open)
{
	size_t begin = put_npy("<f4", false, "2048,2048");
	float out[4];
	struct import im;
	struct trace *t;
	struct err err = {0};
	char text[512];

	if (!extend(begin + 16 * MIB))
		return;
	open_file(&im);
	t = first_trace(&im);
	ck_assert_int_eq(ftruncate(fd, 8192), 0);
	ck_assert_int_eq(import_check(&im, &err), -1);
	ck_assert(strstr(err_format(&err, text, sizeof text), path) == text);
	ck_assert(strstr(text, ": the file became shorter while it was open: 16777344 bytes then, "
			       "8192 now; open it again"));
	ck_assert(trace_at(&t->maps[0], 2047, 2047) == 0);
	trace_pool(&t->maps[0], (struct trace_window){0, 2048, 0, 2048}, out, 2, 2);
	ck_assert(out[3] == 0);
	trace_free(t);
	import_release(&im);
	t = first_trace(&im);
	trace_free(t);
	import_close(&im);
}
END_TEST

START_TEST(the_screen_is_told)
{
	size_t begin = put_npy("<f4", false, "2048,2048");
	struct trace_producer p;
	struct err err = {0};

	if (!extend(begin + 16 * MIB))
		return;
	ck_assert_int_eq(import_producer_open(&p, path, NULL, &err), 0);
	ck_assert_int_eq(p.sentences->check(p.self, &err), 0);
	ck_assert_int_eq(ftruncate(fd, 8192), 0);
	ck_assert_int_eq(p.sentences->check(p.self, &err), -1);
	ck_assert_int_eq(p.sentences->open(p.self, 0, &err), -1);
	ck_assert(strstr(err.text, "became shorter"));
	import_producer_close(&p);
}
END_TEST

/* ---- headers that lie ---- */

static void refused(const char *want)
{
	struct import im = {0};
	struct err err = {0};

	ck_assert_int_eq(import_open(&im, path, NULL, &err), -1);
	ck_assert_msg(strstr(err.text, want) != NULL, "\"%s\" is not in \"%s\"", want, err.text);
	ck_assert_uint_eq(im.n, 0);
}

START_TEST(more_numbers_than_there_are)
{
	put_npy("<f4", false, "1048576,1048576");
	if (extend(64 * MIB))
		refused("the shape needs 4398046511104 bytes");
}
END_TEST

START_TEST(more_maps_than_anyone_has)
{
	size_t begin = put_npy("|i1", false, "1,16384,16384,2,2");

	if (extend(begin + 1024 * MIB))
		refused("more than 16384 maps in one sentence, or sentences in one array, or 1048576 maps "
			"in all");
}
END_TEST

START_TEST(a_long_header_of_nothing)
{
	put(0, "\0\0\0\4\0\0\0\0{\"", 10);
	if (extend(128 * MIB))
		refused("damaged safetensors header");
}
END_TEST

START_TEST(a_text_of_gigabytes)
{
	put(0, "a ||| 0.5,0.5 0.5,0.5\n", 22);
	if (extend(5120 * MIB))
		refused("a text of 5368709120 bytes, at most 4294967296 are read: cut it into parts");
}
END_TEST

/* Each of a token's bytes in the file would take a hundred in memory. */
START_TEST(more_tokens_than_anyone_has)
{
	static const char names[2][16] = {"cross.npy", "src_tokens.npy"};
	size_t at = 0, size[2] = {128 + 16, 128 + 64 * MIB};
	struct buf d = {0};
	unsigned char local[30] = "PK\3\4", entry[46] = "PK\1\2", end[22] = "PK\5\6";

	for (int k = 0; k < 2; k++) {
		size_t n = strlen(names[k]);
		uint32_t bytes = (uint32_t)size[k], from = (uint32_t)at;
		char text[129];
		int used = snprintf(text, sizeof text,
				    "\x93NUMPY\x01%c%c%c{'descr':'%s','fortran_order':False,'shape':(%s)}", 0,
				    118, 0, k ? "|S1" : "<f4", k ? "67108864," : "2,2");

		memset(text + used, ' ', (size_t)(128 - used));
		local[26] = entry[28] = (unsigned char)n;
		put(at, local, 30);
		put(at + 30, names[k], n);
		put(at + 30 + n, text, 128);
		memcpy(entry + 20, &bytes, 4);
		memcpy(entry + 24, &bytes, 4);
		memcpy(entry + 42, &from, 4);
		buf_add(&d, entry, 46);
		buf_add(&d, names[k], n);
		at += 30 + n + size[k];
	}
	end[8] = end[10] = 2;
	end[12] = (unsigned char)d.len;
	for (int k = 0; k < 4; k++)
		end[16 + k] = (unsigned char)(at >> 8 * k);
	put(at, d.data, d.len);
	put(at + d.len, end, 22);
	buf_free(&d);
	refused("array \"src_tokens\": 67108864 tokens, at most 2097152 are read");
}
END_TEST

START_TEST(texts_of_no_size)
{
	put_npy("<U0", false, "1000000000000,2");
	refused("the numbers are of type \"<U0\"");
}
END_TEST

/* One stored or deflated entry "a.npy" of a ZIP; its sizes are what the directory says. */
static void put_zip(int method, uint32_t packed, uint32_t size, uint32_t local)
{
	unsigned char b[30 + 5 + 46 + 5 + 22] = "PK\3\4", *d = b + 35, *e = d + 51;

	memcpy(b + 30, "a.npy", 5);
	b[26] = d[28] = 5;
	memcpy(d, "PK\1\2", 4);
	d[10] = (unsigned char)method;
	memcpy(d + 20, &packed, 4);
	memcpy(d + 24, &size, 4);
	memcpy(d + 42, &local, 4);
	memcpy(d + 46, "a.npy", 5);
	memcpy(e, "PK\5\6", 4);
	e[8] = e[10] = 1;
	e[12] = 51;
	e[16] = 35;
	put(0, b, sizeof b);
}

START_TEST(sizes_in_a_zip)
{
	static const struct {
		int method;
		uint32_t packed, size, local;
		const char *want;
	} lies[] = {
		{0, 1000, 1000, 0, "an entry is said to be larger than the file"},
		{0, 10, 1 << 30, 0, "its sizes contradict each other"},
		{8, 10, 1 << 30, 0, "its sizes contradict each other"},
		{0, 10, 10, 20, "an entry is not where its directory says"},
		{0, 10, 10, 1u << 31, "an entry is not where its directory says"},
		{0, UINT32_MAX, 10, 0, "the sizes of a large entry are missing"},
		{99, 10, 10, 0, "it is packed in a way that numpy does not write"},
		{0, 10, 10, 0, "it is damaged: its checksum is wrong"},
	};

	put_zip(lies[_i].method, lies[_i].packed, lies[_i].size, lies[_i].local);
	refused(lies[_i].want);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("large", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, create, delete);
	tcase_add_test(tc, four_gibibytes_of_maps);
	tcase_add_test(tc, an_overview_of_a_large_matrix);
	tcase_add_loop_test(tc, numbers_stay_in_the_file, 0, 20);
	tcase_add_test(tc, weights_of_a_large_file);
	tcase_add_test(tc, scores_of_a_large_file);
	tcase_add_test(tc, a_large_file_turned);
	tcase_add_test(tc, an_infinite_number_that_was_seen);
	tcase_add_test(tc, a_file_that_shrinks_while_it_is_open);
	tcase_add_test(tc, the_screen_is_told);
	tcase_add_test(tc, more_numbers_than_there_are);
	tcase_add_test(tc, more_maps_than_anyone_has);
	tcase_add_test(tc, a_long_header_of_nothing);
	tcase_add_test(tc, a_text_of_gigabytes);
	tcase_add_test(tc, more_tokens_than_anyone_has);
	tcase_add_test(tc, texts_of_no_size);
	tcase_add_loop_test(tc, sizes_in_a_zip, 0, 8);
	return suite_main(s);
}
