/* From the aligner's posteriors to links between units. A source and a target token are linked
 * where their posterior is at least a threshold (posterior decoding: Liang, Taskar & Klein 2006,
 * section 5), and with them all units that they overlap. But two marks that are each attached to a
 * word, as in "week." and "semaine.", say nothing of these words, and link no units. */
#pragma once

#include "align/aligner_posteriors.h"
#include "align/aligner_tokens.h"
#include "align/links.h"
#include "align/soft_alignment.h"

typedef enum AlignerReading {
    ALIGNER_MEAN,    // (p + r) / 2, of aligner_posteriors.h
    ALIGNER_FORWARD, // max(p, q): which source said each target
    ALIGNER_REVERSE, // max(r, q): which target said each source
} AlignerReading;

typedef struct UnitSpan {
    uint32_t first, count;
} UnitSpan;

static inline bool unit_span_has(UnitSpan span, uint32_t unit)
{
    return unit >= span.first && unit - span.first < span.count;
}

// The tokens of one side of a pair, and the units of the same text.
typedef struct AlignerText {
    AlignerTokens tokens;
    Units units;
    UnitSpan *spans; // (tokens) the units that each token overlaps
    size_t capacity;
} AlignerText;

// Start from {0}, reuse freely, end with aligner_text_free. The text is in normal form
// (text/normalise.h).
Status aligner_text_set(AlignerText *out, UnitKind kind, const char *text, size_t length,
                        Error *error);

void aligner_text_free(AlignerText *text);

/* The posteriors of a pair as a soft alignment, (p + r) / 2. A row sums to 1 only where each of its
 * links is as good as certain. */
Status aligner_soft(SoftAlignment *soft, const AlignerPosteriors *posteriors, Error *error);

/* The same for units of the two texts: a pair of units has the greatest posterior of the tokens
 * that they overlap, attached marks aside. `tokens` and `units` are of source and target. */
Status aligner_soft_of_units(SoftAlignment *soft, const AlignerPosteriors *posteriors,
                             const AlignerTokens *const tokens[2], const Units *const units[2],
                             Error *error);

/* Replaces what is in `links`. `texts` (2) are source and target; `posteriors` are those of the
 * pair's tokens. */
Status aligner_links(Links *links, const AlignerPosteriors *posteriors, const AlignerText *texts,
                     AlignerReading reading, double threshold, Error *error);
