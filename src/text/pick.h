/*
 * pick.h - which form of a word a rule's token asks for ("V.pres[X]"), and choosing it.
 */
#ifndef TEXT_PICK_H
#define TEXT_PICK_H

#include "text/rules.h"

/* Sets kind, slot and case of a token of that class and form name ("" is none). */
int pick_find(enum lex_lang lang, enum lex_class cls, const char *form, struct rule_token *t);
/* Writes the form names that a class has in a language into out, for messages. */
const char *pick_names(enum lex_lang lang, enum lex_class cls, char *out, size_t size);
/* Whether the picked form agrees with another word. */
bool pick_agrees(enum pick_kind kind);
/* Whether an entry has what the token needs (in the plural too, if asked for). */
bool pick_possible(const struct lex_entry *e, enum lex_lang lang, const struct rule_token *t,
		   bool plural);

/*
 * The phrase of entry e in number `plural`, agreeing with f, in case kase; *before_vowel gets
 * another phrase for the place before a vowel, -1 if there is none.
 */
int pick_phrase(const struct grammar *g, const struct lex_entry *e, bool plural, enum lex_lang lang,
		const struct rule_token *t, const struct feature *f, enum gram_case kase,
		int *before_vowel);

#endif
