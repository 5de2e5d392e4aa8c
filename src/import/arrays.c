/*
 * arrays.c - npy, npz and safetensors: what people save of Hugging Face's output_attentions, and
 *single arrays of others.
 *
 *	(q,k)  (head,q,k)  (layer,head,q,k)  (1,head,q,k)  (layer,batch,head,q,k)
 *	NAME.LAYER: (batch,head,q,k)          NAME.STEP.LAYER: (batch,head,1,k), as generate()
 *returns them (more of that in steps.c)
 *
 * NAME holds "cross", "encoder" or "decoder". Tokens lie beside as src_tokens, tgt_tokens (or
 *source…, target…, tokens): text arrays, or in safetensors' metadata as JSON. Floating-point
 *numbers are looked at where they lie.
 */
#include "file/npz.h"
#include "file/safetensors.h"
#include "file/value.h"
#include "import/arrays.h"
#include "import/formats.h"
#include "import/numbers.h"
#include "trace/mark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 256, CAUSAL_ROWS = 8, CAUSAL_CELLS = 64 };

static enum trace_dtype dtype_of(enum st_dtype d)
{
	static const enum trace_dtype dtypes[] = {
#define X(id, st, size) [st] = id,
		TRACE_DTYPES(X)
#undef X
	};

	return dtypes[d];
}

/* ---- names ---- */

static bool contains(const char *name, const char *part)
{
	return strcasestr(name, part) != NULL;
}

/* "cross.0.3", "encoder.1.0.scores": what export writes. */
static void read_own_name(struct tensor *t)
{
	char kind[8];
	int end = 0;

	t->head = -1;
	if (sscanf(t->name, "%7[a-z].%6d.%6d%n", kind, &t->layer, &t->head, &end) != 3 ||
	    (t->name[end] && strcmp(t->name + end, ".scores") != 0) || t->layer < 0 || t->head < 0) {
		t->head = -1;
		return;
	}
	t->scores = t->name[end] != '\0';
	for (int k = 0; k < TRACE_KIND_COUNT; k++)
		if (strcmp(kind, trace_kind_name((enum trace_kind)k)) == 0) {
			t->kind = (enum trace_kind)k;
			t->kind_known = true;
			return;
		}
	t->head = -1;
}

/* The last two whole numbers in a name: "cross_attentions.3.0". */
static void read_name(struct tensor *t, int ndim)
{
	int number[2] = {-1, -1};
	const char *s = t->name;

	read_own_name(t);
	if (t->head >= 0) {
		t->step = -1;
		return;
	}
	while (*s) {
		size_t k = strspn(s, "0123456789");

		if (k && k < 7) {
			number[0] = number[1];
			number[1] = atoi(s);
		}
		s += k ? k : 1;
	}
	t->layer = number[1];
	t->step = number[0];
	/* one map a name, "cross_attentions.1.0" */
	if (ndim == 2 && number[0] >= 0) {
		t->layer = number[0];
		t->head = number[1];
		t->step = -1;
	}
	t->kind_known = true;
	if (contains(t->name, "cross") || contains(t->name, "inp_out"))
		t->kind = TRACE_CROSS;
	else if (contains(t->name, "encoder"))
		t->kind = TRACE_ENCODER;
	else if (contains(t->name, "decoder"))
		t->kind = TRACE_DECODER;
	else
		t->kind_known = false;
}

/* "src_tokens", "source" → 0, "tgt_tokens" … → 1, "tokens" → 0; -1 no tokens. */
static int token_side(const char *name)
{
	static const char *const source[] = {"src_tokens",    "source_tokens", "source",
					     "src",	      "input_tokens",  "tokens",
					     "encoder_tokens"};
	static const char *const target[] = {"tgt_tokens",    "trg_tokens",    "target_tokens",
					     "target",	      "output_tokens", "tgt",
					     "decoder_tokens"};

	for (size_t i = 0; i < sizeof source / sizeof *source; i++)
		if (strcmp(name, source[i]) == 0)
			return 0;
	for (size_t i = 0; i < sizeof target / sizeof *target; i++)
		if (strcmp(name, target[i]) == 0)
			return 1;
	return -1;
}

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
	       (ptrdiff_t)index * t->stride[dim] * (ptrdiff_t)trace_dtype_size(t->dtype);
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
		    (r->beside > 1 && r->beside == t->shape[0]))
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
	return add_tensor(r, t, 0, false);
}

/* ---- a whole file ---- */

/* Self-attention of a decoder never looks ahead. In a large map some rows must do. */
static bool is_causal(const struct tensor *t)
{
	size_t n = t->shape[t->ndim - 1], rows = n > LARGE ? CAUSAL_ROWS : n,
	       cells = n > LARGE ? CAUSAL_CELLS : n;
	struct trace_map m = {.dtype = t->dtype,
			      .swapped = t->swapped,
			      .data = t->data,
			      .row_stride = t->stride[t->ndim - 2],
			      .col_stride = t->stride[t->ndim - 1]};

	for (size_t i = 0; i < rows; i++) {
		size_t row = i * n / rows;

		for (size_t c = row + 1; c < n && c - row <= cells; c++)
			if (trace_at(&m, row, c) != 0)
				return false;
	}
	return true;
}

