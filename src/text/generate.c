/* A corpus out of a grammar: distinct sentences, split so that the numbers mean something. */
#include "text/corpus.h"
#include "base/fs.h"
#include "base/mem.h"
#include "text/grammar.h"
#include "text/toys.h"
#include "text/vocab.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PAIRS = 10000000, COVER_SHARE = 600, COVER_MAX = 100, COVER_ODDS = 8, DRY = 20000 };

enum kind { KIND_PLAIN, KIND_COMP, KIND_LONG, KIND_COUNT };

/* A sentence pair in the pool: word numbers and links at data[at…]. */
struct record {
	size_t at;
	int n[2], nlinks; /* words of source and target */
	uint64_t hash[2];
	enum kind kind;
	bool dropped; /* its source has another translation */
};

struct pool {
	int *data; /* heap */
	size_t used, cap;
	struct record *records; /* heap */
	size_t n, record_cap;
	size_t *slots, nslots; /* open addressing by source: record + 1 */
	size_t count[KIND_COUNT], want[KIND_COUNT];
	unsigned *seen[2]; /* how often each word stands in the pool, by side */
	unsigned cover;
};

static uint64_t hash_words(const int *w, int n)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (int i = 0; i < n; i++)
		h = (h ^ (uint64_t)w[i]) * 0x100000001b3u;
	return h ^ h >> 29;
}

/* The slot of that source: filled if it stands in the pool. */
static size_t find(const struct pool *p, const int *source, int n, uint64_t hash)
{
	size_t i = hash & (p->nslots - 1);

	for (; p->slots[i]; i = (i + 1) & (p->nslots - 1)) {
		const struct record *r = &p->records[p->slots[i] - 1];

		if (r->hash[0] == hash && r->n[0] == n &&
		    memcmp(p->data + r->at, source, (size_t)n * sizeof *source) == 0)
			break;
	}
	return i;
}

static void rehash(struct pool *p)
{
	p->nslots = p->nslots ? p->nslots * 2 : 1024;
	free(p->slots);
	p->slots = mem_calloc(p->nslots, sizeof *p->slots);
	for (size_t i = 0; i < p->n; i++) {
		const struct record *r = &p->records[i];

		p->slots[find(p, p->data + r->at, r->n[0], r->hash[0])] = i + 1;
	}
}

static void put(struct pool *p, const int *values, size_t n)
{
	if (n == 0)
		return;
	while (p->used + n > p->cap) {
		p->cap = p->cap ? p->cap * 2 : 4096;
		p->data = mem_realloc(p->data, p->cap, sizeof *p->data);
	}
	memcpy(p->data + p->used, values, n * sizeof *values);
	p->used += n;
}

static void store(struct pool *p, size_t slot, const struct record *r, const struct grammar_pair *g)
{
	p->records = mem_grow(p->records, p->n, &p->record_cap, sizeof *p->records);
	p->records[p->n] = *r;
	p->records[p->n].at = p->used;
	put(p, g->source, (size_t)g->nsource);
	put(p, g->target, (size_t)g->ntarget);
	for (int i = 0; i < g->nlinks; i++)
		put(p, (int[]){g->links[i].source, g->links[i].target, g->links[i].sure}, 3);
	p->slots[slot] = ++p->n;
	p->count[r->kind]++;
	if (p->n * 2 > p->nslots)
		rehash(p);
}

/*
 * Rare words become frequent enough: a sentence all of whose words were seen often is taken only
 * three times in ten.
 */
static bool is_wanted(const struct pool *p, const struct grammar_pair *g, struct rng *rng)
{
	for (int i = 0; i < g->nsource; i++)
		if (p->seen[0][g->source[i]] < p->cover)
			return true;
	for (int i = 0; i < g->ntarget; i++)
		if (p->seen[1][g->target[i]] < p->cover)
			return true;
	return rng_below(rng, COVER_ODDS) == 0;
}

static void count_words(struct pool *p, const struct grammar_pair *g)
{
	for (int i = 0; i < g->nsource; i++)
		p->seen[0][g->source[i]]++;
	for (int i = 0; i < g->ntarget; i++)
		p->seen[1][g->target[i]]++;
}

/* Puts a pair into the pool, unless it is there or enough of its kind are. Whether it was new. */
static bool offer(struct pool *p, const struct corpus_recipe *recipe, const struct grammar_pair *g,
		  struct rng *rng)
{
	struct record r = {.n = {g->nsource, g->ntarget}, .nlinks = g->nlinks};
	size_t slot;

