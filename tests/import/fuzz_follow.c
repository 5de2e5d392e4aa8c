/*
 * fuzz_follow.c - the fuzz target of what arrives in pieces: the first byte says how long the pieces are.
 * However the text is cut, the same sentences come out. Main as in fuzz.c: a folder of files.
 */
#include "base/fs.h"
#include "base/rng.h"
#include "import/follow.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Sentences and bad lines so far. */
struct count {
	size_t traces, bad, tokens;
};

static void drain(struct import_follow *f, struct count *c)
{
	struct trace *t;
	struct err err = {0};
	int rc;

	while ((rc = import_follow_next(f, &t, &err)) != 0) {
		if ((rc > 0) != (t != NULL) || (rc < 0 && !err.text[0]) ||
		    (t && trace_check(t, NULL) < 0))
			abort();
		c->traces += rc > 0;
		c->bad += rc < 0;
		c->tokens += t ? t->nsource + t->nsteps : 0;
		trace_free(t);
	}
}

static struct count follow(const uint8_t *data, size_t size, size_t piece)
{
	struct import_follow *f;
	struct count c = {0};

	if (import_follow_new(&f, "fuzz", NULL, NULL) < 0)
		abort();
	for (size_t at = 0; at < size; at += piece) {
		size_t n = size - at < piece ? size - at : piece;

		if (import_follow_feed(f, (const char *)data + at, n, NULL) < 0)
			abort();
		drain(f, &c);
	}
	import_follow_end(f);
	drain(f, &c);
	import_follow_free(f);
	return c;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct count cut, whole;

	if (size < 1)
		return 0;
	cut = follow(data + 1, size - 1, 1 + data[0]);
	whole = follow(data + 1, size - 1, size);
	if (memcmp(&cut, &whole, sizeof cut) != 0)
		abort();
	return 0;
}

#ifndef LIBFUZZER
static size_t run_file(const char *path, size_t rounds)
{
	struct rng rng = rng_seed(strlen(path));
	char *text;
	size_t len, n = 0;

	if (fs_read(path, 1 << 20, &text, &len, NULL) < 0)
		return 0;
	for (; n < rounds; n++) {
		/* of the exact size, so that a sanitizer sees one byte too many */
		uint8_t *copy = malloc(2 * len + 1);

		copy[0] = (uint8_t)rng_below(&rng, 256);
		memcpy(copy + 1, text, len);
		memcpy(copy + 1 + len, text, len);
		for (size_t k = n ? 1 + rng_below(&rng, 4) : 0; k > 0 && len; k--)
			copy[1 + rng_below(&rng, 2 * len)] = (uint8_t)"\n\r{}[]|- 0"[rng_below(&rng, 10)];
		LLVMFuzzerTestOneInput(copy, 2 * len + 1);
		free(copy);
	}
	free(text);
	return n;
}

int main(int argc, char **argv)
{
	DIR *dir = argc > 1 ? opendir(argv[1]) : NULL;
	struct dirent *e;
	size_t n = 0;

	while (dir && (e = readdir(dir))) {
		char path[4096];

		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s", argv[1], e->d_name);
		n += run_file(path, 40);
	}
	if (dir)
		closedir(dir);
	printf("%zu inputs\n", n);
	return n ? EXIT_SUCCESS : EXIT_FAILURE;
}
#endif
