#include "text/forms.h"
#include "base/mem.h"

#include <stdio.h>
#include <string.h>

enum { FIELDS = 4, PARTS = 6, FORM = 128 };

/* A column being read: blank-separated fields and where the forms go. */
struct reader {
	struct lexicon *l;
	struct lex_entry *e;
	struct lex_word *to;
	const struct scan_line *line;
	struct err *err;
	struct scan_word column, field[FIELDS + 1];
	size_t nfields;
};

static int fail(struct reader *r, const struct scan_word *at, const char *why)
{
	return scan_fail(r->err, r->line, at->column, "\"%s\": %s", at->text, why);
}

/* "-" and "" leave the slot without a form. */
static void set(struct reader *r, enum lex_slot slot, const char *word)
{
	if (*word && strcmp(word, "-") != 0)
		r->to->slots[slot] = lex_phrase(r->l, word);
}

/* stem + ending */
static void set2(struct reader *r, enum lex_slot slot, const char *stem, const char *ending)
{
	char word[FORM * 3];

	snprintf(word, sizeof word, "%s%s", stem, ending);
	set(r, slot, word);
}

static int fields(struct reader *r, size_t min, size_t max, const char *want)
{
	if (r->nfields >= min && r->nfields <= max)
		return 0;
	return fail(r, &r->column, want);
}

/* Cuts field i at sep; -1 with err unless there are between min and max parts. */
static int parts(struct reader *r, size_t i, char sep, size_t min, size_t max,
		 struct scan_word *out, const char *want)
{
	size_t n = scan_cut(&r->l->arena, &r->field[i], sep, out, max);

	if (n < min || n > max)
		return fail(r, &r->field[i], want);
	for (size_t k = 0; k < n; k++) {
		if (strlen(out[k].text) >= FORM)
			return fail(r, &out[k], "the word is too long");
		if (!out[k].text[0])
			return fail(r, &r->field[i], "an empty form");
	}
	return (int)n;
}

static bool ends(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);

	return n >= k && strcmp(s + n - k, end) == 0;
}

static bool ends_any(const char *s, const char *letters)
{
	size_t n = strlen(s);

	return n && strchr(letters, s[n - 1]);
}

/* ---- plain words ---- */

static int read_plain(struct reader *r)
{
	if (fields(r, 1, 1, "one word expected; write a space inside it as _") < 0)
		return -1;
	set(r, SLOT_PLAIN, r->field[0].text);
	return 0;
}

static int gender(struct reader *r, size_t i, const char *allowed)
{
	const char *g = r->field[i].text;

	if (!strchr(allowed, g[0]) || (g[1] && strcmp(g + 1, "w") != 0))
		return fail(r, &r->field[i],
			    allowed[2] ? "the gender is m, f or n (mw for weak nouns)"
				       : "the gender is m or f");
	r->to->gender = g[0];
	return 0;
}

static int read_gendered(struct reader *r, const char *allowed)
{
	if (fields(r, 2, 2, "a name and its gender expected, like \"Tom m\"") < 0 ||
	    gender(r, 1, allowed) < 0)
		return -1;
	set(r, SLOT_PLAIN, r->field[0].text);
	return 0;
}

/* ---- English ---- */

/* The regular -s of nouns and verbs: cats, boxes, cities. */
static void english_s(const char *w, char out[FORM * 2])
{
	size_t n = strlen(w);

	if (ends_any(w, "sx") || ends(w, "ch") || ends(w, "sh"))
		snprintf(out, FORM * 2, "%ses", w);
	else if (n > 1 && w[n - 1] == 'y' && !strchr("aeiou", w[n - 2]))
		snprintf(out, FORM * 2, "%.*sies", (int)n - 1, w);
	else
		snprintf(out, FORM * 2, "%ss", w);
}

static int en_noun(struct reader *r)
{
	struct scan_word p[PARTS + 1];
	char plural[FORM * 2];
	int n;

	if (fields(r, 1, 1, "one word expected; write a space inside it as _") < 0)
		return -1;
	n = parts(r, 0, '/', 1, 2, p, "noun or noun/plural expected");
	if (n < 0)
		return -1;
	english_s(p[0].text, plural);
	set(r, SLOT_S, p[0].text);
	set(r, SLOT_P, n > 1 ? p[1].text : plural);
	return 0;
}

