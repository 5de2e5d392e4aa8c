/* command.c - `:` commands with an argument, and completion. */
#include "view/command.h"

#include "base/mem.h"
#include "view/choice.h"
#include "view/file.h"
#include "view/line.h"
#include "view/overlay.h"
#include "view/search.h"
#include "view/select.h"
#include "view/views.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A whole decimal number from 1 on; 0 if it is none. */
static long number(const char *text, char **end)
{
	long n;

	errno = 0;
	n = strtol(text, end, 10);
	if (*end == text || errno || n < 1)
		return 0;
	return n;
}

static unsigned run_attention(struct ui *ui, const char *arg)
{
	struct attention_rule rule = {.k = 1, .renorm = ui->renorm};
	struct err err = {0};

	if (attention_parse(arg, &rule, &err) == 0)
		return ui_rule(ui, &rule);
	ui_notice(ui, true, "%s", err.text);
	return STEP_REDRAW;
}

static unsigned run_model(struct ui *ui, const char *arg)
{
	line_set(&ui->line, arg);
	return UI_CHOOSE | STEP_REDRAW;
}

static unsigned run_input(struct ui *ui, const char *arg)
{
	line_set(&ui->line, arg);
	return UI_BEGIN | STEP_REDRAW;
}

static unsigned run_save(struct ui *ui, const char *arg)
{
	line_set(&ui->line, arg);
	return UI_SAVE | STEP_REDRAW;
}

static unsigned run_example(struct ui *ui, const char *arg)
{
	const char *const *examples = ui->producer->examples(ui->producer->self);
	char *end;
	long n = number(arg, &end), count = 0;

	while (examples && examples[count])
		count++;
	if (!n || *end || n > count) {
		ui_notice(ui, true, "example \"%s\": a number from 1 to %ld", arg, count);
		return STEP_REDRAW;
	}
	return run_input(ui, examples[n - 1]);
}

static unsigned run_colours(struct ui *ui, const char *arg)
{
	struct err err;

	if (choice_colour_map(arg, &ui->colour_map, &err) < 0)
		ui_notice(ui, true, "%s", err.text);
	return STEP_REDRAW;
}

static unsigned run_normalise(struct ui *ui, const char *arg)
{
	struct err err;

	if (choice_scale(arg, &ui->normal, &err) < 0)
		ui_notice(ui, true, "%s", err.text);
	return STEP_REDRAW;
}

static unsigned run_speed(struct ui *ui, const char *arg)
{
	char *end;
	long n = number(arg, &end);

	if (!n || *end || n > step_speeds()) {
		ui_notice(ui, true, "speed \"%s\": a number from 1 (slow) to %d", arg,
			  step_speeds());
		return STEP_REDRAW;
	}
	ui->step.speed = (int)n - 1;
	return STEP_REDRAW | (ui->step.playing ? STEP_TIMER : 0u);
}

/* "3" or "3 2": timestep and, if given, source word, both from 1 */
static unsigned run_goto(struct ui *ui, const char *arg)
{
	char *end;
	const struct trace *trace = ui->producer->trace(ui->producer->self);
	long t = number(arg, &end), i = *end && t ? number(end, &end) : STEP_KEEP + 1L;

	if (!t || !i || *end || t > STEP_KEEP || i > STEP_KEEP + 1L) {
		ui_notice(ui, true,
			  "goto \"%s\": a timestep and maybe a source word, from 1: goto 3 2", arg);
		return STEP_REDRAW;
	}
	if (i <= STEP_KEEP && trace && (size_t)i > trace->nsource) {
		ui_notice(ui, true, "source word %ld: there are %zu", i, trace->nsource);
		return STEP_REDRAW;
	}
	return ui_step(ui, STEP_GOTO, step_place((size_t)t - 1, (size_t)i - 1)) | STEP_REDRAW;
}

/* "3 2": row and column from 1 of the map that is shown. */
static unsigned run_cell(struct ui *ui, const char *arg)
{
	char *end;
	long row = number(arg, &end), col = row ? number(end, &end) : 0;

	if (!row || !col || *end || row > STEP_KEEP || col > STEP_KEEP) {
		ui_notice(ui, true, "cell \"%s\": a row and a column, from 1: cell 3 2", arg);
		return STEP_REDRAW;
	}
	if (view_ops(ui->view)->frame)
		return select_cell(ui, (size_t)row - 1, (size_t)col - 1);
	return ui_step(ui, STEP_POINT, step_place((size_t)row - 1, (size_t)col - 1)) | STEP_REDRAW;
}

