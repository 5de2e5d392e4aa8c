#include "train/metrics.h"
#include "num/tensor.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static bool same(const char *const *a, const char *const *b, int n)
{
	for (int i = 0; i < n; i++)
		if (strcmp(a[i], b[i]) != 0)
			return false;
	return true;
}

static int occurrences(const char *const *gram, int n, const char *const *words, int nwords)
{
	int count = 0;

	for (int i = 0; i + n <= nwords; i++)
		count += same(gram, words + i, n);
	return count;
}

/* An n-gram counts as often as it stands in the reference: the k-th occurrence of it matches if k
 * is within that number. */
static void add_order(struct bleu *b, int n, const char *const *produced, int nproduced,
		      const char *const *reference, int nreference)
{
	for (int i = 0; i + n <= nproduced; i++) {
		int before = occurrences(produced + i, n, produced, i + n - 1);

		b->match[n - 1] += before < occurrences(produced + i, n, reference, nreference);
		b->total[n - 1]++;
	}
}

void bleu_add(struct bleu *b, const char *const *produced, int nproduced,
	      const char *const *reference, int nreference)
{
	for (int n = 1; n <= BLEU_ORDER; n++)
		add_order(b, n, produced, nproduced, reference, nreference);
	b->produced += nproduced;
	b->reference += nreference;
}

double bleu_score(const struct bleu *b)
{
	double logs = 0, brevity;

	for (int n = 0; n < BLEU_ORDER; n++) {
		if (b->match[n] == 0)
			return 0;
		logs += log((double)b->match[n] / (double)b->total[n]);
	}
	brevity = b->produced < b->reference ? 1 - (double)b->reference / (double)b->produced : 0;
	return 100 * exp(brevity + logs / BLEU_ORDER);
}

static bool linked(const struct pair *p, int source, int target, bool sure_only)
{
	for (int i = 0; i < p->nlinks; i++) {
		const struct link *l = &p->links[i];

		if (l->source == source && l->target == target && (l->sure || !sure_only))
			return true;
	}
	return false;
}

static long count_sure(const struct pair *p)
{
	long n = 0;

	for (int i = 0; i < p->nlinks; i++)
		n += p->links[i].sure;
	return n;
}

void aer_add(struct aer *a, const struct pair *p, const int *link)
{
	a->sure += count_sure(p);
	for (int j = 0; j < p->ntarget; j++) {
		if (link[j] < 0)
			continue;
		a->links++;
		a->in_sure += linked(p, link[j], j, true);
		a->in_possible += linked(p, link[j], j, false);
	}
}

static bool target_linked(const struct pair *p, int target, bool sure)
{
	for (int i = 0; i < p->nlinks; i++)
		if (p->links[i].target == target && p->links[i].sure == sure)
			return true;
	return false;
}

int aer_link(const float *alpha, int ns)
{
	int best = (int)num_argmax(alpha, (size_t)ns + 1);

	return best < ns ? best : -1;
}

void aer_add_floor(struct aer *a, const struct pair *p)
{
	a->sure += count_sure(p);
	for (int j = 0; j < p->ntarget; j++) {
		bool sure = target_linked(p, j, true);

		if (!sure && !target_linked(p, j, false))
			continue;
		a->links++;
		a->in_sure += sure;
		a->in_possible++;
	}
}

double aer_rate(const struct aer *a)
{
	if (a->links + a->sure == 0)
		return NAN;
	return 1 - (double)(a->in_sure + a->in_possible) / (double)(a->links + a->sure);
}
