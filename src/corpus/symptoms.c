// What looks wrong with a corpus, as people see it.
#include "corpus/corpus_check.h"

#include "base/array.h"
#include "corpus/table.h"
#include "language/chinese_script.h"
#include "text/utf8.h"

#include <math.h>

enum {
    TRIGRAM_BITS = 18,
    COMPARED = 200,    // pairs whose lengths are compared
    MIN_COMPARED = 50, // at the end of a file
    MAX_SHIFT = 3,
};

static const double CLEARLY = 0.2;    // of log ratios, for each trigram
static const double UNRELATED = 0.3;  // correlations below
static const double CORRELATED = 0.6; // and above

static size_t count_characters(TextView text)
{
    size_t characters = 0;
    for (size_t at = 0; at < text.length; characters++) utf8_next(text.data, text.length, &at);
    return characters;
}

// Of all pairs, not only those that the rest looks at.
static void find_unequal(CorpusSymptoms *symptoms, const TextCorpus *corpus)
{
    size_t totals[2] = {0, 0};
    for (size_t i = 0; i < corpus->count; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        for (int s = 0; s < 2; s++) totals[s] += count_characters(pair.sides[s]);
    }
    double ratio = totals[0] ? (double)totals[1] / (double)totals[0] : 1;
    for (size_t i = 0; i < corpus->count; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        double expected = ratio * (double)count_characters(pair.sides[0]);
        double target = (double)count_characters(pair.sides[1]);
        double least = fmin(expected, target), most = fmax(expected, target);
        if (most <= MAX_LENGTH_RATIO * least || most - least < MIN_LENGTH_DIFFERENCE) continue;
        if (symptoms->unequal++ == 0) symptoms->first_unequal = pair.place;
    }
}

static void look_at_pair(CorpusSymptoms *symptoms, const TextPair *pair)
{
    TextView source = pair->sides[0], target = pair->sides[1];
    for (int s = 0; s < 2; s++) {
        const TextView text = pair->sides[s];
        symptoms->numbers[s] += !utf8_has(text.data, text.length, utf8_is_letter);
        symptoms->quoted[s] +=
            text.length >= 2 && text.data[0] == '"' && text.data[text.length - 1] == '"';
    }
    symptoms->identical += text_view_equal(source, target);
    ChineseScript script = chinese_script_of(target.data, target.length);
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

static void count_trigrams(Trigrams *trigrams, int side, TextView text)
{
    for (size_t i = 0; i + 3 <= text.length; i++) trigrams->counts[trigram(text.data + i)][side]++;
    if (text.length >= 3) trigrams->totals[side] += (double)(text.length - 2);
}

// How much more a text looks like its side than like the other, in all its trigrams.
static double likeness(const Trigrams *trigrams, int side, TextView text)
{
    double prior = log(trigrams->totals[!side] + 1) - log(trigrams->totals[side] + 1), sum = 0;
    for (size_t i = 0; i + 3 <= text.length; i++) {
        const uint32_t *counts = trigrams->counts[trigram(text.data + i)];
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
        double score = likeness(trigrams, 0, pair.sides[0]) + likeness(trigrams, 1, pair.sides[1]);
        all += score;
        if (score >= -CLEARLY * (double)(pair.sides[0].length + pair.sides[1].length)) continue;
        if (symptoms->swapped++ == 0) symptoms->first_swapped = pair.place;
    }
    // sides in one language cannot be told apart
    if (all < CLEARLY * (trigrams->totals[0] + trigrams->totals[1])) symptoms->swapped = 0;
}

// The correlation of the lengths of source i and target i + shift, of pairs `begin` to `end`.
static double correlation(const TextCorpus *corpus, size_t begin, size_t end, int shift)
{
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    size_t first = begin + (size_t)(shift < 0 ? -shift : 0),
           last = end - (size_t)(shift > 0 ? shift : 0);
    for (size_t i = first; i < last; i++) {
        size_t other = (size_t)((ptrdiff_t)i + shift);
        double source = log((double)text_corpus_pair(corpus, i).sides[0].length);
        double target = log((double)text_corpus_other_pair(corpus, other).sides[1].length);
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
    FREED uint32_t(*counts)[2] = NULL;
    TRY(array_new(&counts, size, "trigrams", error));
    Trigrams trigrams = {.counts = counts};
    for (size_t i = 0; i < symptoms->pairs; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        look_at_pair(symptoms, &pair);
        for (int s = 0; s < 2; s++) count_trigrams(&trigrams, s, pair.sides[s]);
    }
    TextPair first = text_corpus_pair(corpus, 0);
    symptoms->header = table_is_header(first.sides[0], first.sides[1]);
    find_swapped(symptoms, corpus, &trigrams);
    find_shifted(symptoms, corpus);
    find_unequal(symptoms, corpus);
    return STATUS_OK;
}
