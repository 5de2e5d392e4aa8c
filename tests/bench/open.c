/*
 * Opening a file of attention and making its first trace, each time in a process of its own: time and
 * memory against its size, which must not matter for formats that are looked at where they lie (the files
 * are sparse and hold zeros); the first frame of the program on the same files; windows of a matrix of
 * 4 GiB pooled for a screen; and how fast text is read, from memory.
 */
#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "bench.h"
#include "child.h"
#include "file/zipdir.h"
#include "import/import.h"
#include "trace/pool.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { HEADS = 16, SMALL = 1 << 20, RUNS = 9, TEXT_BYTES = 32 << 20, LEAST_FRAME = 1000 };

/* ---- files ---- */

static bool put(int fd, size_t at, const void *bytes, size_t n)
{
	return pwrite(fd, bytes, n, (off_t)at) == (ssize_t)n;
}

/* 16 heads a layer, layers of 64 MiB; of less, one layer of smaller maps. */
static size_t side_of(size_t bytes)
{
	size_t side = 1024;

	while (HEADS * side * side * 4 > bytes)
		side /= 2;
	return side;
}

static bool make_safetensors(int fd, size_t bytes)
{
	size_t side = side_of(bytes), layer = HEADS * side * side * 4;
	unsigned char length[8] = {0};
	struct buf b = {0};
	bool ok;

	for (size_t l = 0; l < bytes / layer; l++)
		buf_printf(&b,
			   "%c\"encoder_attentions.%zu\":{\"dtype\":\"F32\",\"shape\":[1,%d,%zu,%zu],"
			   "\"data_offsets\":[%zu,%zu]}",
			   l ? ',' : '{', l, HEADS, side, side, l * layer, (l + 1) * layer);
	buf_putc(&b, '}');
	for (int k = 0; k < 8; k++)
		length[k] = (unsigned char)(b.len >> 8 * k);
	ok = put(fd, 0, length, 8) && put(fd, 8, b.data, b.len) &&
	     ftruncate(fd, (off_t)(8 + b.len + bytes)) == 0;
	buf_free(&b);
	return ok;
}

/* (layers, heads, side, side) */
static void npy_header(char header[128], size_t bytes)
{
	size_t side = side_of(bytes);
	int n = snprintf(header, 128,
			 "\x93NUMPY\x01%c%c%c{'descr':'<f4','fortran_order':False,'shape':(%zu,%d,%zu,%zu)}",
			 0, 118, 0, bytes / (HEADS * side * side * 4), HEADS, side, side);

	memset(header + n, ' ', (size_t)(128 - n));
}

static bool make_npy(int fd, size_t bytes)
{
	char header[128];

	npy_header(header, bytes);
	return put(fd, 0, header, sizeof header) && ftruncate(fd, (off_t)(128 + bytes)) == 0;
}

static void little(unsigned char *to, uint64_t v, int n)
{
	for (int k = 0; k < n; k++)
		to[k] = (unsigned char)(v >> 8 * k);
}

/* One stored array, with the records for large archives, as numpy.savez writes them. */
static bool make_npz(int fd, size_t bytes)
{
	static const char name[] = "encoder_attentions.npy";
	enum { NAME = sizeof name - 1, LOCAL = 30 + NAME, ENTRY = 46 + NAME + 28 };
	unsigned char local[LOCAL] = "PK\3\4", d[ENTRY + 56 + 20 + 22] = "PK\1\2",
		      *extra = d + 46 + NAME, *end64 = d + ENTRY, *locator = end64 + 56,
		      *end = locator + 20;
	size_t size = 128 + bytes, at = LOCAL + size;
	char *small = mem_calloc(1, 128 + SMALL);
	bool ok;

	npy_header(small, bytes);
	local[26] = d[28] = NAME;
	memcpy(local + 30, name, NAME);
	/* checked only in small files */
	if (bytes <= 4 * SMALL) {
		small = mem_realloc(small, 1, size);
		memset(small + 128, 0, bytes);
		little(d + 16, zipdir_crc(small, size), 4);
	}
	memset(d + 20, 0xff, 8);
	d[30] = 28;
	memset(d + 42, 0xff, 4);
	memcpy(d + 46, name, NAME);
	extra[0] = 1;
	extra[2] = 24;
	little(extra + 4, size, 8);
	little(extra + 12, size, 8);
	memcpy(end64, "PK\6\6", 4);
	end64[32] = end64[24] = 1;
	little(end64 + 40, ENTRY, 8);
	little(end64 + 48, at, 8);
	memcpy(locator, "PK\6\7", 4);
	little(locator + 8, at + ENTRY, 8);
	memcpy(end, "PK\5\6", 4);
	memset(end + 8, 0xff, 12);
	ok = put(fd, 0, local, LOCAL) && put(fd, LOCAL, small, 128) && put(fd, at, d, sizeof d);
	free(small);
	return ok;
}

