/*
 * arrays.c - npy, npz and safetensors: what people save of Hugging Face's output_attentions, and
 * single arrays of others.
 *
 *	(q,k)  (head,q,k)  (layer,head,q,k)  (1,head,q,k)  (layer,batch,head,q,k)
 *	NAME.LAYER: (batch,head,q,k)
 *	NAME.STEP.LAYER: (batch,head,1,k), as generate() returns them (more of that in steps.c)
 *	SENTENCE.NAME…: the same of one sentence of several, each with its own sizes
 *
 * NAME holds "cross", "encoder" or "decoder" (array_names.c). Tokens lie beside as src_tokens, tgt_tokens
 * (or source…, target…, tokens): text arrays, or in safetensors' metadata as JSON, and so may masks.
 * Floating-point numbers are looked at where they lie.
 */
#include "file/npz.h"
#include "file/safetensors.h"
#include "import/arrays.h"
#include "import/formats.h"
#include "import/kind.h"
#include "import/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sentences ---- */

static struct raw *sentence(struct reader *r, size_t i)
{
	while (r->n <= i)
		raw_sentence(r, NULL);
	return &r->raw[i];
}

const void *tensor_at(const struct tensor *t, size_t index, int dim, const void *data)
{
	return (const char *)data +
	       (ptrdiff_t)index * t->stride[dim] * (ptrdiff_t)st_dtype_size(t->dtype);
}

int tensor_too_many(struct reader *r, const struct tensor *t)
{
	return raw_fail(r,
			"array \"%.100s\": more than %d maps in one sentence, or sentences in one "
			"array, or "
			"%d maps in all",
			t->name, RAW_MAX_MAPS, RAW_ALL_MAPS);
}

/* The last two dimensions as one map. */
static int add_map(struct reader *r, const struct tensor *t, size_t i, size_t layer, size_t head,
		   const void *data)
{
	struct raw *s;
	struct raw_map *m;

	if (i >= RAW_MAX_MAPS || layer >= RAW_MAX_MAPS ||
	    (i < r->n && r->raw[i].nmaps >= RAW_MAX_MAPS))
		return tensor_too_many(r, t);
	if (t->shape[t->ndim - 2] > RAW_MAX_TOKENS || t->shape[t->ndim - 1] > RAW_MAX_TOKENS)
		return raw_fail(r, "array \"%.100s\": %zu × %zu numbers, at most %d tokens a side are shown", t->name,
				t->shape[t->ndim - 2], t->shape[t->ndim - 1], RAW_MAX_TOKENS);
	s = sentence(r, i);
	m = raw_map(r, s);
	m->kind = t->kind;
	m->layer = (int)layer;
	m->head = (int)head;
	m->rows = t->shape[t->ndim - 2];
	m->cols = t->shape[t->ndim - 1];
	m->dtype = t->dtype;
	m->swapped = t->swapped;
	m->scores = t->scores;
	m->guessed = t->guessed;
	m->array = t->name;
	m->data = data;
	m->row_stride = t->stride[t->ndim - 2];
	m->col_stride = t->stride[t->ndim - 1];
	return 0;
}

/* Which dimension is what; -1: there is none. */
struct layout {
	int layer, batch, head;
};

/* Sentences are filled up to the longest; heads of one sentence reach equally far. */
static bool are_sentences(const struct tensor *t)
{
	size_t rows = t->shape[1], cols = t->shape[2], reach[2][2];
	struct trace_map m = {.rows = rows,
			      .cols = cols,
			      .dtype = t->dtype,
			      .swapped = t->swapped,
			      .row_stride = t->stride[1],
			      .col_stride = t->stride[2]};

	if (rows > IMPORT_LOOK_CELLS / cols || t->shape[0] > IMPORT_LOOK_CELLS / (rows * cols))
		return false;
	for (size_t i = 0; i < t->shape[0]; i++) {
		m.data = tensor_at(t, i, 0, t->data);
		numbers_reach(&m, &reach[i > 0][0], &reach[i > 0][1]);
		if (memcmp(reach[0], reach[i > 0], sizeof reach[0]) != 0)
			return true;
	}
	return false;
}

