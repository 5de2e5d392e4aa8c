#include "cli/model_file.h"

#include "base/buf.h"
#include "base/fs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int read_config(struct model_file *f, struct err *err)
{
	static const char prefix[] = "config.";

	f->config = nn_config_default();
	for (size_t i = 0; i < f->st.nmeta; i++) {
		const struct st_meta *m = &f->st.meta[i];

		if (strncmp(m->key, prefix, sizeof prefix - 1) == 0 &&
		    nn_config_set(&f->config, m->key + sizeof prefix - 1, m->value, err) < 0)
			return -1;
	}
	return 0;
}

int model_file_open(struct model_file *f, const char *path, struct err *err)
{
	*f = (struct model_file){0};
	if (fs_read(path, MODEL_FILE_LIMIT, &f->bytes, &f->len, err) < 0)
		return -1;
	if (st_parse(f->bytes, f->len, path, &f->st, err) < 0)
		goto bad;
	for (size_t i = 0; i < f->st.ntensors; i++)
		f->parameters += f->st.tensors[i].count;
	f->ours = strcmp(model_file_meta(f, "format"), "attnscope-model") == 0;
	if (!f->ours)
		return 0;
	if (read_config(f, err) < 0) {
		err->code = ERR_FORMAT;
		err_at_file(err, path);
		goto bad;
	}
	f->quality = json_tokener_parse(model_file_meta(f, "quality"));
	return 0;
bad:
	model_file_close(f);
	return -1;
}

void model_file_close(struct model_file *f)
{
	if (f->quality)
		json_object_put(f->quality);
	st_fini(&f->st);
	free(f->bytes);
	*f = (struct model_file){0};
}

const char *model_file_meta(const struct model_file *f, const char *key)
{
	const char *value = st_meta_get(&f->st, key);

	return value ? value : "";
}

size_t model_file_words(const struct model_file *f, const char *key)
{
	const char *words = model_file_meta(f, key);
	size_t n = *words != '\0';

	for (; *words; words++)
		n += *words == '\n' && words[1];
	return n;
}

double model_file_quality(const struct model_file *f, const char *set, const char *key)
{
	struct json_object *o, *v;

	if (!json_object_object_get_ex(f->quality, set, &o) ||
	    !json_object_object_get_ex(o, key, &v) ||
	    (!json_object_is_type(v, json_type_double) && !json_object_is_type(v, json_type_int)))
		return NAN;
	return json_object_get_double(v);
}
