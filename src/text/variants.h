/* Characters that a vocabulary lacks, read as others that it has and that mean the same: printers'
 * marks as those of a typewriter, wide forms as narrow ones.
 *
 *     ‘ ’ “ ” « » 「 」    other quotation marks
 *     – —                 - within a word or a number; else a comma, as around a parenthesis
 *     …                   ... or, in Chinese, a comma or at the end a full stop
 *     ; ；                , ，or at the end a full stop
 *     ３ Ａ ％             3 A %
 *     U+200B, U+00AD      nothing
 *
 * What it has stays as it is, and so does what has no variant. */
#ifndef REGARD_TEXT_VARIANTS_H
#define REGARD_TEXT_VARIANTS_H

#include "text/vocabulary.h"

// Start from {0}, end with variants_free.
typedef struct Variants {
    Bytes text;       // as it is read
    uint32_t *places; // (text.length) where in the text as it was the character of a byte ends
    size_t capacity;
} Variants;

// Sets it from a text in normal form.
Status variants_read(Variants *variants, const char *text, size_t length,
                     const Vocabulary *vocabulary, Error *error);

// Where the first bytes of variants->text, more than none, end in the text as it was. What is
// behind its own end is as far behind the other.
size_t variants_place(const Variants *variants, size_t end);

void variants_free(Variants *variants);

#endif
