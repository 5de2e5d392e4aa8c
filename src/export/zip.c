/* zip.c - module "zip": a stored archive in memory, by libzip. */
#include "base/buf.h"
#include "export/module.h"

#include <zip.h>

/* 1980-01-01, the first day that a zip file knows: the same arrays give the same bytes. */
enum { DOS_TIME = 0, DOS_DATE = 1 << 5 | 1 };

static int fail(struct err *err, zip_error_t *why)
{
	err_set(err, ERR_IO, "cannot make the archive: %.200s", zip_error_strerror(why));
	zip_error_fini(why);
	return -1;
}

static int fail_archive(struct err *err, zip_t *z)
{
	return err_set(err, ERR_IO, "cannot make the archive: %.200s", zip_strerror(z));
}

static int add(zip_t *z, const struct module_entry *e, struct err *err)
{
	zip_source_t *data = zip_source_buffer(z, e->data, e->len, 0);
	zip_int64_t index;

	if (!data)
		return fail_archive(err, z);
	index = zip_file_add(z, e->name, data, ZIP_FL_ENC_UTF_8);
	if (index < 0) {
		zip_source_free(data);
		return fail_archive(err, z);
	}
	if (zip_set_file_compression(z, (zip_uint64_t)index, ZIP_CM_STORE, 0) ||
	    zip_file_set_dostime(z, (zip_uint64_t)index, DOS_TIME, DOS_DATE, 0))
		return fail_archive(err, z);
	return 0;
}

/* What was written is read back from the source that holds it. */
static int take(zip_source_t *whole, struct buf *out, struct err *err)
{
	char bytes[1 << 16];
	zip_int64_t got;

	if (zip_source_open(whole))
		return err_set(err, ERR_IO, "cannot read the archive that was made");
	while ((got = zip_source_read(whole, bytes, sizeof bytes)) > 0)
		buf_add(out, bytes, (size_t)got);
	zip_source_close(whole);
	return got == 0 ? 0 : err_set(err, ERR_IO, "cannot read the archive that was made");
}

static int zip_write(const struct module_entry *entries, size_t n, struct buf *out, struct err *err)
{
	zip_error_t why;
	zip_source_t *whole;
	zip_t *z;
	int rc = 0;

	zip_error_init(&why);
	whole = zip_source_buffer_create(NULL, 0, 0, &why);
	if (!whole)
		return fail(err, &why);
	z = zip_open_from_source(whole, ZIP_TRUNCATE, &why);
	if (!z) {
		zip_source_free(whole);
		return fail(err, &why);
	}
	zip_source_keep(whole); /* it outlives the archive */
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = add(z, &entries[i], err);
	if (rc == 0 && zip_close(z) < 0)
		rc = fail_archive(err, z);
	else if (rc == 0)
		z = NULL;
	if (z)
		zip_discard(z);
	if (rc == 0)
		rc = take(whole, out, err);
	zip_source_free(whole);
	zip_error_fini(&why);
	return rc;
}

MODULE_EXPORT extern const struct module attnscope_module;
const struct module attnscope_module = {.version = ATTNSCOPE_VERSION, .zip = zip_write};
