#include "base/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The mappings, for the handler: `begin` is set last and cleared first, so that a handler in another
 * thread sees a whole slot or none.
 */
static struct {
	_Atomic uintptr_t begin;
	uintptr_t end;
	atomic_bool taken, faulted;
	/* what was touched since it was given back; under `lock` */
	uintptr_t low, high, last;
	size_t held;
} slots[MAPPING_MAX];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int used; /* slots that were ever taken: the others need not be looked at */

enum { AROUND = 2 << 20 }; /* the kernel maps so much around a byte that is touched */

static struct sigaction before;
static uintptr_t page = 4096;

static int slot_of(uintptr_t address)
{
	for (int k = 0; k < used; k++) {
		uintptr_t begin = slots[k].begin;

		if (begin && address >= begin && address < slots[k].end)
			return k;
	}
	return -1;
}

bool mapping_fault(const void *address)
{
	uintptr_t from = (uintptr_t)address & ~(page - 1);
	int k = slot_of((uintptr_t)address);

	if (k < 0)
		return false;
	slots[k].faulted = true;
	/* what follows is gone too, or will fault again; mmap is a bare system call */
	return mmap((void *)from, slots[k].end - from, PROT_READ,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
		    0) != MAP_FAILED;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code > 0 && mapping_fault(info->si_addr))
		return;
	/* not ours: the instruction faults again, or the signal is sent again, under the old handler */
	sigaction(number, &before, NULL);
	if (info->si_code <= 0)
		raise(number);
}

static void install(void)
{
	struct sigaction a = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};

	page = (uintptr_t)sysconf(_SC_PAGESIZE);
	sigemptyset(&a.sa_mask);
	sigaction(SIGBUS, &a, &before);
}

static int take_slot(void)
{
	for (int k = 0; k < MAPPING_MAX; k++) {
		int seen = used;

		if (atomic_exchange(&slots[k].taken, true))
			continue;
		while (seen <= k && !atomic_compare_exchange_weak(&used, &seen, k + 1))
			;
		return k;
	}
	return -1;
}

/* Maps what fd holds into a slot. */
static int map(struct mapping *m, const struct stat *st, struct err *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	void *p;

	if ((uintmax_t)st->st_size > SIZE_MAX / 4)
		return err_set(err, ERR_RANGE, "is too large to be mapped");
	m->len = (size_t)st->st_size;
	if (m->len == 0)
		return 0;
	pthread_once(&once, install);
	m->slot = take_slot();
	if (m->slot < 0)
		return err_set(err, ERR_RANGE, "more than %d files are open", MAPPING_MAX);
	p = mmap(NULL, m->len, PROT_READ, MAP_PRIVATE | MAP_NORESERVE, m->fd, 0);
	if (p == MAP_FAILED) {
		slots[m->slot].taken = false;
		return err_errno(err, "cannot map");
	}
	m->bytes = p;
	slots[m->slot].faulted = false;
	slots[m->slot].held = 0;
	slots[m->slot].end = ((uintptr_t)p + m->len + page - 1) & ~(page - 1);
	slots[m->slot].begin = (uintptr_t)p;
	return 0;
}

int mapping_open(struct mapping *m, const char *path, struct err *err)
{
	struct stat st;
	int rc = -1;

	*m = (struct mapping){.bytes = "", .slot = -1};
	/* a FIFO must not block */
	m->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (m->fd < 0 || fstat(m->fd, &st) < 0)
		err_errno(err, "cannot open");
	else if (S_ISDIR(st.st_mode))
		err_set(err, ERR_IO, "is a directory, not a file");
	else if (!S_ISREG(st.st_mode))
		err_set(err, ERR_IO, "is not a regular file");
	else
		rc = map(m, &st, err);
	if (rc == 0)
		return 0;
	if (m->fd >= 0)
		close(m->fd);
	*m = (struct mapping){0};
	return err_at_file(err, path);
}

void mapping_close(struct mapping *m)
{
	if (m->bytes && m->len) {
		slots[m->slot].begin = 0;
		munmap((void *)(uintptr_t)m->bytes, m->len);
		slots[m->slot].taken = false;
	}
	if (m->bytes)
		close(m->fd);
	*m = (struct mapping){0};
}

int mapping_check(const struct mapping *m, const char *path, struct err *err)
{
	struct stat st;

	if (!m->bytes)
		return 0;
	if (fstat(m->fd, &st) < 0)
		err_errno(err, "cannot read");
	else if ((uintmax_t)st.st_size < m->len)
		err_set(err, ERR_IO,
			"the file became shorter while it was open: %zu bytes then, %zu now; open "
			"it again",
			m->len, (size_t)st.st_size);
	else if (m->len && slots[m->slot].faulted)
		err_set(err, ERR_IO, "a part of the file could not be read; open it again");
	else
		return 0;
	return err_at_file(err, path);
}

/* Zeros that stand for what is gone would be the same zeros again. */
static void release(uintptr_t from, uintptr_t to)
{
	from &= ~(page - 1);
	madvise((void *)from, (to - from + page - 1) & ~(page - 1), MADV_DONTNEED);
}

void mapping_release(const void *p, size_t n)
{
	int k = slot_of((uintptr_t)p);

	if (k >= 0 && n > 0 && n <= slots[k].end - (uintptr_t)p)
		release((uintptr_t)p, (uintptr_t)p + n);
}

void mapping_scattered(const void *p, size_t n, bool on)
{
	uintptr_t from = (uintptr_t)p & ~(page - 1);
	int k = slot_of((uintptr_t)p);

	if (k >= 0 && n > 0 && n <= slots[k].end - (uintptr_t)p)
		madvise((void *)from, (uintptr_t)p + n - from, on ? MADV_RANDOM : MADV_NORMAL);
}

void mapping_touch(const void *p, size_t n, size_t bytes)
{
	uintptr_t from = (uintptr_t)p, to = from + n, gap;
	int k = slot_of(from);

	if (k < 0 || n > slots[k].end - from)
		return;
	pthread_mutex_lock(&lock);
	if (slots[k].held > MAPPING_HELD) {
		release(slots[k].low, slots[k].high);
		slots[k].held = 0;
	}
	slots[k].low = slots[k].held && slots[k].low < from ? slots[k].low : from;
	slots[k].high = slots[k].held && slots[k].high > to ? slots[k].high : to;
	/* what lies between is mapped too */
	gap = from - slots[k].last;
	slots[k].held += bytes + (gap < AROUND ? gap : AROUND);
	slots[k].last = to;
	pthread_mutex_unlock(&lock);
}
