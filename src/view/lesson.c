/* lesson.c - the text of a lesson → pages; whether what it claims is so. */
#include "view/lesson.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "view/matrix.h"
#include "view/select.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROW = 10000 };

struct parser {
	struct lesson *l;
	const char *file;
	long line;
	const char *model, *sentence;
	struct buf text;       /* of the last page */
	size_t pages, commands, claims; /* capacities */
	struct err *err;
};

static int bad(struct parser *p, const char *what)
{
	err_set(p->err, ERR_FORMAT, "%s", what);
	return err_at_line(p->err, p->file, p->line, 0);
}

/* What stands behind a word at the beginning of the line; NULL: another line. */
static const char *after(const char *line, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(line, word, n) != 0 || (line[n] && line[n] != ' '))
		return NULL;
	return line + n + strspn(line + n, " ");
}

static struct lesson_page *page_of(struct parser *p)
{
	return p->l->npages ? &p->l->pages[p->l->npages - 1] : NULL;
}

static void end_page(struct parser *p)
{
	struct lesson_page *page = page_of(p);

	if (page)
		page->text = arena_strdup(&p->l->arena, buf_str(&p->text));
	p->text.len = 0;
	p->commands = p->claims = 0;
}

static int begin_page(struct parser *p, const char *title)
{
	struct lesson *l = p->l;

	if (!*title)
		return bad(p, "a page without a title: ## TITLE");
	if (!p->model || !p->sentence)
		return bad(p, "a page needs a model and a sentence: name them above it");
	end_page(p);
	l->pages = mem_grow(l->pages, l->npages, &p->pages, sizeof *l->pages);
	l->pages[l->npages++] = (struct lesson_page){.title = arena_strdup(&l->arena, title),
						     .text = "",
						     .model = p->model,
						     .sentence = p->sentence,
						     .line = p->line};
	return 0;
}

/* Model and sentence of a page that has begun are its own too. */
static int set_words(struct parser *p, const char **at, const char *value)
{
	struct lesson_page *page = page_of(p);

	*at = arena_strdup(&p->l->arena, value);
	if (page) {
		page->model = p->model;
		page->sentence = p->sentence;
	}
	return 0;
}

static int add_command(struct parser *p, const char *command)
{
	struct lesson_page *page = page_of(p);

	if (!page)
		return bad(p, "a command before the first page: pages begin with ##");
	page->commands = mem_grow(page->commands, page->ncommands, &p->commands, sizeof *page->commands);
	page->commands[page->ncommands++] = arena_strdup(&p->l->arena, command);
	return 0;
}

/* "[HEAD] ROW TOKEN" */
static bool read_claim(struct arena *a, const char *text, struct lesson_claim *c)
{
	size_t n = strcspn(text, " ");
	char head[64], *end;
	long row;

	snprintf(head, sizeof head, "%.*s", (int)(n < sizeof head ? n : sizeof head - 1), text);
	c->named = !c->output && head_parse(head, &c->head);
	if (c->named)
		text += n + strspn(text + n, " ");
	row = strtol(text, &end, 10);
	if (end == text || row < 1 || row > MAX_ROW || *end != ' ')
		return false;
	c->row = (size_t)row - 1;
	c->token = arena_strdup(a, end + strspn(end, " "));
	return *c->token != '\0';
}

static int add_claim(struct parser *p, const char *text, bool output)
{
	struct lesson_page *page = page_of(p);
	struct lesson_claim c = {.output = output, .line = p->line};

	if (!page || !read_claim(&p->l->arena, text, &c))
		return bad(p, output ? "a claim about the output is: > TIMESTEP WORD, in a page"
				     : "a claim about attention is: = [KIND:LAYER:HEAD] ROW WORD, in a page");
	page->claims = mem_grow(page->claims, page->nclaims, &p->claims, sizeof *page->claims);
	page->claims[page->nclaims++] = c;
	return 0;
}

