#include "text/pick.h"
#include "base/mem.h"

#include <stdio.h>
#include <string.h>

#define BIT(c)	(1u << (c))
#define VERBS	(BIT(LEX_VERB) | BIT(LEX_VERBI) | BIT(LEX_VERBE) | BIT(LEX_VERBD))
#define VERBALS (VERBS | BIT(LEX_MODAL))
#define OTHERS                                                                                     \
	(BIT(LEX_NAME) | BIT(LEX_TIME) | BIT(LEX_FREQ) | BIT(LEX_NUM) | BIT(LEX_PREP) |            \
	 BIT(LEX_IDIOM))

/* language, classes, form as rules write it, how it is found, slot, case */
static const struct pick {
	enum lex_lang lang;
	unsigned classes;
	const char *form;
	enum pick_kind kind;
	int slot;
	enum gram_case kase;
} picks[] = {
	{LEX_EN, BIT(LEX_NOUN), "", PICK_NUMBER, 0, 0},
	{LEX_EN, BIT(LEX_NOUN), "s", PICK_SLOT, SLOT_S, 0},
	{LEX_EN, BIT(LEX_NOUN), "p", PICK_SLOT, SLOT_P, 0},
	{LEX_EN, BIT(LEX_ADJ), "", PICK_SLOT, SLOT_PLAIN, 0},
	{LEX_EN, BIT(LEX_ADJ), "cmp", PICK_SLOT, SLOT_CMP, 0},
	{LEX_EN, VERBS, "base", PICK_SLOT, SLOT_BASE, 0},
	{LEX_EN, VERBS, "3s", PICK_SLOT, SLOT_3S, 0},
	{LEX_EN, VERBS, "past", PICK_SLOT, SLOT_PAST, 0},
	{LEX_EN, VERBS, "pp", PICK_SLOT, SLOT_PP, 0},
	{LEX_EN, VERBS, "ing", PICK_SLOT, SLOT_ING, 0},
	{LEX_EN, VERBS, "pres", PICK_PRES_EN, SLOT_BASE, 0},
	{LEX_EN, BIT(LEX_PRON), "subj", PICK_SLOT, SLOT_SUBJ, 0},
	{LEX_EN, BIT(LEX_PRON), "obj", PICK_SLOT, SLOT_OBJ, 0},
	{LEX_EN, BIT(LEX_PRON), "poss", PICK_SLOT, SLOT_POSS, 0},
	{LEX_EN, OTHERS | BIT(LEX_MODAL), "", PICK_SLOT, SLOT_PLAIN, 0},

	{LEX_FR, BIT(LEX_NOUN), "", PICK_NUMBER, 0, 0},
	{LEX_FR, BIT(LEX_NOUN), "s", PICK_SLOT, SLOT_S, 0},
	{LEX_FR, BIT(LEX_NOUN), "p", PICK_SLOT, SLOT_P, 0},
	{LEX_FR, BIT(LEX_ADJ), "", PICK_FR, SLOT_M, 0},
	{LEX_FR, BIT(LEX_ADJ), "pre", PICK_FR_PRE, SLOT_M, 0},
	{LEX_FR, VERBALS, "inf", PICK_SLOT, SLOT_INF, 0},
	{LEX_FR, VERBALS, "pp", PICK_FR, SLOT_M, 0},
	{LEX_FR, VERBALS, "pres", PICK_PERSON, SLOT_PRES, 0},
	{LEX_FR, VERBALS, "fut", PICK_PERSON, SLOT_FUT, 0},
	{LEX_FR, VERBALS, "pres3s", PICK_SLOT, SLOT_PRES + 2, 0},
	{LEX_FR, VERBALS, "pres2p", PICK_SLOT, SLOT_PRES + 4, 0},
	{LEX_FR, BIT(LEX_PRON), "subj", PICK_SLOT, SLOT_SUBJ, 0},
	{LEX_FR, BIT(LEX_PRON), "obj", PICK_SLOT, SLOT_OBJ, 0},
	{LEX_FR, BIT(LEX_PRON), "dat", PICK_SLOT, SLOT_DAT, 0},
	{LEX_FR, BIT(LEX_PRON), "str", PICK_SLOT, SLOT_STR, 0},
	{LEX_FR, BIT(LEX_PRON), "poss", PICK_POSS, 0, 0},
	{LEX_FR, OTHERS, "", PICK_SLOT, SLOT_PLAIN, 0},

	{LEX_ZH, BIT(LEX_NOUN), "cl", PICK_SLOT, SLOT_CL, 0},
	{LEX_ZH, BIT(LEX_ADJ), "pred", PICK_SLOT, SLOT_PRED, 0},
	{LEX_ZH, BIT(LEX_ADJ), "long", PICK_SLOT, SLOT_LONG, 0},
	{LEX_ZH, VERBS, "a", PICK_SLOT, SLOT_A, 0},
	{LEX_ZH, VERBS, "b", PICK_SLOT, SLOT_B, 0},
	{LEX_ZH, ~0u, "", PICK_SLOT, SLOT_PLAIN, 0},

	{LEX_DE, BIT(LEX_NOUN), "", PICK_DE_NOUN, SLOT_S, CASE_NONE},
	{LEX_DE, BIT(LEX_NOUN), "nom", PICK_DE_NOUN, SLOT_S, CASE_NOM},
	{LEX_DE, BIT(LEX_NOUN), "acc", PICK_DE_NOUN, SLOT_S, CASE_ACC},
	{LEX_DE, BIT(LEX_NOUN), "dat", PICK_DE_NOUN, SLOT_S, CASE_DAT},
	{LEX_DE, BIT(LEX_ADJ), "", PICK_SLOT, SLOT_PLAIN, 0},
	{LEX_DE, BIT(LEX_ADJ), "cmp", PICK_SLOT, SLOT_CMP, 0},
	{LEX_DE, BIT(LEX_ADJ), "w", PICK_DE_WEAK, SLOT_E, 0},
	{LEX_DE, BIT(LEX_ADJ), "m", PICK_DE_MIXED, SLOT_E, 0},
	{LEX_DE, BIT(LEX_ADJ), "st", PICK_DE_STRONG, SLOT_E, 0},
	{LEX_DE, VERBALS, "inf", PICK_SLOT, SLOT_INF, 0},
	{LEX_DE, VERBALS, "pp", PICK_SLOT, SLOT_PP, 0},
	{LEX_DE, VERBALS, "part", PICK_SLOT, SLOT_PART, 0},
	{LEX_DE, VERBALS, "pres", PICK_PERSON, SLOT_PRES, 0},
	{LEX_DE, VERBALS, "presf", PICK_PERSON, SLOT_PRESF, 0},
	{LEX_DE, VERBALS, "pres3s", PICK_SLOT, SLOT_PRES + 2, 0},
	{LEX_DE, VERBALS, "pres2p", PICK_SLOT, SLOT_PRES + 4, 0},
	{LEX_DE, BIT(LEX_PRON), "", PICK_DE_PRON, SLOT_SUBJ, CASE_NONE},
	{LEX_DE, BIT(LEX_PRON), "nom", PICK_DE_PRON, SLOT_SUBJ, CASE_NOM},
	{LEX_DE, BIT(LEX_PRON), "acc", PICK_DE_PRON, SLOT_OBJ, CASE_ACC},
	{LEX_DE, BIT(LEX_PRON), "dat", PICK_DE_PRON, SLOT_DAT, CASE_DAT},
	{LEX_DE, BIT(LEX_PRON), "poss", PICK_POSS, 0, 0},
	{LEX_DE, OTHERS, "", PICK_SLOT, SLOT_PLAIN, 0},
};

