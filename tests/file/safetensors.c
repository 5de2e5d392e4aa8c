/* The safetensors reader against damaged files, the writer against the reader, and the small
 * floats. */
#include "base/buf.h"
#include "base/mem.h"
#include "file/safetensors.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_length(struct buf *b, uint64_t n)
{
	for (int i = 0; i < 8; i++)
		buf_putc(b, (char)(n >> (8 * i)));
}

/* A file of this header and `data` zero bytes behind it. */
static struct buf file_of(const char *header, size_t data)
{
	struct buf b = {0};

	add_length(&b, strlen(header));
	buf_puts(&b, header);
	for (size_t i = 0; i < data; i++)
		buf_putc(&b, '\0');
	return b;
}

#define T(name, dtype, shape, offsets)                                                             \
	"\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"
#define DEEP "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["

static const struct {
	const char *header;
	size_t data;
	const char *sentence; /* must occur in the message */
} damaged[] = {
	{"", 0, "does not begin with '{'"},
	{"[]", 0, "does not begin with '{'"},
	{" {}", 0, "does not begin with '{'"},
	{"{", 0, "the JSON ends too early"},
	{"{}x", 0, "something stands behind the closing brace"},
	{"{\"a", 0, "the JSON ends inside a string"},
	{"{\"a\\", 0, "the JSON ends inside a string"},
	{"{\"a\\u12", 0, "the JSON ends inside a \\u escape"},
	{"{\"a\\u12g4\":1}", 0, "four hexadecimal digits"},
	{"{\"a\\q\":1}", 0, "unknown escape"},
	{"{\"a\\u0000\":1}", 0, "U+0000"},
	{"{\"a\\ud800x\":1}", 0, "surrogate"},
	{"{\"a\\udc00\":1}", 0, "surrogate"},
	{"{\"a\nb\":1}", 0, "control character"},
	{"{\"\xff\":1}", 0, "not UTF-8"},
	{"{\"a\" 1}", 0, "expected ':'"},
	{"{\"a\":1}", 0, "expected '{'"},
	{"{" T("a", "F32", "[1]", "[0,4]"), 4, "the JSON ends too early"},
	{"{" T("a", "F32", "[1]", "[0,4]") ",}", 4, "expected '\"'"},
	{"{" T("a", "F33", "[1]", "[0,4]") "}", 4, "tensor \"a\": unknown number type \"F33\""},
	{"{" T("a", "F32", "[-1]", "[0,4]") "}", 4, "expected a whole number"},
	{"{" T("a", "F32", "[1.5]", "[0,4]") "}", 4, "expected ']'"},
	{"{" T("a", "F32", "[99999999999999999999]", "[0,4]") "}", 4, "a number is too large"},
	{"{" T("a", "F32", "[4294967296,4294967296]", "[0,0]") "}", 0, "the shape is too large"},
	{"{" T("a", "F32", "[4611686018427387904]", "[0,0]") "}", 0, "the shape is too large"},
	{"{" T("a", "F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]") "}", 4, "too many numbers"},
	{"{" T("a", "F32", "[1]", "[0]") "}", 4, "data_offsets must be two numbers"},
	{"{" T("a", "F32", "[1]", "[0,4,8]") "}", 4, "too many numbers"},
	{"{" T("a", "F32", "[1]", "[4,0]") "}", 4, "data_offsets end before they begin"},
	{"{" T("a", "F32", "[2]", "[0,8]") "}", 4, "its data end at byte 8 of 4"},
	{"{" T("a", "F32", "[2]", "[0,4]") "}", 4, "needs 8 bytes, but data_offsets give 4"},
	{"{\"a\":{}}", 0, "dtype, shape or data_offsets is missing"},
	{"{\"a\":{\"dtype\":\"F32\",\"shape\":[0]}}", 0, "is missing"},
	{"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", 0, "the same key stands twice"},
	{"{\"a\":{\"other\":" DEEP "}}", 0, "nested too deeply"},
	{"{\"a\":{\"other\":]}}", 0, "expected a value here"},
	{"{\"a\":{\"other\":\x01}}", 0, "this is not JSON"},
	{"{" T("a", "F32", "[1]", "[0,4]") "," T("a", "F32", "[1]", "[4,8]") "}", 8,
	 "tensor \"a\": the name stands twice"},
	{"{" T("a", "F32", "[1]", "[0,4]") "," T("b", "F32", "[1]", "[0,4]") "}", 4,
	 "tensor \"b\": its data overlap"},
	{"{" T("a", "F32", "[2]", "[0,8]") "," T("b", "F32", "[1]", "[4,8]") "}", 8, "overlap"},
	{"{" T("a", "F32", "[1]", "[4,8]") "}", 8, "there is a gap before its data"},
	{"{" T("a", "F32", "[1]", "[0,4]") "," T("b", "F32", "[1]", "[8,12]") "}", 12, "gap"},
	{"{" T("a", "F32", "[1]", "[0,4]") "}", 7, "3 bytes behind the last tensor"},
	{"{\"__metadata__\":[]}", 0, "expected '{'"},
	{"{\"__metadata__\":{\"a\":1}}", 0, "metadata values must be strings"},
	{"{\"__metadata__\":{},\"__metadata__\":{}}", 0, "__metadata__ stands twice"},
	{"{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}", 0, "metadata key \"a\" stands twice"},
};

