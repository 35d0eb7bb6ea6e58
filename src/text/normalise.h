/* The normal form of text, in which all other code sees it.
 *
 *     invalid UTF-8   → U+FFFD (utf8.h), counted
 *     composition     → NFC (Unicode Standard Annex 15)
 *     white space     → every run of any kind becomes one U+0020; none at either end
 *
 * normalise(normalise(x)) = normalise(x). Byte-order marks and CR at line ends are left to the
 * readers of files. */
#pragma once

#include "base/bytes.h"

/* Replaces `out` by the normal form of `text`, which may have NULs and any other bytes. *invalid
 * (may be NULL) is the number of invalid parts replaced. */
Status normalise(Bytes *out, const char *text, size_t length, size_t *invalid, Error *error);
