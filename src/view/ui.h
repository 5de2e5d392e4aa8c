/*
 * ui.h - everything the screen shows, as one plain value, and what a key does to it. Pure: no terminal,
 * no clock, no network.
 *
 *	key ──ui_key()──▶ struct ui + effects ──ui_draw()──▶ struct grid ──▶ painter
 *
 * The tui loop carries out the effects (decoding, loading, timers), reports back with ui_notice() and
 * draws again.
 */
#ifndef VIEW_UI_H
#define VIEW_UI_H

#include "step/step.h"
#include "trace/head.h"
#include "trace/source.h"
#include "view/grid.h"
#include "view/key.h"

enum request {
#define X(id, command, keys, group, help) id,
#include "view/request.def"
#undef X
	REQ_COUNT,
	REQ_NONE = REQ_COUNT
};

enum ui_overlay { OVERLAY_NONE, OVERLAY_HELP, OVERLAY_LIST, OVERLAY_INPUT, OVERLAY_COMMAND, OVERLAY_SEARCH,
	          OVERLAY_DETAIL, OVERLAY_SAVE, OVERLAY_NOTES };

/* How a weight becomes a level. enum, name, what it means */
#define NORMALS(X)                                                                                 \
	X(NORMAL_AUTO, "auto", "the weight itself; if all are small, divided by the largest")      \
	X(NORMAL_ABSOLUTE, "0–1", "the weight itself")                                             \
	X(NORMAL_ROW, "row", "divided by the row's largest")                                       \
	X(NORMAL_MATRIX, "matrix", "divided by the matrix's largest")                              \
	X(NORMAL_LOG, "log", "log10 from 0.001 to 1")                                              \
	X(NORMAL_RANK, "rank", "rank within the row")

enum normal {
#define X(id, name, what) id,
	NORMALS(X)
#undef X
	        NORMAL_COUNT
};

/* What a screen shows in its middle; one row of functions each in views.c. enum, functions, name on
 * the tab, request */
#define VIEWS(X)                                                                                   \
	X(VIEW_WALK, walk_view, "Walk", REQ_WALK)    \
	X(VIEW_HEADS, heads_view, "Heads", REQ_HEADS) \
	X(VIEW_MODEL, model_view, "Model", REQ_MODEL) \
	X(VIEW_LINKS, links_view, "Links", REQ_LINKS) \
	X(VIEW_VECTORS, vectors_view, "Vectors", REQ_VECTORS)                                      \
	X(VIEW_OUTPUT, output_view, "Output", REQ_OUTPUT)                                          \
	X(VIEW_COMPARE, compare_view, "Compare", REQ_PAIR)                                         \
	X(VIEW_LIST, list_view, "List", REQ_LIST)

enum view {
#define X(id, ops, name, request) id,
	VIEWS(X)
#undef X
	        VIEW_COUNT
};

/* How the weights of several heads become one map. enum, name, meaning */
#define COMBINES(X)                                                                                \
	X(COMBINE_ONE, "one head", "the weights of one head")                                      \
	X(COMBINE_AVERAGE, "average", "the mean of the chosen heads")                              \
	X(COMBINE_MAX, "maximum", "the largest of the chosen heads")

enum combine {
#define X(id, name, what) id,
	COMBINES(X)
#undef X
	        COMBINE_COUNT
};

struct thumb_cache;
struct lesson;

struct head_id {
	enum trace_kind kind;
	int layer, head;
};

/* Which lines Links draws; one from the usual weight on. LINKS_USUAL: all, of many tokens the strongest. */
enum links_show { LINKS_USUAL, LINKS_ROW, LINKS_COLUMN, LINKS_STRONGEST, LINKS_ALL };

/* Whose head the keys of Compare choose: of both, the other one's following, or of one alone. */
enum pair_keys { PAIR_BOTH, PAIR_A, PAIR_B, PAIR_KEYS_COUNT };

/* Compare shows a walk, or the whole maps of two heads (pair_heads.h). */
enum pair_shows { PAIR_AS_USUAL /* of files heads, else the walk */, PAIR_WALK, PAIR_HEADS };

/* What all views stand on: one cell of one head's map. Rows and columns count from 0 in the map's own
 * order (cross: t and i). Changed by select.h only. */
struct selection {
	struct head_id at;
	size_t row, col;
};

enum { UI_LINE = 4096, UI_MARKS = 16 };

/* A line being typed: bytes of UTF-8, cursor as a byte offset at a character boundary. */
struct ui_line {
	char text[UI_LINE];
	size_t len, cursor;
	bool selected; /* all of it is what was there before: what is typed takes its place */
};

enum { TAKEN_WORDS = 5 };