	r.hash[0] = hash_words(g->source, g->nsource);
	r.hash[1] = hash_words(g->target, g->ntarget);
	slot = find(p, g->source, g->nsource, r.hash[0]);
	if (p->slots[slot]) {
		struct record *old = &p->records[p->slots[slot] - 1];

		old->dropped |= old->hash[1] != r.hash[1];
		return false;
	}
	r.kind = g->nsource >= recipe->long_from || g->ntarget >= recipe->long_from ? KIND_LONG
		 : g->held_out							    ? KIND_COMP
										    : KIND_PLAIN;
	if (p->count[r.kind] >= p->want[r.kind] || !is_wanted(p, g, rng))
		return false;
	store(p, slot, &r, g);
	count_words(p, g);
	return true;
}

static void turn(struct grammar_pair *g)
{
	struct grammar_pair t = *g;

	g->nsource = t.ntarget, g->ntarget = t.nsource;
	memcpy(g->source, t.target, sizeof g->source);
	memcpy(g->target, t.source, sizeof g->target);
	for (int i = 0; i < g->nlinks; i++)
		g->links[i] = (struct link){t.links[i].target, t.links[i].source, t.links[i].sure};
}

static bool is_full(const struct pool *p)
{
	for (int k = 0; k < KIND_COUNT; k++)
		if (p->count[k] < p->want[k])
			return false;
	return true;
}

/* Draws until every kind is there, or nothing new comes any more. */
static void draw_pool(struct pool *p, const struct corpus_recipe *r, bool swap, struct grammar *g)
{
	struct rng rng = rng_seed(r->seed);
	struct grammar_pair pair;
	size_t dry = 0, tries = 0, most = 0;

	for (; !is_full(p) && dry < DRY + 20 * p->n && (most == 0 || tries < most); tries++) {
		if (most == 0 && p->count[KIND_PLAIN] >= p->want[KIND_PLAIN])
			most = 3 * tries +
			       1; /* the other kinds may be rare, or not be there at all */
		dry++;
		if (!grammar_sample(g, &rng, &pair))
			continue;
		if (swap)
			turn(&pair);
		if (pair.nsource <= r->max_words && offer(p, r, &pair, &rng))
			dry = 0;
	}
}

static void pool_init(struct pool *p, const struct corpus_recipe *r, const struct grammar *g)
{
	size_t n = (size_t)grammar_words(g);
	unsigned cover = (unsigned)r->train_pairs / COVER_SHARE;

	*p = (struct pool){.cover = cover < COVER_MAX ? cover : COVER_MAX};
	/* some are dropped in the end, some may not be held out */
	p->want[KIND_PLAIN] = (size_t)(r->train_pairs + r->valid_pairs + r->test_pairs);
	p->want[KIND_PLAIN] += p->want[KIND_PLAIN] / 20 + 20;
	p->want[KIND_COMP] = (size_t)r->test_pairs * 11 / 10;
	p->want[KIND_LONG] = r->long_from <= r->max_words ? (size_t)r->test_pairs * 6 / 10 : 0;
	for (int s = 0; s < 2; s++)
		p->seen[s] = mem_calloc(n, sizeof *p->seen[s]);
	rehash(p);
}

static void pool_fini(struct pool *p)
{
	free(p->data);
	free(p->records);
	free(p->slots);
	free(p->seen[0]);
	free(p->seen[1]);
}

/* ---- splitting ---- */

static int by_target(const void *pa, const void *pb)
{
	const struct record *const *a = pa, *const *b = pb;

	if ((*a)->hash[1] != (*b)->hash[1])
		return (*a)->hash[1] < (*b)->hash[1] ? -1 : 1;
	return *a < *b ? -1 : *a > *b;
}

/* shared[record]: another source has the same translation. Such a pair may only be trained on. */
static bool *find_shared(const struct pool *p)
{
	const struct record **sorted = mem_alloc(p->n * sizeof *sorted);
	bool *shared = mem_calloc(p->n, sizeof *shared);

	for (size_t i = 0; i < p->n; i++)
		sorted[i] = &p->records[i];
	qsort(sorted, p->n, sizeof *sorted, by_target);
	for (size_t i = 1; i < p->n; i++)
		if (sorted[i]->hash[1] == sorted[i - 1]->hash[1])
			shared[sorted[i] - p->records] = shared[sorted[i - 1] - p->records] = true;
	free(sorted);
	return shared;
}

