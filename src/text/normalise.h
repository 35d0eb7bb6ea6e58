/* The form of text that everything else sees.
 *
 *     invalid UTF-8   → U+FFFD (see utf8.h), counted
 *     composition     → NFC (Unicode Standard Annex 15)
 *     white space     → every run of any kind becomes one U+0020; none at either end
 *
 * normalise(normalise(x)) = normalise(x). Byte-order marks and CR at line ends belong to the
 * readers of files. */
#ifndef REGARD_TEXT_NORMALISE_H
#define REGARD_TEXT_NORMALISE_H

#include "base/bytes.h"

/* Replaces what is in `out` by the normal form of `text`, which may hold NULs and any bytes.
 * `*invalid` (may be NULL) is set to the number of invalid parts replaced. */
Status normalise(Bytes *out, const char *text, size_t length, size_t *invalid, Error *error);

#endif
