/*
 * fuzz.c - the fuzz target of one reader; FORMAT is its name. What is accepted must be traces that pass
 * trace_check(), with their pieces merged to words too.
 */
#include "import/import.h"
#include "trace/merge.h"

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
					  .kind = (int)(size / 12 % (TRACE_KIND_COUNT + 1)),
					  .eos = (enum import_eos)(size / 4 % 3)});
	/* as if it were large */
	if (strstr("npy npz safetensors", FORMAT))
		open_all(data, size, &(struct import_options){.format = FORMAT, .look = 4});
	return 0;
}
