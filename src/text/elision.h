/* French elision: before a vowel or h a word such as de or le has an apostrophe instead of its own
 * and no space behind it, before anything else neither. Search, which puts a name, a number or a
 * term in the place that a translation has for it, may come to neither:
 *
 *     l' eau      → l'eau
 *     d' 8, d'8   → de 8
 *     qu'Tom      → que Tom
 *     l' lycée    → le lycée, whatever its gender */
#ifndef REGARD_TEXT_ELISION_H
#define REGARD_TEXT_ELISION_H

#include "text/vocabulary.h"

/* Mends these in a text in normal form, behind its first `from` bytes, and moves the ends of its
 * subwords. `elided` are the words, without the vowel that they lose. Without a space only a number or a capital is taken for such: t'sais is as one speaks.
 * On STATUS_MEMORY nothing has changed. */
Status elision_mend(Bytes *text, Subwords *subwords, size_t from, const char *elided, Error *error);

#endif
