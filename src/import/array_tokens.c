/*
 * array_tokens.c - tokens and masks that lie beside arrays of attention, sentence by sentence, and which
 * of the tokens only fill a shorter sentence up to the longest of its batch.
 */
#include "file/value.h"
#include "import/arrays.h"
#include "trace/mark.h"

#include <string.h>

static struct raw_tokens *side_of(struct raw *s, int side)
{
	return side ? &s->target : &s->source;
}

/* ---- padding ---- */

/* Only the tokens [from, end) are of the text. */
static void keep(struct raw_tokens *t, size_t from, size_t end)
{
	t->pads += t->n - end;
	t->skip += from;
	t->token = t->token ? t->token + from : NULL;
	t->n = end - from;
}

static bool fills(const char *token)
{
	return !*token || trace_mark_of(token) == TRACE_MARK_PAD;
}

/* What fills a shorter sentence up stands behind its end, or before the beginning of what is read. A
 * target may begin with <pad>. */
static void drop_pads(struct raw_tokens *t, int side)
{
	size_t from = 0, end = t->n;

	while (end > 1 && trace_mark_of(t->token[end - 1]) == TRACE_MARK_PAD)
		end--;
	while (side == 0 && from + 1 < end && fills(t->token[from]))
		from++;
	keep(t, from, end);
}

/* A row of a mask: 1 for tokens, 0 for what fills it up. What lies between stays. */
static void apply_mask(struct reader *r, const struct array_beside *b, struct raw_tokens *t, size_t row)
{
	const struct tensor *mask = &b->mask;
	size_t n = mask->shape[mask->ndim - 1], from = n, end = 0;
	struct trace_map m = {.dtype = mask->dtype,
			      .swapped = mask->swapped,
			      .data = mask->data,
			      .row_stride = mask->ndim == 2 ? mask->stride[0] : 0,
			      .col_stride = mask->stride[mask->ndim - 1]};

	for (size_t i = 0; i < n; i++) {
		if (trace_at(&m, row, i) == 0)
			continue;
		from = i < from ? i : from;
		end = i + 1;
	}
	if (end == 0 || (t->known && t->skip + t->n + t->pads != n)) {
		raw_note(r, "array \"%.100s\" is not used: %s", b->name,
			 end ? "it is not as long as the tokens" : "it masks all of a sentence, which is shown whole");
		return;
	}
	if (!t->known) {
		*t = (struct raw_tokens){.n = n};
	} else {
		t->token -= t->skip;
		t->n = n;
		t->skip = t->pads = 0;
	}
	keep(t, from, end);
}

/* ---- tokens ---- */

/* (n) of one sentence, (batch, n) of several, shorter ones filled up with "". */
static int add_texts(struct reader *r, const struct array_beside *b, size_t first)
{
	const struct npy_array *a = &b->text;
	size_t batch = a->ndim == 2 ? a->shape[0] : 1, n = a->shape[a->ndim - 1];

	/* a token takes much more memory than its byte in the file */
	if (a->count > RAW_ALL_TOKENS)
		return raw_fail(r, "array \"%.100s\": %zu tokens, at most %d are read", b->name,
				a->count, RAW_ALL_TOKENS);
	for (size_t k = 0; k < batch; k++) {
		struct raw_tokens *t = side_of(&r->raw[first + k], b->side);

		*t = (struct raw_tokens){.known = true};
		t->token = arena_array(r->arena, const char *, n);
		for (size_t i = 0; i < n; i++) {
			size_t at = a->ndim == 2 ? k * a->stride[0] + i * a->stride[1]
						 : i * a->stride[0];

			t->token[i] = npy_text(a, at, r->arena);
			if (!t->token[i])
				return raw_fail(r, "array \"%.100s\": text %zu is no text", b->name,
						i);
			if (*t->token[i] || a->ndim == 1)
				t->n = i + 1;
		}
		t->pads = n - t->n;
		drop_pads(t, b->side);
	}
	return 0;
}

