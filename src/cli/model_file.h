/*
 * model_file.h - a safetensors file as `models` and `info` see it: metadata and tensor shapes,
 * without building the network.
 */
#ifndef CLI_MODEL_FILE_H
#define CLI_MODEL_FILE_H

#include "base/err.h"
#include "file/safetensors.h"
#include "nn/config.h"

#include <json-c/json.h>
#include <stdbool.h>

enum { MODEL_FILE_LIMIT = 1 << 30 };

struct buf;

struct model_file {
	char *bytes; /* owned; the tensors of `st` lie in it */
	size_t len;
	struct st_file st;
	bool ours; /* "format" is "attnscope-model"; else only bytes, len and st are set */
	struct nn_config config;
	size_t parameters; /* numbers in all tensors */
	struct json_object
		*quality; /* owned; NULL if the file says nothing, or nothing that is JSON */
};

/* Errors name the file. `(struct model_file){0}` may be closed. */
int model_file_open(struct model_file *f, const char *path, struct err *err);
void model_file_close(struct model_file *f);

/* A metadata value, "" if absent. */
const char *model_file_meta(const struct model_file *f, const char *key);
/* Words of "src_vocab" or "tgt_vocab", the specials left out. */
size_t model_file_words(const struct model_file *f, const char *key);
/* quality.SET.KEY ("test", "aer"), NaN if absent. */
double model_file_quality(const struct model_file *f, const char *set, const char *key);

#endif
