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

START_TEST(test_writes)
{
    Bytes bytes = {0};
    Error error = {STATUS_OK, "untouched"};
    ck_assert_int_eq(bytes_append_string(&bytes, "before ", NULL), STATUS_OK);
    Writer writer = writer_start(&bytes, &error);
    write_all(&writer);
    ck_assert_int_eq(writer_end(&writer), STATUS_OK);
    ck_assert_uint_eq(bytes.length, sizeof expected - 1);
    ck_assert_mem_eq(bytes.data, expected, sizeof expected);
    ck_assert_str_eq(error.text, "untouched");
    bytes_free(&bytes);
}
END_TEST

START_TEST(test_first_failure_stays)
{
    Bytes bytes = {0};
    Error error = {0};
    ck_assert_int_eq(bytes_append_string(&bytes, "before", NULL), STATUS_OK);
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
END_TEST

START_TEST(test_nothing_written)
{
    Bytes bytes = {0};
    Writer writer = writer_start(&bytes, NULL);
    writer_fail(&writer, STATUS_IO, "without an Error");
    ck_assert_int_eq(writer_end(&writer), STATUS_IO);
    ck_assert_ptr_null(bytes.data);
}
END_TEST

START_TEST(test_out_of_memory)
{
    for (size_t n = 1;; n++) {
        Bytes bytes = {0};
        Error error = {0};
        failing_malloc_at(n);
        Writer writer = writer_start(&bytes, &error);
        writer_string(&writer, "before ");
        write_all(&writer);
        Status status = writer_end(&writer);
        bool failed = failing_malloc_stop();
        ck_assert_int_eq(status, failed ? STATUS_MEMORY : STATUS_OK);
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
END_TEST

int main(void)
{
    Suite *suite = suite_create("writer");
    suite_add(suite, "writes", test_writes);
    suite_add(suite, "first failure stays", test_first_failure_stays);
    suite_add(suite, "nothing written", test_nothing_written);
    suite_add(suite, "out of memory", test_out_of_memory);
    return suite_run(suite);
}
