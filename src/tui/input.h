/*
 * input.h - what arrives from the terminal as keys.
 */
#ifndef TUI_INPUT_H
#define TUI_INPUT_H

#include "base/buf.h"
#include "view/key.h"

#include <stdbool.h>

struct input {
	char bytes[4]; /* of a character that is not complete */
	size_t nbytes;
	bool pasting;
	struct buf paste; /* what was pasted so far; the text of the last KEY_K_PASTE */
};

void input_init(struct input *in);
void input_fini(struct input *in);
/* The next key that is there; false: none for now. Never waits longer than Esc needs (25 ms). */
bool input_next(struct input *in, struct key *k);
/* A paste whose end does not come: what there is of it. */
bool input_end_paste(struct input *in, struct key *k);

#endif
