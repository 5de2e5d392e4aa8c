/*
 * tiny_model.c - help for tests in shell:
 *
 *	tiny_model write PATH SCORE SEED PRODUCED   a tiny random model; PRODUCED: see tiny.h
 *	tiny_model read                             trace documents on standard input, one a line;
 *prints "SOURCE → TARGET" of each, fails if one is not valid
 */
#include "tiny.h"
#include "base/buf.h"
#include "base/fs.h"
#include "trace/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_model(char **argv)
{
	struct nn_config c = tiny_config();
	struct nn_card card = tiny_card();
	struct err err;
	char *path, *bytes;
	size_t len;

	if (nn_config_set(&c, "score", argv[3], &err))
		return 1;
	path = tiny_save(&c, &card, strtoull(argv[4], NULL, 10), atoi(argv[5]));
	/* not rename(): they may be on different file systems */
	if (fs_read(path, 1 << 24, &bytes, &len, &err) || fs_replace(argv[2], bytes, len, &err)) {
		fprintf(stderr, "%s: %s\n", argv[2], err.text);
		return 1;
	}
	unlink(path);
	free(bytes);
	free(path);
	return 0;
}

static int read_documents(void)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	struct err err;

	while ((n = getline(&line, &cap, stdin)) > 0) {
		struct buf target = {0};
		struct trace *t;

		if (trace_json_read(line, (size_t)n, "document", &t, &err)) {
			fprintf(stderr, "%s\n", err.text);
			return 1;
		}
		for (size_t i = 0; i < t->nsteps; i++)
			if (strcmp(t->steps[i].emitted, "</s>") != 0)
				buf_printf(&target, "%s%s", i ? " " : "", t->steps[i].emitted);
		for (size_t i = 0; i < t->nsource; i++)
			printf("%s ", t->source[i].text);
		printf("→ %s\n", buf_str(&target));
		buf_free(&target);
		trace_free(t);
	}
	free(line);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 6 && strcmp(argv[1], "write") == 0)
		return write_model(argv);
	if (argc == 2 && strcmp(argv[1], "read") == 0)
		return read_documents();
	return 2;
}
