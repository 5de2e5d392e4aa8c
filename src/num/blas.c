#include "num/blas.h"

#include <cblas.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

static struct {
	typeof(cblas_sgemm) *sgemm;
	typeof(openblas_set_num_threads) *set_num_threads;
	typeof(openblas_get_corename) *get_corename;
} blas; /* sgemm is NULL if there is no BLAS */

/*
 * OpenBLAS starts its threads when it is loaded, and they spin; told to use one it starts none. A
 * number that the user set stays.
 */
static void load(void)
{
	void *lib;

	setenv("OPENBLAS_NUM_THREADS", "1", 0);
	lib = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
	if (!lib)
		return;
	blas.set_num_threads = (typeof(blas.set_num_threads))dlsym(lib, "openblas_set_num_threads");
	blas.get_corename = (typeof(blas.get_corename))dlsym(lib, "openblas_get_corename");
	blas.sgemm = (typeof(blas.sgemm))dlsym(lib, "cblas_sgemm");
}

static bool loaded(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return blas.sgemm != NULL;
}

bool num_blas_gemm(bool ta, bool tb, size_t m, size_t n, size_t k, const float *A, size_t lda,
		   const float *B, size_t ldb, bool add, float *C, size_t ldc)
{
	if (!loaded() || (m | n | k | lda | ldb | ldc) > INT_MAX)
		return false;
	blas.sgemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans,
		   (int)m, (int)n, (int)k, 1, A, (int)lda, B, (int)ldb, add ? 1 : 0, C, (int)ldc);
	return true;
}

void num_blas_threads(int n)
{
	if (loaded() && blas.set_num_threads)
		blas.set_num_threads(n);
}

const char *num_blas_name(void)
{
	return !loaded() ? "none" : blas.get_corename ? blas.get_corename() : "unknown";
}
