/* The mark at a sentence's end. Models of whole sentences read short texts without one badly:
 * "Hello" is read as "Hello.", and the mark at the end of what they say of it is left out. */
#ifndef REGARD_TEXT_END_MARK_H
#define REGARD_TEXT_END_MARK_H

#include <stddef.h>

/* The mark that a short text lacks, "." or "。", in the script of its end: one of at most three
 * words, or six characters of Han, that ends in a letter. NULL for any other. */
const char *end_mark_missing(const char *text, size_t length);

// The length of a text without the marks at its end and the white space before them; all of it if
// nothing is left.
size_t end_mark_strip(const char *text, size_t length);

#endif
