/* Fuzz target of the safetensors reader: what is read can be written, and reads the same again. */
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
