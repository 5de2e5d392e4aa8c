/*
 * document.h - the values of a trace document, each checked for its type as it is taken; private to
 * json_read.c. Every function that can fail returns 0, or -1 with an error that names the place:
 * "FILE: maps[0].values[2]: 3 entries, 4 are expected".
 */
#ifndef TRACE_DOCUMENT_H
#define TRACE_DOCUMENT_H

#include "file/value.h"
#include "trace/trace.h"

struct doc_reader {
	struct trace *t;         /* what is read; strings and vectors are its arena's */
	struct arena values;     /* what doc points to */
	const struct value *doc;
	const char *name;        /* of the file, for messages */
	struct err *err;
};

/* Where in the document a value stands: "steps[3].top[0]". Parts may be NULL or -1: left out. */
struct doc_place {
	const char *list;
	long index;
	const char *key;
	long item;
};

/* The document itself. */
#define DOC_TOP ((struct doc_place){NULL, -1, NULL, -1})

struct doc_place doc_member(struct doc_place p, const char *key);
int doc_fail(struct doc_reader *r, struct doc_place p, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/* A member; NULL if it is missing or null. */
const struct value *doc_get(const struct value *o, const char *key);
bool doc_is_list(const struct value *v);
/* Element i of a list; of a list of numbers it is put into *room. NULL if it is null. */
const struct value *doc_element(const struct value *list, size_t i, struct value *room);

/* A finite number; null_ok: null is -inf. */
int doc_float(struct doc_reader *r, const struct value *v, struct doc_place p, bool null_ok, float *out);
int doc_string(struct doc_reader *r, const struct value *v, struct doc_place p, const char **out);
/* A whole number below `limit`. */
int doc_index(struct doc_reader *r, const struct value *v, struct doc_place p, size_t limit, size_t *out);
/* Whether v is a list of exactly n elements. */
int doc_array(struct doc_reader *r, const struct value *v, struct doc_place p, size_t n);

/* Member `key` of o, which stands at p. If it is absent *out stays as it is. */
int doc_opt_string(struct doc_reader *r, const struct value *o, struct doc_place p, const char *key,
                   const char **out);
int doc_opt_float(struct doc_reader *r, const struct value *o, struct doc_place p, const char *key,
                  float *out);
int doc_opt_flag(struct doc_reader *r, const struct value *o, struct doc_place p, const char *key,
                 bool *out);
/* *out: which of the n names, name(0) …, the text is. */
int doc_opt_name(struct doc_reader *r, const struct value *o, struct doc_place p, const char *key,
                 const char *(*name)(unsigned), unsigned n, unsigned *out);
int doc_opt_vec(struct doc_reader *r, const struct value *o, struct doc_place p, const char *key,
                struct trace_vec *out);

#endif