int pick_find(enum lex_lang lang, enum lex_class cls, const char *form, struct rule_token *t)
{
	for (size_t i = 0; i < ARRAY_LEN(picks); i++) {
		const struct pick *p = &picks[i];

		if (p->lang != lang || !(p->classes & BIT(cls)) || strcmp(p->form, form) != 0)
			continue;
		t->pick = p->kind;
		t->slot = p->slot;
		t->kase = p->kase;
		return 0;
	}
	return -1;
}

const char *pick_names(enum lex_lang lang, enum lex_class cls, char *out, size_t size)
{
	size_t n = 0;

	out[0] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(picks) && n < size; i++) {
		const struct pick *p = &picks[i];

		if (p->lang == lang && p->classes & BIT(cls))
			n += (size_t)snprintf(out + n, size - n, "%s%s", n ? " " : "",
					      *p->form ? p->form : "(none)");
	}
	return out;
}

bool pick_agrees(enum pick_kind kind)
{
	switch (kind) {
	case PICK_PERSON:
	case PICK_PRES_EN:
	case PICK_FR:
	case PICK_FR_PRE:
	case PICK_POSS:
	case PICK_DE_WEAK:
	case PICK_DE_MIXED:
	case PICK_DE_STRONG:
		return true;
	default:
		return false;
	}
}

