#include "view/token.h"

#include <string.h>

const char *token_shown(const char *token)
{
	return *token && token[strspn(token, " ")] == '\0' ? "␣" : token;
}
