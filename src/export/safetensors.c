/*
 * safetensors.c - every chosen map as an F32 tensor [rows, cols] named "cross.0.1" (scores:
 * "cross.0.1.scores"); tokens as JSON lists in the metadata.
 */
#include "file/safetensors.h"
#include "base/buf.h"
#include "export/figure.h"

#include <stdlib.h>

static struct st_tensor tensor_of(struct arena *a, const struct trace_map *m)
{
	float *data = arena_array(a, float, m->rows * m->cols + 1);

	for (size_t r = 0; r < m->rows; r++)
		export_row(m, r, m->cols, data + r * m->cols);
	return (struct st_tensor){.name = export_map_name(a, m),
				  .dtype = ST_F32,
				  .ndim = 2,
				  .shape = {m->rows, m->cols},
				  .count = m->rows * m->cols,
				  .data = data};
}

static const char *token_list(struct arena *a, const struct trace *t, bool source)
{
	struct buf b = {0};
	const char *text;
	size_t n;
	const char *const *labels = export_labels(a, t, TRACE_CROSS, source, &n);

	export_json_list(&b, labels, n);
	text = arena_strdup(a, buf_str(&b));
	buf_free(&b);
	return text;
}

int export_safetensors(const struct trace *t, const struct export_options *o, struct buf *out,
		       struct err *err)
{
	const struct trace_map **maps;
	size_t n = export_choose(t, &o->choice, &maps);
	struct arena a = {0};
	struct st_meta meta[] = {
		{"format", "attnscope-attention"},
		{"model", export_visible(&a, t->about.model ? t->about.model : "")},
		{"source", token_list(&a, t, true)},
		{"target", token_list(&a, t, false)},
	};
	struct st_tensor *tensors = arena_array(&a, struct st_tensor, n + 1);
	int rc = n ? export_fits(maps, n, EXPORT_NUMBERS, "safetensors", err)
		   : export_nothing(t, o, err);

	for (size_t i = 0; i < n && rc == 0; i++)
		tensors[i] = tensor_of(&a, maps[i]);
	if (rc == 0)
		rc = st_write(tensors, n, meta, sizeof meta / sizeof *meta, out, err);
	free(maps);
	arena_free(&a);
	return rc;
}
