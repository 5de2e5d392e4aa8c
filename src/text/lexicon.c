#include "text/lexicon.h"
#include "base/mem.h"
#include "text/forms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 20000, COLUMNS = LEX_LANG_COUNT + 1 };

static const char *const lang_names[] = {
#define X(id, name) [id] = name,
	LEX_LANGS(X)
#undef X
};

static const struct {
	const char *name;
	char family;
} classes[] = {
#define X(id, name, family) [id] = {name, family},
	LEX_CLASSES(X)
#undef X
};

const char *lex_lang_name(enum lex_lang l)
{
	return lang_names[l];
}

const char *lex_class_name(enum lex_class c)
{
	return classes[c].name;
}

char lex_class_family(enum lex_class c)
{
	return classes[c].family;
}

int lex_lang_find(const char *name)
{
	for (int i = 0; i < LEX_LANG_COUNT; i++)
		if (strcmp(name, lang_names[i]) == 0)
			return i;
	return -1;
}

int lex_class_find(const char *name)
{
	for (int i = 0; i < LEX_CLASS_COUNT; i++)
		if (strcmp(name, classes[i].name) == 0)
			return i;
	return -1;
}

void lexicon_init(struct lexicon *l)
{
	/* what the code itself asks for: there is always room for these */
	static const char *const tags[] = {"human", "anim", "o:human", "sgonly",
					   "mass",  "cmp",  "pre",     "post"};

	*l = (struct lexicon){.words = vocab_new(), .tags = vocab_new(), .keys = vocab_new()};
	for (size_t i = 0; i < ARRAY_LEN(tags); i++)
		lex_tag(l, tags[i], true);
}

void lexicon_fini(struct lexicon *l)
{
	vocab_free(l->words);
	vocab_free(l->tags);
	vocab_free(l->keys);
	free(l->phrases);
	free(l->entries);
	arena_free(&l->arena);
	*l = (struct lexicon){0};
}

int lex_tag(struct lexicon *l, const char *name, bool add)
{
	int id = vocab_id(l->tags, name);

	if (id == VOCAB_UNK && (!add || vocab_size(l->tags) - VOCAB_SPECIALS >= LEX_TAGS))
		return -1;
	return (id == VOCAB_UNK ? vocab_add(l->tags, name) : id) - VOCAB_SPECIALS;
}

int lex_phrase(struct lexicon *l, const char *s)
{
	struct phrase p = {0};

	while (*s) {
		size_t len = strcspn(s, "_");

		if (len) {
			if (p.n == PHRASE_WORDS)
				return -1;
			p.words[p.n++] = vocab_add(l->words, arena_strndup(&l->arena, s, len));
		}
		s += len + (s[len] == '_');
	}
	l->phrases = mem_grow(l->phrases, l->nphrases, &l->phrase_cap, sizeof *l->phrases);
	l->phrases[l->nphrases] = p;
	return (int)l->nphrases++;
}

/* A name is one token whatever it holds: "Zhang_San". */
static void join_name(struct lexicon *l, struct lex_entry *e, enum lex_lang lang,
		      const char *column)
{
	size_t len = strcspn(column, " \t");
	int slot = e->in[lang].slots[SLOT_PLAIN];

	if (slot >= 0)
		l->phrases[slot] = (struct phrase){
			1, {vocab_add(l->words, arena_strndup(&l->arena, column, len))}};
}

/* One tag by name into a set. */
static int add_tag(struct lexicon *l, const struct scan_line *line, const struct scan_word *w,
		   const char *prefix, struct tagset *set, struct err *err)
{
	char name[160];
	int tag;

	if (strlen(w->text) > 60 || strpbrk(w->text, "(),|>$!=+:"))
		return scan_fail(err, line, w->column, "\"%s\" is no tag: a tag is one short word",
				 w->text);
	snprintf(name, sizeof name, "%s%s", prefix, w->text);
	tag = lex_tag(l, name, true);
	if (tag < 0)
		return scan_fail(err, line, w->column, "more than %d different tags", LEX_TAGS);
	tagset_add(set, tag);
	return 0;
}

int lex_person(const char *s)
{
	if (s[0] < '1' || s[0] > '3' || (s[1] != 's' && s[1] != 'p') || s[2])
		return -1;
	return s[0] - '1' + (s[1] == 'p' ? 3 : 0);
}

static bool is_verb(enum lex_class c)
{
	return lex_class_family(c) == 'v';
}

