#include "corpus/text_corpus.h"

#include "base/array.h"
#include "base/string_map.h"
#include "language/language_evidence.h"
#include "text/utf8.h"

#include <stdio.h>
#include <stdlib.h>

// What stands before the sides of a pair in the store.
typedef struct TextRecord {
    TextPlace place;
    size_t lengths[2];
} TextRecord;

Status text_corpus_open(TextCorpus *corpus, const char *folder, Error *error)
{
    *corpus = (TextCorpus){0};
    if (folder) TRY(array_new(&corpus->windows, 1, "the corpus", error));
    Status status = corpus_store_open(&corpus->store, folder, error);
    if (status) text_corpus_free(corpus);
    return status;
}

Status text_corpus_add(TextCorpus *corpus, const TextPair *pair, Error *error)
{
    const TextRecord record = {pair->place, {pair->sides[0].length, pair->sides[1].length}};
    size_t begin = corpus_store_size(&corpus->store);
    size_t bytes = sizeof record + record.lengths[0] + record.lengths[1] + 2;
    char *room;
    TRY(array_reserve(&corpus->begins, &corpus->capacity, corpus->count + 1, "the corpus", error));
    TRY(corpus_store_extend(&corpus->store, &room, bytes, error));
    memcpy(room, &record, sizeof record);
    room += sizeof record;
    for (int s = 0; s < 2; s++) {
        TextView side = pair->sides[s];
        memcpy(room, side.data, side.length);
        room[side.length] = '\0';
        room += side.length + 1;
        corpus->hash = corpus->hash * 0x9e3779b97f4a7c15u + string_hash(side.data, side.length);
    }
    corpus->begins[corpus->count++] = begin;
    return STATUS_OK;
}

static Status view_pair(const TextCorpus *corpus, StoreWindow *window, TextPair *pair, size_t i,
                        Error *error)
{
    size_t begin = corpus->begins[i];
    const char *data;
    TextRecord record;
    TRY(corpus_store_view(&corpus->store, window, &data, begin, sizeof record, error));
    memcpy(&record, data, sizeof record);
    size_t bytes = record.lengths[0] + record.lengths[1] + 2;
    TRY(corpus_store_view(&corpus->store, window, &data, begin + sizeof record, bytes, error));
    *pair =
        (TextPair){{{data, record.lengths[0]}, {data + record.lengths[0] + 1, record.lengths[1]}},
                   record.place};
    return STATUS_OK;
}

// A pair, by one of the two windows if the corpus is in a file.
static TextPair pair_of(const TextCorpus *corpus, size_t i, int window)
{
    TextWindows *windows = corpus->windows;
    TextPair pair = {.sides = {{"", 0}, {"", 0}}};
    if (!windows)
        (void)view_pair(corpus, NULL, &pair, i, NULL); // which cannot fail
    else if (!windows->status)
        windows->status = view_pair(corpus, &windows->of[window], &pair, i, &windows->error);
    return pair;
}

TextPair text_corpus_pair(const TextCorpus *corpus, size_t i)
{
    return pair_of(corpus, i, 0);
}

TextPair text_corpus_other_pair(const TextCorpus *corpus, size_t i)
{
    return pair_of(corpus, i, 1);
}

Status text_corpus_check(const TextCorpus *corpus, Error *error)
{
    if (!corpus->windows || !corpus->windows->status) return STATUS_OK;
    return error_set(error, corpus->windows->status, "%s", corpus->windows->error.text);
}

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

Status text_corpus_take(TextCorpus *corpus, const bool *chosen, TextCorpus *taken, Error *error)
{
    size_t kept = 0;
    for (size_t i = 0; i < corpus->count && taken; i++) {
        if (!chosen[i]) continue;
        TextPair pair = text_corpus_pair(corpus, i);
        TRY(text_corpus_add(taken, &pair, error));
    }
    for (size_t i = 0; i < corpus->count; i++)
        if (!chosen[i]) corpus->begins[kept++] = corpus->begins[i];
    corpus->count = kept;
    return STATUS_OK;
}

static uint64_t source_hash(const TextCorpus *corpus, size_t i)
{
    TextView source = text_corpus_pair(corpus, i).sides[0];
    return string_hash(source.data, source.length);
}

/* The hash up to which sources are held out: the wanted-th smallest, or the largest that leaves a
 * pair. */
static Status find_threshold(const TextCorpus *corpus, size_t wanted, uint64_t *threshold,
                             Error *error)
{
    size_t count = corpus->count, place = wanted - 1;
    FREED uint64_t *sorted = NULL;
    TRY(array_new(&sorted, count, "the validation set", error));
    for (size_t i = 0; i < count; i++) sorted[i] = source_hash(corpus, i);
    qsort(sorted, count, sizeof *sorted, compare_hashes);
    while (place > 0 && sorted[place] == sorted[count - 1]) place--;
    *threshold = sorted[place];
    if (sorted[place] != sorted[count - 1]) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "the corpus is too small to hold pairs out for validation: it needs at least "
                     "two different source sentences; add pairs, or give others for validation");
}

