#include "train/pool.h"
#include "base/mem.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

struct worker {
	struct pool *pool;
	int index;
	pthread_t thread;
};

struct pool {
	int n;
	struct worker *workers; /* [n]; 0 is the caller */
	pthread_mutex_t lock;
	pthread_cond_t start, finished;
	unsigned long round; /* counts up once a pool_run */
	int running;	     /* workers that have not finished this round */
	bool quit;
	pool_fn *fn;
	void *user;
};

static void *work(void *arg)
{
	struct worker *w = arg;
	struct pool *p = w->pool;
	unsigned long seen = 0;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		while (p->round == seen && !p->quit)
			pthread_cond_wait(&p->start, &p->lock);
		if (p->quit)
			break;
		seen = p->round;
		pthread_mutex_unlock(&p->lock);
		p->fn(p->user, w->index);
		pthread_mutex_lock(&p->lock);
		if (--p->running == 0)
			pthread_cond_signal(&p->finished);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* Signals stay with the thread that started the pool. */
static void start_workers(struct pool *p, int n)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	for (p->n = 1; p->n < n; p->n++) {
		struct worker *w = &p->workers[p->n];

		w->pool = p;
		w->index = p->n;
		if (pthread_create(&w->thread, NULL, work, w) != 0)
			break;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

struct pool *pool_new(int n)
{
	struct pool *p = mem_calloc(1, sizeof *p);

	if (n < 1)
		n = 1;
	p->workers = mem_calloc((size_t)n, sizeof *p->workers);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->start, NULL);
	pthread_cond_init(&p->finished, NULL);
	start_workers(p, n);
	return p;
}

void pool_free(struct pool *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->quit = true;
	pthread_cond_broadcast(&p->start);
	pthread_mutex_unlock(&p->lock);
	for (int i = 1; i < p->n; i++)
		pthread_join(p->workers[i].thread, NULL);
	pthread_cond_destroy(&p->finished);
	pthread_cond_destroy(&p->start);
	pthread_mutex_destroy(&p->lock);
	free(p->workers);
	free(p);
}

int pool_size(const struct pool *p)
{
	return p->n;
}

void pool_run(struct pool *p, pool_fn *fn, void *user)
{
	if (p->n > 1) {
		pthread_mutex_lock(&p->lock);
		p->fn = fn;
		p->user = user;
		p->running = p->n - 1;
		p->round++;
		pthread_cond_broadcast(&p->start);
		pthread_mutex_unlock(&p->lock);
	}
	fn(user, 0);
	if (p->n > 1) {
		pthread_mutex_lock(&p->lock);
		while (p->running > 0)
			pthread_cond_wait(&p->finished, &p->lock);
		pthread_mutex_unlock(&p->lock);
	}
}
