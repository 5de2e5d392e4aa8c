/*
 * What the machine can, measured in the same run as the rest: bytes a second that one or two cores
 * read from a large array, and floating-point operations a second of a large product by BLAS.
 */
#include "base/mem.h"
#include "bench.h"
#include "num/blas.h"
#include "num/kernels.h"

#include <pthread.h>
#include <stdlib.h>

enum { FLOATS = BENCH_READ_BYTES / sizeof(float), SIDE = 1024, MAX_THREADS = 2 };

struct reading {
	const float *x; /* [FLOATS] */
	int threads;
	struct bench_runs runs;
};

struct part {
	pthread_t thread;
	const float *x;
	size_t n;
	float sum;
};

/* From end to end, as decoding reads weights: two streams or four were no faster. */
static void *read_part(void *user)
{
	enum { CHUNK = 4096 };
	struct part *p = user;

	for (size_t i = 0; i + CHUNK <= p->n; i += CHUNK)
		p->sum += num_k->dot(p->x + i, p->x + i, CHUNK);
	return NULL;
}

static void read_all(void *user)
{
	struct reading *r = user;
	struct part parts[MAX_THREADS] = {{0}};
	double start = bench_now();

	for (int i = 0; i < r->threads; i++) {
		parts[i].n = FLOATS / (size_t)r->threads;
		parts[i].x = r->x + parts[i].n * (size_t)i;
		if (i > 0)
			pthread_create(&parts[i].thread, NULL, read_part, &parts[i]);
	}
	read_part(&parts[0]);
	for (int i = 1; i < r->threads; i++)
		pthread_join(parts[i].thread, NULL);
	bench_add(&r->runs, bench_now() - start);
}

static void print(const char *what, const char *unit, double amount, int threads,
		  struct bench_runs *runs, double other)
{
	struct buf line = {0};

	bench_sort(runs);
	buf_printf(&line,
		   "\"bench\": \"roofline\", \"kind\": \"%s\", \"%s\": %.2f, \"%s_best\": %.2f, "
		   "\"threads\": %d",
		   what, unit, amount / bench_median(runs), unit, amount / runs->seconds[0],
		   threads);
	bench_print(&line, runs->n, other);
	bench_free(runs);
}

double bench_read(int threads, struct bench_runs *runs)
{
	struct reading r = {mem_block(FLOATS, sizeof *r.x), threads, {0}};
	double other = bench_collect(read_all, &r, 0.5, 5);

	bench_sort(&r.runs);
	*runs = r.runs;
	free((void *)r.x);
	return other;
}

static void measure_reading(int threads)
{
	struct bench_runs runs;
	double other = bench_read(threads, &runs);

	print("read", "gb_per_s", BENCH_READ_BYTES * 1e-9, threads, &runs, other);
}

struct product {
	float *a, *b, *c; /* [SIDE,SIDE] */
	bool blas;
	struct bench_runs runs;
};

static void multiply(void *user)
{
	struct product *p = user;
	double start = bench_now();

	if (!p->blas || !num_blas_gemm(false, false, SIDE, SIDE, SIDE, p->a, SIDE, p->b, SIDE,
				       false, p->c, SIDE))
		num_k->gemm(false, false, SIDE, SIDE, SIDE, p->a, SIDE, p->b, SIDE, false, p->c,
			    SIDE);
	bench_add(&p->runs, bench_now() - start);
}

static void measure_product(bool blas, int threads)
{
	size_t n = (size_t)SIDE * SIDE;
	struct product p = {mem_calloc(n, sizeof(float)),
			    mem_calloc(n, sizeof(float)),
			    mem_calloc(n, sizeof(float)),
			    blas,
			    {0}};
	double other;

	num_blas_threads(threads);
	for (size_t i = 0; i < n; i++)
		p.a[i] = p.b[i] = 1;
	other = bench_collect(multiply, &p, 0.5, 5);
	print(blas ? "sgemm" : "own_gemm", "gflop_per_s", 2e-9 * SIDE * (double)n, threads, &p.runs,
	      other);
	num_blas_threads(1);
	free(p.a);
	free(p.b);
	free(p.c);
}

bool bench_roofline(void)
{
	for (int threads = 1; threads <= MAX_THREADS; threads++)
		measure_reading(threads);
	measure_product(false, 1);
	for (int threads = 1; threads <= MAX_THREADS; threads++)
		measure_product(true, threads);
	return true;
}