static const struct kind {
	const char *name;
	bool (*make)(int fd, size_t bytes);
} kinds[] = {{"safetensors", make_safetensors}, {"npy", make_npy}, {"npz", make_npz}};

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- opening ---- */

struct opened {
	double seconds;
	size_t bytes; /* most memory, more than before */
};

static size_t peak(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (size_t)u.ru_maxrss * 1024;
}

static bool open_here(const char *path, struct opened *out)
{
	struct import im;
	struct trace *t;
	struct err err;
	size_t before = peak();
	double start = bench_now();

	if (import_open(&im, path, NULL, &err) < 0 || import_trace(&im, 0, &t, &err) < 0)
		return false;
	*out = (struct opened){bench_now() - start, peak() - before};
	return true;
}

/* In a child, whose memory is its own. */
static bool open_once(const char *path, struct opened *out)
{
	int ends[2];
	pid_t pid;
	bool ok;

	if (pipe(ends) < 0)
		return false;
	pid = fork();
	if (pid == 0) {
		ok = open_here(path, out) && write(ends[1], out, sizeof *out) == sizeof *out;
		_exit(ok ? 0 : 1);
	}
	close(ends[1]);
	ok = pid > 0 && read(ends[0], out, sizeof *out) == sizeof *out;
	close(ends[0]);
	waitpid(pid, NULL, 0);
	return ok;
}

struct openings {
	const char *path;
	struct bench_runs open, frame;
	double first;
	size_t most;
	bool failed;
};

static void open_and_count(void *user)
{
	struct openings *o = user;
	struct opened one;

	if (o->failed || !open_once(o->path, &one)) {
		o->failed = true;
		return;
	}
	if (o->open.n == 0)
		o->first = one.seconds;
	o->most = one.bytes > o->most ? one.bytes : o->most;
	bench_add(&o->open, one.seconds);
}

/* The most memory that a process has held so far. */
static double child_peak_mb(int pid)
{
	char name[64], line[256];
	double kib = 0;
	FILE *f;

	snprintf(name, sizeof name, "/proc/%d/status", pid);
	f = fopen(name, "r");
	while (f && fgets(line, sizeof line, f))
		sscanf(line, "VmHWM: %lf", &kib);
	if (f)
		fclose(f);
	return kib / 1024;
}

/* Seconds from `start` to the end of the first frame: what sets the terminal up comes before it. */
static double frame_read(struct child_tty *tty, double start)
{
	double last = 0;
	size_t bytes = 0, more;

	while (last >= 0 && bytes < LEAST_FRAME && child_tty_alive(tty)) {
		last = child_tty_read(tty, start, 50, &more);
		bytes += more;
	}
	return bytes < LEAST_FRAME ? -1 : last;
}

/* The program's first frame; its memory then. False: it has none. */
static bool first_frames(struct openings *o, double *mb)
{
	char program[4096], path[256];
	char *argv[] = {program, "open", path, NULL};

	snprintf(path, sizeof path, "%s", o->path);
	for (int i = 0; child_program(program, sizeof program) && i < 5; i++) {
		double start = bench_now(), frame;
		struct child_tty tty;

		if (!child_tty_open(&tty, 60, 200, argv))
			break;
		frame = frame_read(&tty, start);
		*mb = child_peak_mb(tty.pid);
		if (child_tty_alive(&tty) && frame >= 0)
			bench_add(&o->frame, frame);
		child_tty_close(&tty);
	}
	bench_sort(&o->frame);
	return o->frame.n > 0;
}

