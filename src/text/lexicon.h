/*
 * lexicon.h - the words of a grammar with all their forms, read from lexicon.txt.
 *
 * Every form that a rule can ask for is worked out when the file is read (regular plurals,
 * conjugations, endings), so that making a sentence only picks numbers.
 */
#ifndef TEXT_LEXICON_H
#define TEXT_LEXICON_H

#include "base/arena.h"
#include "base/err.h"
#include "text/vocab.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* enum, name in rules files; the order of the columns in lexicon.txt */
#define LEX_LANGS(X) X(LEX_EN, "en") X(LEX_FR, "fr") X(LEX_ZH, "zh") X(LEX_DE, "de")

enum lex_lang {
#define X(id, name) id,
	LEX_LANGS(X)
#undef X
		LEX_LANG_COUNT
};

/* enum, name in lexicon.txt and rules files, family: words of one family do not repeat in a
 * sentence */
#define LEX_CLASSES(X)                                                                             \
	X(LEX_NOUN, "noun", 'n')                                                                   \
	X(LEX_ADJ, "adj", 'a')                                                                     \
	X(LEX_VERB, "verb", 'v')   /* with an object */                                            \
	X(LEX_VERBI, "verbi", 'v') /* without an object, perfect with "have" */                    \
	X(LEX_VERBE, "verbe", 'v') /* without an object, perfect with "be" in French */            \
	X(LEX_VERBD, "verbd", 'v') /* with an object and a receiver */                             \
	X(LEX_MODAL, "modal", 'm')                                                                 \
	X(LEX_NAME, "name", 'N')                                                                   \
	X(LEX_PRON, "pron", 0)                                                                     \
	X(LEX_TIME, "time", 't')                                                                   \
	X(LEX_FREQ, "freq", 'f')                                                                   \
	X(LEX_NUM, "num", '2')                                                                     \
	X(LEX_PREP, "prep", 'p')                                                                   \
	X(LEX_IDIOM, "idiom", 'i')

enum lex_class {
#define X(id, name, family) id,
	LEX_CLASSES(X)
#undef X
		LEX_CLASS_COUNT
};

/* Where the forms of a word are kept. Six in a row are 1s 2s 3s 1p 2p 3p. */
enum lex_slot {
	SLOT_PLAIN,
	SLOT_S,	   /* singular, nominative */
	SLOT_P,	   /* plural, nominative */
	SLOT_SOBL, /* German singular in other cases */
	SLOT_PDAT, /* German dative plural */
	SLOT_CMP,  /* comparative */
	SLOT_BASE, /* English verbs */
	SLOT_3S,
	SLOT_PAST,
	SLOT_PP,
	SLOT_ING,
	SLOT_SUBJ, /* pronouns: I, ich */
	SLOT_OBJ,  /* me, mich */
	SLOT_DAT,  /* French clitic lui, German mir */
	SLOT_STR,  /* moi */
	SLOT_POSS, /* my */
	SLOT_INF,
	SLOT_PRES, /* six */
	SLOT_FUT = SLOT_PRES + 6,
	SLOT_PRESF = SLOT_FUT + 6, /* German present at the end of a clause: ankommt */
	SLOT_M = SLOT_PRESF + 6,   /* French adjectives and participles by gender and number */
	SLOT_F,
	SLOT_MP,
	SLOT_FP,
	SLOT_MV,   /* masculine before a vowel: bel */
	SLOT_CL,   /* Chinese measure word */
	SLOT_PRED, /* Chinese adjective as predicate */
	SLOT_LONG, /* Chinese adjective with 的 */
	SLOT_A,	   /* Chinese verb of two parts */
	SLOT_B,
	SLOT_PART, /* German separable prefix, may be nothing */
	SLOT_E,	   /* German adjective endings */
	SLOT_EN,
	SLOT_ER,
	SLOT_ES,
	SLOT_EM,
	SLOT_COUNT
};

/* A set of tags. */
enum { LEX_TAGS = 256 };

struct tagset {
	uint64_t w[LEX_TAGS / 64];
};

/* One or more words; n = 0 is a form that is written as nothing. */
enum { PHRASE_WORDS = 6 };

struct phrase {
	int n, words[PHRASE_WORDS]; /* ids in lexicon.words */
};

/* A word in one language. */
struct lex_word {
	bool known;  /* false: the language has no such word ("-") */
	char gender; /* 'm', 'f', 'n' */
	int person;  /* pronouns: the person that verbs agree with, if not the entry's; -1 */
	int poss;    /* pronouns: word number of the table that its possessive agrees by */
	int slots[SLOT_COUNT]; /* phrase number, -1: no such form */
};

struct lex_entry {
	enum lex_class cls;
	const char *lemma; /* English, first form */
	const char *file;
	long line;
	struct tagset tags; /* what it is */
	struct tagset obj;  /* what it may act on or describe */
	struct tagset subj; /* verbs: who may do it */
	int key;	    /* words with the same key do not stand in one sentence; -1: they may */
	int person;	    /* pronouns: 0…5 = 1s…3p; else -1 */
	struct lex_word in[LEX_LANG_COUNT];
	size_t uses; /* sentences that were made with it */
};

struct lexicon {
	struct arena arena;
	struct vocab *words;	/* all words of all languages, and names of tables */
	struct vocab *tags;	/* a tag's number is its id here minus VOCAB_SPECIALS */
	struct vocab *keys;	/* family and lemma; numbers are the entries' keys */
	struct phrase *phrases; /* heap */
	size_t nphrases, phrase_cap;
	struct lex_entry *entries; /* heap */
	size_t n, cap;
};

void lexicon_init(struct lexicon *l);
void lexicon_fini(struct lexicon *l);
/* Adds the words of one file. Errors give file, line, column and reason. */
int lexicon_parse(struct lexicon *l, const char *text, size_t len, const char *name,
		  struct err *err);

const char *lex_lang_name(enum lex_lang l);
const char *lex_class_name(enum lex_class c);
char lex_class_family(enum lex_class c);
/* -1 if there is no such language or class. */
int lex_lang_find(const char *name);
int lex_class_find(const char *name);

/* Cuts s at "_" into words; a new phrase's number. -1 if there are more than PHRASE_WORDS. */
int lex_phrase(struct lexicon *l, const char *s);
/* "1s" … "3p" → 0 … 5; -1 */
int lex_person(const char *s);

/* The number of a tag; -1 if there is none and add is false, or there are LEX_TAGS already. */
int lex_tag(struct lexicon *l, const char *name, bool add);

static inline void tagset_add(struct tagset *s, int tag)
{
	s->w[tag / 64] |= (uint64_t)1 << tag % 64;
}

static inline bool tagset_has(const struct tagset *s, int tag)
{
	return s->w[tag / 64] >> tag % 64 & 1;
}

static inline bool tagset_meets(const struct tagset *a, const struct tagset *b)
{
	uint64_t any = 0;

	for (int i = 0; i < LEX_TAGS / 64; i++)
		any |= a->w[i] & b->w[i];
	return any != 0;
}

#endif
