/*
 * spool.h - a pipe as a file: what arrives is copied to a temporary file without a name, so that it can
 * be mapped like any other. A pipe that is a file already (a redirection) is taken as it is.
 */
#ifndef BASE_SPOOL_H
#define BASE_SPOOL_H

#include "base/err.h"

/* Bytes of a pipe, at most. */
#define SPOOL_MAX (4LL << 30)

/* `(struct spool){0}` may be closed. */
struct spool {
	int fd;        /* private; 0: none */
	char path[32]; /* opens what was read, until spool_close(); later what has it open keeps it */
};

/*
 * The descriptor that `path` names, if what is behind it can be read once only: "-" is 0 whatever it is,
 * and so are /dev/stdin, /dev/fd/N and /proc/self/fd/N (what a shell puts in for <(command)) of a pipe, a
 * socket or a terminal. -1: a path like any other.
 */
int spool_descriptor(const char *path);

/* Reads fd to its end. `name` is for messages. A terminal is an error: nobody would know what to type. */
int spool_read(struct spool *s, int fd, const char *name, struct err *err);
void spool_close(struct spool *s);

#endif
