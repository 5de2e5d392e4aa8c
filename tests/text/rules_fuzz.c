/* Rules as a fuzz target: what loads also makes sentences whose links are inside them. */
#include "text/grammar.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char lexicon[] =
	"[noun]\ncat | chat m | 猫 只 | Katze/Katzen f | animal\napple | pomme f | 苹果 个 | "
	"Apfel/Äpfel m | "
	"food\nwater | eau f | 水 杯 | Wasser/- n | drink mass\n"
	"[adj]\nold/older | vieux/vieille/vieux/vieilles/vieil pre | 老 | alt/älter | animal\n"
	"[verb]\nlike | aim+er | 喜欢 | mögen mag,magst,mag,mögen,mögt,mögen gemocht | animal > "
	"food drink\n"
	"[name]\nTom | Tom m | 汤姆 | Tom m | human animal\n"
	"[pron]\nI/me/my | je/me/me/moi/mon m | 我 | ich/mich/mir/mein m | 1s animal\n";

static void say(void *user, const char *file, long line, const char *text)
{
	(void)user;
	if (!file || line < 0 || !*text)
		abort();
}

static void draw(struct grammar *g)
{
	struct rng rng = rng_seed(1);
	struct grammar_pair p;

	for (int i = 0; i < 20; i++) {
		if (!grammar_sample(g, &rng, &p))
			continue;
		if (p.nsource < 1 || p.ntarget < 1 || p.nsource > GRAMMAR_WORDS ||
		    p.ntarget > GRAMMAR_WORDS)
			abort();
		for (int k = 0; k < p.nlinks; k++)
			if (p.links[k].source >= p.nsource || p.links[k].target >= p.ntarget)
				abort();
		for (int k = 0; k < p.nsource; k++)
			if (!*grammar_word(g, p.source[k]))
				abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = {0};
	struct grammar *g =
		grammar_parse((const char *)data, size, lexicon, sizeof lexicon - 1, &err);

	if (!g) {
		if (!err.text[0] || err.line < 1)
			abort();
		return 0;
	}
	grammar_review(g, say, NULL);
	draw(g);
	grammar_free(g);
	return 0;
}
