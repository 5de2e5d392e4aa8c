/*
 * fuzz_main.c - runs a fuzz target without libFuzzer: every file of a folder as it is, and with
 *bytes changed, cut, doubled and moved (seeded, so that a failure comes again).
 *
 *	tsv_fuzz FOLDER [ROUNDS]
 */
#include "base/fs.h"
#include "base/mem.h"
#include "base/rng.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What these formats are made of. */
static const char spice[] =
	" \t\n\r|/@~[](){}^$!=.:,-?#_+>'\"0123456789SNVABXYaenfrzh\xff\xc3\xe4\0";

static size_t mutate(struct rng *rng, uint8_t *data, size_t len, size_t room)
{
	for (size_t n = 1 + rng_below(rng, 6); n > 0 && len > 0; n--) {
		size_t at = rng_below(rng, len), k = 1 + rng_below(rng, 24);

		k = k < len - at ? k : len - at;
		switch (rng_below(rng, 4)) {
		case 0:
			data[at] = (uint8_t)spice[rng_below(rng, sizeof spice)];
			break;
		case 1:
			memmove(data + at, data + at + k, len - at - k);
			len -= k;
			break;
		case 2:
			if (len + k > room)
				break;
			memmove(data + at + k, data + at, len - at);
			len += k;
			break;
		default:
			memmove(data + rng_below(rng, len - k + 1), data + at, k);
		}
	}
	return len;
}

static size_t run_file(const char *path, size_t rounds)
{
	struct rng rng = rng_seed(strlen(path));
	char *text;
	size_t len, n;

	if (fs_read(path, 1 << 20, &text, &len, NULL) < 0)
		return 0;
	for (n = 0; n < rounds; n++) {
		uint8_t *copy = mem_alloc(len + 256), *exact;
		size_t size = len;

		memcpy(copy, text, len);
		if (n)
			size = mutate(&rng, copy, len, len + 256);
		exact = mem_alloc(size); /* a read past its end is seen by a sanitizer */
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
	size_t rounds = argc > 2 ? (size_t)atol(argv[2]) : 1000, n = 0;
	DIR *dir = argc > 1 ? opendir(argv[1]) : NULL;
	struct dirent *e;
	char path[4096];

	while (dir && (e = readdir(dir))) {
		snprintf(path, sizeof path, "%s/%s", argv[1], e->d_name);
		if (e->d_name[0] != '.')
			n += run_file(path, rounds);
	}
	if (dir)
		closedir(dir);
	printf("%zu inputs\n", n);
	return n ? EXIT_SUCCESS : EXIT_FAILURE;
}
