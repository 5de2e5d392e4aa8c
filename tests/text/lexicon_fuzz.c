/* Words as a fuzz target: read for each pair of languages, with rules that use most of their forms.
 */
#include "text/grammar.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const rules[] = {
	"lang en fr\nvowels fr aeiou\nS 1 N:noun:sp\n en N\n fr N\nS 1 N:noun:sp A:adj\n en A "
	"A.cmp\n fr "
	"A.pre[N] A[N]\nS 1 V:verb N:noun\n en V.pres[N] V.past V.ing\n fr V.pres[N] V.pp[N] "
	"V.fut[N]\n",
	"lang en zh\nS 1 N:noun A:adj\n en N A\n zh N.cl N A A.long A.pred\nS 1 V:verb\n en "
	"V.base\n zh V\n",
	"lang en de\nS 1 N:noun:sp A:adj\n en N A\n de A.w[N] A.st[N] N.dat N.acc\nS 1 V:verb "
	"N:noun\n en "
	"V.base N\n de N V.pres[N] V.part V.presf[N] V.pp\n",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct grammar_pair p;
	struct rng rng = rng_seed(1);

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		struct err err = {0};
		struct grammar *g =
			grammar_parse(rules[i], strlen(rules[i]), (const char *)data, size, &err);

		if (!g && (!err.text[0] || err.line < 1))
			abort();
		for (int k = 0; g && k < 10; k++)
			if (grammar_sample(g, &rng, &p) && (p.nsource < 1 || p.ntarget < 1))
				abort();
		for (size_t k = 0; g && k < grammar_entries(g); k++)
			grammar_copyable(g, grammar_entry(g, k).text, k % 2);
		grammar_free(g);
	}
	return 0;
}
