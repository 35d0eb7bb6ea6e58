/* Cuts a text into chunks; no subword crosses from one chunk into the next.
 *
 * A chunk is one leading space, if there is one, and a run of characters of one class:
 *
 *     letters    of any script but Han
 *     Han        without spaces between words, a run may be a whole sentence
 *     numbers
 *     the rest   punctuation, symbols, emoji
 *
 * Marks and joiners (utf8_extends) stay with the character before them, whatever its class; a mark
 * with nothing before it counts as a letter. An apostrophe (U+0027, U+2019) between two letters
 * ends the run and belongs to it, so that French elisions and English contractions are cut alike:
 * "l'|homme", " it'|s". A space before another space, or at the end, is a chunk of its own. */
#pragma once

#include <stddef.h>

// Where the chunk that begins at `begin` < `length` ends: more than `begin`, at most `length`.
size_t chunk_end(const char *text, size_t length, size_t begin);