static int add_text(struct parser *p, const char *line)
{
	char last = p->text.len ? p->text.data[p->text.len - 1] : '\n';

	if (!page_of(p))
		return *line ? bad(p, "text before the first page: pages begin with ##") : 0;
	if (*line)
		buf_printf(&p->text, "%s%s", last == '\n' ? "" : " ", line);
	else if (last != '\n')
		buf_putc(&p->text, '\n');
	return 0;
}

static int parse_line(struct parser *p, const char *line)
{
	const char *rest;

	if (*line == '%')
		return 0;
	if ((rest = after(line, "##")))
		return begin_page(p, rest);
	if ((rest = after(line, "#"))) {
		p->l->title = arena_strdup(&p->l->arena, rest);
		return 0;
	}
	if ((rest = after(line, "model")))
		return set_words(p, &p->model, rest);
	if ((rest = after(line, "sentence")))
		return set_words(p, &p->sentence, rest);
	if (*line == ':')
		return add_command(p, line + 1);
	if ((rest = after(line, "=")))
		return add_claim(p, rest, false);
	if ((rest = after(line, ">")))
		return add_claim(p, rest, true);
	return add_text(p, line);
}

static int parse_lines(struct parser *p, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		size_t n = strlen(line);

		p->line++;
		while (n && strchr(" \t\r", line[n - 1]))
			line[--n] = '\0';
		if (!utf8_valid(line, n, NULL))
			return bad(p, "not UTF-8");
		if (parse_line(p, line) < 0)
			return -1;
	}
	end_page(p);
	if (!p->l->npages)
		return bad(p, "a lesson without a page: pages begin with ##");
	return 0;
}

int lesson_parse(struct lesson *out, const char *text, size_t len, const char *name, struct err *err)
{
	struct parser p = {.l = out, .file = name, .err = err};
	char *copy;
	int ret;

	*out = (struct lesson){0};
	if (memchr(text, '\0', len))
		return bad(&p, "not text: it holds a byte 0");
	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* a byte order mark */
		text += 3;
		len -= 3;
	}
	out->name = arena_strdup(&out->arena, name);
	out->title = out->name;
	copy = arena_strndup(&out->arena, text, len);
	ret = parse_lines(&p, copy);
	buf_free(&p.text);
	if (ret < 0)
		lesson_free(out);
	return ret;
}

void lesson_free(struct lesson *l)
{
	for (size_t k = 0; k < l->npages; k++) {
		free(l->pages[k].commands);
		free(l->pages[k].claims);
	}
	free(l->pages);
	arena_free(&l->arena);
	*l = (struct lesson){0};
}

/* ---- claims ---- */

/* The token of the column where a row looks most; NULL: there is no such row. */
static const char *looks_at(const struct ui *ui, const struct trace *t, struct head_id at, size_t row)
{
	struct matrix m;
	size_t best = 0;

	if (!matrix_of_head(ui, t, at, &m) || row >= m.rows || !m.cols)
		return NULL;
	for (size_t c = 1; c < m.cols; c++)
		if (matrix_at(&m, row, c) > matrix_at(&m, row, best) || isnan(matrix_at(&m, row, best)))
			best = c;
	return matrix_col_token(&m, best);
}

static const char *produced(const struct trace *t, size_t row)
{
	return row < t->nsteps ? t->steps[row].emitted : NULL;
}

const char *lesson_doubt(const struct ui *ui, const struct lesson_claim *c, char *out, size_t size)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);
	struct head_id walked = {TRACE_CROSS, t->about.layer, t->about.head};
	const char *is = c->output ? produced(t, c->row)
				   : looks_at(ui, t, c->named ? c->head : walked, c->row);
	struct buf b = {0};

	if (is && strcmp(is, c->token) == 0)
		return NULL;
	if (is)
		utf8_visible(&b, is, strlen(is));
	snprintf(out, size, "%s", is ? buf_str(&b) : "nothing");
	buf_free(&b);
	return out;
}