/* The first phase of that name in the half where the walk is, in its layer if it has one. */
static bool find_phase(const struct trace *t, const struct step *s, const char *name, size_t *arg)
{
	enum step_phase p;
	int layer;
	bool found = false;

	for (bool more = step_first(t, step_encoding(s), &p, &layer); more;
	     more = step_following(t, &p, &layer)) {
		if (strcasecmp(step_phase_name(t, p), name) != 0 || (found && layer != s->layer))
			continue;
		*arg = step_stage(p, layer);
		found = true;
		if (layer >= s->layer)
			break;
	}
	return found;
}

static unsigned run_phase(struct ui *ui, const char *name)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);
	size_t arg = 0;

	if (t && find_phase(t, &ui->step, name, &arg))
		return ui_step(ui, STEP_PHASE, arg) | STEP_REDRAW;
	ui_notice(ui, true, "there is no phase \"%s\" %s", name,
		  step_encoding(&ui->step) ? "in the encoder" : "at a timestep");
	return STEP_REDRAW;
}

static const char *value_phase(const struct ui *ui, size_t k)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);
	enum step_phase p;
	int layer;
	bool more = t && step_first(t, step_encoding(&ui->step), &p, &layer);

	while (more && k--)
		more = step_following(t, &p, &layer);
	return more ? step_phase_name(t, p) : NULL;
}

/* In the walk it goes to the weights of that head. */
static unsigned run_head(struct ui *ui, const char *arg)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);
	struct head_id at;

	if (!head_parse(arg, &at))
		ui_notice(ui, true, "head \"%s\": kind, layer and head from 0, as in cross:1:3", arg);
	else if (!t || !select_map(t, at))
		ui_notice(ui, true, "there is no head %s here", arg);
	else
		return select_head(ui, at) | (view_ops(ui->view)->frame ? 0u : select_walk(ui));
	return STEP_REDRAW;
}

static unsigned run_sentence(struct ui *ui, const char *arg)
{
	char *end;
	long n = number(arg, &end);

	if (n && !*end)
		return file_goto(ui, (size_t)n);
	ui_notice(ui, true, "sentence \"%s\": a number from 1", arg);
	return STEP_REDRAW;
}

static const char *list_at(const char *const *list, size_t k)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return k < n ? list[k] : NULL;
}

static const char *value_attention(const struct ui *ui, size_t k)
{
	static const char *const rules[] = {"soft", "hard", "topk:3", "threshold:0.1", NULL};

	(void)ui;
	return list_at(rules, k);
}

static const char *value_model(const struct ui *ui, size_t k)
{
	return list_at(ui->producer->models(ui->producer->self), k);
}

static const char *value_colours(const struct ui *ui, size_t k)
{
	(void)ui;
	return choice_colour_map_at(k);
}

static const char *value_normalise(const struct ui *ui, size_t k)
{
	(void)ui;
	return choice_scale_at(k);
}

static const struct command {
	const char *name, *argument, *help;
	unsigned (*run)(struct ui *ui, const char *argument);
	const char *(*value)(const struct ui *ui, size_t k); /* completions; NULL: none */
} commands[] = {
	{"attention", "RULE", "soft, hard, topk:K or threshold:X from here on", run_attention,
	 value_attention},
	{"cell", "ROW COLUMN", "a cell of the map", run_cell, NULL},
	{"colours", "NAME", "colour map", run_colours, value_colours},
	{"example", "N", "an example of the model by number", run_example, NULL},
	{"goto", "T [I]", "a timestep, a source word", run_goto, NULL},
	{"head", "KIND:LAYER:HEAD", "a head of attention: cross:1:3", run_head, NULL},
	{"input", "SENTENCE", "translate this", run_input, NULL},
	{"model", "NAME", "another model", run_model, value_model},
	{"normalise", "SCALE", "scale of the heatmap", run_normalise, value_normalise},
	{"phase", "NAME", "a phase by its name", run_phase, value_phase},
	{"save", "FILE", "save the map; the ending says how", run_save, NULL},
	{"search", "TOKEN", "find a token", search_new, NULL},
	{"sentence", "N", "that sentence of the file", run_sentence, NULL},
	{"speed", "N", "how fast play is", run_speed, NULL},
};

