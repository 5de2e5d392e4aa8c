#include "base/fs.h"
#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_regular(int fd, const char *path, size_t limit, size_t *size, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		err_errno(err, "cannot read");
	else if (S_ISDIR(st.st_mode))
		err_set(err, ERR_IO, "is a directory, not a file");
	else if (!S_ISREG(st.st_mode))
		err_set(err, ERR_IO, "is not a regular file");
	else if ((unsigned long long)st.st_size > limit)
		err_set(err, ERR_RANGE, "is larger than %zu bytes", limit);
	else {
		*size = (size_t)st.st_size;
		return 0;
	}
	return err_at_file(err, path);
}

static int read_all(int fd, char *data, size_t size, size_t *len)
{
	size_t got = 0;

	while (got < size) {
		ssize_t n = read(fd, data + got, size - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	data[got] = '\0';
	*len = got;
	return 0;
}

int fs_read(const char *path, size_t limit, char **data, size_t *len, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), ret = -1;
	char *bytes = NULL;
	size_t size = 0;

	if (fd < 0) {
		err_errno(err, "cannot open");
		return err_at_file(err, path);
	}
	if (check_regular(fd, path, limit, &size, err) < 0)
		goto out;
	bytes = mem_alloc(size + 1);
	if (read_all(fd, bytes, size, len) < 0) {
		err_errno(err, "cannot read");
		err_at_file(err, path);
		goto out;
	}
	*data = bytes;
	bytes = NULL;
	ret = 0;
out:
	free(bytes);
	close(fd);
	return ret;
}

static int write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		len -= (size_t)n;
	}
	return fsync(fd);
}

/* Only a regular file or nothing may be replaced; *mode is what the new file's permissions will be.
 */
static int check_replaceable(const char *path, mode_t *mode, struct err *err)
{
	struct stat st;

	if (stat(path, &st) < 0) {
		mode_t mask = umask(0);

		umask(mask);
		*mode = 0666 & ~mask;
		return 0;
	}
	*mode = st.st_mode & 0777;
	if (S_ISREG(st.st_mode))
		return 0;
	err_set(err, ERR_IO,
		S_ISDIR(st.st_mode) ? "is a directory, not a file" : "is not a regular file");
	return err_at_file(err, path);
}

/* Through symbolic links, so that they stay: also one whose file does not exist yet. */
static int resolve(const char *path, char real[PATH_MAX])
{
	char link[PATH_MAX], next[PATH_MAX];
	ssize_t n;

	if (realpath(path, real))
		return 0;
	if (errno == ELOOP || strlen(path) >= PATH_MAX)
		return -1;
	memcpy(real, path, strlen(path) + 1);
	while ((n = readlink(real, link, sizeof link - 1)) >= 0) {
		const char *slash = strrchr(real, '/');
		int folder = slash && link[0] != '/' ? (int)(slash + 1 - real) : 0;

		link[n] = '\0';
		if (snprintf(next, sizeof next, "%.*s%s", folder, real, link) >= PATH_MAX)
			return -1;
		memcpy(real, next, sizeof next);
	}
	return 0;
}

int fs_replace(const char *path, const void *data, size_t len, struct err *err)
{
	char real[PATH_MAX], tmp[PATH_MAX];
	mode_t mode;
	int fd;

	if (check_replaceable(path, &mode, err) < 0)
		return -1;
	if (resolve(path, real) < 0 ||
	    snprintf(tmp, sizeof tmp, "%s.XXXXXX", real) >= (int)sizeof tmp) {
		if (errno == ELOOP)
			err_set(err, ERR_IO, "is a link to itself");
		else
			err_set(err, ERR_RANGE, "the name is too long");
		return err_at_file(err, path);
	}
	fd = mkstemp(tmp);
	if (fd < 0) {
		err_errno(err, "cannot create a file beside it");
		return err_at_file(err, path);
	}
	if (write_all(fd, data, len) < 0 || fchmod(fd, mode) < 0) {
		err_errno(err, "cannot write; what was there before is unchanged");
		close(fd);
		unlink(tmp);
		return err_at_file(err, path);
	}
	if (close(fd) < 0 || rename(tmp, real) < 0) {
		err_errno(err, "cannot replace; what was there before is unchanged");
		unlink(tmp);
		return err_at_file(err, path);
	}
	return 0;
}

int fs_program_folder(char *out, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", out, size - 1);
	char *slash;

	if (n < 0)
		return -1;
	out[n] = '\0';
	slash = strrchr(out, '/');
	if (!slash)
		return -1;
	*slash = '\0';
	return 0;
}

static bool has_models(const char *folder)
{
	char probe[PATH_MAX + 128];

	snprintf(probe, sizeof probe, "%s/assets/models", folder);
	return access(probe, F_OK) == 0;
}

static int data_folder(char *out, size_t size, struct err *err)
{
	/* build/, build/tests/ and build/tests/FOLDER/ in the source tree; PREFIX/bin/ */
	static const char *const below[] = {"/..", "/../..", "/../../..", "/../share/attnscope"};
	const char *env = getenv("ATTNSCOPE_DATA");
	char exe[PATH_MAX];

	if (env && *env)
		return (size_t)snprintf(out, size, "%s", env) < size
			       ? 0
			       : err_set(err, ERR_RANGE, "ATTNSCOPE_DATA is too long");
	if (fs_program_folder(exe, sizeof exe) < 0)
		return err_errno(err, "cannot find out where the program is");
	for (size_t i = 0; i < ARRAY_LEN(below); i++) {
		snprintf(out, size, "%s%s", exe, below[i]);
		if (has_models(out))
			return 0;
	}
	snprintf(out, size, "%s", DATA_DIR);
	if (has_models(out))
		return 0;
	return err_set(err, ERR_MISSING,
		       "no data folder beside the program or in %s; set ATTNSCOPE_DATA", DATA_DIR);
}

int fs_data_path(const char *name, char *out, size_t size, struct err *err)
{
	char folder[PATH_MAX + 64];

	if (data_folder(folder, sizeof folder, err) < 0)
		return -1;
	if ((size_t)snprintf(out, size, "%s/%s", folder, name) < size)
		return 0;
	return err_set(err, ERR_RANGE, "the path of %s is too long", name);
}

static char **list_folder(DIR *dir, const char *suffix, size_t *n)
{
	char **names = NULL;
	size_t cap = 0, cut = strlen(suffix);
	struct dirent *d;

	*n = 0;
	while ((d = readdir(dir))) {
		size_t len = strlen(d->d_name);

		if (d->d_name[0] == '.' || len <= cut || strcmp(d->d_name + len - cut, suffix) != 0)
			continue;
		names = mem_grow(names, *n, &cap, sizeof *names);
		names[*n] = mem_strdup(d->d_name);
		names[*n][len - cut] = '\0';
		++*n;
	}
	return names;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int fs_data_list(const char *folder, const char *suffix, char ***names, struct err *err)
{
	char path[PATH_MAX];
	size_t n;
	DIR *dir;

	*names = NULL;
	if (fs_data_path(folder, path, sizeof path, err))
		return -1;
	dir = opendir(path);
	if (!dir) {
		err_errno(err, "cannot list what is shipped");
		return err_at_file(err, path);
	}
	*names = list_folder(dir, suffix, &n);
	closedir(dir);
	if (n)
		qsort(*names, n, sizeof **names, by_name);
	*names = mem_realloc(*names, n + 1, sizeof **names);
	(*names)[n] = NULL;
	return 0;
}

void fs_names_free(char **names)
{
	for (char **p = names; p && *p; p++)
		free(*p);
	free(names);
}