static void emit(const struct pool *p, const struct grammar *g, const struct record *r,
		 struct corpus *c)
{
	const char *words[2][GRAMMAR_WORDS];
	struct link links[GRAMMAR_LINKS];
	const int *d = p->data + r->at;

	for (int s = 0; s < 2; s++)
		for (int i = 0; i < r->n[s]; i++)
			words[s][i] = grammar_word(g, *d++);
	for (int i = 0; i < r->nlinks; i++, d += 3)
		links[i] = (struct link){d[0], d[1], d[2]};
	corpus_add(c, &(struct pair){.nsource = r->n[0],
				     .ntarget = r->n[1],
				     .nlinks = r->nlinks,
				     .source = words[0],
				     .target = words[1],
				     .links = links});
}

/* What each set may hold. At most a tenth of a small grammar is held out for each of valid and
 * test. */
static void set_limits(const struct pool *p, const struct corpus_recipe *r,
		       size_t limit[CORPUS_SET_COUNT])
{
	size_t plain = 0, tenth, held;

	for (size_t i = 0; i < p->n; i++)
		plain += p->records[i].kind == KIND_PLAIN && !p->records[i].dropped;
	tenth = plain / 10;
	limit[CORPUS_VALID] = (size_t)r->valid_pairs < tenth ? (size_t)r->valid_pairs : tenth;
	limit[CORPUS_TEST] = (size_t)r->test_pairs < tenth ? (size_t)r->test_pairs : tenth;
	limit[CORPUS_COMP] = (size_t)r->test_pairs;
	limit[CORPUS_LONG] = (size_t)r->test_pairs / 2;
	held = limit[CORPUS_VALID] + limit[CORPUS_TEST];
	limit[CORPUS_TRAIN] =
		(size_t)r->train_pairs < plain - held ? (size_t)r->train_pairs : plain - held;
}

/* The set that takes this pair; CORPUS_SET_COUNT if none does. */
static enum corpus_set choose_set(const struct record *q, bool shared, const struct corpus *sets,
				  const size_t *limit)
{
	static const enum corpus_set plain[] = {CORPUS_TRAIN, CORPUS_VALID, CORPUS_TEST};

	if (q->dropped)
		return CORPUS_SET_COUNT;
	if (q->kind != KIND_PLAIN) {
		enum corpus_set s = q->kind == KIND_LONG ? CORPUS_LONG : CORPUS_COMP;

		return shared || sets[s].n >= limit[s] ? CORPUS_SET_COUNT : s;
	}
	for (size_t i = 0; i < (shared ? 1 : ARRAY_LEN(plain)); i++)
		if (sets[plain[i]].n < limit[plain[i]])
			return plain[i];
	return CORPUS_SET_COUNT;
}

static void split(const struct pool *p, const struct grammar *g, const struct corpus_recipe *r,
		  struct corpus sets[CORPUS_SET_COUNT])
{
	size_t limit[CORPUS_SET_COUNT], *order = mem_alloc(p->n * sizeof *order);
	bool *shared = find_shared(p);
	struct rng rng = rng_seed(r->seed + 1);

	set_limits(p, r, limit);
	for (size_t i = 0; i < p->n; i++)
		order[i] = i;
	rng_shuffle(&rng, order, p->n);
	for (size_t i = 0; i < p->n; i++) {
		const struct record *q = &p->records[order[i]];
		enum corpus_set s = choose_set(q, shared[order[i]], sets, limit);

		if (s != CORPUS_SET_COUNT)
			emit(p, g, q, &sets[s]);
	}
	free(order);
	free(shared);
}

/* ---- names ---- */

/* "en-fr" → its file; "zh-en" → en-zh's, and *swap is turned. */
static int find_rules(const char *name, char *path, size_t size, bool *swap, struct err *err)
{
	char file[300];
	char *data = NULL;
	const char *dash = strchr(name, '-');
	size_t len = strlen(name);

	if (strchr(name, '/') || (len > 6 && strcmp(name + len - 6, ".rules") == 0)) {
		snprintf(path, size, "%s", name);
		return 0;
	}
	for (int turned = 0; turned < 2; turned++) {
		if (turned && !dash)
			break;
		if (turned)
			snprintf(file, sizeof file, "corpora/%s-%.*s.rules", dash + 1,
				 (int)(dash - name), name);
		else
			snprintf(file, sizeof file, "corpora/%s.rules", name);
		if (fs_data_path(file, path, size, err) < 0)
			return -1;
		if (fs_read(path, (size_t)1 << 30, &data, &len, NULL) == 0) {
			free(data);
			*swap ^= turned;
			return 0;
		}
	}
	return err_set(err, ERR_MISSING,
		       "there is no grammar \"%s\": give en-fr, en-zh, zh-en, en-de, %s or a file "
		       "ending in "
		       ".rules",
		       name, toy_names());
}

