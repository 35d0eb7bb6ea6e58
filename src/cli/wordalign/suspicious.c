#include "cli/wordalign/wordalign.h"

#include "base/array.h"
#include "io/json.h"

#include <stdlib.h>

// Of equal scores, the pair that came first.
static int by_score(const void *left, const void *right)
{
    const SuspiciousPair *a = left, *b = right;
    return a->score > b->score || (a->score == b->score && a->number > b->number) ? 1 : -1;
}

// Keeps the `limit` lowest, in order.
static void cut(Suspicious *suspicious)
{
    if (suspicious->count)
        qsort(suspicious->items, suspicious->count, sizeof *suspicious->items, by_score);
    while (suspicious->count > suspicious->limit)
        bytes_free(&suspicious->items[--suspicious->count].texts);
}

Status suspicious_add(Suspicious *suspicious, double score, size_t number, const TextView texts[2],
                      Error *error)
{
    SuspiciousPair *added;
    if (suspicious->count / 2 >= suspicious->limit) cut(suspicious);
    TRY(array_reserve(&suspicious->items, &suspicious->capacity, suspicious->count + 1,
                      "suspicious pairs", error));
    added = &suspicious->items[suspicious->count++];
    *added = (SuspiciousPair){.score = score, .number = number, .source_length = texts[0].length};
    TRY(bytes_append(&added->texts, texts[0].data, texts[0].length, error));
    return bytes_append(&added->texts, texts[1].data, texts[1].length, error);
}

static void write_pair(Writer *out, const SuspiciousPair *pair, bool json)
{
    const char *source = bytes_text(&pair->texts), *target = source + pair->source_length;
    size_t target_length = pair->texts.length - pair->source_length;
    if (json) {
        json_write(out,
                   json_pack("{sIsfss%ss%}", "pair", (json_int_t)pair->number, "score", pair->score,
                             "source", source, pair->source_length, "target", target,
                             target_length),
                   JSON_REAL_PRECISION(6));
    } else {
        writer_format(out, "%zu\t", pair->number);
        writer_fixed(out, pair->score, 4);
        writer_string(out, "\t");
        writer_bytes(out, source, pair->source_length);
        writer_string(out, "\t");
        writer_bytes(out, target, target_length);
    }
    writer_string(out, "\n");
}

Status suspicious_write(Suspicious *suspicious, bool json, Output *output, Error *error)
{
    cut(suspicious);
    for (size_t i = 0; i < suspicious->count; i++) {
        Writer out = output_start(output, error);
        write_pair(&out, &suspicious->items[i], json);
        TRY(output_end(output, &out));
    }
    return STATUS_OK;
}

void suspicious_free(Suspicious *suspicious)
{
    for (size_t i = 0; i < suspicious->count; i++) bytes_free(&suspicious->items[i].texts);
    memory_free(suspicious->items);
    *suspicious = (Suspicious){0};
}