static struct layout layout_of(struct reader *r, const struct tensor *t, bool single)
{
	struct layout l = {-1, -1, -1};

	if (t->ndim == 3) {
		if (single && (r->beside > 1 ? r->beside == t->shape[0] : are_sentences(t)))
			l.batch = 0;
		else
			l.head = 0;
	} else if (t->ndim == 4) {
		l.head = 1;
		if ((!single && t->layer >= 0) || t->shape[0] == 1 ||
		    (r->beside > 1 && r->beside == t->shape[0] && t->number < 0))
			l.batch = 0;
		else
			l.layer = 0;
	} else if (t->ndim == 5) {
		l = (struct layout){0, 1, 2};
	}
	return l;
}

static void say_layout(struct reader *r, const struct tensor *t, struct layout l)
{
	static const char *const words[] = {"layers × ", "sentences × ", "heads × "};
	const int dims[] = {l.layer, l.batch, l.head};
	char text[64] = "";

	for (int d = 0; d < t->ndim - 2; d++)
		for (int k = 0; k < 3; k++)
			if (dims[k] == d)
				strcat(text, words[k]);
	raw_note(r, "array \"%.100s\" is read as %srows × columns", t->name, text);
}

static int add_tensor(struct reader *r, const struct tensor *t, size_t first, bool single)
{
	struct layout l = layout_of(r, t, single);
	size_t layers = l.layer < 0 ? 1 : t->shape[l.layer],
	       batch = l.batch < 0 ? 1 : t->shape[l.batch],
	       heads = l.head < 0 ? 1 : t->shape[l.head];

	if (t->ndim == 2 && t->head >= 0)
		return add_map(r, t, first, (size_t)t->layer, (size_t)t->head, t->data);
	if (t->ndim > 2 && (single || t->layer <= 0))
		say_layout(r, t, l);
	if (layers > RAW_MAX_MAPS || heads > RAW_MAX_MAPS || batch > RAW_MAX_MAPS ||
	    layers * heads * batch > RAW_ALL_MAPS - r->nmaps)
		return tensor_too_many(r, t);
	for (size_t i = 0; i < layers * batch * heads; i++) {
		size_t layer = i / (batch * heads), b = i / heads % batch, head = i % heads;
		const void *p = t->data;

		if (l.layer >= 0)
			p = tensor_at(t, layer, l.layer, p);
		if (l.batch >= 0)
			p = tensor_at(t, b, l.batch, p);
		if (l.head >= 0)
			p = tensor_at(t, head, l.head, p);
		if (l.layer < 0 && !single && t->layer > 0)
			layer = (size_t)t->layer;
		if (add_map(r, t, first + b, layer, head, p) < 0)
			return -1;
	}
	return 0;
}

static int add_joined(struct reader *r, const struct tensor *t)
{
	if (add_tensor(r, t, t->sentence, false) < 0)
		return -1;
	for (size_t i = t->sentence; i < r->n; i++)
		r->raw[i].generated = true;
	return 0;
}

/* ---- a whole file ---- */

static bool is_empty(const struct tensor *t)
{
	for (int d = 0; d < t->ndim; d++)
		if (t->shape[d] == 0)
			return true;
	return false;
}

static int add_named(struct reader *r, struct tensors *ts)
{
	struct tensor *steps;
	size_t nsteps = 0;

	if (steps_split(r, ts) < 0)
		return -1;
	steps = arena_array(r->arena, struct tensor, ts->n);
	for (size_t i = 0; i < ts->n; i++) {
		struct tensor *t = &ts->v[i];

		array_guess_kind(r, t);
		if (steps_is_one(t))
			steps[nsteps++] = *t;
		else if (add_tensor(r, t, t->sentence, false) < 0)
			return -1;
	}
	ts->joined = nsteps > 0;
	return steps_join(r, &ts->beams, steps, nsteps, add_joined);
}

