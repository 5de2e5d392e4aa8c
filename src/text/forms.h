/*
 * forms.h - one column of lexicon.txt to all forms of the word in that language.
 */
#ifndef TEXT_FORMS_H
#define TEXT_FORMS_H

#include "text/lexicon.h"
#include "text/scan.h"

/* Fills e->in[lang]; "-" or nothing: the language has no such word. -1 with err. */
int forms_read(struct lexicon *l, struct lex_entry *e, enum lex_lang lang,
	       const struct scan_line *line, struct scan_word column, struct err *err);

#endif
