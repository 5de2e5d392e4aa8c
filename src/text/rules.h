/*
 * rules.h - the inside of a grammar: compiled rules, agreement tables, spelling after assembly.
 *
 *	NPD 9 N:noun($):sp A:adj(N,post) ^N      name, weight, variables, what it stands for
 *	 en the@1 A N                            source side
 *	 fr le[N]@1 N A[N]                       target side
 */
#ifndef TEXT_RULES_H
#define TEXT_RULES_H

#include "text/grammar.h"
#include "text/lexicon.h"
#include "text/scan.h"

enum { RULE_VARS = 8, RULE_CONS = 8, RULE_TOKENS = 24, RULE_LABELS = 4, LABEL_KEYS = 64 };

/* What a word must agree with. */
struct feature {
	signed char person; /* 0…5 = 1s 2s 3s 1p 2p 3p */
	char gender;	    /* 'm', 'f', 'n' */
	bool plural;
};

enum gram_case { CASE_NONE, CASE_NOM, CASE_ACC, CASE_DAT, CASE_COUNT };

/* Words looked up by agreement: le → le la les. All combinations are worked out when it is read. */
enum { TABLE_GENDERS = 3, TABLE_SIZE = CASE_COUNT * 6 * TABLE_GENDERS * 2 };

struct table {
	int lang, name;		/* word number */
	int phrase[TABLE_SIZE]; /* by table_index() */
	bool used;
	long line;
};

/* "de le = du" and, with b < 0, "le ^ = l'": a before a vowel. */
struct post {
	int a, b, to, to2; /* word numbers; to2 < 0: both become one word */
};

enum cons_kind {
	CONS_INHERIT, /* $: what the rule above asked for */
	CONS_ANY,     /* tag or tag|tag: has one of them */
	CONS_NOT,     /* !tag */
	CONS_SUBJ,    /* V.subj: may be the subject of that verb */
	CONS_OBJ,     /* V.obj: may be its object, or what an adjective can describe */
	CONS_FITS,  /* N: an adjective that can describe it, or a noun that fits the preposition */
	CONS_OTHER, /* !=X: not the same word or person */
	CONS_SAME,  /* same=X: shares one of the grammar's kinds */
};

struct cons {
	enum cons_kind kind;
	int var;
	struct tagset set;
};

struct decl {
	const char *name;
	bool leaf;
	int cls; /* enum lex_class if leaf, else first rule of that name in grammar.groups */
	bool singular, plural;
	int ncons;
	struct cons cons[RULE_CONS];
	int *candidates; /* leaf: entries that pass what is known beforehand */
	int ncandidates;
	long column;
};

/* How the form of a variable is found. */
enum pick_kind {
	PICK_SLOT,    /* the slot itself */
	PICK_NUMBER,  /* singular or plural of the noun itself */
	PICK_PERSON,  /* slot + person of what it agrees with */
	PICK_PRES_EN, /* 3s or base */
	PICK_FR,      /* adjective or participle by gender and number */
	PICK_FR_PRE,  /* the same before the noun: bel before a vowel */
	PICK_POSS,    /* possessive: the pronoun's table */
	PICK_DE_NOUN, /* number and case */
	PICK_DE_PRON, /* case */
	PICK_DE_WEAK, /* adjective endings after der, ein, nothing */
	PICK_DE_MIXED,
	PICK_DE_STRONG,
	PICK_NODE, /* a part with a rule of its own */
};

struct label {
	int key; /* a variable's number, or RULE_VARS + number of the label's name in this rule */
	bool sure;
};

struct rule_token {
	int var; /* -1: a word of the rule */
	enum pick_kind pick;
	int slot;	     /* PICK_SLOT, PICK_PERSON */
	int phrase, table;   /* a word of the rule: one of them, the other -1 */
	int agree;	     /* variable, -1 */
	enum gram_case kase; /* CASE_NONE: as given from above */
	int nlabels;
	struct label labels[RULE_LABELS];
};

struct rule {
	const char *name, *text, *file; /* text: source side */
	long line;
	unsigned weight; /* thousandths */
	int nvars;
	struct decl vars[RULE_VARS];
	int export;	 /* variable, -1 */
	bool has_export; /* a variable, or person.gender as below */
	struct feature fixed;
	int ntokens[2];
	struct rule_token tokens[2][RULE_TOKENS];
	int nlabels;
	const char *labels[LABEL_KEYS]; /* names used in this rule */
	size_t uses;
};

/* All rules of one name. */
struct group {
	const char *name;
	int *rules, n;
	unsigned total; /* of the weights */
	bool exports;	/* all of them stand for something */
	bool used;
};

struct grammar {
	struct lexicon lex;
	struct arena arena;
	enum lex_lang lang[2]; /* source, target */
	struct rule *rules;    /* heap */
	size_t nrules, rule_cap;
	struct group *groups; /* heap */
	size_t ngroups, group_cap;
	struct table *tables; /* heap */
	size_t ntables, table_cap;
	struct post *posts[2]; /* heap */
	size_t nposts[2], post_cap[2];
	int start;	       /* group "S" */
	const char *vowels[2]; /* letters that words beginning with a vowel begin with */
	struct tagset kinds;   /* what same=X compares */
	struct tagset person;  /* tags of a fixed export: a person */
	bool *singular_only;   /* [entries]: no plural */
	bool *vowel[2];	       /* [words]: begins with a vowel */
	int *except; /* heap: side * words + word, that sound otherwise than they are written */
	size_t nexcept, except_cap;
	size_t *known, nknown; /* entries that both languages have */
	unsigned long long hash;
};

int table_index(enum gram_case kase, const struct feature *f);
int table_find(const struct grammar *g, int lang, const char *name);
int group_find(const struct grammar *g, const char *name);

/* "lang", "table", "post", "vowels", "except", "kinds": 1 if the line is one of them, 0 if not, -1.
 */
int statement_read(struct grammar *g, const struct scan_line *line, struct scan_word *w, size_t n,
		   struct err *err);
/* All rules of a file; statements and group names are known. */
int rules_read(struct grammar *g, const char *text, size_t len, const char *file, struct err *err);
/* One token of a rule's side. */
int token_read(struct grammar *g, struct rule *r, int side, const struct scan_line *line,
	       struct scan_word w, struct err *err);
/* "N:noun($,!mass):sp" */
int decl_read(struct grammar *g, struct rule *r, const struct scan_line *line, struct scan_word w,
	      struct err *err);

#endif
