/* What stands before an item of a list, and is no part of its sentence: • - * – — or a number of up
 * to three digits with a full stop, a bracket or 、 behind it, as in 1. 2) (3) 4、 */
#ifndef REGARD_TEXT_LIST_MARKER_H
#define REGARD_TEXT_LIST_MARKER_H

#include <stdbool.h>
#include <stddef.h>

/* Where the marker at the beginning of a text in normal form ends; 0 if there is none, or no letter
 * behind it. With `ordinals`, 1. may be the first of a month instead, and is none. */
size_t list_marker_end(const char *text, size_t length, bool ordinals);

#endif
