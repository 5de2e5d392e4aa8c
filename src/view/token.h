/*
 * token.h - how a token is written on the screen.
 */
#ifndef VIEW_TOKEN_H
#define VIEW_TOKEN_H

/* The token, or "␣" for one of spaces, which could not be seen. Not yet made visible: grid_put() does that. */
const char *token_shown(const char *token);

#endif