static bool measure_file(const struct kind *k, size_t bytes, const char *path)
{
	struct openings o = {.path = path};
	struct buf line = {0};
	double other = bench_collect(open_and_count, &o, 0, RUNS), mb = 0;

	if (!o.failed) {
		bench_sort(&o.open);
		buf_printf(&line,
			   "\"bench\": \"open\", \"format\": \"%s\", \"mib\": %zu, \"open_ms\": %.2f, "
			   "\"open_ms_min\": %.2f, \"first_open_ms\": %.2f, \"open_rss_mb\": %.1f",
			   k->name, bytes / SMALL, bench_median(&o.open) * 1e3,
			   o.open.seconds[0] * 1e3, o.first * 1e3, (double)o.most / SMALL);
		if (first_frames(&o, &mb))
			buf_printf(&line, ", \"frame_ms\": %.2f, \"frame_rss_mb\": %.1f",
				   bench_median(&o.frame) * 1e3, mb);
		bench_print(&line, o.open.n, other);
	}
	bench_free(&o.open);
	bench_free(&o.frame);
	return !o.failed;
}

static bool measure_kind(const struct kind *k, size_t bytes)
{
	char path[] = "/tmp/attnscope-bench-XXXXXX";
	int fd = mkstemp(path);
	bool ok = fd >= 0 && k->make(fd, bytes);

	if (!ok)
		fprintf(stderr, "bench: open: no sparse file of %zu MiB in /tmp\n", bytes / SMALL);
	else if (!(ok = measure_file(k, bytes, path)))
		fprintf(stderr, "bench: open: the %s of %zu MiB was not read\n", k->name,
			bytes / SMALL);
	if (fd >= 0) {
		close(fd);
		unlink(path);
	}
	return ok;
}

/* ---- pooling ---- */

/* A matrix of 32768 × 32768 on a screen of 60 × 200 cells, two rows of dots a cell. */
enum { SIDE = 32768, DOTS_HIGH = 120, DOTS_WIDE = 200 };

struct window {
	const struct import *im;
	const struct trace_map *map;
	size_t side;
	bool overview; /* only until every cell has seen something */
	struct bench_runs runs, cpu;
};

static void pool_window(void *user)
{
	static float out[DOTS_HIGH * DOTS_WIDE];
	struct window *w = user;
	struct trace_window at = {1000, w->side, 1000, w->side};
	struct trace_pooling p;
	double start, cpu;

	if (w->overview)
		at = (struct trace_window){0, SIDE, 0, SIDE};
	import_release(w->im);
	start = bench_now();
	cpu = cpu_seconds();
	trace_pooling_begin(&p, w->map, at, out, DOTS_HIGH, DOTS_WIDE);
	while (!(w->overview ? trace_pooling_coarse(&p) : p.complete))
		trace_pooling_step(&p, 1 << 16);
	bench_add(&w->runs, bench_now() - start);
	bench_add(&w->cpu, cpu_seconds() - cpu);
}

static void measure_window(struct window *w)
{
	struct buf line = {0};
	double other = bench_collect(pool_window, w, 0.5, 3);

	bench_sort(&w->runs);
	bench_sort(&w->cpu);
	buf_printf(&line,
		   "\"bench\": \"open\", \"pool\": \"%s\", \"window\": %zu, \"ms\": %.2f, "
		   "\"cpu_ms\": %.2f",
		   w->overview ? "coarse" : "exact", w->overview ? (size_t)SIDE : w->side,
		   bench_median(&w->runs) * 1e3, bench_median(&w->cpu) * 1e3);
	bench_print(&line, w->runs.n, other);
	bench_free(&w->runs);
	bench_free(&w->cpu);
}

static bool make_square(int fd)
{
	char header[128];
	int n = snprintf(header, sizeof header,
			 "\x93NUMPY\x01%c%c%c{'descr':'<f4','fortran_order':False,'shape':(%d,%d)}", 0,
			 118, 0, SIDE, SIDE);

	memset(header + n, ' ', sizeof header - (size_t)n);
	return put(fd, 0, header, sizeof header) &&
	       ftruncate(fd, 128 + (off_t)SIDE * SIDE * 4) == 0;
}

static bool measure_pooling(void)
{
	char path[] = "/tmp/attnscope-bench-XXXXXX";
	int fd = mkstemp(path);
	struct import im = {0};
	struct trace *t = NULL;
	bool ok = fd >= 0 && make_square(fd) && import_open(&im, path, NULL, NULL) == 0 &&
		  import_trace(&im, 0, &t, NULL) == 0;

	for (size_t side = 256; ok && side <= 4096; side *= 2)
		measure_window(&(struct window){.im = &im, .map = &t->maps[0], .side = side});
	if (ok)
		measure_window(&(struct window){.im = &im, .map = &t->maps[0], .overview = true});
	else
		fprintf(stderr, "bench: open: no matrix of 4 GiB in /tmp\n");
	trace_free(t);
	import_close(&im);
	if (fd >= 0) {
		close(fd);
		unlink(path);
	}
	return ok;
}

