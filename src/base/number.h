/*
 * number.h - decimal numbers out of text, fast and correctly rounded, in any locale; and for a reader.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>

/*
 * The number at the beginning of [*s, end): sign, digits with or without a point, exponent; "inf", "nan",
 * "infinity" in any case. Moves *s behind it. False if there is none (then *s stays).
 */
bool number_scan(const char **s, const char *end, double *out);

/* x to be printed with that many digits behind the point: 0 for what would be "-0.000". */
double number_shown(double x, int digits);

#endif
