#include "metrics/bleu.h"

#include "base/array.h"
#include "base/string_map.h"

#include <math.h>

enum { ORDERS = 4 };

// How a segment's texts are read; `words` numbers the words of all of them.
typedef struct WordReader {
    BleuTokenizer tokenizer;
    StringMap *words;
} WordReader;

// The words of a line, separated by single spaces, as numbers.
static Status number_words(StringMap *words, const Bytes *line, SymbolText *symbols, Error *error)
{
    TRY(array_new(&symbols->symbols, line->length / 2 + 1, "the words of a sentence", error));
    for (TextView rest = bytes_view(line); rest.length > 0;) {
        const TextView word = text_view_cut(&rest, ' ');
        StringMapEntry *entry = string_map_put(words, word.data, word.length, 0, NULL);
        if (!entry) return error_memory(error, word.length, "the words of a sentence");
        symbols->symbols[symbols->length++] = (uint32_t)(entry - words->entries);
    }
    return STATUS_OK;
}

static Status read_words(void *context, const char *text, SymbolText *symbols, Error *error)
{
    WordReader *reader = context;
    FREED_BY(bytes_free) Bytes line = {0};
    TRY(bleu_tokenize(reader->tokenizer, text, strlen(text), &line, error));
    return number_words(reader->words, &line, symbols, error);
}

// The reference length closest to the hypothesis', the shorter on a tie.
static size_t closest_length(const SegmentSymbols *words)
{
    size_t hypothesis = words->hypothesis.length, closest = 0, least = SIZE_MAX;
    for (size_t r = 0; r < words->count; r++) {
        size_t length = words->references[r].length;
        size_t distance = length > hypothesis ? length - hypothesis : hypothesis - length;
        if (distance < least || (distance == least && length < closest)) {
            least = distance;
            closest = length;
        }
    }
    return closest;
}

Status bleu_add(BleuCounts *counts, const Segment *segment, BleuTokenizer tokenizer, bool lowercase,
                Error *error)
{
    FREED_BY(string_map_free) StringMap numbers = {0};
    FREED_BY(segment_symbols_free) SegmentSymbols words = {0};
    WordReader reader = {tokenizer, &numbers};
    size_t matches[ORDERS];
    TRY(segment_symbols_read(&words, segment, lowercase, read_words, &reader, error));
    TRY(ngrams_matches(words.hypothesis, words.references, words.count, ORDERS, matches, error));
    for (size_t n = 1; n <= ORDERS; n++) {
        counts->matches[n - 1] += matches[n - 1];
        counts->totals[n - 1] += ngrams_total(words.hypothesis.length, n);
    }
    counts->hypothesis_length += words.hypothesis.length;
    counts->reference_length += closest_length(&words);
    return STATUS_OK;
}

double bleu_brevity_penalty(const BleuCounts *counts)
{
    if (counts->hypothesis_length >= counts->reference_length) return 1;
    if (!counts->hypothesis_length) return 0;
    // exp(1 - r/c)
    return exp(1 - (double)counts->reference_length / (double)counts->hypothesis_length);
}

/* p_n = matches / totals. Where there is a match at all, the k-th order without one gets
 * p_n = 1 / (2^k · totals) (method 3 of Chen & Cherry 2014, sacreBLEU's "exp", as in
 * mteval-v13a). */
void bleu_precisions(double precisions[ORDERS], const BleuCounts *counts)
{
    double smooth = 1;
    for (size_t n = 0; n < ORDERS; n++) {
        precisions[n] = 0;
        if (!counts->matches[0] || !counts->totals[n]) continue; // nor is there a longer match
        double matches = (double)counts->matches[n];
        if (!counts->matches[n]) matches = smooth /= 2;
        precisions[n] = matches / (double)counts->totals[n];
    }
}

/* BLEU = BP · exp(Σ_n log p_n / 4). It is 0 without a match, and if no hypothesis is long enough
 * for some order. */
double bleu_score(const BleuCounts *counts)
{
    double precisions[ORDERS], sum = 0;
    bleu_precisions(precisions, counts);
    for (size_t n = 0; n < ORDERS; n++) {
        if (!(precisions[n] > 0)) return 0;
        sum += log(precisions[n]);
    }
    return 100 * bleu_brevity_penalty(counts) * exp(sum / ORDERS);
}