/* The known words near to one that was not, of which near[k] took its place; n = 0: none did. */
struct taken {
	char sentence[UI_LINE];   /* as it is with it */
	size_t at;                /* bytes before it */
	char near[TAKEN_WORDS][64];
	size_t n, k;
};

struct ui {
	struct trace_producer *producer; /* borrowed; read-only here but for nothing */
	struct trace_producer *home;     /* NULL, or of two models the first: it has no heads, producer is the
	                                    other as long as a view of heads shows its; views.h */
	struct step step;
	enum view view;
	struct selection sel;
	struct selection walked; /* sel when the walk was left: if it is still that, the walk goes on
	                            where it was */
	struct head_id marks[UI_MARKS]; /* marked heads in the order in which they were marked */
	int nmarks;
	bool zoomed;             /* Heads: the selected head alone, large */
	int zoom;                /* of it: 0 numbers at reading size, z blocks of 2^(z-1) × 2^(z-1), see
	                            zoom_level() */
	int zoom_most;           /* the zoom that shows all of it, 0: reading size does; settled by ui_scroll() */
	bool zoom_chosen;        /* false: a map opens, ui_scroll() chooses */
	bool centre;             /* the next ui_scroll() takes the cursor to the middle */
	bool comparing;          /* Heads: the last two marked heads beside each other */
	int across;              /* Heads: tiles beside each other; settled by ui_scroll() */
	enum head_label find_label; /* what `/` looked for in heads; HEAD_MIXED: nothing */
	size_t find_rank;        /* how many heads are better at it than the one that was shown */
	enum combine combine;    /* COMBINE_ONE, or over the marked heads of the map's kind and layer (none
	                            marked: all of them) */
	bool no_sinks;           /* end, start and padding columns are hidden, the rest renormalised */
	bool no_gold;            /* gold links are not drawn */
	enum colour_map colour_map;
	enum normal normal;
	bool numbers, presenter;
	bool ascii;              /* no box drawing, no blocks: $LANG is not UTF-8, or asked for */
	bool mono;               /* no colour: heat is shown by shading ░▒▓█ and digits */
	enum ui_overlay overlay;
	int list_top, list_pos;  /* help scroll, example list */
	struct ui_line line;     /* input, command and search line */
	struct taken taken;
	char search[256];        /* "" none; see ui_matches() */
	size_t search_at;        /* last hit: i, or nsource + t */
	/* a file of sentences */
	size_t arrived, arrived_at; /* how many came while sentence arrived_at was looked at */
	size_t list_at, list_first; /* List: the place under the cursor, the first in view */
	enum list_key list_key;
	bool list_descending;
	bool list_top_next;      /* it was sorted or filtered: from the top on */
	char filter[256];        /* "" all */
	size_t sentence;         /* UI_SENTENCE: the row to open */
	enum reading reading;    /* UI_REREAD */
	struct file_place {
		size_t row, col, t, i;
	} opened;                /* where the cursor was put when the sentence was opened: elsewhere, and
	                            what arrives does not take its place */
	char notice[512];        /* one line at the bottom; "" none */
	bool notice_is_error;
	int top, left;           /* first visible row and column of the heatmap */
	enum links_show links_show;
	int links_least;         /* Links: steps from the usual weight from which lines are drawn */
	struct thumb_cache *thumbs; /* borrowed, NULL: large maps are sampled instead */
	bool model_beside;       /* Model: kinds stand beside each other; settled by ui_scroll() */
	bool by_share;           /* Vectors: dimensions by the size of their share of e, not in order */
	bool flip_difference;    /* Compare: without the difference where there is room for it, on a
	                            narrow screen with it in place of the two maps */
	size_t candidate, candidate_t; /* Output: the candidate at the cursor, if it was moved at that
	                            timestep; else the cursor is at the one that was chosen */
	struct {
		enum pair_shows shows;
		enum pair_keys keys;
		bool chosen;            /* at is set */
		struct head_id at[2];   /* of A and B, or before and now, as they were chosen */
	} pair;                  /* Compare; see pair_heads.h */
	bool second;             /* of two models or files, views of heads show B's */
	int page;                /* Vectors: how many lines are in view; settled by ui_scroll() */
	struct what_if what_if;  /* asked for; in force when the producer has it */
	struct what_if was;      /* what was in force before: ui_refused() goes back to it */
	bool renorm;             /* rules of hard attention will renormalise */
	size_t redo_t;           /* UI_REDO: the first timestep that is decoded again */
	const struct lesson *lessons; /* borrowed; those that can be chosen */
	size_t nlessons;
	const struct lesson *lesson; /* borrowed; the one that is on, or NULL; lesson.h */
	size_t lesson_page, lesson_step; /* step: how far the way to the page has been gone */
	char did[192];           /* the change that was asked for, in words */
	bool quit;
};

