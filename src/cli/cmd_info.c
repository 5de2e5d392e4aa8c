/* cmd_info.c - attnscope info FILE: what is in a model, or in a file of traces, and how it was
 * read. */
#include "cli/cli.h"

#include "base/buf.h"
#include "base/mapping.h"
#include "base/utf8.h"
#include "cli/import_options.h"
#include "cli/info_dump.h"
#include "cli/model_file.h"
#include "nn/checkpoint.h"
#include "trace/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	"usage: attnscope info [OPTION...] FILE\n"
	"\n"
	"Says what is in a model file (settings, vocabularies, measured quality, recipe,\n"
	"tensors), in a file of traces as 'attnscope translate --format json' writes it,\n"
	"or in the attention that another toolkit dumped: sentences, maps, and how it was\n"
	"read (orientation, end symbol, padding) and why.\n"
	"\n"
	"  --json               one JSON object\n"
	"  --help               this help\n"
	"\n"
	"of a dump:\n" IMPORT_OPTIONS_HELP "\n";

static const char orientation[] =
	"rows are queries (produced tokens), columns are keys (source tokens)";

/* ---- printing ---- */

static void print_field(const char *name, const char *value)
{
	struct buf b = {0};

	utf8_visible(&b, value, strlen(value));
	printf("  %-18s %s\n", name, buf_str(&b));
	buf_free(&b);
}

/* Text of several lines, indented, each made visible. */
static void print_lines(const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		struct buf b = {0};

		utf8_visible(&b, text, n);
		printf("    %s\n", buf_str(&b));
		buf_free(&b);
		text += n + (text[n] == '\n');
	}
}

static void add_string(struct json_object *o, const char *key, const char *value)
{
	json_object_object_add(o, key, json_object_new_string(value));
}

static void add_count(struct json_object *o, const char *key, size_t value)
{
	json_object_object_add(o, key, json_object_new_int64((int64_t)value));
}

static int print_json(struct json_object *o)
{
	puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
	return cli_finish();
}

/* ---- a model, or any other safetensors file ---- */

static void print_shares(const struct model_file *f, const char *set)
{
	static const struct {
		const char *key, *name;
	} shares[] = {{"exact_match", "exact match"},
		      {"token_accuracy", "token accuracy"},
		      {"aer", "AER"},
		      {"aer_floor", "AER floor"}};
	double sentences = model_file_quality(f, set, "sentences");
	struct buf b = {0};

	if (isnan(sentences))
		return;
	buf_printf(&b, "%.0f sentences", sentences);
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		double x = model_file_quality(f, set, shares[i].key);

		if (!isnan(x))
			buf_printf(&b, ", %s %.2f %%", shares[i].name, 100 * x);
	}
	print_field(set, buf_str(&b));
	buf_free(&b);
}

static void print_shape(const struct st_tensor *t)
{
	struct buf b = {0};

	buf_printf(&b, "%-5s [", st_dtype_name(t->dtype));
	for (int i = 0; i < t->ndim; i++)
		buf_printf(&b, "%s%zu", i ? ", " : "", t->shape[i]);
	buf_puts(&b, "]  ");
	utf8_visible(&b, t->name, strlen(t->name));
	printf("    %s\n", buf_str(&b));
	buf_free(&b);
}

static void print_settings(const struct model_file *f)
{
	char value[64];
	const char *key;

	for (size_t i = 0; i < nn_config_keys(); i++) {
		if (nn_config_uses(&f->config, i) &&
		    nn_config_get(&f->config, i, &key, value, sizeof value) == 0)
			print_field(key, value);
	}
}

static void print_vocabulary(const struct model_file *f, const char *name, const char *words,
			     const char *side)
{
	char text[128];

	snprintf(text, sizeof text, "%zu words and 4 specials, written as: %s",
		 model_file_words(f, words), model_file_meta(f, side));
	print_field(name, text);
}

