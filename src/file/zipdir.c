#include "file/zipdir.h"

#include <string.h>

/* Fixed parts of the records. */
enum { END = 22, LOCATOR = 20, END64 = 56, ENTRY = 46, LOCAL = 30, MAX_COMMENT = 65535 };

struct parser {
	const unsigned char *b;
	size_t len;
	const char *file;
	struct arena *arena;
	struct err *err;
};

static int fail(struct parser *p, size_t at, const char *what)
{
	err_set(p->err, ERR_FORMAT, "damaged npz: %s", what);
	return err_at_byte(p->err, p->file, (long)at);
}

static uint64_t get(const unsigned char *b, int n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | b[n];
	return v;
}

/* Whether a record of n bytes with that signature, "PK" and two bytes, begins at `at`. */
static bool is_record(const struct parser *p, uint64_t at, size_t n, const char *signature)
{
	return at <= p->len && p->len - at >= n && memcmp(p->b + at, signature, 4) == 0;
}

/* The end record: the last one whose comment ends with the file. */
static int find_end(struct parser *p, size_t *end)
{
	size_t least = p->len > END + MAX_COMMENT ? p->len - END - MAX_COMMENT : 0;

	for (size_t at = p->len < END ? 0 : p->len - END + 1; at-- > least;) {
		if (!is_record(p, at, END, "PK\5\6") || get(p->b + at + 20, 2) != p->len - at - END)
			continue;
		*end = at;
		return 0;
	}
	err_set(p->err, ERR_FORMAT, "damaged npz: no directory at its end; the file is cut off");
	return err_at_file(p->err, p->file);
}

struct directory {
	uint64_t at, bytes, n;
};

/* What the end record says, or the one for large archives that stands before it. */
static int read_end(struct parser *p, struct directory *d)
{
	size_t end = 0;
	uint64_t at;

	if (find_end(p, &end) < 0)
		return -1;
	*d = (struct directory){.n = get(p->b + end + 10, 2),
				.bytes = get(p->b + end + 12, 4),
				.at = get(p->b + end + 16, 4)};
	if (end >= LOCATOR && is_record(p, end - LOCATOR, LOCATOR, "PK\6\7")) {
		at = get(p->b + end - LOCATOR + 8, 8);
		if (!is_record(p, at, END64, "PK\6\6"))
			return fail(p, end - LOCATOR, "its large directory is not where it should be");
		*d = (struct directory){.n = get(p->b + at + 32, 8),
					.bytes = get(p->b + at + 40, 8),
					.at = get(p->b + at + 48, 8)};
	}
	if (d->at > end || d->bytes > end - d->at)
		return fail(p, end, "its directory leaves the file");
	if (d->n > d->bytes / ENTRY)
		return fail(p, end, "more entries than its directory has room for");
	return 0;
}

/* Of the fields of an entry that say "too large", the real values stand in this extra field. */
static bool large_fields(const unsigned char *extra, size_t n, uint64_t **field, int nfields)
{
	while (n >= 4) {
		size_t id = (size_t)get(extra, 2), size = (size_t)get(extra + 2, 2);

		if (size > n - 4)
			return false;
		if (id == 1) {
			for (int i = 0; i < nfields; i++) {
				if (size < 8 * ((size_t)i + 1))
					return false;
				*field[i] = get(extra + 4 + 8 * i, 8);
			}
			return true;
		}
		extra += 4 + size;
		n -= 4 + size;
	}
	return false;
}

/* Where the data of an entry begin: behind its local header, whose extra field is its own. */
static int locate(struct parser *p, size_t at, uint64_t local, struct zipdir_entry *e)
{
	size_t head;

	if (!is_record(p, local, LOCAL, "PK\3\4"))
		return fail(p, at, "an entry is not where its directory says");
	head = LOCAL + (size_t)get(p->b + local + 26, 2) + (size_t)get(p->b + local + 28, 2);
	if (head > p->len - local || e->packed > p->len - local - head)
		return fail(p, at, "an entry is said to be larger than the file");
	e->data = p->b + local + head;
	return 0;
}

