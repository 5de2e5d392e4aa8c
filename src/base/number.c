#include "base/number.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What the quick way does not hold exactly: long or unusual numbers. */
static bool scan_slowly(const char **s, const char *end, double *out)
{
	char text[64], *stop;
	size_t n = (size_t)(end - *s);

	n = n < sizeof text - 1 ? n : sizeof text - 1;
	memcpy(text, *s, n);
	text[n] = '\0';
	/* no hexadecimal, no "nan(…)", no blanks in front */
	n = strspn(text, "+-.0123456789eEinfINFatyATY");
	text[n] = '\0';
	*out = strtod(text, &stop);
	if (stop == text)
		return false;
	*s += stop - text;
	return true;
}

static const char *scan_digits(const char *p, const char *end, uint64_t *m)
{
	for (unsigned d; p < end && (d = (unsigned)*p - '0') < 10; p++)
		*m = *m * 10 + d;
	return p;
}

/* "e-5" → -5; p itself if no exponent stands there. */
static const char *scan_exponent(const char *p, const char *end, int *exponent)
{
	const char *q = p + 1, *first;
	bool minus;
	int e = 0;

	if (p == end || (*p != 'e' && *p != 'E'))
		return p;
	minus = q < end && *q == '-';
	q += q < end && (*q == '-' || *q == '+');
	for (first = q; q < end && *q >= '0' && *q <= '9'; q++)
		e = e < 1000 ? e * 10 + (*q - '0') : e;
	if (q == first)
		return p;
	*exponent += minus ? -e : e;
	return q;
}

/*
 * A whole number below 2^53 and a power of ten up to 22 are both exact doubles, so that one
 * multiplication or division rounds correctly.
 */
bool number_scan(const char **s, const char *end, double *out)
{
	static const double power[] = {1e0,  1e1,  1e2,	 1e3,  1e4,  1e5,  1e6,	 1e7,
				       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
				       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	const char *p = *s, *first, *after;
	bool minus = p < end && *p == '-';
	long digits;
	int exponent = 0;
	uint64_t m = 0;

	p += p < end && (*p == '-' || *p == '+');
	first = p;
	p = scan_digits(p, end, &m);
	digits = p - first;
	if (p < end && *p == '.') {
		after = p + 1;
		p = scan_digits(after, end, &m);
		digits += p - after;
		exponent = (int)(after - p);
	}
	if (digits == 0 || digits > 19 || m >> 53)
		return scan_slowly(s, end, out);
	p = scan_exponent(p, end, &exponent);
	if (exponent < -22 || exponent > 22)
		return scan_slowly(s, end, out);
	*out = exponent < 0 ? (double)m / power[-exponent] : (double)m * power[exponent];
	*out = minus ? -*out : *out;
	*s = p;
	return true;
}

double number_shown(double x, int digits)
{
	double half = 0.5;

	for (; digits > 0; digits--)
		half /= 10;
	return x <= 0 && x > -half ? 0 : x;
}
