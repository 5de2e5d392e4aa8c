/* cmd_models.c - attnscope models: the table of shipped models, with the quality their files state.
 */
#include "cli/cli.h"

#include "base/buf.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cli/model_file.h"
#include "engine/engine.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	"usage: attnscope models [--json]\n"
	"\n"
	"Lists the shipped models. EXACT is the share of held-out test sentences that are\n"
	"translated word for word, AER the alignment error rate of arg-max attention\n"
	"there (0 is perfect), both as measured when the model was made:\n"
	"'attnscope eval -m NAME' measures them again.\n"
	"\n"
	"  --json             one JSON array instead of the table\n"
	"  --help             this help\n";

enum { NAME, TASK, ARCHITECTURE, PARAMETERS, SIZE, EXACT, AER, COLUMNS };

static const struct {
	const char *title;
	bool right;
} columns[COLUMNS] = {
	[NAME] = {"NAME", false},
	[TASK] = {"TASK", false},
	[ARCHITECTURE] = {"ARCHITECTURE", false},
	[PARAMETERS] = {"PARAMETERS", true},
	[SIZE] = {"SIZE", true},
	[EXACT] = {"EXACT", true},
	[AER] = {"AER", true},
};

struct row {
	struct buf cells[COLUMNS];
};

static void percent(struct buf *out, double share)
{
	if (isnan(share))
		buf_puts(out, "–");
	else
		buf_printf(out, "%.2f %%", 100 * share);
}

static void fill_row(struct row *r, const char *name, const struct model_file *f)
{
	const char *task = model_file_meta(f, "task");

	utf8_visible(&r->cells[NAME], name, strlen(name));
	utf8_visible(&r->cells[TASK], task, strlen(task));
	nn_config_describe(&f->config, &r->cells[ARCHITECTURE]);
	buf_printf(&r->cells[PARAMETERS], "%zu", f->parameters);
	buf_printf(&r->cells[SIZE], "%zu KiB", (f->len + 1023) / 1024);
	percent(&r->cells[EXACT], model_file_quality(f, "test", "exact_match"));
	percent(&r->cells[AER], model_file_quality(f, "test", "aer"));
}

static void print_cell(const char *text, int width, bool right, bool last)
{
	int pad = width - utf8_width(text);

	printf("%*s%s%*s", right ? pad : 0, "", text, right || last ? 0 : pad, "");
	fputs(last ? "\n" : "  ", stdout);
}

static void print_table(const struct row *rows, size_t n)
{
	int width[COLUMNS];

	for (int c = 0; c < COLUMNS; c++) {
		width[c] = utf8_width(columns[c].title);
		for (size_t i = 0; i < n; i++) {
			int w = utf8_width(buf_str(&rows[i].cells[c]));

			width[c] = w > width[c] ? w : width[c];
		}
	}
	for (int c = 0; c < COLUMNS; c++)
		print_cell(columns[c].title, width[c], columns[c].right, c == COLUMNS - 1);
	for (size_t i = 0; i < n; i++) {
		for (int c = 0; c < COLUMNS; c++)
			print_cell(buf_str(&rows[i].cells[c]), width[c], columns[c].right,
				   c == COLUMNS - 1);
	}
}

static struct json_object *json_row(const char *name, const char *path, const struct model_file *f)
{
	struct json_object *o = json_object_new_object();
	struct buf architecture = {0};

	nn_config_describe(&f->config, &architecture);
	json_object_object_add(o, "name", json_object_new_string(name));
	json_object_object_add(o, "file", json_object_new_string(path));
	json_object_object_add(o, "task", json_object_new_string(model_file_meta(f, "task")));
	json_object_object_add(o, "architecture", json_object_new_string(buf_str(&architecture)));
	json_object_object_add(o, "parameters", json_object_new_int64((int64_t)f->parameters));
	json_object_object_add(o, "bytes", json_object_new_int64((int64_t)f->len));
	json_object_object_add(o, "card", json_object_new_string(model_file_meta(f, "card")));
	json_object_object_add(o, "quality", json_object_get(f->quality));
	buf_free(&architecture);
	return o;
}

/* One shipped model into its row or into the array. */
static int add_model(const char *name, struct row *row, struct json_object *array)
{
	struct model_file f = {0};
	char path[PATH_MAX], file[NAME_MAX];
	struct err err = {0};
	int ret = CLI_OK;

	snprintf(file, sizeof file, "assets/models/%s.safetensors", name);
	if (fs_data_path(file, path, sizeof path, &err) < 0 ||
	    model_file_open(&f, path, &err) < 0) {
		ret = cli_fail(&err);
	} else if (!f.ours) {
		err_set(&err, ERR_FORMAT, "is a safetensors file, but not a model of attnscope");
		err_at_file(&err, path);
		ret = cli_fail(&err);
	} else if (array) {
		json_object_array_add(array, json_row(name, path, &f));
	} else {
		fill_row(row, name, &f);
	}
	model_file_close(&f);
	return ret;
}

static int list(char **names, bool json)
{
	struct json_object *array = json ? json_object_new_array() : NULL;
	struct row *rows;
	size_t n = 0, filled = 0;
	int ret = CLI_OK;

	while (names[n])
		n++;
	rows = mem_calloc(n, sizeof *rows);
	for (size_t i = 0; i < n; i++) {
		if (add_model(names[i], &rows[filled], array) == CLI_OK)
			filled++;
		else
			ret = CLI_FAILED; /* it said why; the others are still listed */
	}
	if (json)
		puts(json_object_to_json_string_ext(array, JSON_C_TO_STRING_NOSLASHESCAPE));
	else
		print_table(rows, filled);
	for (size_t i = 0; i < n; i++) {
		for (int c = 0; c < COLUMNS; c++)
			buf_free(&rows[i].cells[c]);
	}
	free(rows);
	json_object_put(array);
	return cli_finish() == CLI_OK ? ret : CLI_FAILED;
}

int cmd_models(int argc, char **argv)
{
	static const struct option options[] = {
		{"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {0}};
	struct err err = {0};
	char **names = NULL;
	bool json = false;
	int c, ret;

	while ((c = cli_getopt("models", argc, argv, "h", options)) != -1) {
		if (c == 'h')
			return cli_help(help);
		if (c != 'j')
			return CLI_USAGE;
		json = true;
	}
	if (optind < argc)
		return cli_usage("models", "'%s' is one argument too many", argv[optind]);
	if (engine_models(&names, &err) < 0)
		return cli_fail(&err);
	ret = list(names, json);
	fs_names_free(names);
	return ret;
}
