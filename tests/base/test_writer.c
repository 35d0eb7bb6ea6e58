#include "base/writer.h"

#include "support/failing_malloc.h"
#include "support/suite.h"

#include <string.h>

static void write_all(Writer *out)
{
    writer_string(out, "links ");
    writer_bytes(out, "a\0b", 3);
    writer_format(out, " %d-%s ", 7, "x");
    writer_repeat(out, "░▒", 3);
    writer_repeat(out, "never", 0);
}

static const char expected[] = "before links a\0b 7-x ░▒░▒░▒";

TEST(writes)
{
    Bytes bytes = {0};
    Error error = {STATUS_OK, "untouched"};
    assert_ok(bytes_append_string(&bytes, "before ", NULL));
    Writer writer = writer_start(&bytes, &error);
    write_all(&writer);
    assert_ok(writer_end(&writer));
    ck_assert_uint_eq(bytes.length, sizeof expected - 1);
    ck_assert_mem_eq(bytes.data, expected, sizeof expected);
    ck_assert_str_eq(error.text, "untouched");
    bytes_free(&bytes);
}

TEST(markup)
{
    Bytes bytes = {0};
    Writer writer = writer_start(&bytes, NULL);
    writer_markup(&writer, "a<b> & 'c' \"é\"", 15, false);
    writer_markup(&writer, "", 0, true);
    writer_markup(&writer, "<a href=\"x\">'&amp;</a>", 22, true);
    assert_ok(writer_end(&writer));
    ck_assert_str_eq(bytes.data, "a&lt;b&gt; &amp; 'c' \"é\""
                                 "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;&lt;/a&gt;");
    bytes_free(&bytes);
}

TEST(first_failure_stays)
{
    Bytes bytes = {0};
    Error error = {0};
    assert_ok(bytes_append_string(&bytes, "before", NULL));
    Writer writer = writer_start(&bytes, &error);
    writer_string(&writer, " and ");
    writer_fail(&writer, STATUS_FORMAT, "word %d", 3);
    writer_fail(&writer, STATUS_IO, "later");
    write_all(&writer);
    ck_assert_uint_eq(bytes.length, strlen("before and ")); // nothing after the failure
    ck_assert_int_eq(writer_end(&writer), STATUS_FORMAT);
    ck_assert_int_eq(error.status, STATUS_FORMAT);
    ck_assert_str_eq(error.text, "word 3");
    ck_assert_str_eq(bytes.data, "before"); // nothing by halves
    bytes_free(&bytes);
}

TEST(nothing_written)
{
    Bytes bytes = {0};
    Writer writer = writer_start(&bytes, NULL);
    writer_fail(&writer, STATUS_IO, "without an Error");
    ck_assert_int_eq(writer_end(&writer), STATUS_IO);
    ck_assert_ptr_null(bytes.data);
}

TEST(out_of_memory)
{
    for (size_t n = 1;; n++) {
        Bytes bytes = {0};
        Error error = {0};
        failing_malloc_at(n);
        Writer writer = writer_start(&bytes, &error);
        writer_string(&writer, "before ");
        write_all(&writer);
        Status status = writer_end(&writer);
        bool failed = failing_malloc_expect(status);
        ck_assert_int_eq(error.status, status);
        if (failed)
            ck_assert_uint_eq(bytes.length, 0);
        else
            ck_assert_mem_eq(bytes.data, expected, sizeof expected);
        bytes_free(&bytes);
        if (!failed) break;
        ck_assert_uint_lt(n, 10);
    }
}
