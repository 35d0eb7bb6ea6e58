/* A text in normal form, with those of its spans that stay as they are in a translation: spans that
 * the caller gives, and those that text/untranslated_spans.h finds. */
#ifndef REGARD_TRANSLATE_NORMAL_TEXT_H
#define REGARD_TRANSLATE_NORMAL_TEXT_H

#include "base/bytes.h"
#include "text/spans.h"

// Start from {0}, reuse freely, end with normal_text_free.
typedef struct NormalText {
    Bytes text;
    Spans spans;    // of `text`; those that touch are one
    size_t invalid; // places that were not UTF-8
    Spans found;    // scratch, like the rest
    Bytes part;
} NormalText;

// The same, not owned.
typedef struct NormalView {
    TextView text;
    const Span *spans; // (span_count)
    size_t span_count;
} NormalView;

/* Replaces it by the normal form of a text, of any bytes. `given`, spans of the text as it came,
 * may be NULL; each is brought into normal form by itself, and white space at its ends is not a
 * part of it. `finds`: other spans are found too. */
Status normal_text_read(NormalText *normal, TextView text, const Spans *given, bool finds,
                        Error *error);

void normal_text_free(NormalText *normal);

#endif
