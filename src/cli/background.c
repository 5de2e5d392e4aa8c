#include "cli/background.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static void *run(void *arg)
{
	struct background *b = arg;

	progress_watch(&b->progress);
	b->rc = b->work(b->self, &b->err);
	close(b->ends[1]);
	return NULL;
}

int background_start(struct background *b, int (*work)(void *self, struct err *err), void *self,
		     struct err *err)
{
	*b = (struct background){.work = work, .self = self};
	if (pipe2(b->ends, O_CLOEXEC) < 0)
		return err_errno(err, "a pipe for a thread");
	errno = pthread_create(&b->thread, NULL, run, b);
	if (errno) {
		err_errno(err, "a thread that reads");
		close(b->ends[0]);
		close(b->ends[1]);
		return -1;
	}
	b->running = true;
	return 0;
}

int background_fd(const struct background *b)
{
	return b->ends[0];
}

int background_finish(struct background *b, struct err *err)
{
	pthread_join(b->thread, NULL);
	b->running = false;
	close(b->ends[0]);
	if (b->rc != 0 && err)
		*err = b->err;
	return b->rc;
}