static int check(const struct corpus_recipe *r, struct err *err)
{
	if (r->train_pairs < 1 || r->train_pairs > MAX_PAIRS)
		return err_set(err, ERR_RANGE, "train_pairs is %d; 1 to %d are allowed",
			       r->train_pairs, MAX_PAIRS);
	if (r->valid_pairs < 0 || r->valid_pairs > MAX_PAIRS || r->test_pairs < 0 ||
	    r->test_pairs > MAX_PAIRS)
		return err_set(err, ERR_RANGE, "valid_pairs and test_pairs are between 0 and %d",
			       MAX_PAIRS);
	if (r->max_words < 1 || r->max_words > GRAMMAR_WORDS || r->long_from < 1)
		return err_set(err, ERR_RANGE,
			       "max_words is between 1 and %d, long_from at least 1",
			       GRAMMAR_WORDS);
	return 0;
}

static int generate(const struct corpus_recipe *r, bool swap, struct grammar *g,
		    struct corpus sets[CORPUS_SET_COUNT], struct err *err)
{
	struct pool p;

	pool_init(&p, r, g);
	draw_pool(&p, r, swap, g);
	split(&p, g, r, sets);
	pool_fini(&p);
	if (sets[CORPUS_TRAIN].n)
		return 0;
	return err_set(err, ERR_FORMAT,
		       "the grammar \"%s\" makes no sentence of at most %d words shorter than "
		       "long_from = %d",
		       r->grammar, r->max_words, r->long_from);
}

static struct grammar *load(const struct corpus_recipe *r, bool *swap, struct err *err)
{
	char path[4096];

	*swap = r->swap;
	if (find_rules(r->grammar, path, sizeof path, swap, err) < 0)
		return NULL;
	return grammar_load(path, err);
}

struct grammar *corpus_grammar(const char *name, struct err *err)
{
	char path[4096];
	bool swap = false;

	return find_rules(name, path, sizeof path, &swap, err) < 0 ? NULL : grammar_load(path, err);
}

int corpus_generate(const struct corpus_recipe *r, struct corpus sets[CORPUS_SET_COUNT],
		    unsigned long long *fingerprint, struct err *err)
{
	struct grammar *g;
	bool swap;
	int rc;

	if (fingerprint)
		*fingerprint = 0;
	if (check(r, err) < 0)
		return -1;
	if (toy_exists(r->grammar))
		return toy_generate(r, sets, err);
	g = load(r, &swap, err);
	if (!g)
		return -1;
	rc = generate(r, swap, g, sets, err);
	if (fingerprint)
		*fingerprint = grammar_fingerprint(g);
	grammar_free(g);
	return rc;
}

int corpus_classes(const struct corpus_recipe *r, const struct vocab *src, enum word_class *classes,
		   struct err *err)
{
	enum word_class *by_word;
	struct grammar *g;
	bool swap;

	for (int id = 0; id < vocab_size(src); id++)
		classes[id] = WORD_OTHER;
	if (toy_exists(r->grammar))
		return 0;
	g = load(r, &swap, err);
	if (!g)
		return -1;
	by_word = mem_calloc((size_t)grammar_words(g), sizeof *by_word);
	grammar_classes(g, swap, by_word);
	for (int id = VOCAB_SPECIALS; id < vocab_size(src); id++) {
		int word = grammar_find(g, vocab_word(src, id));

		classes[id] = word == VOCAB_UNK ? WORD_OTHER : by_word[word];
	}
	free(by_word);
	grammar_free(g);
	return 0;
}

int corpus_copyable(const struct corpus_recipe *r, const struct vocab *src, bool *copyable,
		    struct err *err)
{
	struct grammar *g = NULL;
	bool swap = false;

	if (!toy_exists(r->grammar)) {
		g = load(r, &swap, err);
		if (!g)
			return -1;
	}
	for (int id = 0; id < vocab_size(src); id++)
		copyable[id] =
			g && id >= VOCAB_SPECIALS && grammar_copyable(g, vocab_word(src, id), swap);
	grammar_free(g);
	return 0;
}
