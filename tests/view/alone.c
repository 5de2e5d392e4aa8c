/* alone.c - a text that looks at itself and has no other: a decoder alone, an encoder alone. */
#include "suite.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "drive.h"
#include "import/producer.h"

#include <stdlib.h>
#include <string.h>

/* Two layers of two heads each; the maps of a row are the same. */
#define HEADS(kind, rows)                                                                          \
	MAP(kind, 0, 0, rows) "," MAP(kind, 0, 1, rows) "," MAP(kind, 1, 0, rows) "," MAP(kind, 1, 1, rows)
#define MAP(kind, layer, head, rows)                                                               \
	"{\"kind\":\"" kind "\",\"layer\":" #layer ",\"head\":" #head                              \
	",\"rows\":3,\"cols\":3,\"type\":\"weights\",\"values\":" rows "}"

static const char decoder[] =
	"{\"format\":\"attnscope-trace\",\"version\":1,\"model\":\"gpt\",\"source\":[],"
	"\"target\":[\"the\",\"black\",\"cat\"],\"maps\":["
	HEADS("decoder", "[[1,0,0],[0.25,0.75,0],[0.125,0.375,0.5]]") "]}\n";
static const char encoder[] =
	"{\"format\":\"attnscope-trace\",\"version\":1,\"model\":\"bert\",\"source\":"
	"[\"the\",\"black\",\"cat\"],\"target\":[],\"maps\":["
	HEADS("encoder", "[[0.5,0.25,0.25],[0.25,0.75,0],[0.125,0.375,0.5]]") "]}\n";

static const char *const texts[] = {decoder, encoder};

static struct trace_producer p, other;
static struct ui ui;
static struct grid g;

static void open_text(const char *text, int rows, int cols)
{
	struct err err = {0};

	ck_assert_msg(import_producer_read(&p, text, strlen(text), "x", NULL, &err) == 0, "%s", err.text);
	ui_init(&ui, &p);
	grid_init(&g, rows, cols);
}

static void close_text(void)
{
	grid_fini(&g);
	import_producer_close(&p);
}

static bool says(const char *what)
{
	char *text;
	bool found;

	ui_scroll(&ui, g.rows, g.cols);
	ui_draw(&ui, &g);
	text = grid_text(&g);
	found = strstr(text, what) != NULL;
	free(text);
	return found;
}

#define SAYS(what) ck_assert_msg(says(what), "the screen does not say \"%s\"", what)
#define SILENT(what) ck_assert_msg(!says(what), "the screen says \"%s\"", what)

START_TEST(a_decoder_walks_from_token_to_token)
{
	open_text(decoder, 24, 100);
	drive_keys(&ui, &g, "1 Home");
	SAYS("a decoder alone: its tokens look at earlier ones");
	SAYS("t 1/3");
	SILENT("encoder");
	SILENT("E[source_i]");
	drive_keys(&ui, &g, "Down");
	SAYS("black ← black  α(2,2) = 0.7500");
	drive_keys(&ui, &g, "Up Up Up");
	SAYS("the ← the  α(1,1) = 1.0000");
	drive_keys(&ui, &g, "End Left");
	SAYS("cat ← black  α(3,2) = 0.3750");
	SILENT("arg max");
	close_text();
}
END_TEST

/* Phases that are done end where the file's do: there is no encoder before a decoder alone. */
START_TEST(no_phase_is_made_up)
{
	open_text(decoder, 36, 120);
	drive_keys(&ui, &g, "1 Home Space");
	SAYS("─ layer 0 self · softmax ─");
	SILENT("LN(x_i)");
	close_text();
}
END_TEST

START_TEST(what_looks_at_what_is_said)
{
	static const char *const said[] = {"tokens look at earlier tokens", "tokens look at tokens of their own text"};

	open_text(texts[_i], 30, 120);
	drive_keys(&ui, &g, "2");
	SAYS(said[_i]);
	drive_keys(&ui, &g, "4");
	SAYS("looking");
	SILENT("produced");
	SILENT("source");
	close_text();
}
END_TEST

START_TEST(an_encoder_has_no_target)
{
	open_text(encoder, 24, 100);
	drive_keys(&ui, &g, "1 Home");
	SAYS("an encoder alone");
	SILENT("E[source_i]");
	SILENT("reads first");
	close_text();
}
END_TEST

