/*
 * show.c - prints one screen of a hand-made trace with colours, to look at while drawing code is
 *written.
 *
 *	show ROWSxCOLS SAMPLE [with:SAMPLE] [mono] [ascii] [presenter] [256] [dump] [KEYS]
 */
#include "drive.h"
#include "sample.h"
#include "view/palette.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	const struct sample_spec *spec;
} samples[] = {{"cat", &sample_black_cat},   {"fixed", &sample_fixed},
	       {"zh", &sample_chinese},	     {"from-zh", &sample_from_chinese},
	       {"unknown", &sample_unknown}, {"long", &sample_long},
	       {"dates", &sample_dates},     {"heads", &sample_heads},
	       {"heads-small", &sample_heads_small},
	       {"heads-zh", &sample_heads_chinese},
	       {"heads-deep", &sample_heads_deep},
	       {"heads-large", &sample_heads_large},
	       {"model", &sample_model},
	       {"model-zh", &sample_model_chinese},
	       {"vectors", &sample_vectors},
	       {"vectors-zh", &sample_vectors_additive},
	       {"vectors-heads", &sample_vectors_heads}};

/* SGR of each style: attribute;foreground[;background]. */
static const char *const sgr[STYLE_COUNT] = {
	[STYLE_NORMAL] = "0",	     [STYLE_DIM] = "0;90",	  [STYLE_TITLE] = "0;30;47",
	[STYLE_TAB] = "0;37;44",     [STYLE_TAB_ON] = "1;37;44",  [STYLE_KEY] = "1;36",
	[STYLE_HINT] = "0;37",	     [STYLE_FORMULA] = "0;33",	  [STYLE_NUMBER] = "0",
	[STYLE_SOURCE] = "0;36",     [STYLE_TARGET] = "0;32",	  [STYLE_CURRENT] = "1;97",
	[STYLE_CURSOR] = "1;97",     [STYLE_BAR] = "0;34",	  [STYLE_BAR_ON] = "0;93",
	[STYLE_BAR_NEG] = "0;31",    [STYLE_PHASE_DONE] = "0;32", [STYLE_PHASE_ON] = "1;30;103",
	[STYLE_PHASE_NEXT] = "0;90", [STYLE_UNKNOWN] = "0;35",	  [STYLE_GOLD] = "1;93",
	[STYLE_CHANGED] = "1;95",    [STYLE_NOTICE] = "0;30;46",  [STYLE_ERROR] = "0;97;41",
	[STYLE_BORDER] = "0;90",     [STYLE_POPUP] = "0",	  [STYLE_POPUP_ON] = "0;7",
	[STYLE_INPUT] = "0;4",	     [STYLE_MATCH] = "0;30;43",
};

static void colour(int code, enum colour_map map, uint8_t level, bool is256)
{
	const uint8_t *c = palette_rgb(map, level);

	if (is256)
		printf(";%d;5;%d", code, palette_nearest256(c));
	else
		printf(";%d;2;%d;%d;%d", code, c[0], c[1], c[2]);
}

static void print_cell(const struct grid *g, const struct cell *c, bool mono, bool is256)
{
	printf("\033[0;%s%s%s", mono ? "0" : sgr[c->style], c->bold ? ";1" : "",
	       c->reverse ? ";7" : "");
	if (c->back != LEVEL_NONE) {
		printf(palette_dark(g->colour_map, c->back) ? ";38;5;231" : ";38;5;16");
		colour(48, g->colour_map, c->back, is256);
	}
	if (c->fore != LEVEL_NONE)
		colour(38, g->colour_map, c->fore, is256);
	printf("m%s", c->text);
}

static void print_grid(const struct grid *g, bool mono, bool is256)
{
	for (int row = 0; row < g->rows; row++) {
		printf("\033[%d;1H", row + 1);
		for (int col = 0; col < g->cols; col++)
			print_cell(g, &g->cells[row * g->cols + col], mono, is256);
	}
	printf("\033[0m");
	fflush(stdout);
}

static const struct sample_spec *find(const char *name)
{
	for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
		if (!strcmp(samples[i].name, name))
			return samples[i].spec;
	return &sample_black_cat;
}

int main(int argc, char **argv)
{
	struct sample_producer p, other;
	struct grid g;
	struct ui *ui = calloc(1, sizeof *ui);
	int rows = 24, cols = 80;
	bool mono = false, is256 = false, dump = false;
	char keys[1024] = "";

	setlocale(LC_ALL, "");
	if (argc < 3 || sscanf(argv[1], "%dx%d", &rows, &cols) != 2)
		return 2;
	sample_open(&p, find(argv[2]));
	if (argc > 3 && !strncmp(argv[3], "with:", 5)) {
		sample_open(&other, find(argv[3] + 5));
		p.p.other = &other.p;
	}
	grid_init(&g, rows, cols);
	ui_init(ui, &p.p);
	for (int i = p.p.other ? 4 : 3; i < argc; i++) {
		if (!strcmp(argv[i], "mono"))
			mono = ui->mono = true;
		else if (!strcmp(argv[i], "ascii"))
			ui->ascii = true;
		else if (!strcmp(argv[i], "presenter"))
			ui->presenter = true;
		else if (!strcmp(argv[i], "256"))
			is256 = true;
		else if (!strcmp(argv[i], "dump"))
			dump = true;
		else
			snprintf(keys, sizeof keys, "%s", argv[i]);
	}
	drive_keys(ui, &g, keys);
	ui_scroll(ui, rows, cols);
	ui_draw(ui, &g);
	if (dump) {
		char *text = grid_dump(&g);

		fputs(text, stdout);
		free(text);
	} else {
		print_grid(&g, mono, is256);
	}
	grid_fini(&g);
	if (p.p.other)
		sample_close(&other);
	sample_close(&p);
	free(ui);
	return 0;
}
