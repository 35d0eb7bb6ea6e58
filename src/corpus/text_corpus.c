#include "corpus/text_corpus.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/string_map.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>

static Status append_side(TextCorpus *corpus, const char *text, size_t length, Error *error)
{
    Status status = bytes_append(&corpus->text, text, length, error);
    if (!status) status = bytes_append(&corpus->text, "", 1, error);
    corpus->hash = corpus->hash * 0x9e3779b97f4a7c15u + string_hash(text, length);
    return status;
}

// For one more pair.
static Status make_room(TextCorpus *corpus, Error *error)
{
    Status status = array_reserve(&corpus->begin, &corpus->begin_capacity, 2 * corpus->count + 3,
                                  "the corpus", error);
    if (status) return status;
    return array_reserve(&corpus->places, &corpus->capacity, corpus->count + 1, "the corpus",
                         error);
}

Status text_corpus_add(TextCorpus *corpus, const TextPair *pair, Error *error)
{
    Status status = make_room(corpus, error);
    if (status) return status;
    corpus->begin[2 * corpus->count] = corpus->text.length;
    status = append_side(corpus, pair->source, pair->source_length, error);
    corpus->begin[2 * corpus->count + 1] = corpus->text.length;
    if (!status) status = append_side(corpus, pair->target, pair->target_length, error);
    if (status) return status;
    corpus->places[corpus->count] = (TextPlace){pair->file, pair->line, pair->number};
    corpus->count++;
    corpus->begin[2 * corpus->count] = corpus->text.length;
    return STATUS_OK;
}

TextPair text_corpus_pair(const TextCorpus *corpus, size_t i)
{
    const size_t *begin = corpus->begin + 2 * i;
    return (TextPair){.source = corpus->text.data + begin[0],
                      .target = corpus->text.data + begin[1],
                      .source_length = begin[1] - begin[0] - 1,
                      .target_length = begin[2] - begin[1] - 1,
                      .file = corpus->places[i].file,
                      .line = corpus->places[i].line,
                      .number = corpus->places[i].number};
}

// Adds one more file's counts; of all invalid lines the first stays the one that is named.
static void add_counts(ReadCounts *sum, const ReadCounts *counts)
{
    sum->lines += counts->lines;
    sum->empty += counts->empty;
    if (counts->invalid && !sum->invalid) {
        sum->invalid_line = counts->invalid_line;
        memcpy(sum->invalid_file, counts->invalid_file, sizeof sum->invalid_file);
    }
    sum->invalid += counts->invalid;
}

Status text_corpus_read(TextCorpus *corpus, const char *spec, Error *error)
{
    PairReader *reader = NULL;
    Pair pair = {0};
    bool more = true;
    const char *file = strcmp(spec, "-") ? spec : "standard input";
    Status status = pair_reader_open(&reader, spec, error);
    if (status) return status;
    while (!(status = pair_reader_next(reader, &pair, &more, error)) && more) {
        TextPair text = {.source = pair.source.data,
                         .target = pair.target.data,
                         .source_length = pair.source.length,
                         .target_length = pair.target.length,
                         .file = file,
                         .line = pair.line,
                         .number = corpus->counts.lines + pair_reader_counts(reader).lines - 1};
        status = text_corpus_add(corpus, &text, error);
        if (status) break;
    }
    ReadCounts counts = pair_reader_counts(reader);
    add_counts(&corpus->counts, &counts);
    pair_free(&pair);
    pair_reader_close(reader);
    return status;
}

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The hash up to which sources are held out: the wanted-th smallest, or the largest that leaves a
 * pair. */
static Status find_threshold(const uint64_t *hashes, size_t count, size_t wanted,
                             uint64_t *threshold, Error *error)
{
    uint64_t *sorted = memory_new(count, sizeof *sorted);
    if (!sorted) return error_memory(error, count * sizeof *sorted, "the validation set");
    memcpy(sorted, hashes, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_hashes);
    size_t place = wanted - 1;
    while (place > 0 && sorted[place] == sorted[count - 1]) place--;
    *threshold = sorted[place];
    bool leaves = sorted[place] != sorted[count - 1];
    memory_free(sorted);
    if (leaves) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "the corpus is too small to hold pairs out for validation: it needs at least "
                     "two different source sentences; add pairs, or give a file by --valid");
}

static Status divide(TextCorpus *corpus, TextCorpus *kept, TextCorpus *held_out,
                     const uint64_t *hashes, uint64_t threshold, Error *error)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i < corpus->count && !status; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        status = text_corpus_add(hashes[i] <= threshold ? held_out : kept, &pair, error);
    }
    return status;
}

Status text_corpus_split(TextCorpus *corpus, TextCorpus *held_out, size_t most, double share,
                         Error *error)
{
    size_t wanted = (size_t)((double)corpus->count * share);
    if (wanted > most) wanted = most;
    if (wanted < 1) wanted = 1;
    uint64_t *hashes = memory_new(corpus->count, sizeof *hashes);
    if (!hashes) return error_memory(error, corpus->count * sizeof *hashes, "the validation set");
    for (size_t i = 0; i < corpus->count; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        hashes[i] = string_hash(pair.source, pair.source_length);
    }
    uint64_t threshold = 0;
    TextCorpus kept = {.counts = corpus->counts};
    Status status = find_threshold(hashes, corpus->count, wanted, &threshold, error);
    if (!status) status = divide(corpus, &kept, held_out, hashes, threshold, error);
    memory_free(hashes);
    if (status) {
        text_corpus_free(&kept);
        return status;
    }
    text_corpus_free(corpus);
    *corpus = kept;
    return STATUS_OK;
}

// How often each code point occurs on either side.
typedef size_t SideCounts[2];

static void count_letters(SideCounts *counts, SideCounts totals, int side, const char *text,
                          size_t length)
{
    for (size_t at = 0; at < length;) {
        uint32_t code_point;
        at += utf8_decode(text + at, length - at, &code_point, NULL);
        if (!utf8_is_letter(code_point)) continue;
        counts[code_point][side]++;
        totals[side]++;
    }
}

Status text_corpus_common_letters(const TextCorpus *corpus, double *common, Error *error)
{
    enum { CODE_POINTS = 0x110000 };
    SideCounts *counts = memory_new(CODE_POINTS, sizeof *counts), totals = {0, 0};
    if (!counts) return error_memory(error, CODE_POINTS * sizeof *counts, "counting letters");
    for (size_t i = 0; i < corpus->count; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        count_letters(counts, totals, 0, pair.source, pair.source_length);
        count_letters(counts, totals, 1, pair.target, pair.target_length);
    }
    *common = 0;
    for (size_t c = 0; c < CODE_POINTS && totals[0] && totals[1]; c++) {
        double source = (double)counts[c][0] / (double)totals[0];
        double target = (double)counts[c][1] / (double)totals[1];
        *common += source < target ? source : target;
    }
    memory_free(counts);
    return STATUS_OK;
}

void text_corpus_free(TextCorpus *corpus)
{
    memory_free(corpus->begin);
    memory_free(corpus->places);
    bytes_free(&corpus->text);
    *corpus = (TextCorpus){0};
}