/* Two texts that look at themselves have no source that could differ: their own tokens do. */
START_TEST(other_tokens_are_not_subtracted)
{
	char *changed = mem_strdup(decoder);

	memcpy(strstr(changed, "black"), "white", 5);
	for (int k = 0; k < 2; k++) {
		const char *text = k ? changed : decoder;

		ck_assert_int_eq(import_producer_read(&p, decoder, strlen(decoder), "x", NULL, NULL), 0);
		ck_assert_int_eq(import_producer_read(&other, text, strlen(text), "y", NULL, NULL), 0);
		p.other = &other;
		ui_init(&ui, &p);
		grid_init(&g, 36, 120);
		drive_keys(&ui, &g, "7");
		ck_assert(says("the two have other tokens") == (k == 1));
		ck_assert(says("Jensen-Shannon") == (k == 0));
		close_text();
		import_producer_close(&other);
	}
	free(changed);
}
END_TEST

enum { MANY = 512 };

/* An encoder of many tokens; each row looks at all of them alike. */
static char *many_tokens(void)
{
	struct buf b = {0};

	buf_puts(&b, "{\"format\":\"attnscope-trace\",\"version\":1,\"model\":\"bert\",\"target\":[],\"source\":[");
	for (int i = 0; i < MANY; i++)
		buf_printf(&b, "%s\"w\"", i ? "," : "");
	buf_printf(&b, "],\"maps\":[{\"kind\":\"encoder\",\"layer\":0,\"head\":0,\"type\":\"weights\",\"rows\":%d,\"cols\":%d,\"values\":[", MANY, MANY);
	for (int r = 0; r < MANY; r++)
		for (int c = 0; c < MANY; c++)
			buf_printf(&b, "%s0.001953125%s", c ? "," : r ? ",[" : "[", c == MANY - 1 ? "]" : "");
	buf_puts(&b, "]}]}\n");
	return b.data;
}

/* The numbers of the words are not cut; a bar ends where the map's scale does. */
START_TEST(a_long_text_of_small_weights)
{
	char *text = many_tokens();

	open_text(text, 36, 120);
	drive_keys(&ui, &g, "1 Home 9 9 Down*400 Right*399");
	SAYS("▸400 w");
	SAYS(" 399 w");
	SAYS(" 401 w ████████");
	close_text();
	free(text);
}
END_TEST

START_TEST(any_keys_at_any_size)
{
	static const char *const keys[] = {
		"1", "2", "3", "4", "5", "6", "7", "0", "Up", "Down", "Left", "Right", "Enter", "Esc",
		"[", "]", "PgUp", "PgDn", "K", "m", "c", "a", "E", "g", "z", "%", "Home", "End", "n",
		"Space", "Backspace", ".", ",", "T", "w", "I", "?", "t", "b", "x", "Tab", "/ a Enter", "P"};
	static const int sizes[][2] = {{12, 40}, {24, 80}, {36, 120}, {60, 200}, {90, 44}};
	struct rng rng = rng_seed((uint64_t)_i + 1);

	for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
		open_text(texts[_i % 2], sizes[k][0], sizes[k][1]);
		ui.presenter = _i & 4;
		if (_i & 2) {
			ck_assert_int_eq(import_producer_read(&other, texts[_i % 2], strlen(texts[_i % 2]), "y", NULL, NULL), 0);
			p.other = &other;
		}
		for (int n = 0; n < 40; n++) {
			drive_keys(&ui, &g, keys[rng_below(&rng, ARRAY_LEN(keys))]);
			ui_scroll(&ui, g.rows, g.cols);
			ui_draw(&ui, &g);
			for (int c = 0; c < g.rows * g.cols; c++)
				ck_assert_int_eq(g.cells[c].width, g.cells[c].text[0] ? utf8_width(g.cells[c].text) : 0);
		}
		close_text();
		if (_i & 2)
			import_producer_close(&other);
	}
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("alone", &tc);

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, a_decoder_walks_from_token_to_token);
	tcase_add_test(tc, no_phase_is_made_up);
	tcase_add_loop_test(tc, what_looks_at_what_is_said, 0, 2);
	tcase_add_test(tc, an_encoder_has_no_target);
	tcase_add_test(tc, other_tokens_are_not_subtracted);
	tcase_add_test(tc, a_long_text_of_small_weights);
	tcase_add_loop_test(tc, any_keys_at_any_size, 0, 8);
	return suite_main(s);
}