static bool is_empty(const struct tensor *t)
{
	for (int d = 0; d < t->ndim; d++)
		if (t->shape[d] == 0)
			return true;
	return false;
}

/* A single array: attention of layers and heads whose maps are square is of a text that looks at itself,
 * and so is what never looks ahead. */
static bool is_self(const struct reader *r, const struct tensor *t)
{
	size_t n = t->shape[t->ndim - 1];

	return !r->paired && t->shape[t->ndim - 2] == n && n > 2 &&
	       (t->ndim >= 4 || is_causal(t));
}

static void guess_kind(struct reader *r, struct tensor *t)
{
	if (t->kind_known)
		return;
	if (t->shape[t->ndim - 2] != t->shape[t->ndim - 1])
		t->kind = TRACE_CROSS;
	else
		t->kind = is_causal(t) ? TRACE_DECODER : TRACE_ENCODER;
	if (t->layer <= 0)
		raw_note(r, "array \"%.100s\" does not say what it is: taken as %s attention (%s)",
			 t->name, t->kind == TRACE_CROSS ? "cross" : "self",
			 t->kind == TRACE_CROSS	    ? "not square"
			 : t->kind == TRACE_DECODER ? "square, never looks ahead"
						    : "square");
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

		guess_kind(r, t);
		if (steps_is_one(t))
			steps[nsteps++] = *t;
		else if (add_tensor(r, t, 0, false) < 0)
			return -1;
	}
	return steps_join(r, &ts->beams, steps, nsteps, add_joined);
}

