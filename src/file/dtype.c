/*
 * The half conversions are those of Fabian Giesen's "float->half variants": rounding is left to one
 * float addition, which rounds to nearest even.
 */
#include "file/dtype.h"

#include <string.h>

static const struct {
	const char *name;
	size_t size;
} dtypes[] = {
#define X(id, name, size) [id] = {name, size},
	ST_DTYPES(X)
#undef X
};

size_t st_dtype_size(enum st_dtype d)
{
	return dtypes[d].size;
}

const char *st_dtype_name(enum st_dtype d)
{
	return dtypes[d].name;
}

static float as_float(uint32_t u)
{
	float f;

	memcpy(&f, &u, sizeof f);
	return f;
}

static uint32_t as_bits(float f)
{
	uint32_t u;

	memcpy(&u, &f, sizeof u);
	return u;
}

uint16_t f16_from_float(float x)
{
	const uint32_t infinity = 0x7f800000, largest = (uint32_t)(127 + 16) << 23;
	const uint32_t smallest_normal = (uint32_t)(127 - 14) << 23;
	const uint32_t denormal_magic = (uint32_t)(127 - 15 + 23 - 10 + 1) << 23;
	uint32_t u = as_bits(x), sign = u & 0x80000000, h;

	u ^= sign;
	if (u >= largest) {
		h = u > infinity ? 0x7e00 : 0x7c00;
	} else if (u < smallest_normal) {
		/* adding 2^-1 in the right binade shifts the mantissa and rounds */
		h = as_bits(as_float(u) + as_float(denormal_magic)) - denormal_magic;
	} else {
		uint32_t odd = (u >> 13) & 1;

		u += ((uint32_t)(15 - 127) << 23) + 0xfff + odd;
		h = u >> 13;
	}
	return (uint16_t)(h | sign >> 16);
}

/* Without branches, so that a loop over it can be vectorised: the product with 2^112 corrects the
 * bias of the exponent and makes denormals normal. */
float f16_to_float(uint16_t h)
{
	uint32_t u = (uint32_t)(h & 0x7fff) << 13, sign = (uint32_t)(h & 0x8000) << 16;
	uint32_t not_finite = u >= 0x7c00u << 13 ? 0x7f800000 : 0;

	return as_float(as_bits(as_float(u) * 0x1p112f) | not_finite | sign);
}

uint16_t bf16_from_float(float x)
{
	uint32_t u = as_bits(x);

	if ((u & 0x7fffffff) > 0x7f800000)
		return (uint16_t)(u >> 16 | 0x40); /* a NaN stays one */
	return (uint16_t)((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}

float bf16_to_float(uint16_t h)
{
	return as_float((uint32_t)h << 16);
}

/* E4M3 without infinities (the "fn" form): bias 7, S.1111.111 is NaN. */
static float f8_e4m3_to_float(uint8_t b)
{
	float sign = b & 0x80 ? -1.0f : 1.0f;
	int e = (b >> 3) & 15, m = b & 7;

	if (e == 15 && m == 7)
		return as_float(0x7fc00000);
	if (e == 0)
		return sign * (float)m / 512.0f;
	return sign * as_float((uint32_t)(e - 7 + 127) << 23 | (uint32_t)m << 20);
}

static float f8_e5m2_to_float(uint8_t b)
{
	return f16_to_float((uint16_t)(b << 8));
}

/* One loop a type; memcpy because data may start at any byte. */
#define CONVERT(type, expr)                                                                        \
	for (size_t i = 0; i < n; i++) {                                                           \
		type v;                                                                            \
		memcpy(&v, p + i * sizeof v, sizeof v);                                            \
		out[i] = (float)(expr);                                                            \
	}                                                                                          \
	break

/* A model's weights pass through here before the first frame: let the loops be vectorised. */
__attribute__((optimize("O3"))) void st_convert(enum st_dtype dtype, const void *data, size_t n,
						float *out)
{
	const unsigned char *p = data;

	switch (dtype) {
	case ST_F32:
		if (n)
			memcpy(out, p, n * sizeof *out);
		break;
	case ST_F16:
		CONVERT(uint16_t, f16_to_float(v));
	case ST_BF16:
		CONVERT(uint16_t, bf16_to_float(v));
	case ST_F64:
		CONVERT(double, v);
	case ST_F8_E5M2:
		CONVERT(uint8_t, f8_e5m2_to_float(v));
	case ST_F8_E4M3:
		CONVERT(uint8_t, f8_e4m3_to_float(v));
	case ST_BOOL:
		CONVERT(uint8_t, v != 0);
	case ST_U8:
		CONVERT(uint8_t, v);
	case ST_I8:
		CONVERT(int8_t, v);
	case ST_I16:
		CONVERT(int16_t, v);
	case ST_U16:
		CONVERT(uint16_t, v);
	case ST_I32:
		CONVERT(int32_t, v);
	case ST_U32:
		CONVERT(uint32_t, v);
	case ST_I64:
		CONVERT(int64_t, v);
	case ST_U64:
		CONVERT(uint64_t, v);
	case ST_DTYPE_COUNT:
		break;
	}
}
