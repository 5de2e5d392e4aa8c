#include "cli/print.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "cli/import_options.h"
#include "view/ansi.h"
#include "view/level.h"
#include "view/pair.h"
#include "view/select.h"
#include "view/views.h"

#include <langinfo.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A picture of more tokens than this is no use in a terminal. */
enum { PRINT_MAX = 500 };

/* How everything is written. */
struct looks {
	bool colours, ascii;
};

/* A file and its sentence. */
struct opened {
	struct import im;
	bool open;
	struct trace *t;
};

static int open_one(struct opened *f, const char *path, const struct import_options *import,
		    long sentence, struct err *err)
{
	if (import_open(&f->im, path, import, err) < 0)
		return -1;
	f->open = true;
	if ((size_t)sentence <= f->im.n) {
		if (import_trace(&f->im, (size_t)sentence - 1, &f->t, err) == 0)
			return 0;
	} else {
		err_set(err, ERR_RANGE, "there is no sentence %ld: the file holds %zu", sentence,
			f->im.n);
	}
	return err->file[0] ? -1 : err_at_file(err, path);
}

static void close_one(struct opened *f)
{
	trace_free(f->t);
	if (f->open)
		import_close(&f->im);
}

/* What there is instead. */
static int no_map(const struct trace *t, enum trace_kind kind, const char *text, struct err *err)
{
	char range[160];

	return err_set(err, ERR_MISSING, "there is no map %.40s: %s", text,
		       select_range(t, kind, range, sizeof range));
}

/* "cross:0:3" → that map of t, whatever its type. */
static int find_map(const struct trace *t, const char *text, const struct trace_map **out,
		    struct err *err)
{
	char name[16];
	int layer, head, end = 0;
	enum trace_kind kind;

	*out = t->nmaps ? &t->maps[0] : NULL;
	if (!text && *out)
		return 0;
	if (!text)
		return err_set(err, ERR_MISSING, "this sentence has no map");
	if (sscanf(text, "%15[a-z]:%d:%d%n", name, &layer, &head, &end) != 3 || text[end])
		return err_set(err, ERR_USAGE,
			       "a map is KIND:LAYER:HEAD, as cross:0:0, not \"%.40s\"", text);
	for (kind = 0; kind < TRACE_KIND_COUNT && strcmp(trace_kind_name(kind), name) != 0;)
		kind++;
	*out = kind < TRACE_KIND_COUNT ? select_map(t, (struct head_id){kind, layer, head}) : NULL;
	return *out ? 0 : no_map(t, kind, text, err);
}

static int check_size(const struct trace_map *m, struct err *err)
{
	if (m->rows <= PRINT_MAX && m->cols <= PRINT_MAX)
		return 0;
	return err_set(err, ERR_RANGE, "a map of %zu × %zu: at most %d × %d are printed", m->rows,
		       m->cols, PRINT_MAX, PRINT_MAX);
}

static void put_grid(struct grid *g, const struct looks *l, struct buf *b)
{
	grid_ansi(g, l->colours, cli_true_colour(), b);
	grid_fini(g);
}

static void put_map(const struct trace *t, const struct trace_map *m, const struct looks *l,
		    struct buf *b)
{
	float top = level_top(level_largest(m, m->rows));
	struct grid g;

	grid_init(&g, 0, 0);
	view_map(t, m, NORMAL_AUTO, false, !l->colours, l->ascii, &g);
	put_grid(&g, l, b);
	if (m->type == TRACE_WEIGHTS && top < 1)
		buf_printf(b, "the darkest shade is 0, the brightest %.2g\n", (double)top);
}

/* "A a.npz  cross layer 0 head 3" */
static void put_name(const char *label, const struct trace *t, struct head_id at, struct buf *b)
{
	char name[64];

	buf_printf(b, "%s  ", label);
	utf8_visible(b, model_title(t), strlen(model_title(t)));
	buf_printf(b, "  %s", head_name(at, name, sizeof name));
}

static void put_difference(const struct pair *p, const struct looks *l, struct buf *b)
{
	struct pair_difference d;
	const char *why;
	struct grid g;

	grid_init(&g, 0, 0);
	why = pair_print(p, !l->colours, l->ascii, &d, &g);
	buf_printf(b, "\nB %s A%s%s\n", l->ascii ? "-" : "−", why ? ": " : "", why ? why : "");
	put_grid(&g, l, b);
	if (!why && d.measured)
		buf_printf(b, "Jensen-Shannon %.3f bits, they look at the same word in %zu of %zu rows\n",
			   d.figures.divergence, d.figures.agree, d.figures.rows);
}

/* Both maps and what is between them. m: of the first. */
static int put_both(const struct trace *const t[SIDES], const struct trace_map *m,
		    const struct looks *l, struct buf *b, struct err *err)
{
	static const char *const labels[SIDES] = {"A", "B"};
	struct head_id at[SIDES] = {{m->kind, m->layer, m->head}};
	struct pair_heads h = {.match = head_counterpart(t[LEFT], at[LEFT], t[RIGHT], &at[RIGHT])};
	const struct trace_map *other = h.match == MATCH_NONE ? NULL : select_map(t[RIGHT], at[RIGHT]);
	struct pair p = pair_of_heads(t, at);
	char words[96];

	if (other && check_size(other, err) < 0)
		return -1;
	h.at[LEFT] = at[LEFT];
	pair_match_words(&h, labels, words, sizeof words);
	put_name(labels[LEFT], t[LEFT], at[LEFT], b);
	buf_puts(b, "\n");
	put_map(t[LEFT], m, l, b);
	buf_puts(b, "\n");
	if (other) {
		put_name(labels[RIGHT], t[RIGHT], at[RIGHT], b);
		buf_printf(b, "%s%s\n", *words ? "  " : "", words);
		put_map(t[RIGHT], other, l, b);
		put_difference(&p, l, b);
	} else {
		buf_printf(b, "%s\n", words);
	}
	return 0;
}

static int put_files(const struct opened f[SIDES], const struct print_options *o, struct buf *b,
		     struct err *err)
{
	struct looks l = {cli_colour_wanted(o->colour, STDOUT_FILENO),
			  strcmp(nl_langinfo(CODESET), "UTF-8") != 0};
	const struct trace *const t[SIDES] = {f[LEFT].t, f[RIGHT].t};
	const struct trace_map *m;

	if (find_map(t[LEFT], o->map, &m, err) < 0 || check_size(m, err) < 0)
		return -1;
	if (t[RIGHT])
		return put_both(t, m, &l, b, err);
	put_map(t[LEFT], m, &l, b);
	return 0;
}

int print_files(const char *path, const char *other, const struct print_options *o, struct err *err)
{
	struct import_options import = o->import;
	struct import_beside beside;
	struct opened f[SIDES] = {0};
	struct buf b = {0};
	int rc = import_options_pipes(&import, &beside, err);

	if (rc == 0)
		rc = open_one(&f[LEFT], path, &import, o->sentence, err);
	if (rc == 0 && other)
		rc = open_one(&f[RIGHT], other, &import, o->sentence, err);
	if (rc == 0) {
		rc = put_files(f, o, &b, err);
		if (rc < 0 && !err->file[0] && err->code != ERR_USAGE)
			err_at_file(err, path);
	}
	if (rc == 0)
		fputs(buf_str(&b), stdout);
	buf_free(&b);
	close_one(&f[RIGHT]);
	close_one(&f[LEFT]);
	return rc;
}
