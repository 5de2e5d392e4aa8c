/*
 * find_head.h - heads by what they do: "previous", "aligns", "broad" …, best first over all layers and
 * kinds of the trace.
 */
#ifndef VIEW_FIND_HEAD_H
#define VIEW_FIND_HEAD_H

#include "trace/head.h"
#include "view/ui.h"

/* A label by its name or the beginning of one of its words, whatever the case ("prev", "sink"), three
 * letters at least. HEAD_MIXED: none; what is mixed has no share to sort by. */
enum head_label find_label(const char *text);

/* For view_ops.find: selects the head that does most of what `text` names, says which it is. False:
 * `text` names nothing that heads do. */
bool find_head(struct ui *ui, const char *text, unsigned *effects);
/* The next best, in a circle. False: no head was looked for, or something else since. */
bool find_head_again(struct ui *ui, unsigned *effects);

#endif
