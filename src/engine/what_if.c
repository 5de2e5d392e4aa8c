/*
 * what_if.c - what is done otherwise than the model would do it: attention that is cut or pinned, heads that
 * are off, words that are forced. Without a change the network decodes as it always does.
 */
#include "engine/walk.h"
#include "text/vocab.h"

#include <string.h>

static const enum nn_attention attentions[TRACE_KIND_COUNT] = {
	[TRACE_CROSS] = NN_CROSS,
	[TRACE_ENCODER] = NN_ENCODER_SELF,
	[TRACE_DECODER] = NN_DECODER_SELF,
};

/* ---- what can be done ---- */

static int no_attention(const struct engine *e, struct err *err)
{
	return err_set(err, ERR_USAGE,
		       "%.100s has no attention to change: its context is C at every timestep", e->m->name);
}

static int check_token(const struct engine *e, const char *token, struct err *err)
{
	int id = vocab_id(e->m->tgt, token);

	if (!*token)
		return 0;
	if (id == VOCAB_PAD || id == VOCAB_BOS)
		return err_set(err, ERR_USAGE, "%s is never written", token);
	if (id == VOCAB_UNK && strcmp(token, vocab_word(e->m->tgt, VOCAB_UNK)) != 0)
		return err_set(err, ERR_USAGE, "%.100s cannot write \"%s\": it is not in its vocabulary",
			       e->m->name, token);
	return 0;
}

static int check_head(const struct engine *e, const struct trace_head_id *h, struct err *err)
{
	const struct nn_config *c = nn_model_config(e->m->nn);
	bool many = c->arch == NN_TRANSFORMER;
	int layers = many ? c->layers : 1, heads = many ? c->heads : 1;

	if (!walk_has_attention(e))
		return no_attention(e, err);
	if ((many || h->kind == TRACE_CROSS) && h->layer >= 0 && h->layer < layers && h->head >= 0 &&
	    h->head < heads)
		return 0;
	return err_set(err, ERR_RANGE, "%.100s has no %s layer %d head %d", e->m->name,
		       trace_kind_name(h->kind), h->layer, h->head);
}

static int check_pin(const struct engine *e, const struct change *c, struct err *err)
{
	if (check_head(e, &c->head, err))
		return -1;
	if (c->i == PIN_NONE || (e->trace && c->i < e->trace->nsource))
		return 0;
	return err_set(err, ERR_RANGE, "the sentence has no word %zu", c->i + 1);
}

int walk_check_what_if(const struct engine *e, const struct what_if *w, struct err *err)
{
	int rc = 0;

	for (size_t k = 0; k < w->n && rc == 0; k++) {
		const struct change *c = &w->changes[k];

		switch (c->kind) {
		case CHANGE_RULE:
			if (c->rule.mode != ATTENTION_SOFT && !walk_has_attention(e))
				rc = no_attention(e, err);
			break;
		case CHANGE_TOKEN:
			rc = check_token(e, c->token, err);
			break;
		case CHANGE_HEAD:
			rc = check_head(e, &c->head, err);
			break;
		default:
			rc = check_pin(e, c, err);
		}
	}
	return rc;
}

/* ---- heads ---- */

static struct nn_head_mask mask_of(const struct what_if *w)
{
	struct nn_head_mask mask = {0};

	for (size_t k = 0; k < w->n; k++) {
		const struct trace_head_id *h = &w->changes[k].head;

		if (w->changes[k].kind == CHANGE_HEAD)
			mask.heads[attentions[h->kind]][h->layer] ^= UINT64_C(1) << h->head;
	}
	return mask;
}

void walk_mask_heads(struct engine *e)
{
	static const struct nn_head_mask none;
	struct nn_head_mask mask = mask_of(&e->what_if);

	nn_decoder_mask(e->decoder, memcmp(&mask, &none, sizeof mask) ? &mask : NULL);
}

bool walk_encoder_differs(const struct what_if *a, const struct what_if *b)
{
	struct nn_head_mask x = mask_of(a), y = mask_of(b);

	return memcmp(x.heads[NN_ENCODER_SELF], y.heads[NN_ENCODER_SELF],
		      sizeof x.heads[NN_ENCODER_SELF]) != 0;
}

/* ---- weights ---- */

/* Weights of one head, between softmax and context. */
static void rewrite_head(struct engine *e, int head, float *alpha, size_t n)
{
	size_t pin = e->now.pinned ? what_if_pin(&e->what_if, e->now.t, e->now.layer, head) : PIN_NONE;

	if (pin != PIN_NONE) {
		memset(alpha, 0, n * sizeof *alpha);
		alpha[pin] = 1;
		return;
	}
	attention_apply(&e->now.rule, alpha, e->scratch, n);
	memcpy(alpha, e->scratch, n * sizeof *alpha);
}

/* Called once a layer: all its heads. */
static void rewrite(void *user, float *alpha, int S, int B)
{
	struct engine *e = user;

	for (int head = 0; head < B; head++, alpha += S)
		rewrite_head(e, head, alpha, (size_t)S);
	e->now.layer++;
}

static bool any_pin(const struct what_if *w, size_t t)
{
	for (size_t k = 0; k < w->n; k++)
		if (w->changes[k].kind == CHANGE_PIN && w->changes[k].t == t)
			return true;
	return false;
}

nn_alpha_fn *walk_rewrites(struct engine *e, size_t t)
{
	e->now = (struct now){
		.rule = what_if_rule(&e->what_if, t),
		.t = t,
		.pinned = any_pin(&e->what_if, t),
	};
	return e->now.pinned || e->now.rule.mode != ATTENTION_SOFT ? rewrite : NULL;
}
