#include "metrics/chrf.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "metrics/white_space.h"
#include "text/utf8.h"

#include <string.h>

enum { ORDERS = 6, BETA = 2 };

// A text's characters except white space, in lower case if the bool at `context` is set.
static Status read_characters(void *context, const char *text, SymbolText *symbols, Error *error)
{
    const bool *lowercase = context;
    size_t length = strlen(text);
    Bytes lower = {0};
    if (*lowercase && length) {
        Status status = utf8_append_lowercase(&lower, text, length, error);
        if (status) {
            bytes_free(&lower);
            return status;
        }
        text = lower.data;
        length = lower.length;
    }
    symbols->symbols = memory_new(length, sizeof *symbols->symbols);
    for (size_t i = 0; i < length && symbols->symbols;) {
        uint32_t code_point;
        i += utf8_decode(text + i, length - i, &code_point, NULL);
        if (!white_space_is(code_point)) symbols->symbols[symbols->length++] = code_point;
    }
    bytes_free(&lower);
    return symbols->symbols ? STATUS_OK
                            : error_memory(error, length * sizeof *symbols->symbols, "characters");
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
    SegmentSymbols characters;
    ChrfCounts best = {0};
    double best_score = -1;
    Status status = segment_symbols_read(&characters, segment, read_characters, &lowercase, error);
    for (size_t r = 0; r < characters.count && !status; r++) {
        ChrfCounts one = {0};
        status = compare(characters.hypothesis, characters.references[r], &one, error);
        double score = chrf_score(&one);
        if (score <= best_score) continue;
        best_score = score;
        best = one;
    }
    segment_symbols_free(&characters);
    if (status) return status;
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