static void en_regular(struct reader *r, const char *w)
{
	char s[FORM * 2], stem[FORM];
	size_t n = strlen(w);
	bool e = ends(w, "e"), y = n > 1 && w[n - 1] == 'y' && !strchr("aeiou", w[n - 2]);
	const char *past = e ? "d" : y ? "ied" : "ed";

	english_s(w, s);
	set(r, SLOT_3S, s);
	snprintf(stem, sizeof stem, "%.*s", (int)(y ? n - 1 : n), w);
	set2(r, SLOT_PAST, stem, past);
	set2(r, SLOT_PP, stem, past);
	snprintf(stem, sizeof stem, "%.*s", (int)(e ? n - 1 : n), w);
	set2(r, SLOT_ING, stem, "ing");
}

static int en_verb(struct reader *r)
{
	static const enum lex_slot slots[] = {SLOT_BASE, SLOT_3S, SLOT_PAST, SLOT_PP, SLOT_ING};
	static const char want[] =
		"a regular verb, or five forms base/3rd/past/participle/-ing expected";
	struct scan_word p[PARTS + 1];
	int n;

	if (fields(r, 1, 1, "one word expected; write a space inside it as _") < 0)
		return -1;
	n = parts(r, 0, '/', 1, 5, p, want);
	if (n < 0)
		return -1;
	if (n != 1 && n != 5)
		return fail(r, &r->field[0], want);
	for (int i = 0; i < n; i++)
		set(r, slots[i], p[i].text);
	if (n == 1)
		en_regular(r, p[0].text);
	return 0;
}

/* stem/comparative, English and German */
static int read_compared(struct reader *r, struct scan_word *p)
{
	int n;

	if (fields(r, 1, 1, "one word expected; write a space inside it as _") < 0)
		return -1;
	n = parts(r, 0, '/', 1, 2, p, "adjective or adjective/comparative expected");
	if (n < 0)
		return -1;
	set(r, SLOT_PLAIN, p[0].text);
	if (n > 1)
		set(r, SLOT_CMP, p[1].text);
	return n;
}

static int en_adj(struct reader *r)
{
	struct scan_word p[PARTS + 1];
	int n = read_compared(r, p);

	if (n > 1)
		tagset_add(&r->e->tags, lex_tag(r->l, "cmp", true));
	return n < 0 ? -1 : 0;
}

static int en_pron(struct reader *r)
{
	static const enum lex_slot slots[] = {SLOT_SUBJ, SLOT_OBJ, SLOT_POSS};
	struct scan_word p[PARTS + 1];

	if (fields(r, 1, 1, "I/me/my expected") < 0 ||
	    parts(r, 0, '/', 3, 3, p, "I/me/my expected") < 0)
		return -1;
	for (int i = 0; i < 3; i++)
		set(r, slots[i], p[i].text);
	return 0;
}

/* ---- French ---- */

static int fr_noun(struct reader *r)
{
	struct scan_word p[PARTS + 1];
	int n;

	if (fields(r, 2, 2, "noun and gender expected, like \"chat m\" or \"cheval/chevaux m\"") <
		    0 ||
	    gender(r, 1, "mf") < 0)
		return -1;
	n = parts(r, 0, '/', 1, 2, p, "noun or noun/plural expected");
	if (n < 0)
		return -1;
	set(r, SLOT_S, p[0].text);
	if (n > 1)
		set(r, SLOT_P, p[1].text);
	else
		set2(r, SLOT_P, p[0].text, ends_any(p[0].text, "sxz") ? "" : "s");
	return 0;
}

/* beau/belle/beaux/belles/bel pre: what is left out is regular */
static int fr_adj(struct reader *r)
{
	static const char want[] =
		"masculine/feminine/plural/feminine plural/before a vowel, then pre or post";
	struct scan_word p[PARTS + 1];
	const char *m, *f, *where;
	char fem[FORM * 2];
	int n;

	if (fields(r, 2, 2, want) < 0)
		return -1;
	where = r->field[1].text;
	n = parts(r, 0, '/', 1, 5, p, want);
	if (n < 0)
		return -1;
	if (strcmp(where, "pre") != 0 && strcmp(where, "post") != 0)
		return fail(r, &r->field[1], "pre (before the noun) or post (after it) expected");
	tagset_add(&r->e->tags, lex_tag(r->l, where, true));
	m = p[0].text;
	snprintf(fem, sizeof fem, "%s%s", m, ends(m, "e") ? "" : "e");
	f = n > 1 ? p[1].text : fem;
	set(r, SLOT_M, m);
	set(r, SLOT_F, f);
	set2(r, SLOT_MP, n > 2 ? p[2].text : m, n > 2 || ends_any(m, "sx") ? "" : "s");
	set2(r, SLOT_FP, n > 3 ? p[3].text : f, n > 3 ? "" : "s");
	set(r, SLOT_MV, n > 4 ? p[4].text : m);
	return 0;
}

