/*
 * lesson.h - a guided tour: pages of text below the screen, each with the `:` commands that bring the
 * screen to what the page is about.
 *
 * A lesson is a text file that a teacher can write:
 *
 *	# What attention is                 title
 *	model en-fr-gru                     for this page and those that follow, until another is named
 *	sentence the black cat .
 *	## Where will it look?              a page
 *	:goto 2                             a command, as typed behind `:`
 *	:phase state
 *	> 2 chat                            a claim: the second word produced is "chat"
 *	= 2 black                           a claim: its largest weight is on "black"
 *	= encoder:0:3 1 cat                 the same of row 1 of another head
 *	% not shown
 *	Text, wrapped as it fits; an empty line ends a paragraph.
 *
 * Claims are what the text says about numbers: `attnscope lesson --check` measures them.
 */
#ifndef VIEW_LESSON_H
#define VIEW_LESSON_H

#include "base/arena.h"
#include "base/err.h"
#include "view/ui.h"

struct lesson_claim {
	bool output;       /* `>`: the word produced at timestep `row`; else where that row looks most */
	bool named;        /* `head` was named; else the head that the walk follows */
	struct head_id head;
	size_t row;        /* from 0 */
	const char *token;
	long line;         /* of the file */
};

struct lesson_page {
	const char *title, *text; /* paragraphs end with \n */
	const char *model, *sentence;
	const char **commands;
	size_t ncommands;
	struct lesson_claim *claims;
	size_t nclaims;
	long line;
};

/* `(struct lesson){0}` is empty and may be freed. */
struct lesson {
	struct arena arena; /* owns all that follows */
	const char *name, *title;
	struct lesson_page *pages;
	size_t npages;
};

/* -1 with err: file, line and what is wrong; *out is empty then. `name`: what the lesson is called. */
int lesson_parse(struct lesson *out, const char *text, size_t len, const char *name, struct err *err);
void lesson_free(struct lesson *l);

/* NULL if the claim holds for the trace, which is finished, as it is shown; else what is there instead, as
 * visible text in out. */
const char *lesson_doubt(const struct ui *ui, const struct lesson_claim *c, char *out, size_t size);

/* ---- on the screen ---- */

/* Begins a lesson at a page, or turns to another page of the one that is on. */
unsigned lesson_open(struct ui *ui, const struct lesson *l, size_t page);
/* The page of the lesson that is on; NULL: none is. */
const struct lesson_page *lesson_page(const struct ui *ui);
/*
 * What is to be done next so that the screen shows the page: the caller carries the effects out, waits
 * until what they decode is decoded, and asks again. False: the page is there.
 */
bool lesson_step(struct ui *ui, unsigned *effects);
/* Pages and leaving, while a lesson is on. False: not its request. */
bool lesson_request(struct ui *ui, enum request r, unsigned *effects);
/* Lines that the text of a page takes on a screen so wide, and how many of them are shown at most. */
enum { LESSON_LINES = 6 };
int lesson_lines(const struct lesson_page *page, int cols);
/* How many lines at the bottom of a screen are the lesson's; 0: none is on. */
int lesson_rows(const struct ui *ui, int rows, int cols);
void lesson_draw(const struct ui *ui, struct grid *g, struct rect r);

#endif
