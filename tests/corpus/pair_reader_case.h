// What the tests of the pair reader share: a reader, and the pairs or the error it must give.
#pragma once

#include "corpus/pair_reader.h"

#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>

static PairReader *open_pairs(const char *spec)
{
    PairReader *reader;
    Error error = {0};
    ck_assert_msg(pair_reader_open(&reader, spec, NULL, &error) == STATUS_OK, "%s", error.text);
    return reader;
}

static void expect_pair(PairReader *reader, const char *source, const char *target, size_t line)
{
    Pair pair = {0};
    bool more;
    Error error = {0};
    ck_assert_msg(pair_reader_next(reader, &pair, &more, &error) == STATUS_OK, "%s", error.text);
    ck_assert(more);
    ck_assert_str_eq(pair.sides[0].data, source);
    ck_assert_str_eq(pair.sides[1].data, target);
    ck_assert_uint_eq(pair.line, line);
    pair_free(&pair);
}

static ReadCounts expect_end(PairReader *reader)
{
    Pair pair = {0};
    bool more = true;
    for (int again = 0; again < 2; again++) {
        Error error = {0};
        ck_assert_msg(pair_reader_next(reader, &pair, &more, &error) == STATUS_OK, "%s",
                      error.text);
        ck_assert(!more);
    }
    ReadCounts counts = pair_reader_counts(reader);
    pair_free(&pair);
    pair_reader_close(reader);
    return counts;
}

/* Reads to the error, which must come again, and hold all of the words. */
static void expect_error(PairReader *reader, const char *const words[], size_t count)
{
    Pair pair = {0};
    bool more = true;
    Error error = {0};
    while (pair_reader_next(reader, &pair, &more, &error) == STATUS_OK) ck_assert(more);
    Error again = {0};
    ck_assert_int_eq(pair_reader_next(reader, &pair, &more, &again), STATUS_FORMAT);
    ck_assert(!more);
    ck_assert_str_eq(error.text, again.text);
    for (size_t i = 0; i < count; i++) assert_contains(error.text, words[i]);
    pair_free(&pair);
    pair_reader_close(reader);
}

#define EXPECT_ERROR(spec, ...)                                                                    \
    expect_error(open_pairs(spec), (const char *const[]){__VA_ARGS__},                             \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static size_t count_pairs(const char *path)
{
    PairReader *reader = open_pairs(path);
    Pair pair = {0};
    bool more;
    size_t count = 0;
    Error error = {0};
    while (pair_reader_next(reader, &pair, &more, &error) == STATUS_OK && more) count++;
    ck_assert_msg(!error.status, "%s", error.text);
    pair_free(&pair);
    pair_reader_close(reader);
    return count;
}

// "FIRST,SECOND", in a buffer of the caller.
static const char *both(char out[512], const char *first, const char *second)
{
    stpcpy(stpcpy(stpcpy(out, first), ","), second);
    return out;
}
