#include "metrics/chrf.h"

#include "base/array.h"
#include "metrics/tokenizer.h"
#include "text/utf8.h"

enum { ORDERS = 6, BETA = 2 };

// A text's characters except white space.
static Status read_characters(void *context, const char *text, SymbolText *symbols, Error *error)
{
    (void)context;
    size_t length = strlen(text);
    TRY(array_new(&symbols->symbols, length, "characters", error));
    for (size_t at = 0; at < length;) {
        uint32_t code_point = utf8_next(text, length, &at);
        if (!white_space_is(code_point)) symbols->symbols[symbols->length++] = code_point;
    }
    return STATUS_OK;
}

static Status compare(SymbolText hypothesis, SymbolText reference, ChrfCounts *counts, Error *error)
{
    for (size_t n = 1; n <= ORDERS; n++) {
        counts->reference[n - 1] = ngrams_total(reference.length, n);
        counts->hypothesis[n - 1] =
            counts->reference[n - 1] ? ngrams_total(hypothesis.length, n) : 0;
    }
    return ngrams_matches(hypothesis, &reference, 1, ORDERS, counts->matches, error);
}

Status chrf_add(ChrfCounts *counts, const Segment *segment, bool lowercase, Error *error)
{
    FREED_BY(segment_symbols_free) SegmentSymbols characters = {0};
    ChrfCounts best = {0};
    double best_score = -1;
    TRY(segment_symbols_read(&characters, segment, lowercase, read_characters, NULL, error));
    for (size_t r = 0; r < characters.count; r++) {
        ChrfCounts one = {0};
        TRY(compare(characters.hypothesis, characters.references[r], &one, error));
        double score = chrf_score(&one);
        if (score <= best_score) continue;
        best_score = score;
        best = one;
    }
    for (size_t n = 0; n < ORDERS; n++) {
        counts->matches[n] += best.matches[n];
        counts->hypothesis[n] += best.hypothesis[n];
        counts->reference[n] += best.reference[n];
    }
    return STATUS_OK;
}

/* chrF_β = (1 + β²) P R / (β² P + R), where P and R are the means of the precisions and recalls of
 * the orders for which both sides have n-grams. */
double chrf_score(const ChrfCounts *counts)
{
    double precision = 0, recall = 0;
    size_t orders = 0;
    for (size_t n = 0; n < ORDERS; n++) {
        if (!counts->hypothesis[n] || !counts->reference[n]) continue;
        precision += (double)counts->matches[n] / (double)counts->hypothesis[n];
        recall += (double)counts->matches[n] / (double)counts->reference[n];
        orders++;
    }
    if (!(precision + recall > 0)) return 0;
    precision /= (double)orders;
    recall /= (double)orders;
    return 100 * (1 + BETA * BETA) * precision * recall / (BETA * BETA * precision + recall);
}
