#include "train/state.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char magic[8] = "ATNSTATE";

enum {
	VERSION = 1,
	HEAD = 8 + 4 * 8,
#define X(type, name) +1
	FIELDS = 0 STATE_FIELDS(X),
#undef X
	MAX_WEIGHTS = 64 * 1024 * 1024,
	MAX_HISTORY = 1000000
};

uint64_t state_hash(const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return h;
}

void state_fini(struct train_state *s)
{
	free(s->best_weights);
	free(s->history);
	*s = (struct train_state){0};
}

void state_add_history(struct train_state *s, struct state_epoch e)
{
	s->history = mem_realloc(s->history, s->nhistory + 1, sizeof *s->history);
	s->history[s->nhistory++] = e;
}

static void add_u64(struct buf *b, uint64_t x)
{
	buf_add(b, &x, sizeof x);
}

int state_save(const struct train_state *s, const char *path, struct err *err)
{
	struct buf b = {0};
	int ret;

	buf_add(&b, magic, sizeof magic);
	add_u64(&b, VERSION);
	add_u64(&b, FIELDS);
	add_u64(&b, s->n);
	add_u64(&b, s->nhistory);
#define X(type, name) buf_add(&b, &s->name, sizeof s->name);
	STATE_FIELDS(X)
#undef X
	buf_add(&b, s->weights, s->n * sizeof(float));
	buf_add(&b, s->m, s->n * sizeof(float));
	buf_add(&b, s->v, s->n * sizeof(float));
	buf_add(&b, s->best_weights, s->n * sizeof(float));
	buf_add(&b, s->history, s->nhistory * sizeof *s->history);
	add_u64(&b, state_hash(b.data, b.len));
	ret = fs_replace(path, b.data, b.len, err);
	buf_free(&b);
	return ret;
}

static uint64_t get_u64(const char *p)
{
	uint64_t x;

	memcpy(&x, p, sizeof x);
	return x;
}

static const char *take(const char *p, void *out, size_t n)
{
	if (n)
		memcpy(out, p, n);
	return p + n;
}

static size_t file_size(size_t n, size_t k)
{
	return HEAD + 8 * (size_t)FIELDS + n * 4 * sizeof(float) + k * sizeof(struct state_epoch) +
	       8;
}

/* Sizes before contents: nothing is copied unless the whole file is what it says it is. */
static int check(const struct train_state *s, const char *data, size_t len, struct err *err)
{
	uint64_t k;

	if (len < HEAD || memcmp(data, magic, sizeof magic) != 0)
		return err_set(err, ERR_FORMAT, "is not the state of a training");
	if (get_u64(data + 8) != VERSION || get_u64(data + 16) != FIELDS)
		return err_set(err, ERR_FORMAT,
			       "was written by another version of this program; "
			       "delete it to train anew");
	if (get_u64(data + 24) != s->n)
		return err_set(err, ERR_FORMAT,
			       "is of a model with %llu weights, the recipe's has %zu; "
			       "delete it to train anew",
			       (unsigned long long)get_u64(data + 24), s->n);
	k = get_u64(data + 32);
	if (k > MAX_HISTORY || len != file_size(s->n, (size_t)k) ||
	    get_u64(data + len - 8) != state_hash(data, len - 8))
		return err_set(err, ERR_FORMAT, "is damaged; delete it to train anew");
	return 0;
}

static void parse(struct train_state *s, const char *p)
{
	size_t bytes = s->n * sizeof(float);

	s->nhistory = (size_t)get_u64(p + 32);
	p += HEAD;
#define X(type, name) p = take(p, &s->name, sizeof s->name);
	STATE_FIELDS(X)
#undef X
	p = take(p, s->weights, bytes);
	p = take(p, s->m, bytes);
	p = take(p, s->v, bytes);
	p = take(p, s->best_weights, bytes);
	free(s->history);
	s->history = mem_calloc(s->nhistory + 1, sizeof *s->history);
	take(p, s->history, s->nhistory * sizeof *s->history);
}

int state_load(struct train_state *s, const char *path, struct err *err)
{
	size_t len, limit = file_size(MAX_WEIGHTS, MAX_HISTORY);
	char *data;
	int ret;

	if (fs_read(path, limit, &data, &len, err) < 0)
		return -1;
	ret = check(s, data, len, err);
	if (ret < 0)
		err_at_file(err, path);
	else
		parse(s, data);
	free(data);
	return ret;
}
