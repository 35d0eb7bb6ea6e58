/* What the tests of the TMX reader share: files made of units, and what is expected of a reader. */
#pragma once

#include "corpus/tmx.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>
#include <unistd.h>

#define HEAD "<?xml version=\"1.0\"?>\n<tmx version=\"1.4\"><header srclang=\"en\"/><body>\n"
#define FOOT "</body></tmx>\n"

static inline Tmx *open_tmx(const char *path, const char *source, const char *target)
{
    Tmx *tmx;
    Error error = {0};
    ck_assert_msg(tmx_open(&tmx, path, source, target, &error) == STATUS_OK, "%s", error.text);
    return tmx;
}

static inline void expect_unit(Tmx *tmx, const char *source, const char *target, size_t line)
{
    TmxUnit unit;
    bool more;
    Error error = {0};
    ck_assert_msg(tmx_next(tmx, &unit, &more, &error) == STATUS_OK, "%s", error.text);
    ck_assert(more);
    ck_assert_msg(unit.source.length == strlen(source) &&
                      memcmp(unit.source.data, source, unit.source.length) == 0,
                  "source: %.*s", (int)unit.source.length, unit.source.data);
    ck_assert_msg(unit.target.length == strlen(target) &&
                      memcmp(unit.target.data, target, unit.target.length) == 0,
                  "target: %.*s", (int)unit.target.length, unit.target.data);
    ck_assert_uint_eq(unit.line, line);
}

static inline void expect_end(Tmx *tmx)
{
    TmxUnit unit;
    bool more = true;
    for (int again = 0; again < 2; again++) {
        Error error = {0};
        ck_assert_msg(tmx_next(tmx, &unit, &more, &error) == STATUS_OK, "%s", error.text);
        ck_assert(!more);
    }
    tmx_close(tmx);
}

/* Reads on to the error, which must come again, name the file, and hold the words; returns how many
 * units came first. Nothing may be printed. */
static inline size_t expect_error(Tmx *tmx, const char *words)
{
    int printed[2];
    ck_assert_int_eq(pipe(printed), 0);
    int standard_error = dup(STDERR_FILENO);
    dup2(printed[1], STDERR_FILENO);
    TmxUnit unit;
    bool more;
    Error error = {0}, again = {0};
    size_t units = 0;
    while (tmx_next(tmx, &unit, &more, &error) == STATUS_OK && more) units++;
    Status status = tmx_next(tmx, &unit, &more, &again);
    dup2(standard_error, STDERR_FILENO);
    close(standard_error);
    close(printed[1]);
    char byte;
    ck_assert_int_eq(read(printed[0], &byte, 1), 0);
    close(printed[0]);
    ck_assert_int_eq(status, STATUS_FORMAT);
    ck_assert_str_eq(error.text, again.text);
    assert_contains(error.text, words);
    ck_assert_msg(strstr(error.text, tmx_name(tmx)) == error.text, "%s", error.text);
    ck_assert_ptr_null(strchr(error.text, '\n'));
    tmx_close(tmx);
    return units;
}

static inline const char *file_with(const char *text)
{
    return scratch_text("a.tmx", text);
}

// A whole file around these units.
static inline const char *file_of(const char *units)
{
    Bytes text = {0};
    assert_ok(bytes_append_format(&text, NULL, "%s%s%s", HEAD, units, FOOT));
    const char *path = file_with(text.data);
    bytes_free(&text);
    return path;
}

#define SEGMENT(language, text) "<tuv xml:lang=\"" language "\"><seg>" text "</seg></tuv>"
#define UNIT(source, target) "<tu>" SEGMENT("en", source) SEGMENT("fr", target) "</tu>\n"
