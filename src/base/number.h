/*
 * number.h - decimal numbers out of text, fast and correctly rounded, in any locale.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>

/*
 * The number at the beginning of [*s, end): sign, digits with or without a point, exponent; "inf", "nan",
 * "infinity" in any case. Moves *s behind it. False if there is none (then *s stays).
 */
bool number_scan(const char **s, const char *end, double *out);

#endif
