/* A text that is rewritten, and where each of its bytes came from: the one place that moves an
 * offset. Whoever reads or writes a text otherwise than it stands edits it here, in as many passes
 * as there are reasons; places in the original and in the text are translated at the end.
 *
 *     original   Voir https://example.org ici.
 *     text       Voir U+E000 ici.               a subword that ends at byte 8 of the text ends at
 *                                               byte 24 of the original
 *
 * A pass goes from the beginning to the end, in linear time: mapped_replace and mapped_keep in
 * ascending order, then mapped_finish. What stands in the place of bytes belongs to the last of
 * them, all of it; what is inserted belongs to what follows it, and at the end to nothing. */
#pragma once

#include "base/bytes.h"
#include "text/spans.h"

// Start from {0}, reuse freely, end with mapped_free.
typedef struct MappedText {
    Bytes text;
    uint32_t *origins; // (text.length) ascending: where in the original ends what a byte is of
    size_t original;   // bytes of the original
    size_t capacity;   // of origins
    size_t read;       // of the pass: what is before it has been kept or replaced
    Bytes written;     // of the pass, so far
    uint32_t *written_origins;
    size_t written_capacity;
} MappedText;

// Begins with a text as it is.
Status mapped_set(MappedText *mapped, const char *text, size_t length, Error *error);

/* Begins with the normal form (text/normalise.h) of any bytes. A space in the place of other white
 * space belongs to what follows it. `invalid` may be NULL. */
Status mapped_normalise(MappedText *mapped, const char *text, size_t length, size_t *invalid,
                        Error *error);

// Goes on to `end` without a change; nothing if the pass is there already.
Status mapped_keep(MappedText *mapped, size_t end, Error *error);

/* Keeps what is before `begin`, and writes `with` instead of the bytes to `end`, which may be none.
 * `begin` is not before the end of the replacement before. */
Status mapped_replace(MappedText *mapped, size_t begin, size_t end, const char *with, size_t length,
                      Error *error);

// Ends a pass: keeps the rest. The text is what was written; without a replacement it is unchanged.
Status mapped_finish(MappedText *mapped, Error *error);

// Where in the original the first `end` bytes of the text end.
static inline size_t mapped_origin(const MappedText *mapped, size_t end)
{
    size_t origin = end > 0 ? mapped->origins[end - 1] : 0;
    return origin < mapped->original ? origin : mapped->original;
}

// Where in the text what the first `end` bytes of the original have become ends.
size_t mapped_place(const MappedText *mapped, size_t end);

// Where in the text a span of the original is, without a space at its ends; empty if it is nowhere.
Span mapped_span(const MappedText *mapped, Span original);

void mapped_free(MappedText *mapped);