/* The entry at *at, which moves behind it. */
static int read_entry(struct parser *p, size_t *at, size_t end, struct zipdir_entry *e)
{
	const unsigned char *b = p->b + *at;
	uint64_t packed, size, local, *large[3];
	size_t name, extra, total;
	int nlarge = 0;

	if (end - *at < ENTRY || memcmp(b, "PK\1\2", 4) != 0)
		return fail(p, *at, "an entry of its directory is cut off");
	name = (size_t)get(b + 28, 2);
	extra = (size_t)get(b + 30, 2);
	total = ENTRY + name + extra + (size_t)get(b + 32, 2);
	if (total > end - *at)
		return fail(p, *at, "an entry of its directory is cut off");
	packed = get(b + 20, 4);
	size = get(b + 24, 4);
	local = get(b + 42, 4);
	if (size == UINT32_MAX)
		large[nlarge++] = &size;
	if (packed == UINT32_MAX)
		large[nlarge++] = &packed;
	if (local == UINT32_MAX)
		large[nlarge++] = &local;
	if (nlarge && !large_fields(b + ENTRY + name, extra, large, nlarge))
		return fail(p, *at, "the sizes of a large entry are missing");
	if (packed > p->len || size > SIZE_MAX / 2)
		return fail(p, *at, "an entry is said to be larger than the file");
	*e = (struct zipdir_entry){.name = arena_strndup(p->arena, (const char *)b + ENTRY, name),
				   .method = (int)get(b + 10, 2),
				   .encrypted = b[8] & 1,
				   .crc = (uint32_t)get(b + 16, 4),
				   .packed = (size_t)packed,
				   .size = (size_t)size};
	if (locate(p, *at, local, e) < 0)
		return -1;
	*at += total;
	return 0;
}

int zipdir_parse(const void *bytes, size_t len, size_t max, const char *name, struct arena *arena,
		 struct zipdir *out, struct err *err)
{
	struct parser p = {.b = bytes, .len = len, .file = name, .arena = arena, .err = err};
	struct directory d;
	size_t at;

	*out = (struct zipdir){0};
	if (read_end(&p, &d) < 0)
		return -1;
	if (d.n > max) {
		err_set(err, ERR_RANGE, "%zu arrays, at most %zu are read", (size_t)d.n, max);
		return err_at_file(err, name);
	}
	out->entries = arena_array(arena, struct zipdir_entry, (size_t)d.n + 1);
	at = (size_t)d.at;
	for (; out->n < d.n; out->n++)
		if (read_entry(&p, &at, (size_t)(d.at + d.bytes), &out->entries[out->n]) < 0)
			return -1;
	return 0;
}

/* CRC-32 of ISO 3309, eight bytes at a time: table[k][b] is byte b with k zero bytes behind it. */
uint32_t zipdir_crc(const void *data, size_t n)
{
	const unsigned char *p = data;
	uint32_t table[8][256], crc = UINT32_MAX;

	for (uint32_t b = 0; b < 256; b++) {
		uint32_t c = b;

		for (int bit = 0; bit < 8; bit++)
			c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
		table[0][b] = c;
	}
	for (int k = 1; k < 8; k++)
		for (int b = 0; b < 256; b++)
			table[k][b] = table[k - 1][b] >> 8 ^ table[0][table[k - 1][b] & 255];
	for (; n >= 8; n -= 8, p += 8) {
		uint32_t low = crc ^ (uint32_t)get(p, 4), high = (uint32_t)get(p + 4, 4);

		crc = 0;
		for (int k = 0; k < 4; k++)
			crc ^= table[7 - k][low >> 8 * k & 255] ^ table[3 - k][high >> 8 * k & 255];
	}
	for (; n; n--)
		crc = crc >> 8 ^ table[0][(crc ^ *p++) & 255];
	return ~crc;
}
