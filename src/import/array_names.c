/*
 * array_names.c - what the names of arrays say: attention and of which kind, layer, step and sentence;
 * tokens, masks; or what tokenizers and models give back besides.
 */
#include "base/mem.h"
#include "import/arrays.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* name, role. Hugging Face's names above all. */
#define ARRAY_NAMES(X)                                                                             \
	X("src_tokens", ARRAY_SOURCE) X("source_tokens", ARRAY_SOURCE) X("source", ARRAY_SOURCE)   \
	X("src", ARRAY_SOURCE) X("input_tokens", ARRAY_SOURCE) X("tokens", ARRAY_SOURCE)           \
	X("encoder_tokens", ARRAY_SOURCE)                                                          \
	X("tgt_tokens", ARRAY_TARGET) X("trg_tokens", ARRAY_TARGET) X("target", ARRAY_TARGET)      \
	X("target_tokens", ARRAY_TARGET) X("output_tokens", ARRAY_TARGET) X("tgt", ARRAY_TARGET)   \
	X("decoder_tokens", ARRAY_TARGET)                                                          \
	X("attention_mask", ARRAY_SOURCE_MASK) X("encoder_attention_mask", ARRAY_SOURCE_MASK)      \
	X("decoder_attention_mask", ARRAY_TARGET_MASK)                                             \
	X("beam_indices", ARRAY_BEAMS)                                                             \
	/* of a tokenizer */                                                                       \
	X("input_ids", ARRAY_OTHER) X("decoder_input_ids", ARRAY_OTHER) X("labels", ARRAY_OTHER)   \
	X("token_type_ids", ARRAY_OTHER) X("position_ids", ARRAY_OTHER)                            \
	X("decoder_position_ids", ARRAY_OTHER) X("offset_mapping", ARRAY_OTHER)                    \
	X("special_tokens_mask", ARRAY_OTHER) X("overflow_to_sample_mapping", ARRAY_OTHER)         \
	X("num_truncated_tokens", ARRAY_OTHER) X("length", ARRAY_OTHER)                            \
	X("word_ids", ARRAY_OTHER) X("token_ids", ARRAY_OTHER)                                     \
	/* of a model, or of generate() */                                                         \
	X("sequences", ARRAY_OTHER) X("sequences_scores", ARRAY_OTHER) X("logits", ARRAY_OTHER)    \
	X("loss", ARRAY_OTHER) X("hidden_states", ARRAY_OTHER)                                     \
	X("encoder_hidden_states", ARRAY_OTHER) X("decoder_hidden_states", ARRAY_OTHER)            \
	X("last_hidden_state", ARRAY_OTHER) X("encoder_last_hidden_state", ARRAY_OTHER)            \
	X("pooler_output", ARRAY_OTHER) X("past_key_values", ARRAY_OTHER)                          \
	X("inputs_embeds", ARRAY_OTHER) X("decoder_inputs_embeds", ARRAY_OTHER)                    \
	X("head_mask", ARRAY_OTHER) X("decoder_head_mask", ARRAY_OTHER)                            \
	X("cross_attn_head_mask", ARRAY_OTHER)

static const struct {
	const char *name;
	enum array_role role;
} names[] = {
#define X(name, role) {name, role},
	ARRAY_NAMES(X)
#undef X
};

/* The name without the numbers at its end: "hidden_states.3" → 13 bytes. */
static size_t stem(const char *name)
{
	size_t n = strlen(name), k = n;

	for (;;) {
		while (k && isdigit((unsigned char)name[k - 1]))
			k--;
		if (k == n || k == 0 || !strchr("._/-", name[k - 1]))
			return n;
		n = --k;
	}
}

static bool contains(const char *name, const char *part)
{
	return strcasestr(name, part) != NULL;
}

static enum array_role role_of(const char *name)
{
	static const char *const parts[] = {"att", "cross", "align", "alpha", "inp_", "out_out"};
	size_t n = stem(name);

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strncmp(names[i].name, name, n) == 0 && names[i].name[n] == '\0')
			return names[i].role;
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (contains(name, parts[i]))
			return ARRAY_ATTENTION;
	return ARRAY_UNNAMED;
}

/* "cross.0.3", "encoder.1.0.scores": what export writes. */
static void read_own(struct array_name *a)
{
	char kind[8];
	int end = 0;

	a->head = -1;
	if (sscanf(a->rest, "%7[a-z].%6d.%6d%n", kind, &a->layer, &a->head, &end) != 3 ||
	    (a->rest[end] && strcmp(a->rest + end, ".scores") != 0) || a->layer < 0 || a->head < 0) {
		a->head = -1;
		return;
	}
	a->scores = a->rest[end] != '\0';
	for (int k = 0; k < TRACE_KIND_COUNT; k++)
		if (strcmp(kind, trace_kind_name((enum trace_kind)k)) == 0) {
			a->kind = (enum trace_kind)k;
			a->kind_known = true;
			a->role = ARRAY_ATTENTION;
			return;
		}
	a->head = -1;
}

/* The last two whole numbers in a name: "cross_attentions.3.0". */
static void read_numbers(struct array_name *a, int ndim)
{
	int number[2] = {-1, -1};

	for (const char *s = a->rest; *s;) {
		size_t k = strspn(s, "0123456789");

		if (k && k < 7) {
			number[0] = number[1];
			number[1] = atoi(s);
		}
		s += k ? k : 1;
	}
	a->layer = number[1];
	a->step = number[0];
	/* one map a name, "cross_attentions.1.0" */
	if (ndim == 2 && number[0] >= 0) {
		a->layer = number[0];
		a->head = number[1];
		a->step = -1;
	}
}

static void read_kind(struct array_name *a)
{
	a->kind_known = true;
	if (contains(a->rest, "cross") || contains(a->rest, "inp_out"))
		a->kind = TRACE_CROSS;
	else if (contains(a->rest, "encoder"))
		a->kind = TRACE_ENCODER;
	else if (contains(a->rest, "decoder"))
		a->kind = TRACE_DECODER;
	else
		a->kind_known = false;
}

/* Skips "3.", "sentence_3.", "s3/" before a name; *worded: a word says that it is a sentence. NULL: none. */
static const char *sentence_prefix(const char *name, int *number, bool *worded)
{
	static const char *const words[] = {"s", "sent", "sentence", "seg", "segment",
					    "ex", "example", "sample", "item", "line"};
	size_t w = 0, k;
	const char *s;

	while (isalpha((unsigned char)name[w]))
		w++;
	*worded = false;
	for (size_t i = 0; w && i < ARRAY_LEN(words); i++)
		*worded |= strlen(words[i]) == w && strncasecmp(words[i], name, w) == 0;
	if (w && !*worded)
		return NULL;
	s = name + w + (w && name[w] && strchr("._-", name[w]));
	k = strspn(s, "0123456789");
	if (!k || k > 6 || !s[k] || !strchr("._/:-", s[k]) || !isalpha((unsigned char)s[k + 1]))
		return NULL;
	*number = atoi(s);
	return s + k + 1;
}

struct array_name array_name(const char *name, int ndim)
{
	struct array_name a = {.rest = name, .sentence = -1, .step = -1, .layer = -1, .head = -1};
	const char *rest = sentence_prefix(name, &a.sentence, &a.sentence_worded);

	if (rest)
		a.rest = rest;
	a.role = role_of(a.rest);
	read_own(&a);
	if (a.head >= 0)
		return a;
	read_numbers(&a, ndim);
	read_kind(&a);
	return a;
}