static int add_all(struct reader *r, struct tensors *ts)
{
	for (size_t i = 0; i < ts->n; i++)
		if (is_empty(&ts->v[i]))
			return raw_fail(r, "array \"%.100s\" is empty", ts->v[i].name);
	if (ts->n == 0)
		return raw_fail(r, "no array of 2 to 6 dimensions in it%s",
				memmem(r->bytes, r->len < 4096 ? r->len : 4096, "data.pkl", 8)
					? ": torch.save() writes a pickle; save with numpy.savez or "
					  "safetensors"
					: "");
	if (!ts->single)
		return add_named(r, ts);
	for (size_t i = 0; i < ts->n; i++) {
		if (is_self(r, &ts->v[i]))
			guess_kind(r, &ts->v[i]);
		if (add_tensor(r, &ts->v[i], r->n, true) < 0)
			return -1;
	}
	return 0;
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

static struct tensor *new_tensor(struct reader *r, struct tensors *ts, const char *name, int ndim)
{
	if (ndim == 2 && strcmp(name, "beam_indices") == 0) {
		ts->beams = (struct tensor){.name = name};
		return &ts->beams;
	}
	ts->v = raw_grow(r->arena, ts->v, ts->n, &ts->cap, sizeof *ts->v);
	ts->v[ts->n] = (struct tensor){.name = name};
	read_name(&ts->v[ts->n], ndim);
	return &ts->v[ts->n++];
}

static int add_npy(struct reader *r, struct tensors *ts, const char *name,
		   const struct npy_array *a)
{
	struct tensor *t;

	if (!npy_is_numeric(a) || a->ndim < 2 || a->ndim > 6) {
		raw_note(r, "array \"%.100s\" is left out: it has %d dimensions%s", name, a->ndim,
			 npy_is_numeric(a) ? "" : " of text");
		return 0;
	}
	t = new_tensor(r, ts, name, a->ndim);
	t->ndim = a->ndim;
	for (int d = 0; d < a->ndim; d++) {
		t->shape[d] = a->shape[d];
		t->stride[d] = (ptrdiff_t)a->stride[d];
	}
	t->dtype = dtype_of(npy_dtype(a));
	t->swapped = a->big && a->size > 1;
	t->data = a->data;
	return 0;
}

/* ---- tokens ---- */

static struct raw_tokens *side_of(struct raw *s, int side)
{
	return side ? &s->target : &s->source;
}

/* What fills a shorter sentence up stands behind its end. */
static void drop_pads(struct raw_tokens *t, size_t all)
{
	while (t->n > 1 && trace_mark_of(t->token[t->n - 1]) == TRACE_MARK_PAD)
		t->n--;
	t->pads = all - t->n;
}

/* (n) of one sentence, (batch, n) of several, shorter ones filled up with "". */
static int npy_tokens(struct reader *r, const char *name, const struct npy_array *a, int side)
{
	size_t batch = a->ndim == 2 ? a->shape[0] : 1, n = a->ndim ? a->shape[a->ndim - 1] : 0;

	if (a->ndim < 1 || a->ndim > 2 || a->count == 0 || batch > r->n)
		return 0;
	/* a token takes much more memory than its byte in the file */
	if (a->count > RAW_ALL_TOKENS)
		return raw_fail(r, "array \"%.100s\": %zu tokens, at most %d are read", name, a->count,
				RAW_ALL_TOKENS);
	for (size_t b = 0; b < batch; b++) {
		struct raw_tokens *t = side_of(&r->raw[b], side);

		t->known = true;
		t->token = arena_array(r->arena, const char *, n);
		for (size_t i = 0; i < n; i++) {
			size_t k = a->ndim == 2 ? b * a->stride[0] + i * a->stride[1] : i;

			t->token[i] = npy_text(a, k, r->arena);
			if (!t->token[i])
				return raw_fail(r, "array \"%.100s\": text %zu is no text", name,
						i);
			if (*t->token[i] || a->ndim == 1)
				t->n = i + 1;
		}
		drop_pads(t, n);
	}
	return 0;
}

static bool list_tokens(struct reader *r, const struct value *list, struct raw_tokens *t)
{
	size_t n = value_length(list);

	t->token = arena_array(r->arena, const char *, n + 1);
	for (size_t i = 0; i < n; i++)
		if (!(t->token[i] = value_string(value_item(list, i))))
			return false;
	t->n = n;
	t->known = n > 0;
	drop_pads(t, n);
	return t->known;
}

/* A JSON list of texts, or of such lists; anything else is words with spaces between them. */
static void meta_tokens(struct reader *r, const char *text, int side)
{
	struct value v;
	size_t at = 0;

	if (strlen(text) > RAW_ALL_TOKENS) {
		raw_note(r, "a list of tokens of %zu bytes is left out: at most %d are read",
			 strlen(text), RAW_ALL_TOKENS);
		return;
	}
	if (value_read(text, strlen(text), &at, 8, r->name, r->arena, &v, NULL) < 0)
		v = (struct value){0};
	if (value_is(value_item(&v, 0), VALUE_LIST)) {
		for (size_t i = 0; i < v.n && i < r->n; i++)
			list_tokens(r, value_item(&v, i), side_of(&r->raw[i], side));
	} else if (!list_tokens(r, &v, side_of(&r->raw[0], side)) && !value_length(&v)) {
		*side_of(&r->raw[0], side) = span_tokens(r, (struct span){text, strlen(text)});
	}
}

/* ---- the three formats ---- */

int npy_probe(const char *bytes, size_t len)
{
	return len >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0 ? 100 : 0;
}

int npy_read(struct reader *r)
{
	struct tensors ts = {.single = true};
	struct npy_array a;

	if (npy_parse(r->bytes, r->len, r->name, &a, r->err) < 0)
		return -1;
	return add_npy(r, &ts, "array", &a) < 0 ? -1 : add_all(r, &ts);
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
	int side;

	if (npz_parse(r->bytes, r->len, IMPORT_MAX_BYTES, r->name, r->arena, &f, r->err) < 0)
		return -1;
	if (f.nskipped)
		raw_note(r, "%zu entries are no arrays: left out", f.nskipped);
	for (size_t i = 0; i < f.n; i++) {
		const struct npz_entry *e = &f.entries[i];

		if (token_side(e->name) >= 0 && !npy_is_numeric(&e->array)) {
			if (token_side(e->name) == 1 && e->array.ndim)
				ts.ntarget = e->array.shape[e->array.ndim - 1];
			continue;
		}
		/* positional arrays, those of google/seq2seq of one sentence each */
		ts.single &= strncmp(e->name, "arr_", 4) == 0;
		if (add_npy(r, &ts, e->name, &e->array) < 0)
			return -1;
	}
	ts.single &= !are_layers(&ts);
	if (add_all(r, &ts) < 0)
		return -1;
	for (size_t i = 0; i < f.n; i++) {
		side = token_side(f.entries[i].name);
		if (side >= 0 && !npy_is_numeric(&f.entries[i].array) &&
		    npy_tokens(r, f.entries[i].name, &f.entries[i].array, side) < 0)
			return -1;
	}
	return 0;
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
	struct tensor *t;
	ptrdiff_t stride = 1;

	if (s->ndim < 2 || s->ndim > 6 || s->count == 0) {
		raw_note(r, "tensor \"%.100s\" is left out: it has %d dimensions and %zu numbers",
			 s->name, s->ndim, s->count);
		return;
	}
	t = new_tensor(r, ts, arena_strdup(r->arena, s->name), s->ndim);
	t->ndim = s->ndim;
	for (int d = s->ndim; d-- > 0; stride *= (ptrdiff_t)s->shape[d]) {
		t->shape[d] = s->shape[d];
		t->stride[d] = stride;
	}
	t->data = s->data;
	t->dtype = dtype_of(s->dtype);
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
	rc = add_all(r, &ts);
	for (size_t i = 0; i < f.nmeta && rc == 0; i++)
		if (token_side(f.meta[i].key) >= 0)
			meta_tokens(r, f.meta[i].value, token_side(f.meta[i].key));
	st_fini(&f);
	return rc;
}
