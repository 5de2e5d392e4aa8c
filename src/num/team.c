#include "num/team.h"
#include "base/mem.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

/*
 * A round is open while its pieces are handed out. A helper first says that it is inside, then
 * looks whether the round is open; the caller first closes, then waits until nobody is inside. With
 * the total order of these four accesses a helper never sees half of a round.
 */
static struct {
	pthread_mutex_t lock; /* sleeping and stopping */
	pthread_cond_t wake;
	pthread_t *helpers; /* owned */
	int n;		    /* of them */
	bool quit;
	atomic_int sleeping, inside;
	atomic_uint round;
	atomic_bool open;
	atomic_bool taken; /* by a caller */
	atomic_size_t next;
	size_t pieces;
	void (*fn)(void *user, size_t i);
	void *user;
} team = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

static void pause_a_little(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

static void take_pieces(void)
{
	size_t i;

	while ((i = atomic_fetch_add(&team.next, 1)) < team.pieces)
		team.fn(team.user, i);
}

/* About 100 µs: longer than the work between two large products of one timestep. */
enum { SPINS = 4000 };

/* Until the round is another one than `seen`. false: the team is dissolved. */
static bool wait_for_round(unsigned seen)
{
	bool go;

	for (int i = 0; i < SPINS; i++) {
		if (atomic_load(&team.round) != seen)
			return true;
		pause_a_little();
	}
	pthread_mutex_lock(&team.lock);
	atomic_fetch_add(&team.sleeping, 1);
	while (atomic_load(&team.round) == seen && !team.quit)
		pthread_cond_wait(&team.wake, &team.lock);
	atomic_fetch_sub(&team.sleeping, 1);
	go = !team.quit;
	pthread_mutex_unlock(&team.lock);
	return go;
}

static void *help(void *arg)
{
	unsigned seen = atomic_load(&team.round);

	(void)arg;
	while (wait_for_round(seen)) {
		seen = atomic_load(&team.round);
		atomic_fetch_add(&team.inside, 1);
		if (atomic_load(&team.open))
			take_pieces();
		atomic_fetch_sub(&team.inside, 1);
	}
	return NULL;
}

bool team_try(void)
{
	return team.n > 0 && !atomic_exchange(&team.taken, true);
}

void team_run(size_t n, void (*fn)(void *user, size_t i), void *user)
{
	team.fn = fn;
	team.user = user;
	team.pieces = n;
	atomic_store(&team.next, 0);
	atomic_store(&team.open, true);
	atomic_fetch_add(&team.round, 1);
	if (atomic_load(&team.sleeping) > 0) {
		pthread_mutex_lock(&team.lock);
		pthread_cond_broadcast(&team.wake);
		pthread_mutex_unlock(&team.lock);
	}
	take_pieces();
	atomic_store(&team.open, false);
	while (atomic_load(&team.inside) > 0)
		pause_a_little();
	atomic_store(&team.taken, false);
}

static void dissolve(void)
{
	pthread_mutex_lock(&team.lock);
	team.quit = true;
	atomic_fetch_add(&team.round, 1);
	pthread_cond_broadcast(&team.wake);
	pthread_mutex_unlock(&team.lock);
	for (int i = 0; i < team.n; i++)
		pthread_join(team.helpers[i], NULL);
	free(team.helpers);
	team.helpers = NULL;
	team.n = 0;
	team.quit = false;
}

void num_threads(int n)
{
	sigset_t all, old;

	dissolve();
	if (n < 2)
		return;
	team.helpers = mem_calloc((size_t)n - 1, sizeof *team.helpers);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	while (team.n < n - 1 && pthread_create(&team.helpers[team.n], NULL, help, NULL) == 0)
		team.n++;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}