static void six(struct reader *r, enum lex_slot first, const char *stem, const char *const *endings)
{
	for (int i = 0; i < 6; i++)
		set2(r, (enum lex_slot)((int)first + i), stem, endings[i]);
}

static void fr_future(struct reader *r, const char *stem)
{
	static const char *const endings[] = {"ai", "as", "a", "ons", "ez", "ont"};

	six(r, SLOT_FUT, stem, endings);
}

static void fr_participle(struct reader *r, const char *pp)
{
	set(r, SLOT_M, pp);
	set2(r, SLOT_F, pp, "e");
	set2(r, SLOT_MP, pp, ends(pp, "s") ? "" : "s");
	set2(r, SLOT_FP, pp, "es");
}

/* The three regular conjugations: parl+er, chois+ir, vend+re. */
static const struct {
	const char *name, *present[6], *participle;
} conjugations[] = {
	{"er", {"e", "es", "e", "ons", "ez", "ent"}, "é"},
	{"ir", {"is", "is", "it", "issons", "issez", "issent"}, "i"},
	{"re", {"s", "s", "", "ons", "ez", "ent"}, "u"},
};

static int fr_regular(struct reader *r)
{
	struct scan_word p[PARTS + 1];
	char word[FORM * 2];

	if (parts(r, 0, '+', 2, 2, p, "a regular verb is written parl+er, chois+ir or vend+re") < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(conjugations); i++) {
		if (strcmp(p[1].text, conjugations[i].name) != 0)
			continue;
		six(r, SLOT_PRES, p[0].text, conjugations[i].present);
		snprintf(word, sizeof word, "%s%s", p[0].text, p[1].text);
		set(r, SLOT_INF, word);
		if (ends(word, "re")) /* vendre → vendr-ai */
			word[strlen(word) - 1] = '\0';
		fr_future(r, word);
		snprintf(word, sizeof word, "%s%s", p[0].text, conjugations[i].participle);
		fr_participle(r, word);
		return 0;
	}
	return fail(r, &p[1], "the regular conjugations are +er, +ir and +re");
}

static int present(struct reader *r, size_t i, struct scan_word p[PARTS + 1])
{
	if (parts(r, i, ',', 6, 6, p, "six present forms expected, separated by commas") < 0)
		return -1;
	for (int k = 0; k < 6; k++)
		set(r, (enum lex_slot)(SLOT_PRES + k), p[k].text);
	return 0;
}

static int fr_verb(struct reader *r)
{
	struct scan_word p[PARTS + 1];

	if (strchr(r->field[0].text, '+')) {
		if (fields(r, 1, 1, "a regular verb is written parl+er and nothing else") < 0)
			return -1;
		return fr_regular(r);
	}
	if (fields(r, 2, 4, "infinitive, six present forms, participle, future stem expected") <
		    0 ||
	    present(r, 1, p) < 0)
		return -1;
	set(r, SLOT_INF, r->field[0].text);
	if (r->nfields > 2 && strcmp(r->field[2].text, "-") != 0)
		fr_participle(r, r->field[2].text);
	if (r->nfields > 3)
		fr_future(r, r->field[3].text);
	return 0;
}

static int fr_pron(struct reader *r)
{
	static const enum lex_slot slots[] = {SLOT_SUBJ, SLOT_OBJ, SLOT_DAT, SLOT_STR};
	static const char want[] = "je/me/me/moi/mon and a gender expected (and the verb's person)";
	struct scan_word p[PARTS + 1];

	if (fields(r, 2, 3, want) < 0 || parts(r, 0, '/', 5, 5, p, want) < 0 ||
	    gender(r, 1, "mf") < 0)
		return -1;
	if (r->nfields > 2) {
		r->to->person = lex_person(r->field[2].text);
		if (r->to->person < 0)
			return fail(r, &r->field[2], "a person is one of 1s 2s 3s 1p 2p 3p");
	}
	for (int i = 0; i < 4; i++)
		set(r, slots[i], p[i].text);
	r->to->poss = vocab_add(r->l->words, p[4].text);
	return 0;
}

