#include "trace/mark.h"
#include "base/mem.h"

#include <string.h>

static const struct {
	const char *token;
	enum trace_mark mark;
} marks[] = {
#define X(token, mark) {token, mark},
	TRACE_MARKS(X)
#undef X
};

enum trace_mark trace_mark_of(const char *token)
{
	if (!token || (*token != '<' && *token != '['))
		return TRACE_NO_MARK;
	for (size_t k = 0; k < ARRAY_LEN(marks); k++)
		if (strcmp(token, marks[k].token) == 0)
			return marks[k].mark;
	return TRACE_NO_MARK;
}

bool trace_is_mark(const char *token)
{
	return trace_mark_of(token) != TRACE_NO_MARK;
}

bool trace_is_end(const char *token)
{
	return trace_mark_of(token) == TRACE_MARK_END;
}
