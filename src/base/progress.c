#include "base/progress.h"

static _Thread_local struct progress *watched;

void progress_watch(struct progress *p)
{
	watched = p;
}

void progress_begin(enum progress_stage stage, size_t of)
{
	if (!watched)
		return;
	watched->begin = watched->end = NULL;
	atomic_store(&watched->done, 0);
	atomic_store(&watched->of, of);
	atomic_store(&watched->stage, (int)stage);
}

void progress_done(size_t n)
{
	if (watched)
		atomic_store_explicit(&watched->done, n, memory_order_relaxed);
}

void progress_text(const char *text, size_t n)
{
	progress_begin(PROGRESS_TEXT, n);
	if (!watched)
		return;
	watched->begin = text;
	watched->end = text + n;
}

void progress_at(const char *p)
{
	if (watched && p >= watched->begin && p <= watched->end)
		progress_done((size_t)(p - watched->begin));
}