Status text_corpus_split(TextCorpus *corpus, TextCorpus *held_out, size_t most, double share,
                         Error *error)
{
    size_t wanted = (size_t)((double)corpus->count * share);
    if (wanted > most) wanted = most;
    if (wanted < 1) wanted = 1;
    uint64_t threshold = 0;
    TRY(find_threshold(corpus, wanted, &threshold, error));
    FREED bool *chosen = NULL;
    TRY(array_new(&chosen, corpus->count, "the validation set", error));
    for (size_t i = 0; i < corpus->count; i++) chosen[i] = source_hash(corpus, i) <= threshold;
    return text_corpus_take(corpus, chosen, held_out, error);
}

// How often each code point occurs on either side.
typedef size_t SideCounts[2];

static void count_letters(SideCounts *counts, SideCounts totals, int side, TextView text)
{
    for (size_t at = 0; at < text.length;) {
        uint32_t code_point = utf8_next(text.data, text.length, &at);
        if (!utf8_is_letter(code_point)) continue;
        counts[code_point][side]++;
        totals[side]++;
    }
}

Status text_corpus_common_letters(const TextCorpus *corpus, double *common, Error *error)
{
    enum { CODE_POINTS = 0x110000 };
    FREED SideCounts *counts = NULL;
    SideCounts totals = {0, 0};
    TRY(array_new(&counts, CODE_POINTS, "counting letters", error));
    for (size_t i = 0; i < corpus->count; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        for (int s = 0; s < 2; s++) count_letters(counts, totals, s, pair.sides[s]);
    }
    *common = 0;
    for (size_t c = 0; c < CODE_POINTS && totals[0] && totals[1]; c++) {
        double source = (double)counts[c][0] / (double)totals[0];
        double target = (double)counts[c][1] / (double)totals[1];
        *common += source < target ? source : target;
    }
    return STATUS_OK;
}

enum { LOOKED_AT = 400 }; // pairs

const char *const language_source_names[] = {"given", "files", "text", NULL};

// Evidence of both sides, from pairs at even distances.
static Status gather_evidence(LanguageEvidence evidence[2], const TextCorpus *corpus, Error *error)
{
    size_t step = corpus->count / LOOKED_AT + 1;
    for (size_t i = 0; i < corpus->count; i += step) {
        TextPair pair = text_corpus_pair(corpus, i);
        for (int s = 0; s < 2; s++)
            TRY(language_evidence_add(&evidence[s], pair.sides[s].data, pair.sides[s].length,
                                      error));
    }
    return STATUS_OK;
}

static void judge_languages(CorpusLanguages *languages, const LanguageEvidence evidence[2],
                            const TextCorpus *corpus, const PairOptions *options)
{
    languages->source = options->languages[0]   ? LANGUAGES_GIVEN
                        : *corpus->languages[0] ? LANGUAGES_OF_FILES
                                                : LANGUAGES_OF_TEXT;
    for (int side = 0; side < 2; side++) {
        const Language *sure = language_surely(&evidence[side], NULL);
        const char *const tags[] = {options->languages[side], corpus->languages[side],
                                    sure ? sure->code : ""}; // in the order of LanguageSource
        const char *tag = tags[languages->source];
        const Language *known = language_of(tag);
        if (known && language_match(known->code, tag) == LANGUAGE_OTHER)
            tag = known->code; // it is the language's name
        if (!language_is_tag(tag)) tag = "";
        (void)snprintf(languages->tags[side], LANGUAGE_SIZE, "%s", tag);
        known = language_of(tag);
        languages->contrary[side] = known ? language_surely(&evidence[side], known) : NULL;
    }
}

Status text_corpus_languages(CorpusLanguages *languages, const TextCorpus *corpus,
                             const PairOptions *options, Error *error)
{
    LanguageEvidence evidence[2] = {{.words = 0}};
    *languages = (CorpusLanguages){.contrary = {NULL, NULL}};
    Status status = gather_evidence(evidence, corpus, error);
    if (!status) judge_languages(languages, evidence, corpus, options);
    language_evidence_free(&evidence[0]);
    language_evidence_free(&evidence[1]);
    return status;
}

void text_corpus_free(TextCorpus *corpus)
{
    for (int window = 0; window < 2 && corpus->windows; window++)
        store_window_free(&corpus->windows->of[window]);
    memory_free(corpus->windows);
    corpus_store_free(&corpus->store);
    memory_free(corpus->begins);
    bytes_free(&corpus->notes);
    bytes_free(&corpus->bad);
    *corpus = (TextCorpus){0};
}
