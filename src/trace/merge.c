#include "trace/merge.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* How the pieces of a side are marked. */
enum pieces {
	PIECE_NONE, /* whole words */
	PIECE_AT,
	PIECE_END,
	PIECE_HASH,
	PIECE_SPACE,
	PIECE_JOINER,
	PIECE_BYTES,
	PIECE_BLANK,
	PIECE_LINE,
	PIECES_COUNT
};

static const char *const marks[] = {
	[PIECE_NONE] = "",
	[PIECE_AT] = "@@",		 /* behind: goes on in the next token (subword-nmt) */
	[PIECE_END] = "</w>",		 /* behind: ends a word (BPE) */
	[PIECE_HASH] = "##",		 /* in front: goes on from the token before (WordPiece) */
	[PIECE_SPACE] = "\xe2\x96\x81",	 /* ▁ in front: begins a word (SentencePiece) */
	[PIECE_JOINER] = "\xef\xbf\xad", /* ￭ on either side: joined there (OpenNMT) */
	[PIECE_BYTES] = "\xc4\xa0",	 /* Ġ in front: begins a word; others are bytes (GPT-2) */
	[PIECE_BLANK] = " ",		 /* in front: begins a word (byte pieces, decoded) */
	[PIECE_LINE] = "_",		 /* behind: ends a word (Tensor2Tensor) */
};

/* ---- marks of one token ---- */

static bool begins(const char *s, const char *mark)
{
	return strncmp(s, mark, strlen(mark)) == 0;
}

static bool ends(const char *s, const char *mark)
{
	size_t n = strlen(s), k = strlen(mark);

	return n >= k && strcmp(s + n - k, mark) == 0;
}

