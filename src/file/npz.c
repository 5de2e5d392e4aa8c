#include "file/npz.h"
#include "file/zipdir.h"

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
	const void *bytes;
	size_t len, left; /* bytes of the archive; bytes that may still be unpacked */
	zip_t *zip;       /* opened for the first entry that must be unpacked */
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
static int check_sizes(struct reader *r, const struct zipdir_entry *e)
{
	if (e->encrypted)
		return fail_entry(r, e->name, "it is encrypted");
	if (e->method != ZIP_STORED && e->method != ZIP_DEFLATED)
		return fail_entry(r, e->name, "it is packed in a way that numpy does not write");
	if (e->method == ZIP_STORED ? e->size != e->packed
				    : e->size / DEFLATE_RATIO > e->packed + DEFLATE_SLACK)
		return fail_entry(r, e->name, "its sizes contradict each other");
	if (e->method != ZIP_STORED && e->size > r->left)
		return fail_entry(r, e->name,
				  "with it the arrays are larger than what is unpacked at once");
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

static int open_zip(struct reader *r)
{
	zip_source_t *source;
	zip_error_t why;

	if (r->zip)
		return 0;
	if (!loaded()) {
		err_set(r->err, ERR_MISSING,
			"packed npz files need libzip, which is not installed");
		return err_at_file(r->err, r->file);
	}
	zip.zip_error_init(&why);
	source = zip.zip_source_buffer_create(r->bytes, r->len, 0, &why);
	if (source)
		r->zip = zip.zip_open_from_source(source, ZIP_RDONLY, &why);
	if (!r->zip) {
		err_set(r->err, ERR_FORMAT, "damaged npz: %s", zip.zip_error_strerror(&why));
		err_at_file(r->err, r->file);
		if (source)
			zip.zip_source_free(source);
	}
	zip.zip_error_fini(&why);
	return r->zip ? 0 : -1;
}

/* The bytes of an entry: where they lie, or unpacked into the arena. */
static int entry_bytes(struct reader *r, size_t index, const struct zipdir_entry *e,
		       const void **data)
{
	char *unpacked;

	if (e->method == ZIP_STORED) {
		*data = e->data;
		if (r->len > NPZ_SUM_BYTES || zipdir_crc(e->data, e->size) == e->crc)
			return 0;
		return fail_entry(r, e->name, "it is damaged: its checksum is wrong");
	}
	if (open_zip(r) < 0)
		return -1;
	unpacked = arena_alloc(r->arena, e->size);
	r->left -= e->size;
	*data = unpacked;
	return unpack(r, (zip_uint64_t)index, e->name, unpacked, e->size);
}

static int read_entry(struct reader *r, size_t index, const struct zipdir_entry *e)
{
	struct npz_entry *to = &r->out->entries[r->out->n];
	size_t n = strlen(e->name);
	const void *data;
	char where[512];

	if (n < 4 || strcmp(e->name + n - 4, ".npy") != 0) {
		r->out->nskipped++;
		return 0;
	}
	to->name = arena_strndup(r->arena, e->name, n - 4);
	snprintf(where, sizeof where, "%s: %.200s", r->file, e->name);
	if (check_sizes(r, e) < 0 || entry_bytes(r, index, e, &data) < 0 ||
	    npy_parse(data, e->size, where, &to->array, r->err) < 0)
		return -1;
	r->out->n++;
	return 0;
}

int npz_parse(const void *bytes, size_t len, size_t limit, const char *name, struct arena *arena,
	      struct npz_file *out, struct err *err)
{
	struct reader r = {.file = name,
			   .bytes = bytes,
			   .len = len,
			   .left = limit,
			   .arena = arena,
			   .out = out,
			   .err = err};
	struct zipdir dir;
	int rc = 0;

	*out = (struct npz_file){0};
	if (zipdir_parse(bytes, len, NPZ_MAX_ENTRIES, name, arena, &dir, err) < 0)
		return -1;
	out->entries = arena_array(arena, struct npz_entry, dir.n + 1);
	for (size_t i = 0; i < dir.n && rc == 0; i++)
		rc = read_entry(&r, i, &dir.entries[i]);
	if (r.zip)
		zip.zip_discard(r.zip);
	return rc;
}