/* "human > text obj +noprog": who does it, to what, and tags of the verb itself. */
static int read_verb_tags(struct lexicon *l, struct lex_entry *e, const struct scan_line *line,
			  struct scan_word *w, size_t n, long column, struct err *err)
{
	struct tagset *to = &e->subj;
	int anim = lex_tag(l, "anim", true), human = lex_tag(l, "o:human", true);

	for (size_t i = 0; i < n; i++) {
		if (strcmp(w[i].text, ">") == 0 && to == &e->subj) {
			to = &e->obj;
			continue;
		}
		if (strcmp(w[i].text, "-") == 0)
			continue;
		if (w[i].text[0] == '+') {
			w[i].text++, w[i].column++;
			if (add_tag(l, line, &w[i], "", &e->tags, err) < 0)
				return -1;
			continue;
		}
		if (add_tag(l, line, &w[i], "", to, err) < 0 ||
		    (to == &e->obj && add_tag(l, line, &w[i], "o:", &e->tags, err) < 0))
			return -1;
	}
	if (to == &e->subj)
		return scan_fail(
			err, line, column,
			"a verb needs \"who > what\", like \"human > food drink\" or \"anim > -\"");
	if (tagset_has(&e->obj, anim))
		tagset_add(&e->tags, human);
	return 0;
}

static int read_tags(struct lexicon *l, struct lex_entry *e, const struct scan_line *line,
		     struct scan_word column, struct err *err)
{
	struct scan_word w[64];
	size_t n = scan_cut(&l->arena, &column, ' ', w, ARRAY_LEN(w)), i = 0;

	if (n > ARRAY_LEN(w))
		return scan_fail(err, line, column.column, "more than %zu tags", ARRAY_LEN(w));
	if (is_verb(e->cls))
		return read_verb_tags(l, e, line, w, n, column.column, err);
	if (e->cls == LEX_PRON) {
		e->person = n ? lex_person(w[0].text) : -1;
		if (e->person < 0)
			return scan_fail(
				err, line, column.column,
				"a pronoun's tags begin with its person: 1s 2s 3s 1p 2p 3p");
		i = 1;
	}
	for (; i < n; i++)
		if (strcmp(w[i].text, "-") != 0 && add_tag(l, line, &w[i], "", &e->tags, err) < 0)
			return -1;
	if (e->cls == LEX_ADJ || e->cls == LEX_PREP)
		e->obj = e->tags;
	return 0;
}

static const struct lex_entry *find(const struct lexicon *l, enum lex_class cls, const char *lemma)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->entries[i].cls == cls && strcmp(l->entries[i].lemma, lemma) == 0)
			return &l->entries[i];
	return NULL;
}

static int key_of(struct lexicon *l, const struct lex_entry *e)
{
	char family = lex_class_family(e->cls);

	return family ? vocab_add(l->keys, arena_printf(&l->arena, "%c:%s", family, e->lemma)) : -1;
}

static int read_entry(struct lexicon *l, enum lex_class cls, const struct scan_line *line,
		      struct scan_word *column, struct err *err)
{
	struct lex_entry e = {.cls = cls, .person = -1, .line = line->number, .file = line->file};
	const struct lex_entry *same;

	e.lemma = arena_strndup(&l->arena, column[0].text, strcspn(column[0].text, "/"));
	if (!*e.lemma || strcmp(e.lemma, "-") == 0)
		return scan_fail(err, line, column[0].column, "the English word is missing");
	same = find(l, cls, e.lemma);
	if (same)
		return scan_fail(err, line, column[0].column,
				 "the %s \"%s\" stands already in line %ld", classes[cls].name,
				 e.lemma, same->line);
	if (l->n == MAX_ENTRIES)
		return scan_fail(err, line, 1, "more than %d words", MAX_ENTRIES);
	if (read_tags(l, &e, line, column[LEX_LANG_COUNT], err) < 0)
		return -1;
	e.key = key_of(l, &e);
	for (int i = 0; i < LEX_LANG_COUNT; i++) {
		if (forms_read(l, &e, (enum lex_lang)i, line, column[i], err) < 0)
			return -1;
		if (cls == LEX_NAME)
			join_name(l, &e, (enum lex_lang)i, column[i].text);
	}
	if (cls ==
	    LEX_NAME) /* a person is "he" or "she" in languages whose column gives no gender */
		e.in[LEX_EN].gender = e.in[LEX_ZH].gender = e.in[LEX_FR].gender;
	l->entries = mem_grow(l->entries, l->n, &l->cap, sizeof *l->entries);
	l->entries[l->n++] = e;
	return 0;
}

