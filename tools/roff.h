/* Text as troff reads it, for pages in the macros of man(7).
 *
 * To troff a line that begins with "." or "'" is a request, "\" begins an escape, and "-" is a
 * hyphen, at which lines break and which is not what one types in a shell. Beyond ASCII a character
 * is written by its number, so that a page looks right in every locale. */
#ifndef REGARD_TOOLS_ROFF_H
#define REGARD_TOOLS_ROFF_H

#include "base/bytes.h"

/* Appends running text as lines of a modest length, a new one after each sentence, the last with
 * its newline. "-" stays a hyphen, except in numbers and in what looks like an option. */
Status roff_text(Bytes *out, const char *text, Error *error);

// Appends what is typed as it stands; it may be a word of its own or stand in a quoted argument.
Status roff_literal(Bytes *out, const char *text, Error *error);

#endif