/* What is said of the first sentence holds for the others. */
static int add_sentences(struct reader *r, struct tensors *ts)
{
	size_t at = 0, said = 0;

	for (size_t i = 0; i < ts->nnumbers; i++) {
		struct tensors one = array_sentence(ts, i, &at);

		if (add_named(r, &one) < 0)
			return -1;
		if (r->n != i + 1)
			return raw_fail(r,
					"array \"%.100s\" is of one sentence by its name, but it holds %zu",
					one.v->name, r->n - i);
		if (ts->numbers[i] != (int)i)
			r->raw[i].id = arena_printf(r->arena, "%d", ts->numbers[i]);
		if (i == 0)
			said = r->nnotes;
		r->nnotes = said;
	}
	return 0;
}

static int add_unnamed(struct reader *r, struct tensors *ts)
{
	for (size_t i = 0; i < ts->n; i++) {
		if (array_is_self(r, &ts->v[i]))
			array_guess_kind(r, &ts->v[i]);
		ts->v[i].guessed = true;
		if (add_tensor(r, &ts->v[i], r->n, true) < 0)
			return -1;
	}
	return 0;
}

static int no_arrays(struct reader *r, struct tensors *ts)
{
	if (ts->unused.len)
		return raw_fail(r,
				"no attention in it, only %.300s: save the attentions that "
				"output_attentions=True gives",
				buf_str(&ts->unused));
	if (memmem(r->bytes, r->len < 4096 ? r->len : 4096, "data.pkl", 8))
		return raw_fail(r, "torch.save() wrote a pickle, and pickles are not read: torch.load() it, "
				   "and save the arrays with numpy.savez or safetensors");
	return raw_fail(r, "no array of 2 to 6 dimensions in it");
}

static int add_all(struct reader *r, struct tensors *ts)
{
	for (size_t i = 0; i < ts->n; i++)
		if (is_empty(&ts->v[i]))
			return raw_fail(r, "array \"%.100s\" is empty", ts->v[i].name);
	if (ts->n == 0)
		return no_arrays(r, ts);
	if (ts->single)
		return add_unnamed(r, ts);
	if (array_sentences(r, ts) < 0)
		return -1;
	array_guess_kinds(r, ts->v, ts->n);
	return ts->nnumbers ? add_sentences(r, ts) : add_named(r, ts);
}

static bool is_float(const struct tensor *t)
{
	return st_is_float(t->dtype);
}

static void leave_out(struct tensors *ts, const char *name)
{
	if (ts->unused.len < 200)
		buf_printf(&ts->unused, "%s\"%.60s\"", ts->unused.len ? ", " : "", name);
	else if (buf_str(&ts->unused)[ts->unused.len - 1] == '"')
		buf_puts(&ts->unused, " …");
}

/* Of arrays whose names say nothing: what stands beside attention is none, and whole numbers beside
 * fractions are none. */
static void choose(struct tensors *ts)
{
	bool named = false, floats = false;
	size_t n = 0;

	for (size_t i = 0; i < ts->n; i++) {
		named |= ts->v[i].role == ARRAY_ATTENTION;
		floats |= is_float(&ts->v[i]);
	}
	for (size_t i = 0; i < ts->n; i++) {
		const struct tensor *t = &ts->v[i];

		if (t->role == ARRAY_UNNAMED && (named || (floats && !is_float(t))))
			leave_out(ts, t->name);
		else
			ts->v[n++] = *t;
	}
	ts->n = n;
}

static bool has_tokens(const struct tensors *ts)
{
	for (size_t i = 0; i < ts->nbeside; i++)
		if (ts->beside[i].text.ndim)
			return true;
	return false;
}

