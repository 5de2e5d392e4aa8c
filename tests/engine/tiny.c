#include "tiny.h"
#include "base/mem.h"
#include "text/vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char src_words[] = "the\nblack\ncat\ndog\nsees\nred\ncar\n.";
static const char tgt_words[] = "le\nchat\nchien\nnoir\nvoit\nvoiture\nrouge\n.";

struct nn_config tiny_config(void)
{
	struct nn_config c = nn_config_default();

	c.src_vocab = c.tgt_vocab = VOCAB_SPECIALS + 8;
	c.emb = 6;
	c.enc_hidden = 5;
	c.dec_hidden = 10;
	c.attn_dim = 7;
	c.combine = 8;
	c.max_positions = 64;
	return c;
}

struct nn_card tiny_card(void)
{
	return (struct nn_card){.name = "tiny",
				.task = "en-fr",
				.src_side = "words",
				.tgt_side = "words",
				.src_vocab = src_words,
				.tgt_vocab = tgt_words,
				.examples = "the cat sees the dog .\nthe black car .",
				.recipe = "[train]\nguided = 0.1\n",
				.card = "",
				.quality = ""};
}

static void raise_bias(struct nn_model *m, int id)
{
	size_t n;
	const struct nn_param *p = nn_model_params(m, &n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(p[i].name, "out.bias") == 0)
			p[i].value->data[id] += 50;
}

char *tiny_save(const struct nn_config *c, const struct nn_card *card, unsigned long long seed,
		int produced)
{
	char path[] = "/var/tmp/attnscope-tiny-XXXXXX";
	struct err err = {0};
	struct rng rng = rng_seed(seed);
	struct nn_model *m = nn_model_new(c, &err);
	int fd = mkstemp(path);

	if (!m || fd < 0) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	close(fd);
	nn_model_init(m, &rng);
	/* stronger than usual, so that rows of α differ and words vary */
	for (size_t n, i = 0; i < (nn_model_weights(m, &n), n); i++)
		nn_model_weights(m, &n)[i] *= 2.5f;
	if (produced >= 0)
		raise_bias(m, produced);
	if (nn_save(m, card, NN_STORE_F32, path, &err)) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	nn_model_free(m);
	return mem_strdup(path);
}