static void print_card(const struct model_file *f)
{
	static const char *const sets[] = {"valid", "test", "comp", "long"};
	struct buf b = {0};

	print_field("name", model_file_meta(f, "name"));
	print_field("task", model_file_meta(f, "task"));
	nn_config_describe(&f->config, &b);
	print_field("architecture", buf_str(&b));
	buf_free(&b);
	print_vocabulary(f, "source", "src_vocab", "src_side");
	print_vocabulary(f, "target", "tgt_vocab", "tgt_side");
	printf("\ncard\n");
	print_lines(model_file_meta(f, "card"));
	printf("\nquality, as measured when it was made\n");
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
		print_shares(f, sets[i]);
	printf("\nsettings\n");
	print_settings(f);
	printf("\nexamples\n");
	print_lines(model_file_meta(f, "examples"));
	printf("\nrecipe\n");
	print_lines(model_file_meta(f, "recipe"));
}

static int print_model(const char *path, const struct model_file *f)
{
	struct buf b = {0};

	utf8_visible(&b, path, strlen(path));
	printf("%s: %s, %zu numbers in %zu tensors, %zu bytes\n", buf_str(&b),
	       f->ours ? "a model of attnscope" : "safetensors, but not a model of attnscope",
	       f->parameters, f->st.ntensors, f->len);
	buf_free(&b);
	if (f->ours) {
		putchar('\n');
		print_card(f);
	}
	printf("\ntensors\n");
	for (size_t i = 0; i < f->st.ntensors; i++)
		print_shape(&f->st.tensors[i]);
	return cli_finish();
}

static struct json_object *json_tensors(const struct model_file *f)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < f->st.ntensors; i++) {
		const struct st_tensor *t = &f->st.tensors[i];
		struct json_object *o = json_object_new_object(), *shape = json_object_new_array();

		for (int d = 0; d < t->ndim; d++)
			json_object_array_add(shape, json_object_new_int64((int64_t)t->shape[d]));
		add_string(o, "name", t->name);
		add_string(o, "dtype", st_dtype_name(t->dtype));
		json_object_object_add(o, "shape", shape);
		json_object_array_add(array, o);
	}
	return array;
}

static struct json_object *json_settings(const struct model_file *f)
{
	struct json_object *o = json_object_new_object();
	char value[64];
	const char *key;

	for (size_t i = 0; i < nn_config_keys(); i++) {
		if (nn_config_get(&f->config, i, &key, value, sizeof value) == 0)
			add_string(o, key, value);
	}
	return o;
}

static int json_model(const char *path, const struct model_file *f)
{
	static const char *const strings[] = {"name",	  "task",     "card",  "src_side",
					      "tgt_side", "examples", "recipe"};
	struct json_object *o = json_object_new_object();

	add_string(o, "file", path);
	add_string(o, "format", f->ours ? "attnscope-model" : "safetensors");
	add_count(o, "bytes", f->len);
	add_count(o, "parameters", f->parameters);
	if (f->ours) {
		for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
			add_string(o, strings[i], model_file_meta(f, strings[i]));
		add_count(o, "src_words", model_file_words(f, "src_vocab"));
		add_count(o, "tgt_words", model_file_words(f, "tgt_vocab"));
		json_object_object_add(o, "config", json_settings(f));
		json_object_object_add(o, "quality", json_object_get(f->quality));
	}
	json_object_object_add(o, "tensors", json_tensors(f));
	return print_json(o);
}

/* A model is also loaded as the other commands load it, so that "info" finds what they would
 * stumble on. */
static int check_model(const char *path, struct err *err)
{
	struct nn_model *m = NULL;
	struct nn_card card = {0};
	int ret = nn_load(path, &m, &card, err);

	nn_model_free(m);
	nn_card_free(&card);
	return ret;
}

static int info_model(const char *path, bool json)
{
	struct model_file f = {0};
	struct err err = {0};
	int ret;

	if (model_file_open(&f, path, &err) < 0 || (f.ours && check_model(path, &err) < 0))
		ret = cli_fail(&err);
	else
		ret = json ? json_model(path, &f) : print_model(path, &f);
	model_file_close(&f);
	return ret;
}

/* ---- traces: one document a line, or a single one over many lines ---- */

struct traces {
	const char *path;
	bool json;
	size_t sentences;
	struct json_object *maps, *notes; /* with `json` */
	struct buf text;		  /* without */
};