/* Gives `tag` to all words that have tag `of`. */
static int spread_tag(struct lexicon *l, const struct scan_line *line, const struct scan_word *of,
		      int tag, struct err *err)
{
	int from = lex_tag(l, of->text, false);

	if (from < 0)
		return scan_fail(err, line, of->column, "no word has the tag \"%s\"", of->text);
	for (size_t i = 0; i < l->n; i++)
		if (!is_verb(l->entries[i].cls) && tagset_has(&l->entries[i].tags, from))
			tagset_add(&l->entries[i].tags, tag);
	return 0;
}

static int tag_lemma(struct lexicon *l, const struct scan_line *line, const struct scan_word *w,
		     int tag, struct err *err)
{
	bool found = false;

	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->entries[i].lemma, w->text) == 0) {
			tagset_add(&l->entries[i].tags, tag);
			found = true;
		}
	if (!found)
		return scan_fail(err, line, w->column, "there is no word \"%s\" above", w->text);
	return 0;
}

/* "fruit | apple orange" gives a tag to words; "anim | =human =animal" to all words with a tag. */
static int read_tag_line(struct lexicon *l, const struct scan_line *line, struct scan_word *column,
			 size_t n, struct err *err)
{
	struct scan_word w[256];
	struct tagset set = {0};
	size_t words;
	int tag;

	if (n != 2)
		return scan_fail(err, line, 1, "%zu columns; a [tag] line is \"tag | words\"", n);
	if (add_tag(l, line, &column[0], "", &set, err) < 0)
		return -1;
	tag = lex_tag(l, column[0].text, true);
	words = scan_cut(&l->arena, &column[1], ' ', w, ARRAY_LEN(w));
	if (words == 0 || words > ARRAY_LEN(w))
		return scan_fail(err, line, column[1].column, "between 1 and %zu words expected",
				 ARRAY_LEN(w));
	for (size_t i = 0; i < words; i++) {
		bool spread = w[i].text[0] == '=';

		if (spread)
			w[i].text++, w[i].column++;
		if ((spread ? spread_tag(l, line, &w[i], tag, err)
			    : tag_lemma(l, line, &w[i], tag, err)) < 0)
			return -1;
	}
	return 0;
}

enum { SECTION_NONE = -1, SECTION_TAG = LEX_CLASS_COUNT };

/* "[noun]" → the class; [tag] for the list of extra tags. */
static int read_section(struct scan_line *line, int *section, struct err *err)
{
	char *end = strchr(line->text, ']');

	if (!end || end[1])
		return scan_fail(err, line, 1, "a section is written [noun]");
	*end = '\0';
	*section =
		strcmp(line->text + 1, "tag") == 0 ? SECTION_TAG : lex_class_find(line->text + 1);
	if (*section < 0)
		return scan_fail(err, line, 2,
				 "unknown class \"%s\"; there are noun adj verb verbi verbe verbd "
				 "modal name "
				 "pron time freq num prep idiom, and tag",
				 line->text + 1);
	return 0;
}

static int read_line(struct lexicon *l, struct scan_line *line, int *section, struct err *err)
{
	struct scan_word column[SCAN_WORDS];
	size_t n;

	if (line->text[0] == '[')
		return read_section(line, section, err);
	if (*section == SECTION_NONE)
		return scan_fail(err, line, 1, "words stand below a section line like [noun]");
	n = scan_split(&l->arena, line, '|', column);
	for (size_t i = 0; i < n && i < SCAN_WORDS; i++)
		scan_trim(&column[i]);
	if (*section == SECTION_TAG)
		return read_tag_line(l, line, column, n, err);
	if (n != COLUMNS)
		return scan_fail(err, line, 1,
				 "%zu columns separated by |, expected %d: "
				 "English | French | Chinese | German | tags",
				 n, COLUMNS);
	return read_entry(l, (enum lex_class) * section, line, column, err);
}

int lexicon_parse(struct lexicon *l, const char *text, size_t len, const char *name,
		  struct err *err)
{
	struct scan_line line;
	const char *file = arena_strdup(&l->arena, name);
	int section = SECTION_NONE, rc;
	size_t pos = 0;
	long number = 0;

	while ((rc = scan_next(text, len, &pos, &number, file, &l->arena, &line, err)) > 0)
		if (read_line(l, &line, &section, err) < 0)
			return -1;
	return rc;
}
