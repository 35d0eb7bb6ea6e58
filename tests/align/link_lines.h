// Links as lines, as the tests of alignments give and expect them.
#pragma once

#include "align/links.h"

#include "support/suite.h"

static inline Line line_of(const char *text)
{
    return (Line){.text = text, .length = strlen(text), .number = 1};
}

// The links of a line, possible ones too; freed by links_free.
static inline Links links_of(const char *text)
{
    Links sure = {0}, links = {0};
    const Line line = line_of(text);
    assert_ok(links_parse(&sure, &links, "line", &line, NULL));
    links_free(&sure);
    return links;
}

// What links_write says of links; freed by bytes_free.
static inline Bytes line_with(const Links *links)
{
    Bytes line = {0};
    assert_ok(bytes_append_string(&line, "", NULL));
    Writer writer = writer_start(&line, NULL);
    links_write(&writer, links);
    assert_ok(writer_end(&writer));
    return line;
}

static inline void expect_line(const Links *links, const char *expected)
{
    Bytes line = line_with(links);
    ck_assert_str_eq(line.data, expected);
    bytes_free(&line);
}
