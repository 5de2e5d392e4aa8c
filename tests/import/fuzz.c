/*
 * fuzz.c - the fuzz target of one reader; FORMAT is its name. With clang -fsanitize=fuzzer and
 * -DLIBFUZZER it is driven by libFuzzer. With its own main it takes a folder: every file is read as
 * it is, those named after the format also with bytes changed, cut and moved (a seeded generator,
 * so that a failure comes again). What is accepted must be traces that pass trace_check(),
 * with their pieces merged to words too.
 */
#include "base/fs.h"
#include "base/rng.h"
#include "import/import.h"
#include "trace/merge.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void open_all(const uint8_t *data, size_t size, const struct import_options *o)
{
	struct import im = {0};
	struct err err = {0};

	if (import_read(&im, (const char *)data, size, "fuzz", o, &err) < 0) {
		if (!err.text[0] || im.n)
			abort();
		return;
	}
	for (size_t i = 0; i < im.n; i++) {
		struct trace *t = NULL, *words;

		/* of a sample only the first and the last have been made before */
		if (import_trace(&im, i, &t, &err) < 0) {
			if (!im.sampled || i == 0)
				abort();
			continue;
		}
		if (trace_check(t, NULL) < 0 || t->nmaps != import_sentence(&im, i).nmaps)
			abort();
		words = im.sampled ? NULL : trace_merge(t);
		if (words && trace_check(words, NULL) < 0)
			abort();
		trace_free(words);
		trace_free(t);
	}
	import_close(&im);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	import_recognise((const char *)data, size, "fuzz");
	open_all(data, size, &(struct import_options){.format = FORMAT});
	/* told to be something else; the size chooses what */
	open_all(data, size,
		 &(struct import_options){.format = FORMAT,
					  .transpose = size & 1,
					  .right_left = size & 2,
					  .eos = (enum import_eos)(size / 4 % 3)});
	/* as if it were large */
	if (strstr("npy npz safetensors", FORMAT))
		open_all(data, size, &(struct import_options){.format = FORMAT, .look = 4});
	return 0;
}

#ifndef LIBFUZZER
static void mutate(struct rng *rng, uint8_t *data, size_t *len)
{
	static const char spice[] = "[]{},:;\"'\\0-19.eEnNaI|pS \t\n\r\xff\xe2\x80";

	for (size_t n = 1 + rng_below(rng, 4); n > 0 && *len > 0; n--) {
		size_t at = rng_below(rng, *len), k = 1 + rng_below(rng, 16);

		if (k > *len - at)
			k = *len - at;
		switch (rng_below(rng, 4)) {
		case 0:
			data[at] = (uint8_t)spice[rng_below(rng, sizeof spice)];
			break;
		case 1:
			data[at] = (uint8_t)(data[at] ^ (1 << rng_below(rng, 8)));
			break;
		case 2:
			memmove(data + at, data + at + k, *len - at - k);
			*len -= k;
			break;
		default:
			memmove(data + rng_below(rng, *len - k + 1), data + at, k);
		}
	}
}

static size_t run_file(const char *path, size_t rounds)
{
	struct rng rng = rng_seed(strlen(path));
	char *text;
	size_t len, n = 0;

	if (fs_read(path, 1 << 20, &text, &len, NULL) < 0)
		return 0;
	for (; n < rounds; n++) {
		size_t size = len;
		uint8_t *copy = malloc(len + 1), *exact;

		memcpy(copy, text, len);
		if (n)
			mutate(&rng, copy, &size);
		/* of the exact size, so that a sanitizer sees one byte too many */
		exact = malloc(size ? size : 1);
		memcpy(exact, copy, size);
		LLVMFuzzerTestOneInput(exact, size);
		free(exact);
		free(copy);
	}
	free(text);
	return n;
}

int main(int argc, char **argv)
{
	DIR *dir = argc > 1 ? opendir(argv[1]) : NULL;
	struct dirent *e;
	size_t n = 0, mine = 0;

	while (dir && (e = readdir(dir))) {
		char path[4096];
		size_t k = strlen(FORMAT);
		bool own = strncmp(e->d_name, FORMAT, k) == 0 && strchr(".-", e->d_name[k]);

		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s", argv[1], e->d_name);
		n += run_file(path, own ? 1500 : 20);
		mine += own;
	}
	if (dir)
		closedir(dir);
	printf("%zu inputs, %zu files of %s\n", n, mine, FORMAT);
	return n && mine ? EXIT_SUCCESS : EXIT_FAILURE;
}
#endif
