/*
 * line.h - editing one line of UTF-8 text: what is typed for a sentence, a command, a search.
 */
#ifndef VIEW_LINE_H
#define VIEW_LINE_H

#include "view/ui.h"

void line_clear(struct ui_line *l);
/* Replaces the text; the cursor stands behind it. What does not fit or is not valid UTF-8 is
 * dropped. */
void line_set(struct ui_line *l, const char *text);
/* Puts text in at the cursor: controls and newlines become spaces. False if it did not fit (nothing
 * is inserted then). */
bool line_insert(struct ui_line *l, const char *text, size_t n);
/* Proposes a text: the first that is typed or pasted takes its place, any other key edits it. */
void line_propose(struct ui_line *l, const char *text);
/* As line_insert(), but a proposed text goes. */
bool line_type(struct ui_line *l, const char *text, size_t n);
/* Characters, arrows, Home End Backspace Delete ^U ^K ^W ^A ^E ^B ^F ^D ^H, paste. False: not a key
 * for a line. */
bool line_key(struct ui_line *l, struct key k);

#endif
