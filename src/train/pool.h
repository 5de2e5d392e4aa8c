/*
 * pool.h - threads that stay: each round of work is handed to all of them and waited for.
 */
#ifndef TRAIN_POOL_H
#define TRAIN_POOL_H

struct pool;

/* n ≥ 1 workers, one of which is the caller; n = 1 starts no thread. Fewer if the system gives fewer. */
struct pool *pool_new(int n);
void pool_free(struct pool *p); /* NULL is fine */
int pool_size(const struct pool *p);

typedef void pool_fn(void *user, int worker);
/* Calls fn(user, i) for i = 0 … size-1, each on its own thread, i = 0 here; returns when all are done. */
void pool_run(struct pool *p, pool_fn *fn, void *user);

#endif
