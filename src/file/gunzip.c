#include "file/gunzip.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <zlib.h>

/* The functions of zlib that are used: one list for the table and for loading it. */
#define Z_FUNCTIONS(X) X(inflateInit2_) X(inflate) X(inflateEnd)

static struct {
#define X(name) __typeof__(name) *name;
	Z_FUNCTIONS(X)
#undef X
	bool complete;
} z;

static void load(void)
{
	void *lib = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!lib)
		return;
	z.complete = true;
#define X(name)                                                                                    \
	z.name = (__typeof__(z.name))dlsym(lib, #name);                                            \
	z.complete &= z.name != NULL;
	Z_FUNCTIONS(X)
#undef X
}

static bool loaded(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return z.complete;
}

/* Deflate makes at most 1032 bytes out of one. */
bool gunzip_possible(size_t packed, size_t size)
{
	return size / 1032 <= packed && packed <= UINT_MAX && size < UINT_MAX;
}

int gunzip(const void *bytes, size_t len, void *out, size_t size, struct err *err)
{
	z_stream s = {.next_in = (Bytef *)(uintptr_t)bytes,
		      .avail_in = (uInt)len,
		      .next_out = out,
		      .avail_out = (uInt)size};
	int rc;

	if (!gunzip_possible(len, size))
		return err_set(err, ERR_FORMAT, "%zu packed bytes are not %zu unpacked ones", len,
			       size);
	if (!loaded())
		return err_set(err, ERR_MISSING,
			       "it is packed by gzip, and zlib (libz.so.1) is not installed");
	/* 16: with the header and checksum of gzip */
	if (z.inflateInit2_(&s, 16 + MAX_WBITS, ZLIB_VERSION, (int)sizeof s) != Z_OK)
		return err_set(err, ERR_MISSING, "zlib does not start");
	rc = z.inflate(&s, Z_FINISH);
	z.inflateEnd(&s);
	if (rc == Z_STREAM_END && s.avail_out == 0)
		return 0;
	return err_set(err, ERR_FORMAT,
		       "the packed numbers are damaged, or another number of them than is said");
}