static void add_map(struct traces *s, const struct trace_map *m)
{
	struct json_object *o;

	if (!s->json) {
		buf_printf(&s->text, "    %-8s layer %d  head %d  %zu × %zu  %s\n",
			   trace_kind_name(m->kind), m->layer, m->head, m->rows, m->cols,
			   trace_type_name(m->type));
		return;
	}
	o = json_object_new_object();
	add_count(o, "sentence", s->sentences);
	add_string(o, "kind", trace_kind_name(m->kind));
	json_object_object_add(o, "layer", json_object_new_int(m->layer));
	json_object_object_add(o, "head", json_object_new_int(m->head));
	add_count(o, "rows", m->rows);
	add_count(o, "cols", m->cols);
	add_string(o, "type", trace_type_name(m->type));
	json_object_array_add(s->maps, o);
}

static void add_trace(struct traces *s, const struct trace *t)
{
	const char *model = t->about.model ? t->about.model : "";

	if (!s->json) {
		buf_printf(&s->text, "\n  sentence %zu: %zu source tokens, %zu timesteps%s",
			   s->sentences + 1, t->nsource, t->nsteps, *model ? ", by " : "");
		utf8_visible(&s->text, model, strlen(model));
		buf_puts(&s->text, "\n    ");
		for (size_t i = 0; i < t->nsource; i++) {
			const char *token = t->source[i].token;

			utf8_visible(&s->text, token, strlen(token));
			buf_puts(&s->text, i + 1 < t->nsource ? " " : " → ");
		}
		trace_target_text(t, &s->text);
		buf_puts(&s->text, "\n");
	} else if (!t->finished) {
		char note[64];

		snprintf(note, sizeof note, "sentence %zu does not end with </s>", s->sentences);
		json_object_array_add(s->notes, json_object_new_string(note));
	}
	for (size_t i = 0; i < t->nmaps; i++)
		add_map(s, &t->maps[i]);
	s->sentences++;
}

static int read_document(struct traces *s, const char *text, size_t len, long line, struct err *err)
{
	struct trace *t = NULL;

	if (strspn(text, " \t\r\n") >= len)
		return 0;
	if (trace_json_read(text, len, s->path, &t, err) < 0) {
		if (line > 0)
			err_at_line(err, s->path, line, 0);
		return -1;
	}
	add_trace(s, t);
	trace_free(t);
	return 0;
}

static int read_documents(struct traces *s, const char *text, size_t len, struct err *err)
{
	bool marked = len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0; /* a byte order mark */
	const char *end;
	long line = 1;

	text += marked ? 3 : 0;
	len -= marked ? 3 : 0;
	end = memchr(text, '\n', len);

	/* a document that does not end on its line is the only one */
	if (!end || end == text || (end[-1] != '}' && end[-1] != '\r'))
		return read_document(s, text, len, 0, err);
	for (const char *p = text; p < text + len; line++) {
		end = memchr(p, '\n', (size_t)(text + len - p));
		if (!end)
			end = text + len;
		if (read_document(s, p, (size_t)(end - p), line, err) < 0)
			return -1;
		p = end + 1;
	}
	return 0;
}

static int json_traces(struct traces *s)
{
	struct json_object *o = json_object_new_object();

	add_string(o, "file", s->path);
	add_string(o, "format", "attnscope-trace");
	add_count(o, "sentences", s->sentences);
	add_string(o, "orientation", orientation);
	add_string(o, "eos", "</s> is the last source token and has its column");
	add_string(o, "padding", "none");
	json_object_object_add(o, "notes", json_object_get(s->notes));
	json_object_object_add(o, "maps", json_object_get(s->maps));
	return print_json(o);
}

static int print_traces(const struct traces *s)
{
	struct buf b = {0};

	utf8_visible(&b, s->path, strlen(s->path));
	printf("%s: traces of attnscope, %zu sentence%s\n  %s\n", buf_str(&b), s->sentences,
	       s->sentences == 1 ? "" : "s", orientation);
	fputs(buf_str(&s->text), stdout);
	buf_free(&b);
	return cli_finish();
}

