#include "corpus/corpus_check.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/string_map.h"
#include "corpus/table.h"
#include "language/chinese_script.h"
#include "text/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t count_characters(const char *text, size_t length)
{
    size_t characters = 0;
    for (size_t at = 0; at < length; characters++) utf8_next(text, length, &at);
    return characters;
}

LengthMismatches corpus_check_lengths(const TextCorpus *corpus)
{
    LengthMismatches found = {0};
    size_t totals[2] = {0, 0};
    for (size_t i = 0; i < corpus->count; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        totals[0] += count_characters(pair.source, pair.source_length);
        totals[1] += count_characters(pair.target, pair.target_length);
    }
    double ratio = totals[0] ? (double)totals[1] / (double)totals[0] : 1;
    for (size_t i = 0; i < corpus->count; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        double expected = ratio * (double)count_characters(pair.source, pair.source_length);
        double target = (double)count_characters(pair.target, pair.target_length);
        double least = fmin(expected, target), most = fmax(expected, target);
        if (most <= MAX_LENGTH_RATIO * least || most - least < MIN_LENGTH_DIFFERENCE) continue;
        if (found.count++ == 0) found.first = pair.place;
    }
    return found;
}

// What of two pairs is compared, in the order of CorpusOverlap.
typedef enum Part { PART_PAIR, PART_SOURCE, PART_TARGET } Part;

static uint64_t part_hash(const TextPair *pair, Part part)
{
    // swapped sides must differ; the factor is odd, so that no bit of the source's hash is lost
    const uint64_t factor = 0x9e3779b97f4a7c15u;
    uint64_t hash = 0;
    if (part != PART_TARGET) hash = string_hash(pair->source, pair->source_length) * factor;
    if (part != PART_SOURCE) hash += string_hash(pair->target, pair->target_length);
    return hash;
}

static bool part_equal(const TextPair *a, const TextPair *b, Part part)
{
    bool sources =
        a->source_length == b->source_length && !memcmp(a->source, b->source, a->source_length);
    bool targets =
        a->target_length == b->target_length && !memcmp(a->target, b->target, a->target_length);
    return (part == PART_TARGET || sources) && (part == PART_SOURCE || targets);
}

// All pairs by the hash of a part, equal hashes in the corpus' order. At 16 bytes a pair it is far
// smaller than a hash table of the texts.
typedef struct HashedPair {
    uint64_t hash;
    size_t pair;
} HashedPair;

static int compare_hashed(const void *a, const void *b)
{
    const HashedPair *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->pair < y->pair ? -1 : x->pair > y->pair;
}

