#include "base/spool.h"
#include "base/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In $TMPDIR, else where there is one; removed before anything is written. */
static int open_nameless(struct err *err)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];
	int fd;

	if (!folder || !*folder)
		folder = "/tmp";
	if ((size_t)snprintf(path, sizeof path, "%s/attnscope-XXXXXX", folder) >= sizeof path)
		return err_set(err, ERR_RANGE, "the name of the folder TMPDIR is too long");
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return err_errno(err, "cannot make a temporary file in %s", folder);
	unlink(path);
	return fd;
}

static int put(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t k = write(fd, bytes, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return -1;
		bytes += k;
		n -= (size_t)k;
	}
	return 0;
}

static int copy(int from, int to, struct err *err)
{
	static const size_t size = 1 << 16;
	char *block = malloc(size);
	long long all = 0;
	ssize_t n = 0;
	int rc = block ? 0 : err_errno(err, "cannot read");

	progress_begin(PROGRESS_PIPE, 0);
	while (rc == 0 && (n = read(from, block, size)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			rc = err_errno(err, "cannot read");
		else if ((all += n) > SPOOL_MAX)
			rc = err_set(err, ERR_RANGE, "is longer than %lld bytes: save it as a file",
				     SPOOL_MAX);
		else if (put(to, block, (size_t)n) < 0)
			rc = err_errno(err, "cannot write it to a temporary file");
		progress_done((size_t)all);
	}
	free(block);
	return rc;
}

/* "/dev/fd/63" → 63 */
static int named(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	char *end;
	long n;

	if (strcmp(path, "/dev/stdin") == 0)
		return STDIN_FILENO;
	for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
		size_t len = strlen(folders[k]);

		if (strncmp(path, folders[k], len) != 0 || path[len] < '0' || path[len] > '9')
			continue;
		n = strtol(path + len, &end, 10);
		return *end || n > 1 << 20 ? -1 : (int)n;
	}
	return -1;
}

int spool_descriptor(const char *path)
{
	struct stat st;
	int fd;

	if (strcmp(path, "-") == 0)
		return STDIN_FILENO;
	fd = named(path);
	if (fd < 0 || fstat(fd, &st) < 0)
		return -1;
	return S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || isatty(fd) ? fd : -1;
}

int spool_read(struct spool *s, int fd, const char *name, struct err *err)
{
	struct stat st;
	int rc;

	*s = (struct spool){0};
	if (isatty(fd)) {
		err_set(err, ERR_USAGE, "is a terminal: give a file, or pipe something into it");
		return err_at_file(err, name);
	}
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		snprintf(s->path, sizeof s->path, "/proc/self/fd/%d", fd);
		return 0;
	}
	s->fd = open_nameless(err);
	rc = s->fd < 0 ? -1 : copy(fd, s->fd, err);
	if (rc < 0) {
		spool_close(s);
		return err_at_file(err, name);
	}
	snprintf(s->path, sizeof s->path, "/proc/self/fd/%d", s->fd);
	return 0;
}

void spool_close(struct spool *s)
{
	if (s->fd > 0)
		close(s->fd);
	*s = (struct spool){0};
}
