#include "view/presenter.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "view/chrome.h"
#include "view/hints.h"
#include "view/paint.h"
#include "view/stage.h"

#include <stdio.h>

/* The formula of each phase as it is said aloud; a Transformer's where it differs. */
static const struct {
	const char *recurrent, *transformer;
} words[ROLE_COUNT] = {
	[ROLE_EMBED] = {"Each word is looked up: the same word always gives the same numbers.",
			NULL},
	[ROLE_READ] = {"The encoder reads the sentence and keeps one state for each word: the word "
		       "in its place.",
		       NULL},
	[ROLE_BRIDGE] = {"What was left at both ends of the sentence starts the decoder.", NULL},
	[ROLE_STATE] = {"The decoder reads the word it said last. Now it has a new state.", NULL},
	[ROLE_SCORES] =
		{"Score of a word = how well the decoder's state and the state of that "
		 "word go together.",
		 "Score of a word = how well the query and the key of that word go together."},
	[ROLE_WEIGHTS] = {"Weight = e to the score, divided by the sum over all words. Together "
			  "they make 100 %.",
			  NULL},
	[ROLE_CONTEXT] = {"Context = the states of all words added up, each times its weight.",
			  NULL},
	[ROLE_COMBINE] =
		{"What was read and what was said so far are joined into one list of numbers.",
		 NULL},
	[ROLE_PREDICT] = {"Every word of the language gets a probability.", NULL},
	[ROLE_EMIT] = {"The most probable word is written. It is read in at the next step.", NULL},
	[ROLE_POSITION] = {"The same word at another place gets other numbers: now order counts.",
			   NULL},
	[ROLE_QKV] = {"Query: what is looked for. Key: what is offered. Value: what is handed on.",
		      NULL},
	[ROLE_MIX] = {"The values of all words added up, each times its weight.", NULL},
	[ROLE_PROJECT] = {"All heads put what they found side by side; one matrix mixes it.", NULL},
	[ROLE_ADD] = {"What was found is added to the word: nothing of the word is lost.", NULL},
	[ROLE_FFN] = {"Each word is worked on alone: made wider, cut at 0, made narrow again.",
		      NULL},
	[ROLE_ADD_FFN] = {"The result is added to the word. The layer is done.", NULL},
	[ROLE_NORM] = {"Mean 0, variance 1, then a learned scale: numbers of one size.", NULL},
	[ROLE_LINEAR] = {"Every word of the language gets a number: how well it fits.", NULL},
};

static const char *words_of(const struct scene *sc)
{
	enum step_role role = step_role(sc->s.phase);

	if (sc->transformer && words[role].transformer)
		return words[role].transformer;
	return words[role].recurrent;
}

void presenter_scroll(const struct scene *sc, struct ui *ui)
{
	struct rect title = sc->lay.title;
	struct stage st = stage_make(sc, NULL, (struct rect){0, 2, 1, title.cols - 4});

	ui->top = 0;
	ui->left = layout_scroll(ui->left, (int)st.cursor, st.vis, (int)st.count);
}

/* ---- around the stage ---- */

static void draw_heading(const struct scene *sc, struct grid *g)
{
	bool low = g->rows < 16;
	struct area a = {g, sc->ui, {low ? 1 : 2, 3, low ? 2 : 3, g->cols - 6}, 0};
	int n, of, col;
	char name[128], part[64];

	step_number(&sc->s, sc->t, &n, &of);
	scene_part(sc, part, sizeof part);
	snprintf(name, sizeof name, " %d  %s%s%s ", n, part, *part ? " · " : "",
		 step_phase_name(sc->t, sc->s.phase));
	col = a.r.col + grid_put(g, a.r.row, a.r.col, -1, STYLE_PHASE_ON, name) + 2;
	grid_put(g, a.r.row, col, g->cols - col - 2, STYLE_FORMULA,
		 scene_formula(sc, sc->s.phase, name, sizeof name));
	a.y = 1;
	area_wrap(&a, 2, STYLE_NORMAL,
		  scene_usual(sc) ? words_of(sc) : scene_sentence(sc, sc->s.phase));
}

/* Keys as they stand on the keyboard, reversed. */
static void draw_keys(const struct scene *sc, struct grid *g)
{
	static const struct {
		enum request r;
		const char *what;
	} keys[] = {{REQ_NEXT_PHASE, "next"},	   {REQ_PREV_PHASE, "back"},
		    {REQ_NEXT_STEP, "next word"}, {REQ_PREV_STEP, "word before"},
		    {REQ_PLAY, "play"},		   {REQ_HELP, "help"},
		    {REQ_QUIT, "leave"}};
	int col = 2, row = g->rows - 1;
	char label[32];

	if (*sc->ui->notice) {
		chrome_footer(sc, g, (struct rect){row, 0, 1, g->cols});
		return;
	}
	for (size_t k = 0; k < ARRAY_LEN(keys); k++) {
		hint_key(keys[k].r, label, sizeof label);
		if (col + utf8_width(label) + 4 + utf8_width(keys[k].what) > g->cols)
			break;
		col += grid_printf(g, row, col, -1, STYLE_PHASE_ON, " %s ", label) + 1;
		col += grid_put(g, row, col, -1, STYLE_NORMAL, keys[k].what) + 2;
	}
}

void presenter_draw(const struct scene *sc, struct grid *g)
{
	int rows = g->rows, cols = g->cols;
	struct stage st = stage_make(sc, g, (struct rect){6, 2, rows - 12, cols - 4});

	chrome_title(sc, g, (struct rect){0, 0, 1, cols});
	draw_heading(sc, g);
	if (rows < 16) {
		st.r.row = 3;
		st.r.rows = rows - 8;
	}
	stage_draw(&st);
	grid_fill(g, (struct rect){rows - 5, 0, 1, cols}, STYLE_BORDER, "─");
	chrome_target(sc, g, (struct rect){rows - 4, 1, 1, cols - 2});
	chrome_status(sc, g, (struct rect){rows - 3, 1, 1, cols - 2});
	draw_keys(sc, g);
}