/* "</s>", "<pad>", "[CLS]", "<|endoftext|>": no part of a word. "<unk>" may be one. */
static bool is_special(const char *s)
{
	size_t n = strlen(s);

	if (n < 3 || strcmp(s, "<unk>") == 0 || strcmp(s, "</w>") == 0)
		return false;
	if (s[0] == '[' && s[n - 1] == ']')
		return strspn(s + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == n - 2;
	return s[0] == '<' && s[n - 1] == '>' && strcspn(s + 1, "<> \t") == n - 2;
}

/* GPT-2 writes bytes as characters: printable ones of Latin-1 as themselves, the others from U+0100
 * on. -1: no such character. */
static int byte_of(uint32_t cp)
{
	uint32_t other = 256;

	if ((cp >= 33 && cp <= 126) || (cp >= 161 && cp <= 172) || (cp >= 174 && cp <= 255))
		return (int)cp;
	for (int b = 0; b < 256; b++) {
		if ((b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174)
			continue;
		if (other++ == cp)
			return b;
	}
	return -1;
}

/* Appends the bytes that a token of GPT-2 stands for. False if a character stands for none. */
static bool add_bytes(struct buf *out, const char *s)
{
	size_t n = strlen(s), len;
	uint32_t cp;

	for (size_t i = 0; i < n; i += len) {
		int b;

		len = utf8_decode(s + i, n - i, &cp);
		b = byte_of(cp);
		if (b <= 0)
			return false;
		buf_putc(out, (char)b);
	}
	return true;
}

static bool is_marked(const char *s, enum pieces p)
{
	const char *mark = marks[p];
	size_t n = strlen(s), k = strlen(mark);

	switch (p) {
	case PIECE_AT:
		return n > k && ends(s, mark);
	case PIECE_END:
		return ends(s, mark);
	case PIECE_LINE: /* a word of its own, too */
		return n > k && ends(s, mark);
	case PIECE_HASH:
		return n > k && begins(s, mark);
	case PIECE_JOINER:
		return begins(s, mark) || ends(s, mark);
	case PIECE_SPACE:
	case PIECE_BYTES:
		return begins(s, mark);
	case PIECE_BLANK:
		return n > k && begins(s, mark);
	default:
		return false;
	}
}

/* ---- one side of a trace ---- */

struct side {
	const struct trace *t;
	bool target;
	size_t n;
	enum pieces pieces;
	size_t nwords;
	size_t *word; /* [n] which word a token is part of */
};

static const char *token(const struct side *d, size_t i)
{
	return d->target ? d->t->steps[i].token : d->t->source[i].token;
}

/* Whether all tokens together are bytes of UTF-8 text: Maltese begins words with this letter, too.
 */
static bool are_bytes(const struct side *d)
{
	struct buf all = {0};
	bool ok = true;

	for (size_t i = 0; i < d->n && ok; i++)
		if (!is_special(token(d, i)))
			ok = add_bytes(&all, token(d, i));
	ok = ok && utf8_valid(buf_str(&all), all.len, NULL);
	buf_free(&all);
	return ok;
}

/* The mark that most tokens bear. */
static enum pieces convention(const struct side *d)
{
	size_t count[PIECES_COUNT] = {0}, words = 0;
	enum pieces best = PIECE_NONE;

	for (size_t i = 0; i < d->n; i++) {
		const char *s = token(d, i);

		if (is_special(s))
			continue;
		words++;
		for (int p = PIECE_NONE + 1; p < PIECES_COUNT; p++)
			count[p] += is_marked(s, (enum pieces)p);
	}
	if (count[PIECE_LINE] * 2 < words)
		count[PIECE_LINE] = 0;
	if (count[PIECE_BYTES] && !are_bytes(d))
		count[PIECE_BYTES] = 0;
	for (int p = PIECE_NONE + 1; p < PIECES_COUNT; p++)
		if (count[p] > count[best])
			best = (enum pieces)p;
	return best;
}

static struct side side_of(const struct trace *t, bool target)
{
	struct side d = {.t = t, .target = target, .n = target ? t->nsteps : t->nsource};

	d.pieces = convention(&d);
	return d;
}

/* ---- where words begin ---- */

/* Written without spaces, so that a mark in front says nothing about words. */
static bool is_unspaced(const char *s, size_t n)
{
	uint32_t cp = 0;

	return utf8_decode(s, n, &cp) && cp != UINT32_MAX && utf8_is_cjk(cp) &&
	       !(cp >= 0xac00 && cp <= 0xd7a3);
}

static bool is_inside(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

static bool ends_unspaced(const struct buf *b)
{
	size_t at = b->len ? b->len - 1 : 0;

	while (at > 0 && is_inside(b->data[at]))
		at--;
	return b->len && utf8_valid(b->data + at, b->len - at, NULL) &&
	       is_unspaced(b->data + at, b->len - at);
}

static bool is_blank(char c)
{
	return c && strchr(" \t\r\n", c);
}

/* What Moses escapes in tokens, which are then split by @@ or </w>. */
static void add_unescaped(struct buf *out, const char *s, size_t n)
{
	static const char *const escapes[][2] = {{"&amp;", "&"}, {"&apos;", "'"}, {"&quot;", "\""},
						 {"&lt;", "<"},	 {"&gt;", ">"},	  {"&#124;", "|"},
						 {"&#91;", "["}, {"&#93;", "]"}};

	for (size_t i = 0; i < n;) {
		size_t k = 0, len = 1;

		while (s[i] == '&' && k < ARRAY_LEN(escapes) &&
		       ((len = strlen(escapes[k][0])) > n - i ||
			memcmp(s + i, escapes[k][0], len) != 0))
			k++;
		if (s[i] == '&' && k < ARRAY_LEN(escapes)) {
			buf_puts(out, escapes[k][1]);
			i += len;
		} else {
			buf_putc(out, s[i++]);
		}
	}
}

/* Token s without its marks. */
static void add_piece(struct buf *out, const char *s, enum pieces p)
{
	size_t k = strlen(marks[p]), n = strlen(s);
	bool front = p == PIECE_HASH || p == PIECE_SPACE || p == PIECE_JOINER,
	     back = p == PIECE_AT || p == PIECE_END || p == PIECE_LINE || p == PIECE_JOINER;

	if (p == PIECE_BYTES && !is_special(s)) {
		add_bytes(out, s);
		return;
	}
	if (is_special(s))
		front = back = false;
	if (front && begins(s, marks[p])) {
		s += k;
		n -= k;
	}
	if (back && n >= k && ends(s, marks[p]))
		n -= k;
	if (p == PIECE_AT || p == PIECE_END)
		add_unescaped(out, s, n);
	else
		buf_add(out, s, n);
}

/* Whether a piece whose word would begin with a blank is part of the word before it. */
static bool joins_by_blank(const struct buf *word, const struct buf *piece, bool marked)
{
	if (marked || !piece->len || is_blank(piece->data[0]) ||
	    (word->len && word->data[word->len - 1] == '\n'))
		return false;
	if (ends_unspaced(word))
		return is_inside(piece->data[0]);
	return !is_unspaced(piece->data, piece->len);
}

/* Whether token i goes on with the word of the token before it. */
static bool joins(const struct side *d, size_t i, const struct buf *word, const struct buf *piece)
{
	const char *s = token(d, i), *before = i ? token(d, i - 1) : NULL;

	if (!before || is_special(s) || is_special(before))
		return false;
	switch (d->pieces) {
	case PIECE_AT:
		return is_marked(before, d->pieces);
	case PIECE_END:
	case PIECE_LINE:
		return !is_marked(before, d->pieces);
	case PIECE_HASH:
		return is_marked(s, d->pieces);
	case PIECE_JOINER:
		return begins(s, marks[PIECE_JOINER]) || ends(before, marks[PIECE_JOINER]);
	case PIECE_SPACE:
	case PIECE_BYTES:
	case PIECE_BLANK:
		return joins_by_blank(word, piece, is_marked(s, d->pieces));
	default:
		return false;
	}
}

static void find_words(struct side *d)
{
	struct buf word = {0}, piece = {0};

	d->word = mem_alloc(d->n * sizeof *d->word + 1);
	for (size_t i = 0; i < d->n; i++) {
		buf_clear(&piece);
		add_piece(&piece, token(d, i), d->pieces);
		if (!joins(d, i, &word, &piece)) {
			d->nwords++;
			buf_clear(&word);
		}
		buf_add(&word, buf_str(&piece), piece.len);
		d->word[i] = d->nwords - 1;
	}
	buf_free(&word);
	buf_free(&piece);
}

/* ---- the trace of words ---- */

/* The text of tokens [from, to) as get() has them, whole where they bear no more than marks. */
static const char *join(struct arena *a, const struct side *d, size_t from, size_t to,
			const char *(*get)(const struct side *, size_t))
{
	struct buf b = {0};
	size_t skip = 0;
	char *text;

	for (size_t i = from; i < to; i++)
		if (get(d, i) == token(d, i) || strcmp(get(d, i), token(d, i)) == 0)
			add_piece(&b, get(d, i), d->pieces);
		else
			buf_puts(&b, get(d, i));
	while (skip < b.len && b.data[skip] == ' ')
		skip++;
	text = skip < b.len ? arena_strndup(a, b.data + skip, b.len - skip)
			    : arena_strdup(a, get(d, from));
	buf_free(&b);
	return text;
}

/* What a person sees: of the source as typed, of the target as it was said. */
static const char *shown(const struct side *d, size_t i)
{
	return d->target ? d->t->steps[i].emitted : d->t->source[i].text;
}

static size_t word_end(const struct side *d, size_t from)
{
	size_t to = from + 1;

	while (to < d->n && d->word[to] == d->word[from])
		to++;
	return to;
}

static void merge_source(struct trace *m, const struct side *d)
{
	m->nsource = d->nwords;
	m->source = arena_array(&m->arena, struct trace_source, d->nwords);
	for (size_t i = 0, to; i < d->n; i = to) {
		struct trace_source *s = &m->source[d->word[i]];

		to = word_end(d, i);
		s->token = join(&m->arena, d, i, to, token);
		s->text = join(&m->arena, d, i, to, shown);
		for (size_t k = i; k < to; k++)
			s->unknown |= d->t->source[k].unknown;
	}
}

static void merge_steps(struct trace *m, const struct side *d)
{
	m->nsteps = m->max_steps = d->nwords;
	m->steps = arena_array(&m->arena, struct trace_step, d->nwords);
	for (size_t i = 0, to; i < d->n; i = to) {
		size_t w = d->word[i];
		struct trace_step *s = &m->steps[w];

		to = word_end(d, i);
		s->token = join(&m->arena, d, i, to, token);
		s->emitted = join(&m->arena, d, i, to, shown);
		s->input =
			w ? m->steps[w - 1].token : arena_strdup(&m->arena, d->t->steps[0].input);
		for (size_t k = i; k < to; k++) {
			s->logprob += d->t->steps[k].logprob;
			s->entropy += d->t->steps[k].entropy;
			s->forced |= d->t->steps[k].forced;
		}
	}
}

/* sum[cols.nwords] = the rows of one word, added up over the pieces of each column's word. */
static void add_row(const struct trace_map *m, size_t row, const struct side *cols, double *sum)
{
	for (size_t c = 0; c < m->cols; c++)
		sum[cols->word[c]] += (double)trace_at(m, row, c);
}

static void merge_map(struct trace *t, const struct trace_map *from, const struct side *rows,
		      const struct side *cols)
{
	struct trace_map *m = &t->maps[t->nmaps++];
	float *v = arena_array(&t->arena, float, rows->nwords * cols->nwords);
	double *sum = mem_alloc(cols->nwords * sizeof *sum + 1);

	*m = *from;
	m->rows = rows->nwords;
	m->cols = cols->nwords;
	m->dtype = ST_F32;
	m->data = v;
	m->row_stride = (ptrdiff_t)m->cols;
	m->col_stride = 1;
	for (size_t i = 0, to; i < from->rows; i = to) {
		to = word_end(rows, i);
		memset(sum, 0, cols->nwords * sizeof *sum);
		for (size_t r = i; r < to; r++)
			add_row(from, r, cols, sum);
		for (size_t c = 0; c < m->cols; c++)
			v[rows->word[i] * m->cols + c] =
				from->type == TRACE_HARD ? (sum[c] > 0)
							 : (float)(sum[c] / (double)(to - i));
	}
	free(sum);
}

static int by_place(const void *a, const void *b)
{
	const struct trace_link *x = a, *y = b;

	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	return (x->target > y->target) - (x->target < y->target);
}

/* Links of words, each once, sure if one of its pieces' is. */
static void merge_links(struct trace *m, const struct trace *t, const struct side *source,
			const struct side *target)
{
	struct trace_link *links = arena_array(&m->arena, struct trace_link, t->nlinks);

	for (size_t i = 0; i < t->nlinks; i++) {
		const struct trace_link *l = &t->links[i];

		links[i] = (struct trace_link){.source = (int)source->word[l->source],
					       .sure = l->sure};
		/* gold may reach beyond what has been said */
		links[i].target = (size_t)l->target < target->n
					  ? (int)target->word[l->target]
					  : l->target - (int)(target->n - target->nwords);
	}
	qsort(links, t->nlinks, sizeof *links, by_place);
	m->links = links;
	for (size_t i = 0; i < t->nlinks; i++) {
		struct trace_link *last = m->nlinks ? &links[m->nlinks - 1] : NULL;

		if (last && by_place(last, &links[i]) == 0)
			last->sure |= links[i].sure;
		else
			links[m->nlinks++] = links[i];
	}
}

/* Whether there is something to merge, and room for it. */
static bool worth_it(const struct trace *t, const struct side *source, const struct side *target)
{
	size_t cells = 0, maps = 0;

	for (size_t k = 0; k < t->nmaps && cells <= TRACE_MERGE_CELLS; k++) {
		const struct trace_map *m = &t->maps[k];
		size_t rows = (m->kind == TRACE_ENCODER ? source : target)->nwords,
		       cols = (m->kind == TRACE_DECODER ? target : source)->nwords;

		if (m->type == TRACE_SCORES)
			continue;
		maps++;
		cells += cols && rows > TRACE_MERGE_CELLS / cols ? TRACE_MERGE_CELLS + 1
								 : rows * cols;
	}
	return maps && cells <= TRACE_MERGE_CELLS;
}

static struct trace *merge(const struct trace *t, const struct side *source,
			   const struct side *target)
{
	/* what is known of the model, and nothing else */
	struct trace *m = trace_copy(&(struct trace){.about = t->about});

	m->finished = t->finished;
	merge_source(m, source);
	merge_steps(m, target);
	m->maps = arena_array(&m->arena, struct trace_map, t->nmaps);
	for (size_t k = 0; k < t->nmaps; k++)
		if (t->maps[k].type != TRACE_SCORES)
			merge_map(m, &t->maps[k],
				  t->maps[k].kind == TRACE_ENCODER ? source : target,
				  t->maps[k].kind == TRACE_DECODER ? target : source);
	merge_links(m, t, source, target);
	return m;
}

struct trace *trace_merge(const struct trace *t)
{
	struct side source = side_of(t, false), target = side_of(t, true);
	struct trace *m = NULL;

	if (source.pieces == PIECE_NONE && target.pieces == PIECE_NONE)
		return NULL;
	find_words(&source);
	find_words(&target);
	if (worth_it(t, &source, &target))
		m = merge(t, &source, &target);
	free(source.word);
	free(target.word);
	return m;
}
