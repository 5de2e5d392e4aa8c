/*
 * module.h - parts of the program with libraries that take long to load: shared modules, each with
 * one function, opened when it is first needed.
 */
#ifndef EXPORT_MODULE_H
#define EXPORT_MODULE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct buf;
struct figure;

enum picture { PICTURE_SVG, PICTURE_PDF, PICTURE_PNG };

/* "figure": one figure as a whole file, appended. */
typedef int module_draw(const struct figure *f, enum picture p, struct buf *out, struct err *err);

/* An array as numpy stores it: header and numbers, ready. */
struct module_entry {
	const char *name; /* "cross.0.0.npy" */
	const void *data;
	size_t len;
};

/* "zip": a stored (not compressed) archive, appended. */
typedef int module_zip(const struct module_entry *entries, size_t n, struct buf *out, struct err *err);

/* What a module shows to the outside: one of these, named MODULE_SYMBOL. */
struct module {
	const char *version; /* ATTNSCOPE_VERSION of both sides must agree */
	module_draw *draw;
	module_zip *zip;
};

#define MODULE_SYMBOL "attnscope_module"
#define MODULE_EXPORT __attribute__((visibility("default")))

/* NULL with err: it is not there, or not of this version. `name` is "figure" or "zip". */
const struct module *module_open(const char *name, struct err *err);

#endif
