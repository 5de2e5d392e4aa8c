/*
 * file.h - a file of sentences on the screen: going from one to the next, reading it another way, and
 * what was decided about it.
 */
#ifndef VIEW_FILE_H
#define VIEW_FILE_H

#include "view/ui.h"

/* The first screen of a file: the list, or its one sentence; says how it was read. */
void file_start(struct ui *ui);
/* True: r was a request about the file; without a file it says so. */
bool file_request(struct ui *ui, enum request r, unsigned *effects);
/* Opens the sentence at place k of the list. */
unsigned file_open_place(struct ui *ui, size_t k);
/* `:sentence N`: row N of the file, from 1. */
unsigned file_goto(struct ui *ui, size_t n);
/* Lists only rows with that text. */
unsigned file_filter(struct ui *ui, const char *text);

/* "file order", "length", "confidence" … */
const char *list_key_name(enum list_key k);

#endif
