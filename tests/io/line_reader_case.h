// What the tests of the line reader share: a reader and the lines it must give, and gzip.
#pragma once

#include "io/line_reader.h"

#include "base/bytes.h"
#include "support/suite.h"

#include <string.h>
#include <zlib.h>

static inline LineReader *open_reader(const char *path)
{
    LineReader *reader;
    Error error = {0};
    ck_assert_msg(line_reader_open(&reader, path, &error) == STATUS_OK, "%s", error.text);
    return reader;
}

static inline void expect_line(LineReader *reader, const char *text, size_t length, size_t number)
{
    Line line;
    bool more;
    Error error = {0};
    ck_assert_msg(line_reader_next(reader, &line, &more, &error) == STATUS_OK, "%s", error.text);
    ck_assert(more);
    ck_assert_uint_eq(line.length, length);
    ck_assert_mem_eq(line.text, text, length);
    ck_assert_uint_eq(line.number, number);
}

static inline void expect_end(LineReader *reader)
{
    Line line;
    bool more = true;
    for (int again = 0; again < 2; again++) {
        assert_ok(line_reader_next(reader, &line, &more, NULL));
        ck_assert(!more);
    }
    line_reader_close(reader);
}

/* The compressed form of a text, as one gzip member. */
static inline Bytes gzip_of(const char *text, size_t length)
{
    z_stream deflater = {0};
    ck_assert_int_eq(deflateInit2(&deflater, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    Bytes out = {0};
    assert_ok(bytes_reserve(&out, deflateBound(&deflater, length), NULL));
    deflater.next_in = (Bytef *)(size_t)text;
    deflater.avail_in = (uInt)length;
    deflater.next_out = (Bytef *)out.data;
    deflater.avail_out = (uInt)out.capacity;
    ck_assert_int_eq(deflate(&deflater, Z_FINISH), Z_STREAM_END);
    out.length = deflater.total_out;
    deflateEnd(&deflater);
    return out;
}