static bool fits(struct reader *r, const struct array_beside *b, size_t first, size_t batch, size_t ndim)
{
	if (first != SIZE_MAX && ndim >= 1 && ndim <= 2 && batch && batch <= r->n - first)
		return true;
	if (first == SIZE_MAX)
		raw_note(r, "array \"%.100s\" is not used: there is no attention of its sentence",
			 b->name);
	else
		raw_note(r, "array \"%.100s\" is not used: it is of %zu sentences, the attention of %zu",
			 b->name, batch, r->n - first);
	return false;
}

int array_tokens(struct reader *r, struct tensors *ts)
{
	for (int masks = 0; masks < 2; masks++)
		for (size_t i = 0; i < ts->nbeside; i++) {
			const struct array_beside *b = &ts->beside[i];
			size_t first = tensors_sentence(ts, b->number),
			       ndim = (size_t)(masks ? b->mask.ndim : b->text.ndim),
			       batch = ndim < 2 ? 1 : masks ? b->mask.shape[0] : b->text.shape[0];

			if (ndim == 0 || !fits(r, b, first, batch, ndim))
				continue;
			if (!masks && b->text.count && add_texts(r, b, first) < 0)
				return -1;
			for (size_t k = 0; masks && k < batch; k++)
				apply_mask(r, b, side_of(&r->raw[first + k], b->side), k);
		}
	return 0;
}

/* ---- metadata of safetensors ---- */

static bool list_tokens(struct reader *r, const struct value *list, struct raw_tokens *t, int side)
{
	size_t n = value_length(list);

	t->token = arena_array(r->arena, const char *, n + 1);
	for (size_t i = 0; i < n; i++)
		if (!(t->token[i] = value_string(value_item(list, i))))
			return false;
	t->n = n;
	t->known = n > 0;
	if (t->known)
		drop_pads(t, side);
	return t->known;
}

void array_meta_tokens(struct reader *r, const struct tensors *ts, const struct array_name *is, const char *text)
{
	struct value v;
	size_t at = 0, first = tensors_sentence(ts, is->sentence);
	int side = is->role == ARRAY_TARGET;

	if (first >= r->n)
		return;
	if (strlen(text) > RAW_ALL_TOKENS) {
		raw_note(r, "a list of tokens of %zu bytes is left out: at most %d are read",
			 strlen(text), RAW_ALL_TOKENS);
		return;
	}
	if (value_read(text, strlen(text), &at, 8, r->name, r->arena, &v, NULL) < 0)
		v = (struct value){0};
	if (value_is(value_item(&v, 0), VALUE_LIST)) {
		for (size_t i = 0; i < v.n && first + i < r->n; i++)
			list_tokens(r, value_item(&v, i), side_of(&r->raw[first + i], side), side);
	} else if (!list_tokens(r, &v, side_of(&r->raw[first], side), side) && !value_length(&v)) {
		*side_of(&r->raw[first], side) = span_tokens(r, (struct span){text, strlen(text)});
	}
}

/* ---- beams ---- */

/* How many sentences the tokens are of; 0: there are none. */
static size_t told(const struct tensors *ts)
{
	size_t n[2] = {0, 0};

	for (size_t i = 0; i < ts->nbeside; i++)
		if (ts->beside[i].text.ndim)
			n[ts->beside[i].side] = ts->beside[i].text.ndim == 2 ? ts->beside[i].text.shape[0] : 1;
	return n[1] ? n[1] : n[0];
}

void array_drop_beams(struct reader *r, const struct tensors *ts)
{
	size_t n = told(ts), beams = n ? r->n / n : 1;

	if (!ts->joined || ts->nnumbers || ts->beams.ndim || beams < 2 || r->n % n)
		return;
	for (size_t i = 0; i < n; i++)
		r->raw[i] = r->raw[i * beams];
	r->n = n;
	raw_note(r,
		 "the steps are of %zu beams a sentence: the first of them is shown, but beams change "
		 "places at every step, so its rows may be those of other words; save beam_indices too, "
		 "or generate with num_beams=1",
		 beams);
}