static void say_unused(struct reader *r, const struct tensors *ts)
{
	if (!ts->unused.len)
		return;
	raw_note(r, "arrays beside the attention are not used: %.300s%s", buf_str(&ts->unused),
		 !has_tokens(ts) && strstr(buf_str(&ts->unused), "input_ids")
			 ? "; for words save tokenizer.convert_ids_to_tokens(input_ids[0]) as src_tokens"
			 : "");
}

/* All that was found, and what stands beside it. */
static int take(struct reader *r, struct tensors *ts)
{
	choose(ts);
	for (size_t i = 0; i < ts->nbeside && r->beside == 0; i++) {
		const struct array_beside *b = &ts->beside[i];

		if (b->text.ndim == 2 && b->number < 0)
			r->beside = b->text.shape[0];
		else if (b->mask.ndim == 2 && b->number < 0)
			r->beside = b->mask.shape[0];
	}
	if (add_all(r, ts) < 0)
		return -1;
	array_drop_beams(r, ts);
	say_unused(r, ts);
	return array_tokens(r, ts);
}

/* np.savez(*attentions): one array a layer. Those of two dimensions are a sentence each. */
static bool are_layers(const struct tensors *ts)
{
	const struct tensor *first = ts->v;

	for (size_t i = 0; i < ts->n; i++)
		if (ts->v[i].ndim < 3 || ts->v[i].ndim > 4 || ts->v[i].ndim != first->ndim ||
		    memcmp(ts->v[i].shape, first->shape,
			   (size_t)first->ndim * sizeof *first->shape) != 0)
			return false;
	return ts->n > 1;
}

static void add_attention(struct reader *r, struct tensors *ts, const struct array_name *is, struct tensor t)
{
	t.role = is->role;
	t.number = is->sentence;
	t.worded = is->sentence_worded;
	t.kind = is->kind;
	t.kind_known = is->kind_known;
	t.layer = is->layer;
	t.step = is->step;
	t.head = is->head;
	t.scores = is->scores;
	ts->v = raw_grow(r->arena, ts->v, ts->n, &ts->cap, sizeof *ts->v);
	ts->v[ts->n++] = t;
}

static struct array_beside *add_beside(struct reader *r, struct tensors *ts, const struct array_name *is,
				       const char *name)
{
	struct array_beside *b;

	ts->beside = raw_grow(r->arena, ts->beside, ts->nbeside, &ts->beside_cap, sizeof *ts->beside);
	b = &ts->beside[ts->nbeside++];
	*b = (struct array_beside){.name = name, .number = is->sentence};
	b->side = is->role == ARRAY_TARGET || is->role == ARRAY_TARGET_MASK;
	return b;
}

/* An array of numbers. */
static void add_numbers(struct reader *r, struct tensors *ts, const struct array_name *is, struct tensor t)
{
	bool mask = is->role == ARRAY_SOURCE_MASK || is->role == ARRAY_TARGET_MASK;

	if (is->role == ARRAY_BEAMS && t.ndim == 2)
		ts->beams = t;
	else if (mask && (t.ndim == 1 || t.ndim == 2))
		add_beside(r, ts, is, t.name)->mask = t;
	else if (is->role > ARRAY_ATTENTION)
		leave_out(ts, t.name);
	else if (t.ndim < 2 || t.ndim > 6)
		raw_note(r, "array \"%.100s\" is left out: it has %d dimensions", t.name, t.ndim);
	else
		add_attention(r, ts, is, t);
}

static void add_npy(struct reader *r, struct tensors *ts, const char *name, const struct npy_array *a)
{
	struct array_name is = array_name(name, a->ndim);
	struct tensor t = {.name = name, .ndim = a->ndim};

	if (!npy_is_numeric(a)) {
		if ((is.role == ARRAY_SOURCE || is.role == ARRAY_TARGET) && a->ndim)
			add_beside(r, ts, &is, name)->text = *a;
		else
			raw_note(r, "array \"%.100s\" is left out: it has %d dimensions of text", name,
				 a->ndim);
		return;
	}
	for (int d = 0; d < a->ndim; d++) {
		t.shape[d] = a->shape[d];
		t.stride[d] = (ptrdiff_t)a->stride[d];
	}
	t.dtype = npy_dtype(a);
	t.swapped = a->big && a->size > 1;
	t.data = a->data;
	add_numbers(r, ts, &is, t);
}