START_TEST(test_damaged)
{
	struct buf b = file_of(damaged[_i].header, damaged[_i].data);
	struct st_file f;
	struct err err = {0};

	ck_assert_int_eq(st_parse(b.data, b.len, "bad.safetensors", &f, &err), -1);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert_str_eq(err.file, "bad.safetensors");
	ck_assert_msg(strstr(err.text, damaged[_i].sentence), "\"%s\" says \"%s\", not \"%s\"",
		      damaged[_i].header, err.text, damaged[_i].sentence);
	ck_assert_uint_eq(f.ntensors, 0);
	buf_free(&b);
}
END_TEST

START_TEST(test_bad_length)
{
	static const struct {
		uint64_t length;
		const char *sentence;
	} cases[] = {
		{3, "only 2 follow"},
		{UINT64_MAX, "not a safetensors file"},
		{UINT64_MAX - 7, "not a safetensors file"},
		{1ull << 63, "not a safetensors file"},
		{ST_MAX_HEADER + 1ull, "at most 67108864 are allowed"},
		{ST_MAX_HEADER, "only 2 follow"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf b = {0};
		struct st_file f;
		struct err err = {0};

		add_length(&b, cases[i].length);
		buf_puts(&b, "{}");
		ck_assert_int_eq(st_parse(b.data, b.len, "x", &f, &err), -1);
		ck_assert_msg(strstr(err.text, cases[i].sentence), "%s", err.text);
		buf_free(&b);
	}
}
END_TEST

/* Every prefix of a good file is an error, none reads past its end (each copy has its exact size).
 */
START_TEST(test_truncated)
{
	struct buf b = file_of(
		"{\"__metadata__\":{\"k\":\"v\\u00e9\"}," T("a", "F32", "[1,2]", "[0,8]") "}", 8);
	struct st_file f;

	ck_assert_int_eq(st_parse(b.data, b.len, "x", &f, NULL), 0);
	ck_assert_str_eq(st_meta_get(&f, "k"), "v\xc3\xa9");
	st_fini(&f);
	for (size_t n = 0; n < b.len; n++) {
		char *part = malloc(n ? n : 1);
		struct err err = {0};

		memcpy(part, b.data, n);
		ck_assert_int_eq(st_parse(part, n, "x", &f, &err), -1);
		ck_assert_int_eq(err.code, ERR_FORMAT);
		free(part);
	}
	buf_free(&b);
}
END_TEST

START_TEST(test_good_headers)
{
	static const struct {
		const char *header;
		size_t data, tensors;
	} good[] = {
		{"{}", 0, 0},
		{"{}      ", 0, 0},
		{"{ \"a\" : { \"shape\":[ ] , \"dtype\":\"F64\",\"data_offsets\":[0 , 8]} } ", 8,
		 1},
		{"{" T("z", "F16", "[3]", "[4,10]") "," T("a", "F32", "[1]", "[0,4]") "}", 10, 2},
		{"{" T("e", "F32", "[0,5]", "[0,0]") "," T("a", "F32", "[1]", "[0,4]") "}", 4, 2},
		{"{" T("a", "F32", "[1]", "[0,4]") "," T("e", "U8", "[99,0,18446744073709551615]",
							 "[4,4]") "}",
		 4, 2},
		{"{\"a\":{\"other\":{\"x\":[1,-2.5e3,null,\"]\"]},\"dtype\":\"I8\",\"shape\":[1],"
		 "\"data_offsets\":[0,1]}}",
		 1, 1},
	};

	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		struct buf b = file_of(good[i].header, good[i].data);
		struct st_file f;
		struct err err = {0};

		ck_assert_msg(st_parse(b.data, b.len, "x", &f, &err) == 0, "%s: %s", good[i].header,
			      err.text);
		ck_assert_uint_eq(f.ntensors, good[i].tensors);
		for (size_t t = 0; t < f.ntensors; t++)
			ck_assert_ptr_eq(st_find(&f, f.tensors[t].name), &f.tensors[t]);
		ck_assert_ptr_null(st_find(&f, "no such name"));
		st_fini(&f);
		buf_free(&b);
	}
}
END_TEST

