#include "session.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct sample_producer producer;
struct grid grid;
struct ui *ui;

void session_setup(void)
{
	ui = mem_calloc(1, sizeof *ui);
}

void session_close(void)
{
	sample_close(&producer);
	grid_fini(&grid);
}

void session_teardown(void)
{
	session_close();
	free(ui);
}

void open_sample(const struct sample_spec *spec, int rows, int cols, int flags)
{
	sample_open(&producer, spec);
	grid_init(&grid, rows, cols);
	ui_init(ui, &producer.p);
	ui->mono = flags & MONO;
	ui->ascii = flags & ASCII;
	ui->presenter = flags & PRESENTER;
}

void draw(void)
{
	ui_scroll(ui, grid.rows, grid.cols);
	ui_draw(ui, &grid);
}

bool screen_has(const char *what)
{
	char *text;
	bool has;

	draw();
	text = grid_text(&grid);
	has = strstr(text, what) != NULL;
	free(text);
	return has;
}
