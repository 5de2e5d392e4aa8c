#include "file/npz.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zip.h>

/* The functions of libzip that are used: one list for the table and for loading it. */
#define ZIP_FUNCTIONS(X)                                                                           \
	X(zip_source_buffer_create)                                                                \
	X(zip_source_free)                                                                         \
	X(zip_open_from_source)                                                                    \
	X(zip_discard)                                                                             \
	X(zip_get_num_entries)                                                                     \
	X(zip_stat_index)                                                                          \
	X(zip_fopen_index)                                                                         \
	X(zip_fread)                                                                               \
	X(zip_fclose)                                                                              \
	X(zip_file_strerror)                                                                       \
	X(zip_strerror)                                                                            \
	X(zip_error_init)                                                                          \
	X(zip_error_strerror)                                                                      \
	X(zip_error_fini)

static struct {
#define X(name) __typeof__(name) *name;
	ZIP_FUNCTIONS(X)
#undef X
	bool complete;
} zip;

static void load(void)
{
	static const char *const names[] = {"libzip.so.5", "libzip.so.4", "libzip.so"};
	void *lib = NULL;

	for (size_t i = 0; i < sizeof names / sizeof *names && !lib; i++)
		lib = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (!lib)
		return;
	zip.complete = true;
#define X(name)                                                                                    \
	zip.name = (__typeof__(zip.name))dlsym(lib, #name);                                        \
	zip.complete &= zip.name != NULL;
	ZIP_FUNCTIONS(X)
#undef X
}

static bool loaded(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return zip.complete;
}

/* Deflate makes at most 1032 bytes out of one. */
enum { DEFLATE_RATIO = 1032, DEFLATE_SLACK = 64 };

struct reader {
	const char *file;
	size_t len, left; /* bytes of the archive; bytes that may still be unpacked */
	zip_t *zip;
	struct arena *arena;
	struct npz_file *out;
	struct err *err;
};

static int fail_entry(struct reader *r, const char *entry, const char *what)
{
	err_set(r->err, ERR_FORMAT, "array \"%.200s\": %s", entry, what);
	return err_at_file(r->err, r->file);
}

/* Whether what the directory says about an entry is possible. */
static int check_sizes(struct reader *r, const char *entry, const zip_stat_t *s)
{
	if (s->encryption_method != ZIP_EM_NONE)
		return fail_entry(r, entry, "it is encrypted");
	if (s->comp_method != ZIP_CM_STORE && s->comp_method != ZIP_CM_DEFLATE)
		return fail_entry(r, entry, "it is packed in a way that numpy does not write");
	if (s->comp_size > r->len)
		return fail_entry(r, entry, "it is said to be larger than the file");
	if (s->comp_method == ZIP_CM_STORE ? s->size != s->comp_size
					   : s->size / DEFLATE_RATIO > s->comp_size + DEFLATE_SLACK)
		return fail_entry(r, entry, "its sizes contradict each other");
	if (s->size > r->left)
		return fail_entry(r, entry,
				  "with it the arrays are larger than what is read at once");
	return 0;
}

static int unpack(struct reader *r, zip_uint64_t index, const char *entry, char *data, size_t size)
{
	zip_file_t *f = zip.zip_fopen_index(r->zip, index, 0);
	size_t got = 0;
	int rc = -1;

	if (!f)
		return fail_entry(r, entry, zip.zip_strerror(r->zip));
	while (got < size) {
		zip_int64_t n = zip.zip_fread(f, data + got, size - got);

		if (n < 0) {
			fail_entry(r, entry, zip.zip_file_strerror(f));
			goto out;
		}
		if (n == 0)
			break;
		got += (size_t)n;
	}
	/* the checksum is verified where the entry ends */
	if (got == size && zip.zip_fread(f, &(char){0}, 1) == 0)
		rc = 0;
	else
		fail_entry(r, entry, "it is damaged: its length or checksum is wrong");
out:
	zip.zip_fclose(f);
	return rc;
}

static int read_entry(struct reader *r, zip_uint64_t index)
{
	struct npz_file *f = r->out;
	zip_stat_t s;
	char where[512], *data;
	size_t n;

	if (zip.zip_stat_index(r->zip, index, 0, &s) < 0 || !s.name) {
		err_set(r->err, ERR_FORMAT, "damaged npz: entry %llu cannot be read",
			(unsigned long long)index);
		return err_at_file(r->err, r->file);
	}
	n = strlen(s.name);
	if (n < 4 || strcmp(s.name + n - 4, ".npy") != 0) {
		f->nskipped++;
		return 0;
	}
	if (check_sizes(r, s.name, &s) < 0)
		return -1;
	f->entries[f->n].name = arena_strndup(r->arena, s.name, n - 4);
	data = arena_alloc(r->arena, (size_t)s.size);
	r->left -= (size_t)s.size;
	snprintf(where, sizeof where, "%s: %.200s", r->file, s.name);
	if (unpack(r, index, s.name, data, (size_t)s.size) < 0 ||
	    npy_parse(data, (size_t)s.size, where, &f->entries[f->n].array, r->err) < 0)
		return -1;
	f->n++;
	return 0;
}

static int read_entries(struct reader *r)
{
	zip_int64_t n = zip.zip_get_num_entries(r->zip, 0);

	if (n > NPZ_MAX_ENTRIES) {
		err_set(r->err, ERR_RANGE, "%lld arrays, at most %d are read", (long long)n,
			NPZ_MAX_ENTRIES);
		return err_at_file(r->err, r->file);
	}
	r->out->entries = arena_array(r->arena, struct npz_entry, (size_t)n + 1);
	for (zip_int64_t i = 0; i < n; i++)
		if (read_entry(r, (zip_uint64_t)i) < 0)
			return -1;
	return 0;
}

int npz_parse(const void *bytes, size_t len, size_t limit, const char *name, struct arena *arena,
	      struct npz_file *out, struct err *err)
{
	struct reader r = {
		.file = name, .len = len, .left = limit, .arena = arena, .out = out, .err = err};
	zip_source_t *source = NULL;
	zip_error_t why;
	int rc = -1;

	*out = (struct npz_file){0};
	if (!loaded()) {
		err_set(err, ERR_MISSING, "npz files need libzip, which is not installed");
		return err_at_file(err, name);
	}
	zip.zip_error_init(&why);
	source = zip.zip_source_buffer_create(bytes, len, 0, &why);
	if (source)
		r.zip = zip.zip_open_from_source(source, ZIP_RDONLY, &why);
	if (r.zip) {
		rc = read_entries(&r);
		zip.zip_discard(r.zip);
	} else {
		err_set(err, ERR_FORMAT, "damaged npz: %s", zip.zip_error_strerror(&why));
		err_at_file(err, name);
		if (source)
			zip.zip_source_free(source);
	}
	zip.zip_error_fini(&why);
	return rc;
}