static int info_traces(const char *path, const char *text, size_t len, bool json)
{
	struct traces s = {.path = path,
			   .json = json,
			   .maps = json_object_new_array(),
			   .notes = json_object_new_array()};
	struct err err = {0};
	int ret;

	if (read_documents(&s, text, len, &err) < 0)
		ret = cli_fail(&err);
	else
		ret = json ? json_traces(&s) : print_traces(&s);
	json_object_put(s.maps);
	json_object_put(s.notes);
	buf_free(&s.text);
	return ret;
}

/* ---- which of them ---- */

/* Whether safetensors hold attention and no model of ours: their names say so. */
static bool are_dumped_tensors(const char *bytes, size_t len)
{
	struct st_file f = {0};
	const char *format;
	bool found = false;

	if (st_parse(bytes, len, "", &f, NULL) < 0)
		return false;
	format = st_meta_get(&f, "format");
	for (size_t i = 0; i < f.ntensors; i++)
		found |= strstr(f.tensors[i].name, "attention") || strstr(f.tensors[i].name, "attn");
	found |= format && strcmp(format, "attnscope-attention") == 0;
	found &= !format || strcmp(format, "attnscope-model") != 0;
	st_fini(&f);
	return found;
}

static int dump(const char *path, const struct import_options *o, bool json)
{
	struct import im = {0};
	struct err err = {0};
	int ret;

	if (import_open(&im, path, o, &err) < 0)
		return cli_fail(&err);
	ret = info_dump(&im, json);
	import_close(&im);
	return ret;
}

static int info_file(const char *path, const char *bytes, size_t len,
		     const struct import_options *o, bool json)
{
	const char *format = o->format ? o->format : import_recognise(bytes, len, path), *why;
	struct err err = {0};

	if (format && strcmp(format, "attnscope") == 0 && !o->gold)
		return info_traces(path, bytes, len, json);
	if (!o->format && (!format || strcmp(format, "safetensors") == 0) && len > 8 &&
	    bytes[8] == '{' && !are_dumped_tensors(bytes, len))
		return info_model(path, json);
	if (format)
		return dump(path, o, json);
	why = import_refused(bytes, len);
	err_set(&err, ERR_FORMAT, "%s",
		why ? why
		    : "is neither a model (safetensors), a trace document (JSON) nor the attention of a "
		      "toolkit that is known");
	err_at_file(&err, path);
	return cli_fail(&err);
}

static int info(const char *path, const struct import_options *o, bool json)
{
	struct err err = {0};
	struct mapping file;
	int ret;

	/* what comes through a pipe is no model */
	if (spool_descriptor(path) >= 0)
		return dump(path, o, json);
	if (mapping_open(&file, path, &err) < 0)
		return cli_fail(&err);
	ret = info_file(path, file.bytes, file.len, o, json);
	mapping_close(&file);
	return ret;
}

static int help_info(void)
{
	struct buf b = {0};
	int status;

	buf_puts(&b, help);
	import_options_formats(&b);
	status = cli_help(buf_str(&b));
	buf_free(&b);
	return status;
}

int cmd_info(int argc, char **argv)
{
	static const struct option options[] = {{"json", no_argument, NULL, 'j'},
						{"help", no_argument, NULL, 'h'},
						IMPORT_OPTIONS,
						{0}};
	struct import_options o = {0};
	struct import_beside beside;
	struct err err = {0};
	bool json = false;
	int c;

	while ((c = cli_getopt("info", argc, argv, "h", options)) != -1) {
		if (c == 'h')
			return help_info();
		if (c == '?')
			return CLI_USAGE;
		if (c == 'j')
			json = true;
		else if (import_options_set(&o, c, optarg, &err) < 0)
			return cli_fail(&err);
	}
	if (optind == argc)
		return cli_usage("info", "which file?");
	if (optind + 1 < argc)
		return cli_usage("info", "'%s' is one argument too many", argv[optind + 1]);
	if (import_options_pipes(&o, &beside, &err) < 0)
		return cli_fail(&err);
	return info(argv[optind], &o, json);
}
