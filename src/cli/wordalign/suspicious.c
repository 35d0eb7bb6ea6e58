#include "cli/wordalign/wordalign.h"

#include "base/array.h"
#include "base/memory.h"
#include "io/json.h"

#include <stdlib.h>

// Whether `left` comes after `right`: its score is higher, or it is as high and it came later.
static bool is_behind(const SuspiciousPair *left, const SuspiciousPair *right)
{
    return left->score > right->score ||
           (left->score == right->score && left->number > right->number);
}

static void swap(SuspiciousPair *left, SuspiciousPair *right)
{
    SuspiciousPair kept = *left;
    *left = *right;
    *right = kept;
}

static void sift_up(SuspiciousPair *items, size_t at)
{
    for (size_t parent; at > 0 && is_behind(&items[at], &items[parent = (at - 1) / 2]); at = parent)
        swap(&items[at], &items[parent]);
}

static void sift_down(SuspiciousPair *items, size_t count)
{
    for (size_t at = 0, child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_behind(&items[child + 1], &items[child])) child++;
        if (!is_behind(&items[child], &items[at])) return;
        swap(&items[at], &items[child]);
    }
}

Status suspicious_add(Suspicious *suspicious, double score, size_t number, const TextView texts[2],
                      Error *error)
{
    bool full = suspicious->count == suspicious->limit;
    SuspiciousPair added = {.score = score, .number = number, .source_length = texts[0].length};
    if (full && !is_behind(&suspicious->items[0], &added)) return STATUS_OK;
    if (!full)
        TRY(array_reserve(&suspicious->items, &suspicious->capacity, suspicious->count + 1,
                          "suspicious pairs", error));
    for (int s = 0; s < 2; s++) {
        Status status = bytes_append(&added.texts, texts[s].data, texts[s].length, error);
        if (status) bytes_free(&added.texts);
        TRY(status);
    }
    if (full) {
        bytes_free(&suspicious->items[0].texts);
        suspicious->items[0] = added;
        sift_down(suspicious->items, suspicious->count);
    } else {
        suspicious->items[suspicious->count] = added;
        sift_up(suspicious->items, suspicious->count++);
    }
    return STATUS_OK;
}

static int by_score(const void *left, const void *right)
{
    return is_behind(left, right) ? 1 : -1;
}

static void write_score(Writer *out, double score)
{
    // in whole numbers, because a decimal point follows the user's locale
    long scaled = (long)(score * 10000 + (score < 0 ? -0.5 : 0.5));
    writer_format(out, "%s%ld.%04ld", scaled < 0 ? "-" : "", labs(scaled) / 10000,
                  labs(scaled) % 10000);
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
        write_score(out, pair->score);
        writer_string(out, "\t");
        writer_bytes(out, source, pair->source_length);
        writer_string(out, "\t");
        writer_bytes(out, target, target_length);
    }
    writer_string(out, "\n");
}

Status suspicious_write(Suspicious *suspicious, bool json, Output *output, Error *error)
{
    if (suspicious->count)
        qsort(suspicious->items, suspicious->count, sizeof *suspicious->items, by_score);
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