static int fr_name(struct reader *r)
{
	return read_gendered(r, "mf");
}

/* ---- Chinese ---- */

static int zh_noun(struct reader *r)
{
	if (fields(r, 2, 2, "noun and measure word expected, like \"猫 只\"") < 0)
		return -1;
	set(r, SLOT_PLAIN, r->field[0].text);
	set(r, SLOT_CL, r->field[1].text);
	return 0;
}

/* 美丽的 → 美丽 的 before a noun, 美丽 as predicate; 大 → 大, 大; 黑/黑色 → 黑, 黑色 */
static int zh_adj(struct reader *r)
{
	struct scan_word p[PARTS + 1];
	char stem[FORM];
	size_t len;
	bool de;
	int n;

	if (fields(r, 1, 1, "one word expected") < 0)
		return -1;
	n = parts(r, 0, '/', 1, 2, p, "adjective or adjective/predicate expected");
	if (n < 0)
		return -1;
	de = ends(p[0].text, "的");
	len = strlen(p[0].text) - (de ? strlen("的") : 0);
	if (len == 0)
		return fail(r, &p[0], "an adjective expected before 的");
	snprintf(stem, sizeof stem, "%.*s", (int)len, p[0].text);
	set2(r, SLOT_PLAIN, stem, de ? "_的" : "");
	set2(r, SLOT_LONG, stem, "_的");
	set(r, SLOT_PRED, n > 1 ? p[1].text : stem);
	return 0;
}

/* 看见, or 给_看 for a verb whose object stands inside it */
static int zh_verb(struct reader *r)
{
	struct scan_word p[PARTS + 1];
	int n;

	if (fields(r, 1, 1, "one word expected; a verb of two parts is written 给_看") < 0)
		return -1;
	n = parts(r, 0, '_', 1, 2, p, "one word expected; a verb of two parts is written 给_看");
	if (n < 0)
		return -1;
	set(r, n > 1 ? SLOT_A : SLOT_PLAIN, p[0].text);
	if (n > 1)
		set(r, SLOT_B, p[1].text);
	return 0;
}

/* ---- German ---- */

static int de_noun(struct reader *r)
{
	static const char want[] = "noun/plural and gender expected, like \"Katze/Katzen f\"";
	struct scan_word p[PARTS + 1];
	bool weak, none;

	if (fields(r, 2, 2, want) < 0 || parts(r, 0, '/', 2, 2, p, want) < 0 ||
	    gender(r, 1, "mfn") < 0)
		return -1;
	weak = r->field[1].text[1] == 'w';
	none = strcmp(p[1].text, "-") == 0;
	set(r, SLOT_S, p[0].text);
	set(r, SLOT_SOBL, weak ? p[1].text : p[0].text);
	set(r, SLOT_P, p[1].text);
	if (!none)
		set2(r, SLOT_PDAT, p[1].text, ends_any(p[1].text, "ns") ? "" : "n");
	return 0;
}

static int de_adj(struct reader *r)
{
	static const char *const endings[] = {"e", "en", "er", "es", "em"};
	struct scan_word p[PARTS + 1];
	char stem[FORM];
	size_t n;

	if (read_compared(r, p) < 0)
		return -1;
	snprintf(stem, sizeof stem, "%s", p[0].text);
	n = strlen(stem);
	if (ends(stem, "e")) /* müde → müd-e */
		stem[n - 1] = '\0';
	else if (ends(stem, "euer") || ends(stem, "el")) /* teuer → teur-e, dunkel → dunkl-e */
		stem[n - 2] = stem[n - 1], stem[n - 1] = '\0';
	for (int i = 0; i < 5; i++)
		set2(r, (enum lex_slot)(SLOT_E + i), stem, endings[i]);
	return 0;
}

static int de_verb(struct reader *r)
{
	struct scan_word p[PARTS + 1];
	const char *part = r->nfields > 3 ? r->field[3].text : "";

	if (fields(r, 2, 4,
		   "infinitive, six present forms, participle, separable prefix expected") < 0 ||
	    present(r, 1, p) < 0)
		return -1;
	set(r, SLOT_INF, r->field[0].text);
	if (r->nfields > 2)
		set(r, SLOT_PP, r->field[2].text);
	for (int i = 0; i < 6; i++)
		set2(r, (enum lex_slot)(SLOT_PRESF + i), part, p[i].text);
	r->to->slots[SLOT_PART] = lex_phrase(r->l, part);
	return 0;
}

