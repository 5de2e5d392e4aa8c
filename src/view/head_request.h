/* head_request.h - what keys about heads mean in every view. */
#ifndef VIEW_HEAD_REQUEST_H
#define VIEW_HEAD_REQUEST_H

#include "view/ui.h"

/* True: r was about heads, marks, sinks or gold links. */
bool head_request(struct ui *ui, enum request r, unsigned *effects);

#endif