/* ---- text ---- */

enum { ROWS = 20, COLS = 18 };

static void add_row(struct buf *b, struct rng *rng, const char *separator)
{
	for (int c = 0; c < COLS; c++)
		buf_printf(b, "%s%.6g", c ? separator : "", rng_double(rng) / COLS * 2);
}

static void add_words(struct buf *b, int n)
{
	for (int i = 0; i < n; i++)
		buf_printf(b, "%sword%d", i ? " " : "", i);
}

static void marian(struct buf *b, struct rng *rng, size_t n)
{
	(void)n;
	add_words(b, ROWS - 1);
	buf_puts(b, " ||| ");
	for (int r = 0; r < ROWS; r++) {
		add_row(b, rng, ",");
		buf_putc(b, r + 1 < ROWS ? ' ' : '\n');
	}
}

static void nematus(struct buf *b, struct rng *rng, size_t n)
{
	buf_printf(b, "%zu ||| ", n);
	add_words(b, ROWS - 1);
	buf_puts(b, " ||| 0 ||| ");
	add_words(b, COLS - 1);
	buf_printf(b, " ||| %d %d\n", COLS, ROWS);
	for (int r = 0; r < ROWS; r++) {
		add_row(b, rng, " ");
		buf_putc(b, '\n');
	}
	buf_putc(b, '\n');
}

static void pharaoh(struct buf *b, struct rng *rng, size_t n)
{
	(void)n;
	for (int i = 0; i < ROWS; i++)
		buf_printf(b, "%s%zu-%d", i ? " " : "", rng_below(rng, COLS), i);
	buf_putc(b, '\n');
}

static const struct text {
	const char *name;
	void (*sentence)(struct buf *b, struct rng *rng, size_t n);
} texts[] = {{"marian", marian}, {"nematus", nematus}, {"pharaoh", pharaoh}};

struct reading {
	const struct text *kind;
	struct buf text;
	struct bench_runs runs, cpu;
	bool failed;
};

static void read_text(void *user)
{
	struct reading *r = user;
	struct import_options o = {.format = r->kind->name};
	struct import im = {0};
	double start = bench_now(), cpu = cpu_seconds();

	if (import_read(&im, r->text.data, r->text.len, "text", &o, NULL) < 0)
		r->failed = true;
	bench_add(&r->runs, bench_now() - start);
	bench_add(&r->cpu, cpu_seconds() - cpu);
	import_close(&im);
}

static bool measure_text(const struct text *t)
{
	struct reading r = {.kind = t};
	struct rng rng = rng_seed(1);
	struct buf line = {0};
	double other;

	for (size_t n = 0; r.text.len < TEXT_BYTES; n++)
		t->sentence(&r.text, &rng, n);
	other = bench_collect(read_text, &r, 2, 3);
	bench_sort(&r.runs);
	bench_sort(&r.cpu);
	if (r.failed) {
		fprintf(stderr, "bench: open: the %s text was not read\n", t->name);
	} else {
		buf_printf(&line,
			   "\"bench\": \"open\", \"format\": \"%s\", \"mib\": %zu, \"mb_per_s\": %.0f, "
			   "\"mb_per_s_best\": %.0f, \"mb_per_cpu_s\": %.0f",
			   t->name, r.text.len / SMALL,
			   (double)r.text.len / 1e6 / bench_median(&r.runs),
			   (double)r.text.len / 1e6 / r.runs.seconds[0],
			   (double)r.text.len / 1e6 / bench_median(&r.cpu));
		bench_print(&line, r.runs.n, other);
	}
	bench_free(&r.runs);
	bench_free(&r.cpu);
	buf_free(&r.text);
	return !r.failed;
}

bool bench_open(void)
{
	bool ok = true;

	setenv("ATTNSCOPE_DATA", DATA, 0);
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
		for (size_t mib = 1; mib <= 4096; mib *= 4)
			ok = measure_kind(&kinds[k], mib * SMALL) && ok;
	ok = measure_pooling() && ok;
	for (size_t k = 0; k < ARRAY_LEN(texts); k++)
		ok = measure_text(&texts[k]) && ok;
	return ok;
}