/* ---- the three formats ---- */

int npy_probe(const char *bytes, size_t len)
{
	return len >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0 ? 100 : 0;
}

static int finish(struct reader *r, struct tensors *ts)
{
	int rc = take(r, ts);

	buf_free(&ts->unused);
	return rc;
}

int npy_read(struct reader *r)
{
	struct tensors ts = {.single = true};
	struct npy_array a;

	if (npy_parse(r->bytes, r->len, r->name, &a, r->err) < 0)
		return -1;
	add_npy(r, &ts, "array", &a);
	return finish(r, &ts);
}

int npz_probe(const char *bytes, size_t len)
{
	return len >= 4 && (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "PK\5\6", 4) == 0) ? 90
												: 0;
}

int npz_read(struct reader *r)
{
	struct tensors ts = {.single = true};
	struct npz_file f;

	if (npz_parse(r->bytes, r->len, IMPORT_MAX_BYTES, r->name, r->arena, &f, r->err) < 0)
		return -1;
	if (f.nskipped)
		raw_note(r, "%zu entries are no arrays: left out", f.nskipped);
	for (size_t i = 0; i < f.n; i++)
		add_npy(r, &ts, f.entries[i].name, &f.entries[i].array);
	/* positional arrays, those of google/seq2seq of one sentence each */
	for (size_t i = 0; i < ts.n; i++)
		ts.single &= strncmp(ts.v[i].name, "arr_", 4) == 0;
	for (size_t i = 0; i < ts.nbeside; i++)
		if (ts.beside[i].side == 1 && ts.beside[i].text.ndim)
			ts.ntarget = ts.beside[i].text.shape[ts.beside[i].text.ndim - 1];
	ts.single &= !are_layers(&ts);
	return finish(r, &ts);
}

int safetensors_probe(const char *bytes, size_t len)
{
	return len > 9 && bytes[8] == '{' && (bytes[9] == '"' || bytes[9] == '}') &&
			       bytes[6] == 0 && bytes[7] == 0
		       ? 90
		       : 0;
}

static void add_st(struct reader *r, struct tensors *ts, const struct st_tensor *s)
{
	struct tensor t = {.name = arena_strdup(r->arena, s->name), .ndim = s->ndim};
	struct array_name is = array_name(t.name, s->ndim);
	ptrdiff_t stride = 1;

	if (s->ndim < 1 || s->ndim > NPY_MAX_DIMS || s->count == 0) {
		raw_note(r, "tensor \"%.100s\" is left out: it has %d dimensions and %zu numbers",
			 s->name, s->ndim, s->count);
		return;
	}
	for (int d = s->ndim; d-- > 0; stride *= (ptrdiff_t)s->shape[d]) {
		t.shape[d] = s->shape[d];
		t.stride[d] = stride;
	}
	t.data = s->data;
	t.dtype = s->dtype;
	add_numbers(r, ts, &is, t);
}

int safetensors_read(struct reader *r)
{
	struct tensors ts = {0};
	struct st_file f;
	int rc;

	if (st_parse(r->bytes, r->len, r->name, &f, r->err) < 0)
		return -1;
	for (size_t i = 0; i < f.ntensors; i++)
		add_st(r, &ts, &f.tensors[i]);
	rc = take(r, &ts);
	for (size_t i = 0; i < f.nmeta && rc == 0; i++) {
		struct array_name is = array_name(f.meta[i].key, 1);

		if (is.role == ARRAY_SOURCE || is.role == ARRAY_TARGET)
			array_meta_tokens(r, &ts, &is, f.meta[i].value);
	}
	buf_free(&ts.unused);
	st_fini(&f);
	return rc;
}
