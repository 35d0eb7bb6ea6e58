// Which name somebody meant who has made a slip.
#pragma once

#include <stddef.h>

/* Of `count` names (NULL ones are passed over) the one nearest to `word`: one that begins with it,
 * or else that differs by the fewest letters put in, left out, replaced or swapped with their
 * neighbour, if that is at most a third of its letters. NULL if none is near. */
const char *nearest_name(const char *word, const char *const *names, size_t count);