static int de_pron(struct reader *r)
{
	static const enum lex_slot slots[] = {SLOT_SUBJ, SLOT_OBJ, SLOT_DAT};
	static const char want[] = "ich/mich/mir/mein and a gender expected";
	struct scan_word p[PARTS + 1];

	if (fields(r, 2, 2, want) < 0 || parts(r, 0, '/', 4, 4, p, want) < 0 ||
	    gender(r, 1, "mfn") < 0)
		return -1;
	for (int i = 0; i < 3; i++)
		set(r, slots[i], p[i].text);
	r->to->poss = vocab_add(r->l->words, p[3].text);
	return 0;
}

static int de_name(struct reader *r)
{
	return read_gendered(r, "mfn");
}

/* Who reads which column; NULL: read_plain. */
static int (*const readers[LEX_LANG_COUNT][LEX_CLASS_COUNT])(struct reader *) = {
	[LEX_EN] = {[LEX_NOUN] = en_noun,
		    [LEX_ADJ] = en_adj,
		    [LEX_VERB] = en_verb,
		    [LEX_VERBI] = en_verb,
		    [LEX_VERBE] = en_verb,
		    [LEX_VERBD] = en_verb,
		    [LEX_PRON] = en_pron},
	[LEX_FR] = {[LEX_NOUN] = fr_noun,
		    [LEX_ADJ] = fr_adj,
		    [LEX_VERB] = fr_verb,
		    [LEX_VERBI] = fr_verb,
		    [LEX_VERBE] = fr_verb,
		    [LEX_VERBD] = fr_verb,
		    [LEX_MODAL] = fr_verb,
		    [LEX_PRON] = fr_pron,
		    [LEX_NAME] = fr_name},
	[LEX_ZH] = {[LEX_NOUN] = zh_noun,
		    [LEX_ADJ] = zh_adj,
		    [LEX_VERB] = zh_verb,
		    [LEX_VERBI] = zh_verb,
		    [LEX_VERBE] = zh_verb,
		    [LEX_VERBD] = zh_verb},
	[LEX_DE] = {[LEX_NOUN] = de_noun,
		    [LEX_ADJ] = de_adj,
		    [LEX_VERB] = de_verb,
		    [LEX_VERBI] = de_verb,
		    [LEX_VERBE] = de_verb,
		    [LEX_VERBD] = de_verb,
		    [LEX_MODAL] = de_verb,
		    [LEX_PRON] = de_pron,
		    [LEX_NAME] = de_name},
};

/* The longest form that a field holds, in words: "_" is a space, the others separate forms. */
static size_t words_in(const char *field)
{
	size_t words = 1, most = 1;

	for (; *field; field++) {
		words = strchr("/,+", *field) ? 1 : words + (*field == '_');
		most = words > most ? words : most;
	}
	return most;
}

static int check_fields(struct reader *r)
{
	if (r->nfields > FIELDS)
		return fail(r, &r->column, "too many words in this column");
	for (size_t i = 0; i < r->nfields; i++) {
		if (strlen(r->field[i].text) > 4 * FORM)
			return fail(r, &r->field[i], "the word is too long");
		if (words_in(r->field[i].text) > PHRASE_WORDS)
			return fail(r, &r->field[i], "a form has at most six words");
	}
	return 0;
}

int forms_read(struct lexicon *l, struct lex_entry *e, enum lex_lang lang,
	       const struct scan_line *line, struct scan_word column, struct err *err)
{
	struct reader r = {
		.l = l, .e = e, .to = &e->in[lang], .line = line, .err = err, .column = column};
	int (*read)(struct reader *) = readers[lang][e->cls];

	*r.to = (struct lex_word){.gender = 'm', .person = -1, .poss = -1};
	for (int i = 0; i < SLOT_COUNT; i++)
		r.to->slots[i] = -1;
	if (!*column.text || strcmp(column.text, "-") == 0)
		return 0;
	r.nfields = scan_cut(&l->arena, &column, ' ', r.field, FIELDS);
	if (check_fields(&r) < 0 || (read ? read(&r) : read_plain(&r)) < 0)
		return -1;
	r.to->known = true;
	return 0;
}