static void check_same(const struct st_tensor *want, const struct st_tensor *got)
{
	ck_assert_str_eq(want->name, got->name);
	ck_assert_int_eq(want->dtype, got->dtype);
	ck_assert_int_eq(want->ndim, got->ndim);
	for (int d = 0; d < want->ndim; d++)
		ck_assert_uint_eq(want->shape[d], got->shape[d]);
	ck_assert_mem_eq(want->data, got->data, got->count * st_dtype_size(got->dtype));
}

START_TEST(test_round_trip)
{
	static const float x[6] = {1, -2.5f, 3e-30f, 4, 5, 6};
	static const uint8_t bytes[3] = {7, 8, 9};
	static const struct st_tensor tensors[] = {
		{.name = "weights \"of\" a\\b\n\t\x01\xe4\xb8\xad",
		 .dtype = ST_F32,
		 .ndim = 2,
		 .shape = {2, 3},
		 .data = x},
		{.name = "odd", .dtype = ST_U8, .ndim = 1, .shape = {3}, .data = bytes},
		{.name = "scalar", .dtype = ST_F32, .ndim = 0, .data = x + 1},
		{.name = "empty", .dtype = ST_I64, .ndim = 2, .shape = {0, 4}, .data = x},
	};
	static const struct st_meta meta[] = {
		{"vocab", "le\nla\n\xe5\xbc\xa0"}, {"", ""}, {"q\"", "\\"}};
	struct buf b = {0};
	struct st_file f;
	struct err err = {0};
	uint64_t length;
	float out[6];

	ck_assert_msg(st_write(tensors, 4, meta, 3, &b, &err) == 0, "%s", err.text);
	memcpy(&length, b.data, 8);
	ck_assert_uint_eq(length % 8, 0);
	ck_assert_msg(st_parse(b.data, b.len, "x", &f, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(f.ntensors, 4);
	for (size_t i = 0; i < 4; i++)
		check_same(&tensors[i], st_find(&f, tensors[i].name));
	ck_assert_uint_eq(f.nmeta, 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert_str_eq(st_meta_get(&f, meta[i].key), meta[i].value);
	ck_assert_ptr_null(st_meta_get(&f, "absent"));
	st_floats(&f.tensors[0], 1, 4, out); /* any part of a tensor */
	ck_assert_mem_eq(out, x + 1, 4 * sizeof *out);
	st_floats(st_find(&f, "scalar"), 0, 1, out); /* not aligned: three bytes stand before it */
	ck_assert_float_eq(out[0], -2.5f);
	st_fini(&f);
	buf_free(&b);
}
END_TEST

START_TEST(test_write_refuses)
{
	static const float x[1] = {1};
	struct st_tensor t[2] = {
		{.name = "a", .dtype = ST_F32, .data = x, .ndim = 1, .shape = {1}},
		{.name = "a", .dtype = ST_F32, .data = x, .ndim = 1, .shape = {1}}};
	struct st_meta bad = {"k", "\xff"};
	struct buf b = {0};
	struct err err = {0};

	ck_assert_int_eq(st_write(t, 2, NULL, 0, &b, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "\"a\" stands twice"));
	t[0].name = "\xfe";
	ck_assert_int_eq(st_write(t, 1, NULL, 0, &b, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "not UTF-8"));
	ck_assert_int_eq(st_write(t + 1, 1, &bad, 1, &b, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "not UTF-8"));
	t[1].ndim = 2;
	t[1].shape[0] = t[1].shape[1] = SIZE_MAX / 2;
	ck_assert_int_eq(st_write(t + 1, 1, NULL, 0, &b, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "too large"));
	ck_assert_uint_eq(b.len, 0);
	buf_free(&b);
}
END_TEST

START_TEST(test_dtypes_to_float)
{
	static const struct {
		enum st_dtype dtype;
		unsigned char bytes[8];
		float value;
	} cases[] = {
		{ST_BOOL, {1}, 1},
		{ST_BOOL, {2}, 1},
		{ST_U8, {255}, 255},
		{ST_I8, {255}, -1},
		{ST_I16, {0xfe, 0xff}, -2},
		{ST_U16, {0xfe, 0xff}, 65534},
		{ST_I32, {0xff, 0xff, 0xff, 0xff}, -1},
		{ST_U32, {0, 0, 0, 0x80}, 2147483648.0f},
		{ST_I64, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, -1},
		{ST_U64, {0, 1, 0, 0, 0, 0, 0, 0}, 256},
		{ST_F16, {0x00, 0xc0}, -2},
		{ST_BF16, {0x80, 0x3f}, 1},
		{ST_F32, {0, 0, 0xc0, 0x3f}, 1.5f},
		{ST_F64, {0, 0, 0, 0, 0, 0, 0xf8, 0x3f}, 1.5f},
		{ST_F8_E5M2, {0xbc}, -1},
		{ST_F8_E5M2, {0x7b}, 57344},
		{ST_F8_E4M3, {0x38}, 1},
		{ST_F8_E4M3, {0xfe}, -448},
		{ST_F8_E4M3, {0x01}, 1.0f / 512},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct st_tensor t = {.dtype = cases[i].dtype, .count = 1, .data = cases[i].bytes};
		float out = NAN;

		st_floats(&t, 0, 1, &out);
		ck_assert_msg(out == cases[i].value, "%s: %g, not %g", st_dtype_name(t.dtype),
			      (double)out, (double)cases[i].value);
	}
}
END_TEST

/* The value of a half by the definition. */
static double half_value(unsigned h)
{
	int e = h >> 10 & 31, m = h & 1023;
	double v = e == 0 ? ldexp(m, -24) : ldexp(1024 + m, e - 25);

	if (e == 31)
		v = m ? NAN : INFINITY;
	return h & 0x8000 ? -v : v;
}

START_TEST(test_half_exact)
{
	for (unsigned h = 0; h < 65536; h++) {
		float x = f16_to_float((uint16_t)h);

		if (isnan(half_value(h))) {
			ck_assert(isnan(x));
			ck_assert(isnan(f16_to_float(f16_from_float(x))));
			continue;
		}
		ck_assert_msg((double)x == half_value(h), "%04x", h);
		ck_assert_uint_eq(f16_from_float(x), h);
	}
}
END_TEST

/* Halfway between neighbours goes to the even one, a hair beside it to the nearer one. */
START_TEST(test_half_rounding)
{
	for (unsigned h = 0; h < 0x7bff; h++) {
		float mid = (float)((half_value(h) + half_value(h + 1)) / 2);

		ck_assert_uint_eq(f16_from_float(mid), h + (h & 1));
		ck_assert_uint_eq(f16_from_float(nextafterf(mid, 0)), h);
		ck_assert_uint_eq(f16_from_float(nextafterf(mid, INFINITY)), h + 1);
		ck_assert_uint_eq(f16_from_float(-mid), 0x8000 | (h + (h & 1)));
	}
	ck_assert_uint_eq(f16_from_float(65519.996f), 0x7bff);
	ck_assert_uint_eq(f16_from_float(65520), 0x7c00);
	ck_assert_uint_eq(f16_from_float(3e38f), 0x7c00);
	ck_assert_uint_eq(f16_from_float(-INFINITY), 0xfc00);
	ck_assert_uint_eq(f16_from_float(1e-10f), 0);
	ck_assert_uint_eq(f16_from_float(-0.0f), 0x8000);
}
END_TEST

START_TEST(test_bfloat)
{
	for (unsigned h = 0; h < 65536; h++) {
		float x = bf16_to_float((uint16_t)h);

		if (isnan(x))
			ck_assert(isnan(bf16_to_float(bf16_from_float(x))));
		else
			ck_assert_uint_eq(bf16_from_float(x), h);
	}
	ck_assert_uint_eq(bf16_from_float(1.00390625f), 0x3f80); /* halfway: to even */
	ck_assert_uint_eq(bf16_from_float(1.01171875f), 0x3f82); /* halfway: to even */
	ck_assert_uint_eq(bf16_from_float(nextafterf(1.00390625f, 2)), 0x3f81);
	ck_assert_uint_eq(bf16_from_float(3.4e38f), 0x7f80); /* overflows to infinity */
}
END_TEST

int main(void)
{
	Suite *s = suite_create("safetensors");
	TCase *t = tcase_create("all");
	SRunner *r = srunner_create(s);
	int failed;

	tcase_add_loop_test(t, test_damaged, 0, (int)ARRAY_LEN(damaged));
	tcase_add_test(t, test_bad_length);
	tcase_add_test(t, test_truncated);
	tcase_add_test(t, test_good_headers);
	tcase_add_test(t, test_round_trip);
	tcase_add_test(t, test_write_refuses);
	tcase_add_test(t, test_dtypes_to_float);
	tcase_add_test(t, test_half_exact);
	tcase_add_test(t, test_half_rounding);
	tcase_add_test(t, test_bfloat);
	suite_add_tcase(s, t);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? 1 : 0;
}