bool command_describe(size_t index, const char **name, const char **argument, const char **help)
{
	if (index >= ARRAY_LEN(commands))
		return false;
	*name = commands[index].name;
	*argument = commands[index].argument;
	*help = commands[index].help;
	return true;
}

static const struct command *find(const char *name, size_t len)
{
	for (size_t c = 0; c < ARRAY_LEN(commands); c++)
		if (strlen(commands[c].name) == len && memcmp(commands[c].name, name, len) == 0)
			return &commands[c];
	return NULL;
}

/* Whether a number alone is that of a sentence. */
static bool is_list(const struct ui *ui)
{
	const struct sentence_source *s = ui->producer->sentences;

	return s && s->count(ui->producer->self) > 1;
}

unsigned ui_command(struct ui *ui, const char *text)
{
	char argument[UI_LINE];
	const struct command *c;
	enum request r;
	size_t name, len;

	text += strspn(text, " :");
	name = strcspn(text, " ");
	snprintf(argument, sizeof(argument), "%s", text + name + strspn(text + name, " "));
	for (len = strlen(argument); len && argument[len - 1] == ' ';)
		argument[--len] = '\0';
	if (!name)
		return STEP_REDRAW;
	if (strspn(text, "0123456789 ") == strlen(text))
		return is_list(ui) ? run_sentence(ui, text) : run_goto(ui, text);
	c = find(text, name);
	r = request_of_command(text, name);
	if (c && argument[0])
		return c->run(ui, argument);
	if (r != REQ_NONE && !argument[0])
		return ui_request(ui, r) | STEP_REDRAW;
	if (r != REQ_NONE)
		ui_notice(ui, true, "\"%.*s\" takes no argument", (int)name, text);
	else if (c)
		ui_notice(ui, true, "%s %s: %s", c->name, c->argument, c->help);
	else
		ui_notice(ui, true, "there is no command \"%.*s\": Tab completes, ? lists them",
			  name < 60 ? (int)name : 60, text);
	return STEP_REDRAW;
}

/* The k-th name that could stand where the last word of `text` stands; NULL behind the last. */
static const char *choice(const struct ui *ui, const char *text, size_t word, size_t k)
{
	const struct command *c;

	if (word) {
		size_t name = strcspn(text, " ");

		c = find(text, name);
		return c && c->value && strspn(text + name, " ") + name == word ? c->value(ui, k)
										: NULL;
	}
	if (k < ARRAY_LEN(commands))
		return commands[k].name;
	k -= ARRAY_LEN(commands);
	return k < REQ_COUNT ? request_command((enum request)k) : NULL;
}

/* Shortens `common` to what it shares with `name`. */
static void meet(char *common, const char *name)
{
	size_t n = 0;

	while (common[n] && common[n] == name[n])
		n++;
	common[n] = '\0';
}

size_t command_complete(const struct ui *ui, const char *text, char *added, size_t added_size,
			char *choices, size_t choices_size)
{
	const char *space = strrchr(text, ' ');
	size_t word = space ? (size_t)(space - text) + 1 : 0, have = strlen(text + word), n = 0;
	char common[64] = "";
	const char *name, *last = "";

	choices[0] = added[0] = '\0';
	for (size_t k = 0; (name = choice(ui, text, word, k)); k++) {
		size_t used = strlen(choices);

		/* a command with and without an argument is one name */
		if (strncmp(name, text + word, have) != 0 ||
		    (!word && k >= ARRAY_LEN(commands) && find(name, strlen(name))))
			continue;
		if (n++)
			meet(common, name);
		else
			snprintf(common, sizeof(common), "%s", name);
		snprintf(choices + used, choices_size - used, "%s%s", used ? " " : "", name);
		last = name;
	}
	if (n)
		snprintf(added, added_size, "%s%s", common + have,
			 n == 1 && !word && find(last, strlen(last)) ? " " : "");
	return n;
}