// The first place whose hash is not lower.
static size_t first_of_hash(const HashedPair *hashed, size_t count, uint64_t hash)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (hashed[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Sets *found to flags of the pairs of `corpus` whose part occurs in `others`, or, if that is the
 * same corpus, in an earlier pair of it; *count is how many they are. `corpus`, the smaller one, is
 * sorted, and the other is walked once. *found is freed by memory_free, also after a failure. */
static Status find_repeats(bool **found, size_t *count, const TextCorpus *corpus,
                           const TextCorpus *others, Part part, Error *error)
{
    bool same = others == corpus;
    HashedPair *hashed;
    *count = 0;
    *found = NULL;
    TRY(array_new(&hashed, corpus->count, "comparing sentences", error));
    for (size_t i = 0; i < corpus->count; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        hashed[i] = (HashedPair){part_hash(&pair, part), i};
    }
    qsort(hashed, corpus->count, sizeof *hashed, compare_hashed);
    Status status = array_new(found, corpus->count, "comparing sentences", error);
    for (size_t i = 0; i < others->count && !status; i++) {
        if (same && (*found)[i]) continue; // the pair that it repeats has found all the rest
        TextPair pair = text_corpus_pair(others, i);
        uint64_t hash = part_hash(&pair, part);
        size_t at = first_of_hash(hashed, corpus->count, hash);
        for (; at < corpus->count && hashed[at].hash == hash; at++) {
            size_t place = hashed[at].pair;
            TextPair other = text_corpus_other_pair(corpus, place);
            if ((*found)[place] || (same && place <= i)) continue;
            (*found)[place] = part_equal(&pair, &other, part);
            *count += (*found)[place];
        }
    }
    memory_free(hashed);
    return status;
}

Status corpus_check_duplicates(TextCorpus *corpus, bool remove, size_t *count, Error *error)
{
    bool *repeats;
    Status status = find_repeats(&repeats, count, corpus, corpus, PART_PAIR, error);
    if (!status && remove && *count) status = text_corpus_take(corpus, repeats, NULL, error);
    memory_free(repeats);
    return status;
}

Status corpus_check_overlap(const TextCorpus *corpus, const TextCorpus *held_out,
                            CorpusOverlap *overlap, Error *error)
{
    size_t *counts[] = {&overlap->pairs, &overlap->sources, &overlap->targets};
    for (Part part = PART_PAIR; part <= PART_TARGET; part++) {
        bool *found;
        Status status = find_repeats(&found, counts[part], held_out, corpus, part, error);
        memory_free(found);
        if (status) return status;
    }
    return STATUS_OK;
}

enum {
    TRIGRAM_BITS = 18,
    COMPARED = 200,    // pairs whose lengths are compared
    MIN_COMPARED = 50, // at the end of a file
    MAX_SHIFT = 3,
};

static const double CLEARLY = 0.2;    // of log ratios, for each trigram
static const double UNRELATED = 0.3;  // correlations below
static const double CORRELATED = 0.6; // and above

static bool is_quoted(const char *text, size_t length)
{
    return length >= 2 && text[0] == '"' && text[length - 1] == '"';
}

static void look_at_pair(CorpusSymptoms *symptoms, const TextPair *pair)
{
    symptoms->numbers[0] += !utf8_has(pair->source, pair->source_length, utf8_is_letter);
    symptoms->numbers[1] += !utf8_has(pair->target, pair->target_length, utf8_is_letter);
    symptoms->quoted[0] += is_quoted(pair->source, pair->source_length);
    symptoms->quoted[1] += is_quoted(pair->target, pair->target_length);
    symptoms->identical += pair->source_length == pair->target_length &&
                           !memcmp(pair->source, pair->target, pair->source_length);
    ChineseScript script = chinese_script_of(pair->target, pair->target_length);
    symptoms->simplified += script == CHINESE_SIMPLIFIED;
    symptoms->traditional += script == CHINESE_TRADITIONAL;
}

// How often each trigram, by its hash, is on either side.
typedef struct Trigrams {
    uint32_t (*counts)[2]; // (1 << TRIGRAM_BITS)
    double totals[2];
} Trigrams;

static size_t trigram(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    uint32_t key = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
    return (key * 0x9e3779b1u) >> (32 - TRIGRAM_BITS);
}

static void count_trigrams(Trigrams *trigrams, int side, const char *text, size_t length)
{
    for (size_t i = 0; i + 3 <= length; i++) trigrams->counts[trigram(text + i)][side]++;
    if (length >= 3) trigrams->totals[side] += (double)(length - 2);
}

// How much more a text looks like its side than like the other, in all its trigrams.
static double likeness(const Trigrams *trigrams, int side, const char *text, size_t length)
{
    double prior = log(trigrams->totals[!side] + 1) - log(trigrams->totals[side] + 1), sum = 0;
    for (size_t i = 0; i + 3 <= length; i++) {
        const uint32_t *counts = trigrams->counts[trigram(text + i)];
        sum += prior + log((double)counts[side]) - log((double)counts[!side] + 1); // less this one
    }
    return sum;
}

static void find_swapped(CorpusSymptoms *symptoms, const TextCorpus *corpus,
                         const Trigrams *trigrams)
{
    double all = 0;
    for (size_t i = 0; i < symptoms->pairs; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        double score = likeness(trigrams, 0, pair.source, pair.source_length) +
                       likeness(trigrams, 1, pair.target, pair.target_length);
        all += score;
        if (score >= -CLEARLY * (double)(pair.source_length + pair.target_length)) continue;
        if (symptoms->swapped++ == 0) symptoms->first_swapped = pair.place;
    }
    // sides in one language cannot be told apart
    if (all < CLEARLY * (trigrams->totals[0] + trigrams->totals[1])) symptoms->swapped = 0;
}

// The correlation of the lengths of source i and target i + shift, of pairs `begin` to `end`.
static double correlation(const TextCorpus *corpus, size_t begin, size_t end, int shift)
{
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t i = begin; i < end; i++) {
        if ((shift < 0 && i < begin + (size_t)-shift) || (shift > 0 && i + (size_t)shift >= end))
            continue;
        size_t other = shift < 0 ? i - (size_t)-shift : i + (size_t)shift;
        double source = log((double)text_corpus_pair(corpus, i).source_length);
        double target = log((double)text_corpus_other_pair(corpus, other).target_length);
        n += 1, x += source, y += target;
        xx += source * source, yy += target * target, xy += source * target;
    }
    double variances = (xx - x * x / n) * (yy - y * y / n);
    return variances > 1e-9 ? (xy - x * y / n) / sqrt(variances) : 0;
}

static int find_shift(const TextCorpus *corpus, size_t begin, size_t end)
{
    double best = CORRELATED;
    int found = 0;
    if (correlation(corpus, begin, end, 0) > UNRELATED) return 0;
    for (int shift = -MAX_SHIFT; shift <= MAX_SHIFT; shift++) {
        double r = correlation(corpus, begin, end, shift);
        if (r <= best) continue;
        best = r;
        found = shift;
    }
    return found;
}

// Finds the first block of lines of a file that is shifted.
static void find_shifted(CorpusSymptoms *symptoms, const TextCorpus *corpus)
{
    for (size_t begin = 0, end; begin < symptoms->pairs && !symptoms->shift; begin = end) {
        const char *file = text_corpus_pair(corpus, begin).place.file;
        for (end = begin; end < symptoms->pairs && end - begin < COMPARED; end++)
            if (text_corpus_pair(corpus, end).place.file != file) break;
        if (end - begin < MIN_COMPARED) continue;
        symptoms->shift = find_shift(corpus, begin, end);
        symptoms->first_shifted = text_corpus_pair(corpus, begin).place;
    }
}

Status corpus_check_symptoms(CorpusSymptoms *symptoms, const TextCorpus *corpus, Error *error)
{
    size_t size = (size_t)1 << TRIGRAM_BITS;
    *symptoms = (CorpusSymptoms){.pairs = corpus->count};
    if (symptoms->pairs > MAX_SYMPTOM_PAIRS) symptoms->pairs = MAX_SYMPTOM_PAIRS;
    if (symptoms->pairs == 0) return STATUS_OK;
    Trigrams trigrams = {.counts = NULL};
    TRY(array_new(&trigrams.counts, size, "trigrams", error));
    for (size_t i = 0; i < symptoms->pairs; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        look_at_pair(symptoms, &pair);
        count_trigrams(&trigrams, 0, pair.source, pair.source_length);
        count_trigrams(&trigrams, 1, pair.target, pair.target_length);
    }
    TextPair first = text_corpus_pair(corpus, 0);
    symptoms->header = table_is_header((TextView){first.source, first.source_length},
                                       (TextView){first.target, first.target_length});
    find_swapped(symptoms, corpus, &trigrams);
    memory_free(trigrams.counts);
    find_shifted(symptoms, corpus);
    return STATUS_OK;
}
