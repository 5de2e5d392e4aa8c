/*
 * bench.c - how fast things are: `bench` runs everything, `bench NAME…` some of it. One JSON line a
 * measurement; nothing is asserted about time.
 */
#include "bench.h"
#include "base/mem.h"
#include "num/blas.h"
#include "num/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static const struct bench {
	const char *name, *what;
	bool (*run)(void);
} benches[] = {
	/* first: a child's peak memory counts what its parent held when it forked */
	{"startup", "the program from its start to a heatmap, and to the first frame",
	 bench_startup},
	{"open", "opening files of attention by their size, and reading text", bench_open},
	{"roofline", "what the machine can: reading memory, large products", bench_roofline},
	{"train_bigru", "a training step: BiGRU with dot attention, 64 sentences of 10 words",
	 bench_train_bigru},
	{"train_transformer", "a training step: Transformer of 2+2 layers, d 128, the same batch",
	 bench_train_transformer},
	{"decode_gru", "greedy decoding, one sentence at a time", bench_decode_gru},
	{"decode_transformer", "the same with Transformers of four sizes",
	 bench_decode_transformer},
	{"frame", "drawing and painting a screen, answering a key", bench_frame},
};

double bench_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void bench_add(struct bench_runs *r, double seconds)
{
	r->seconds = mem_grow(r->seconds, r->n, &r->cap, sizeof *r->seconds);
	r->seconds[r->n++] = seconds;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void bench_sort(struct bench_runs *r)
{
	qsort(r->seconds, r->n, sizeof *r->seconds, ascending);
}

double bench_median(const struct bench_runs *r)
{
	return r->n ? r->seconds[r->n / 2] : 0;
}

void bench_free(struct bench_runs *r)
{
	free(r->seconds);
	*r = (struct bench_runs){0};
}

/* CPU seconds that the machine was busy, stolen time included; negative if unknown. */
static double busy_seconds(void)
{
	unsigned long long v[8] = {0};
	FILE *f = fopen("/proc/stat", "r");
	int n = 0;

	if (!f)
		return -1;
	n = fscanf(f, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &v[0], &v[1], &v[2], &v[3],
		   &v[4], &v[5], &v[6], &v[7]);
	fclose(f);
	if (n != 8)
		return -1;
	/* all but idle and iowait */
	return (double)(v[0] + v[1] + v[2] + v[5] + v[6] + v[7]) / (double)sysconf(_SC_CLK_TCK);
}

static double own_seconds(void)
{
	struct tms t;

	times(&t);
	return (double)(t.tms_utime + t.tms_stime + t.tms_cutime + t.tms_cstime) /
	       (double)sysconf(_SC_CLK_TCK);
}

double bench_collect(void (*once)(void *user), void *user, double budget, int min)
{
	double start = bench_now(), busy = busy_seconds(), own = own_seconds(), other;

	for (int i = 0; i < min || bench_now() - start < budget; i++)
		once(user);
	if (busy < 0)
		return -1;
	other = (busy_seconds() - busy - (own_seconds() - own)) / (bench_now() - start);
	return other > 0 ? other : 0;
}

void bench_print(struct buf *line, size_t runs, double other_cpu)
{
	if (other_cpu >= 0)
		buf_printf(line, ", \"other_cpu\": %.3f", other_cpu);
	printf("{%s, \"blas\": \"openblas %s\", \"kernels\": \"%s\", \"runs\": %zu}\n",
	       buf_str(line), num_blas_name(), num_k->name, runs);
	fflush(stdout);
	buf_free(line);
}

static const struct bench *find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(benches); i++) {
		if (strcmp(benches[i].name, name) == 0)
			return &benches[i];
	}
	return NULL;
}

static int usage(const char *name)
{
	fprintf(stderr, "bench: there is no benchmark '%s'; there are:\n", name);
	for (size_t i = 0; i < ARRAY_LEN(benches); i++)
		fprintf(stderr, "  %-18s %s\n", benches[i].name, benches[i].what);
	return 2;
}

int main(int argc, char **argv)
{
	bool ok = true;

	for (int i = 1; i < argc; i++) {
		if (!find(argv[i]))
			return usage(argv[i]);
	}
	for (size_t i = 0; i < ARRAY_LEN(benches) && argc == 1; i++)
		ok = benches[i].run() && ok;
	for (int i = 1; i < argc; i++)
		ok = find(argv[i])->run() && ok;
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
