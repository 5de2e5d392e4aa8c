#include "view/take.h"
#include "view/hints.h"
#include "view/line.h"

#include <stdio.h>
#include <string.h>

static size_t unknown_of(const struct ui *ui, const struct unknown_word **words)
{
	*words = NULL;
	return ui->producer->unknown(ui->producer->self, words);
}

/* The first word that something is near to; n: none. */
static size_t first_near(const struct unknown_word *words, size_t n)
{
	size_t w = 0;

	while (w < n && !words[w].nnear)
		w++;
	return w;
}

void take_notice(struct ui *ui)
{
	const struct unknown_word *words;
	size_t n = unknown_of(ui, &words), w = first_near(words, n);

	if (w < n)
		ui_notice(ui, false, "not known: \"%s\"; Tab takes \"%s\" instead", words[w].text,
			  words[w].near[0]);
	else if (n)
		ui_notice(ui, false, "not known: \"%s\", and no known word is near", words[0].text);
}

/* Where `word` stands in `after` in place of `text` in `before`; SIZE_MAX: nowhere. */
static size_t place_of(const char *before, const char *text, const char *after, const char *word)
{
	size_t cut = strlen(text), put = strlen(word);

	for (const char *at = strstr(before, text); at; at = strstr(at + 1, text)) {
		size_t from = (size_t)(at - before);

		if (strncmp(before, after, from) == 0 && strncmp(after + from, word, put) == 0 &&
		    strcmp(after + from + put, at + cut) == 0)
			return from;
	}
	return SIZE_MAX;
}

/* Keeps the other words that are near, so that the next can be had. */
static void remember(struct ui *ui, const struct unknown_word *w, const char *sentence)
{
	struct taken *taken = &ui->taken;
	const char *before = ui->producer->sentence(ui->producer->self);

	*taken = (struct taken){0};
	taken->at = before ? place_of(before, w->text, sentence, w->near[0]) : SIZE_MAX;
	if (taken->at == SIZE_MAX)
		return;
	for (size_t k = 0; k < w->nnear && taken->n < TAKEN_WORDS; k++)
		if (strlen(w->near[k]) < sizeof taken->near[0])
			snprintf(taken->near[taken->n++], sizeof taken->near[0], "%s", w->near[k]);
}

static unsigned begin_with(struct ui *ui, const char *sentence)
{
	snprintf(ui->taken.sentence, sizeof ui->taken.sentence, "%s", sentence);
	line_set(&ui->line, sentence);
	return UI_BEGIN | STEP_REDRAW;
}

/* "dog" for "dgo"; Tab again: "do" */
static void say_taken(struct ui *ui, const char *word)
{
	const struct taken *t = &ui->taken;
	char key[32];

	if (t->n > 1)
		ui_notice(ui, false, "\"%s\" was taken; %s again takes \"%s\" instead", word,
			  hint_key(REQ_TAKE, key, sizeof key), t->near[(t->k + 1) % t->n]);
	else
		ui_notice(ui, false, "\"%s\" was taken", word);
}

static unsigned take(struct ui *ui, const struct unknown_word *words, size_t w)
{
	struct trace_producer *p = ui->producer;
	char sentence[UI_LINE];

	if (p->replace(p->self, w, words[w].near[0], sentence, sizeof sentence) != 0) {
		ui_notice(ui, true, "the sentence with \"%s\" is too long", words[w].near[0]);
		return STEP_REDRAW;
	}
	remember(ui, &words[w], sentence);
	say_taken(ui, words[w].near[0]);
	return begin_with(ui, sentence);
}

/* False: the sentence is not the one that something was taken in, or there is nothing else to take. */
static bool take_another(struct ui *ui, unsigned *effects)
{
	struct taken *t = &ui->taken;
	const char *now = ui->producer->sentence(ui->producer->self);
	char sentence[UI_LINE];
	const char *was = t->near[t->k], *next;
	int len;

	if (t->n < 2 || !now || strcmp(now, t->sentence) != 0)
		return false;
	t->k = (t->k + 1) % t->n;
	next = t->near[t->k];
	len = snprintf(sentence, sizeof sentence, "%.*s%s%s", (int)t->at, now, next,
		       now + t->at + strlen(was));
	if (len < 0 || (size_t)len >= sizeof sentence)
		return false;
	say_taken(ui, next);
	*effects = begin_with(ui, sentence);
	return true;
}

unsigned take_next(struct ui *ui)
{
	const struct unknown_word *words;
	size_t n = unknown_of(ui, &words), w = first_near(words, n);
	unsigned effects;

	if (w < n)
		return take(ui, words, w);
	if (n == 0 && take_another(ui, &effects))
		return effects;
	if (ui->producer->sentences)
		ui_notice(ui, false, "a file has no vocabulary: its words are shown as they are");
	else
		ui_notice(ui, n != 0, n ? "no known word is near"
					: "the model knows every word of this sentence");
	return STEP_REDRAW;
}
