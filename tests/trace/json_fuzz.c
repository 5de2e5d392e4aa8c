/*
 * json_fuzz.c - the trace document as a fuzz target.
 *
 * Built with -DLIBFUZZER and clang's -fsanitize=fuzzer it is driven by libFuzzer. Otherwise main()
 * takes files and folders: each file is read as it is, and with bytes changed, cut and repeated (a
 * seeded generator, so that a failure comes again). What is accepted must pass trace_check() and
 * survive being written and read again.
 */
#include "base/buf.h"
#include "base/fs.h"
#include "base/rng.h"
#include "trace/json.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace *t, *again;
	struct buf b = {0};
	struct err err = {0};

	if (trace_json_read((const char *)data, size, "fuzz", &t, &err)) {
		if (t || !err.text[0])
			abort();
		return 0;
	}
	if (trace_check(t, NULL))
		abort();
	trace_json_write_full(t, &b);
	if (trace_json_read(b.data, b.len, "fuzz", &again, &err) || again->nsteps != t->nsteps) {
		fprintf(stderr, "%s\n%s\n", err.text, b.data);
		abort();
	}
	trace_free(again);
	trace_free(t);
	buf_free(&b);
	return 0;
}

#ifndef LIBFUZZER
static void mutate(struct rng *rng, uint8_t *data, size_t *len)
{
	static const char spice[] = "[]{},:\"\\0-19.eEnulltrue \xff\xe2\x80";

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

static size_t run_file(const char *path, int rounds)
{
	struct rng rng = rng_seed(strlen(path));
	char *text;
	uint8_t *copy;
	size_t len, n = 0;

	if (fs_read(path, 1 << 20, &text, &len, NULL))
		return 0;
	copy = malloc(len + 1);
	for (; copy && n < (size_t)rounds; n++) {
		size_t size = len;

		memcpy(copy, text, len);
		if (n)
			mutate(&rng, copy, &size);
		LLVMFuzzerTestOneInput(copy, size);
	}
	free(copy);
	free(text);
	return n;
}

static size_t run_folder(const char *folder, int rounds)
{
	DIR *dir = opendir(folder);
	struct dirent *e;
	char path[4096];
	size_t n = 0;

	while (dir && (e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		n += run_file(path, rounds);
	}
	if (dir)
		closedir(dir);
	return n;
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : 1000;
	size_t n = argc > 1 ? run_folder(argv[1], rounds) : 0;

	printf("%zu inputs\n", n);
	return n ? EXIT_SUCCESS : EXIT_FAILURE;
}
#endif