/* What the loop must do; on top of enum step_effect, which is in the low 8 bits. */
enum ui_effect {
	UI_BEGIN = 1 << 8,   /* producer->begin(ui->line.text) */
	UI_CHOOSE = 1 << 9,  /* producer->choose(ui->line.text) */
	UI_REDO = 1 << 10,   /* decode to the end, so that what is compared with is whole;
	                        producer->redo(ui->redo_t, &ui->what_if), decode to the end again, then
	                        ui_redone(); if it cannot be, ui_refused() */
	UI_QUIT = 1 << 11,
	UI_CLEAR = 1 << 12,  /* repaint all: ^L */
	UI_SENTENCE = 1 << 14, /* sentences->open(ui->sentence), then ui_opened() */
	UI_ARRANGE = 1 << 15,  /* sentences->arrange() by list_key, list_descending, filter, then
	                          ui_arranged() */
	UI_REREAD = 1 << 16,   /* sentences->reread(ui->reading, the other way), then ui_opened() */
	UI_DRAW = 1 << 17,     /* producer->draw() */
	UI_SAVE = 1 << 13,   /* save what is shown into the file ui->line.text; if that fails, ui_save_again() */
};

/* The producer has begun a sentence. */
void ui_init(struct ui *ui, struct trace_producer *p);
/* After a begin() that worked: back to the encoder; says which words are unknown. */
unsigned ui_begun(struct ui *ui);
/* Another sentence of the file is there: the views stay as they are, as far as it has them. */
unsigned ui_opened(struct ui *ui);
/* n sentences have arrived, and no more will come if `ended`. Who looks at the last one and has moved
 * nothing in it is shown the newest. */
unsigned ui_arrived(struct ui *ui, size_t n, bool ended);
/* The list was arranged anew. */
unsigned ui_arranged(struct ui *ui);
/* The line for the file name again, as it was typed. */
void ui_save_again(struct ui *ui);
/* After a redo() that worked and decoding again: says what changed. */
unsigned ui_redone(struct ui *ui);
/* A redo() that failed: what was in force is. */
void ui_refused(struct ui *ui);
/* A key; g is the screen as it was last drawn (its size decides what the mouse hits). */
unsigned ui_key(struct ui *ui, const struct grid *g, struct key k);
unsigned ui_request(struct ui *ui, enum request r);
/* An event for the stepper; says so at both ends of the walk. */
unsigned ui_step(struct ui *ui, enum step_event e, size_t arg);
/* A `:` command: a request's name, or one with an argument ("attention topk:3", "model en-zh-gru",
 * "speed 4", "colours magma", "goto 3"). Unknown ones set an error notice. */
unsigned ui_command(struct ui *ui, const char *text);
void ui_notice(struct ui *ui, bool error, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Decodes again with one more change (UI_REDO), or a notice why not. */
unsigned ui_change(struct ui *ui, const struct change *c);
/* Attention by another rule from the current timestep on (UI_REDO), or a notice that there is none. */
unsigned ui_rule(struct ui *ui, const struct attention_rule *rule);
/* Whether a token is a hit of the search (STYLE_MATCH): contains it, whatever the case. */
bool ui_matches(const struct ui *ui, const char *token);

/* Draws the whole screen into g (its size decides the layout). Never changes *ui but for top, left
 * and across, which follow the cursor: they are settled by ui_scroll(), called before drawing. */
void ui_scroll(struct ui *ui, int rows, int cols);
void ui_draw(const struct ui *ui, struct grid *g);

/* The keymap. */
enum request request_of_key(struct key k);
enum request request_of_command(const char *command, size_t len);
const char *request_help(enum request r);
const char *request_keys(enum request r);
const char *request_command(enum request r);
const char *request_group(enum request r);

/* The heatmap of a finished trace as a grid of its own size, for `translate --format heatmap`; mono:
 * heat as shading, for output without colours. */
void view_heatmap(const struct trace *t, enum normal normal, bool numbers, bool mono, bool ascii,
                  struct grid *g);

/* The same of one map, which is of t: any kind, layer and head, weights, links or scores. */
void view_map(const struct trace *t, const struct trace_map *m, enum normal normal, bool numbers, bool mono,
              bool ascii, struct grid *g);

/* The walk in words, for --plain: one line an event (appended). */
struct buf;
void plain_source(const struct trace *t, struct buf *out);
void plain_phase(const struct trace *t, const struct step *s, struct buf *out);
/* What two finished walks of the same sentence have said differently, and where they looked. */
void plain_compared(const struct trace *a, const struct trace *b, struct buf *out);

#endif
