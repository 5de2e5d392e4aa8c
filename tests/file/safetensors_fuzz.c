/*
 * Fuzz target of the safetensors reader. With clang -fsanitize=fuzzer it is a libFuzzer target;
 * with its own main (FUZZ_MAIN) it runs every file of the folders given as a normal test: each of
 * them, each of its prefixes, and each with one byte changed.
 */
#include "base/buf.h"
#include "file/safetensors.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads every element; a tensor outside the file would be seen by the sanitizers. */
static void read_all(const struct st_file *f)
{
	float out[64];

	for (size_t i = 0; i < f->ntensors; i++) {
		const struct st_tensor *t = &f->tensors[i];

		if (st_find(f, t->name) != t)
			abort();
		for (size_t k = 0; k < t->count; k += 64)
			st_floats(t, k, t->count - k < 64 ? t->count - k : 64, out);
	}
	for (size_t i = 0; i < f->nmeta; i++)
		if (st_meta_get(f, f->meta[i].key) != f->meta[i].value)
			abort();
}

/* What was read can be written, and reading that gives the same. */
static void write_again(const struct st_file *f)
{
	struct buf b = {0};
	struct st_file again;

	if (f->ntensors > 1000)
		return;
	if (st_write(f->tensors, f->ntensors, f->meta, f->nmeta, &b, NULL) < 0)
		abort();
	if (st_parse(b.data, b.len, "again", &again, NULL) < 0 || again.ntensors != f->ntensors ||
	    again.nmeta != f->nmeta)
		abort();
	st_fini(&again);
	buf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct st_file f;
	struct err err = {0};

	if (st_parse(data, size, "fuzz", &f, &err) < 0) {
		if (!err.text[0])
			abort();
		return 0;
	}
	read_all(&f);
	write_again(&f);
	st_fini(&f);
	return 0;
}

#ifdef FUZZ_MAIN
#include "base/fs.h"

#include <dirent.h>
#include <stdio.h>

/* A copy of the exact size, so that a sanitizer sees one byte too many. */
static void run(const char *bytes, size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);

	memcpy(copy, bytes, n);
	LLVMFuzzerTestOneInput(copy, n);
	free(copy);
}

static void run_variants(char *bytes, size_t n)
{
	static const char put[] = {0, '"', '{', ']', '9', '\\', (char)0xff};

	for (size_t i = 0; i <= n; i++)
		run(bytes, i);
	for (size_t i = 0; i < n; i++) {
		char was = bytes[i];

		for (size_t k = 0; k < sizeof put; k++) {
			bytes[i] = put[k];
			run(bytes, n);
		}
		bytes[i] = was;
	}
}

static int run_folder(const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	int files = 0;

	while (d && (e = readdir(d))) {
		char path[4096];
		char *bytes;
		size_t n;

		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		if (fs_read(path, 1 << 20, &bytes, &n, NULL) < 0)
			return -1;
		run_variants(bytes, n);
		free(bytes);
		files++;
	}
	if (d)
		closedir(d);
	return files;
}

int main(int argc, char **argv)
{
	int files = 0;

	for (int i = 1; i < argc; i++) {
		int n = run_folder(argv[i]);

		if (n <= 0) {
			fprintf(stderr, "%s: no corpus there\n", argv[i]);
			return 1;
		}
		files += n;
	}
	printf("%d files, each prefix and each changed byte: no crash\n", files);
	return files ? 0 : 1;
}
#endif
