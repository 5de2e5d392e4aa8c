/*
 * fuzz_main.c - runs a fuzz target as a test: every file of a folder as it is, then with bytes
 *changed, cut, doubled and moved (seeded, so that a failure comes again). With clang
 *-fsanitize=fuzzer the target is linked without this file.
 *
 *	PROGRAM FOLDER [ROUNDS [NAME]]
 *
 * ROUNDS: inputs a file, 1000 if it is left out; "all": every prefix of the file, and every byte of
 *it changed. NAME: only files called NAME.… or NAME-… get so many, others a few; there must be one.
 */
#include "base/fs.h"
#include "base/mem.h"
#include "base/rng.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { GROWTH = 256, FEW = 20 };

/* What these formats are made of. */
static const char spice[] =
	" \t\n\r|/@~[](){}^$!=.:,;-?#_+>'\"\\0123456789SNVABXYIpaenfrzhElut\xff\xc3\xe4\xe2\x80\0";

static size_t mutate(struct rng *rng, uint8_t *data, size_t len, size_t room)
{
	for (size_t n = 1 + rng_below(rng, 6); n > 0 && len > 0; n--) {
		size_t at = rng_below(rng, len), k = 1 + rng_below(rng, 24);

		k = k < len - at ? k : len - at;
		switch (rng_below(rng, 5)) {
		case 0:
			data[at] = (uint8_t)spice[rng_below(rng, sizeof spice)];
			break;
		case 1:
			data[at] = (uint8_t)(data[at] ^ (1 << rng_below(rng, 8)));
			break;
		case 2:
			memmove(data + at, data + at + k, len - at - k);
			len -= k;
			break;
		case 3:
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

/* A copy of the exact size, so that a sanitizer sees one byte too many. */
static void run(const void *data, size_t n)
{
	uint8_t *exact = mem_alloc(n);

	memcpy(exact, data, n);
	LLVMFuzzerTestOneInput(exact, n);
	free(exact);
}

static size_t run_some(const char *text, size_t len, size_t rounds)
{
	struct rng rng = rng_seed(len);
	uint8_t *copy = mem_alloc(len + GROWTH);

	run(text, len);
	for (size_t n = 1; n < rounds; n++) {
		memcpy(copy, text, len);
		run(copy, mutate(&rng, copy, len, len + GROWTH));
	}
	free(copy);
	return rounds;
}

static size_t run_all(char *text, size_t len)
{
	static const char put[] = {0, '"', '{', ']', '9', '\\', (char)0xff};

	for (size_t i = 0; i <= len; i++)
		run(text, i);
	for (size_t i = 0; i < len; i++) {
		char was = text[i];

		for (size_t k = 0; k < sizeof put; k++) {
			text[i] = put[k];
			run(text, len);
		}
		text[i] = was;
	}
	return len + 1 + len * sizeof put;
}

static bool is_called(const char *file, const char *name)
{
	size_t n = strlen(name);

	return strncmp(file, name, n) == 0 && file[n] && strchr(".-", file[n]);
}

int main(int argc, char **argv)
{
	const char *folder = argc > 1 ? argv[1] : ".", *rounds = argc > 2 ? argv[2] : "1000";
	const char *name = argc > 3 ? argv[3] : NULL;
	bool all = strcmp(rounds, "all") == 0;
	DIR *dir = opendir(folder);
	struct dirent *e;
	size_t n = 0, files = 0;

	while (dir && (e = readdir(dir))) {
		bool own = !name || is_called(e->d_name, name);
		char path[4096], *text;
		size_t len;

		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		if (e->d_name[0] == '.' || fs_read(path, 1 << 20, &text, &len, NULL) < 0)
			continue;
		n += all ? run_all(text, len)
			 : run_some(text, len, own ? (size_t)atol(rounds) : FEW);
		files += own;
		free(text);
	}
	if (dir)
		closedir(dir);
	printf("%zu inputs, %zu files%s%s\n", n, files, name ? " of " : "", name ? name : "");
	return files ? EXIT_SUCCESS : EXIT_FAILURE;
}