bool pick_possible(const struct lex_entry *e, enum lex_lang lang, const struct rule_token *t,
		   bool plural)
{
	const struct lex_word *w = &e->in[lang];

	switch (t->pick) {
	case PICK_POSS:
		return w->poss >= 0;
	case PICK_NUMBER:
	case PICK_DE_NOUN:
		return w->slots[SLOT_S] >= 0 && (!plural || w->slots[SLOT_P] >= 0);
	case PICK_PRES_EN:
		return w->slots[SLOT_BASE] >= 0 && w->slots[SLOT_3S] >= 0;
	default:
		return w->slots[t->slot] >= 0;
	}
}

/* German adjective endings by declension, case (nom acc dat) and m f n plural. */
#define E  SLOT_E
#define EN SLOT_EN
#define ER SLOT_ER
#define ES SLOT_ES
#define EM SLOT_EM
static const unsigned char endings[3][3][4] = {
	{{E, E, E, EN}, {EN, E, E, EN}, {EN, EN, EN, EN}},    /* weak: der alte */
	{{ER, E, ES, EN}, {EN, E, ES, EN}, {EN, EN, EN, EN}}, /* mixed: ein alter */
	{{ER, E, ES, E}, {EN, E, ES, E}, {EM, ER, EM, EN}},   /* strong: alter */
};

static int case_row(enum gram_case kase)
{
	return kase == CASE_ACC ? 1 : kase == CASE_DAT ? 2 : 0;
}

static int german_adj(enum pick_kind kind, const struct feature *f, enum gram_case kase)
{
	int column = f->plural ? 3 : f->gender == 'm' ? 0 : f->gender == 'f' ? 1 : 2;

	return endings[kind - PICK_DE_WEAK][case_row(kase)][column];
}

static int german_noun(bool plural, enum gram_case kase)
{
	if (plural)
		return kase == CASE_DAT ? SLOT_PDAT : SLOT_P;
	return kase == CASE_ACC || kase == CASE_DAT ? SLOT_SOBL : SLOT_S;
}

/* The place of m, f, mp, fp. */
static int french_slot(const struct feature *f)
{
	return SLOT_M + (f->gender == 'f') + 2 * f->plural;
}

static int slot_of(const struct rule_token *t, bool plural, const struct feature *f,
		   enum gram_case kase)
{
	static const int pronoun[] = {SLOT_SUBJ, SLOT_OBJ, SLOT_DAT};

	switch (t->pick) {
	case PICK_NUMBER:
		return plural ? SLOT_P : SLOT_S;
	case PICK_PERSON:
		return t->slot + f->person;
	case PICK_PRES_EN:
		return f->person == 2 ? SLOT_3S : SLOT_BASE;
	case PICK_FR:
	case PICK_FR_PRE:
		return f ? french_slot(f) : SLOT_M;
	case PICK_DE_NOUN:
		return german_noun(plural, kase);
	case PICK_DE_PRON:
		return pronoun[case_row(kase)];
	case PICK_DE_WEAK:
	case PICK_DE_MIXED:
	case PICK_DE_STRONG:
		return german_adj(t->pick, f, kase);
	default:
		return t->slot;
	}
}

int pick_phrase(const struct grammar *g, const struct lex_entry *e, bool plural, enum lex_lang lang,
		const struct rule_token *t, const struct feature *f, enum gram_case kase,
		int *before_vowel)
{
	const struct lex_word *w = &e->in[lang];
	int slot;

	*before_vowel = -1;
	if (t->pick == PICK_POSS)
		return g->tables[w->poss].phrase[table_index(kase, f)];
	slot = slot_of(t, plural, f, kase);
	if (t->pick == PICK_FR_PRE && slot == SLOT_M)
		*before_vowel = w->slots[SLOT_MV];
	return w->slots[slot];
}
