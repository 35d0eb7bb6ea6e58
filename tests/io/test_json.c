#include "io/json.h"

#include "support/failing_malloc.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

static json_t *example(void)
{
    return json_pack("{s:i, s:[f, b]}", "line", 3, "scores", 0.25, 1);
}

START_TEST(test_writes)
{
    Bytes bytes = {0};
    Writer out = writer_start(&bytes, NULL);
    json_write(&out, example(), JSON_COMPACT);
    writer_string(&out, "\n");
    json_write(&out, json_string("a\"b"), JSON_ENCODE_ANY);
    ck_assert_int_eq(writer_end(&out), STATUS_OK);
    ck_assert_str_eq(bytes.data, "{\"line\":3,\"scores\":[0.25,true]}\n\"a\\\"b\"");
    bytes_free(&bytes);
}
END_TEST

START_TEST(test_refuses)
{
    Bytes bytes = {0};
    Error error = {0};
    Writer out = writer_start(&bytes, &error);
    json_write(&out, json_stringn("\xFF", 1), JSON_ENCODE_ANY); // NULL
    json_write(&out, example(), JSON_COMPACT);                  // released, not written
    ck_assert_int_eq(writer_end(&out), STATUS_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "not UTF-8"));
    ck_assert_uint_eq(bytes.length, 0);
    bytes_free(&bytes);
}
END_TEST

START_TEST(test_out_of_memory)
{
    json_set_alloc_funcs(malloc, free); // so that Jansson's allocations fail too
    for (size_t n = 1;; n++) {
        Bytes bytes = {0};
        failing_malloc_at(n);
        Writer out = writer_start(&bytes, NULL);
        json_write(&out, example(), JSON_COMPACT);
        Status status = writer_end(&out);
        bool failed = failing_malloc_stop();
        ck_assert(failed == (status != STATUS_OK));
        if (!failed) ck_assert_str_eq(bytes.data, "{\"line\":3,\"scores\":[0.25,true]}");
        bytes_free(&bytes);
        if (!failed) break;
        ck_assert_uint_lt(n, 100);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json");
    suite_add(suite, "writes", test_writes);
    suite_add(suite, "refuses", test_refuses);
    suite_add(suite, "out of memory", test_out_of_memory);
    return suite_run(suite);
}
