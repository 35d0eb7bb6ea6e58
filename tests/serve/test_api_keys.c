// Files of API keys.

#include "serve/service/api_keys.h"

#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>

static Scratch scratch;
static const char *path;

static void write_keys(const char *text)
{
    scratch_write(path, text, strlen(text));
}

START_TEST(test_keys)
{
    ApiKeys *keys;
    write_keys("# a comment\n\n  one \r\ntwo two\n");
    ck_assert_int_eq(api_keys_read(&keys, path, NULL), STATUS_OK);
    ck_assert(api_keys_have(keys, "one"));
    ck_assert(api_keys_have(keys, "two two"));
    ck_assert(!api_keys_have(keys, ""));
    ck_assert(!api_keys_have(keys, "on"));
    ck_assert(!api_keys_have(keys, "# a comment"));
    api_keys_free(keys);
}
END_TEST

static void expect_refused(const char *message)
{
    ApiKeys *keys;
    Error error = {0};
    ck_assert_int_ne(api_keys_read(&keys, path, &error), STATUS_OK);
    ck_assert_msg(strstr(error.text, message) != NULL, "%s", error.text);
}

START_TEST(test_refusals)
{
    char line[MAX_API_KEY + 2] = {0};
    write_keys("# none\n");
    expect_refused("has no key");
    memset(line, 'k', MAX_API_KEY);
    write_keys(line);
    expect_refused("line 1: a key has at most 255 bytes");
    path = scratch_path(&scratch, "absent");
    expect_refused("absent");
}
END_TEST

START_TEST(test_short_memory)
{
    write_keys("one\ntwo\n");
    for (size_t n = 1;; n++) {
        ApiKeys *keys;
        failing_malloc_at(n);
        Status status = api_keys_read(&keys, path, NULL);
        bool failed = failing_malloc_stop();
        if (!status) api_keys_free(keys);
        if (!failed) break;
        ck_assert_int_eq(status, STATUS_MEMORY);
    }
}
END_TEST

static void set_up(void)
{
    scratch = scratch_make();
    path = scratch_path(&scratch, "keys");
}

static void tear_down(void)
{
    scratch_remove(&scratch);
}

int main(void)
{
    Suite *suite = suite_create("API keys");
    TCase *cases = suite_share(suite, set_up, tear_down, 10);
    tcase_add_test(cases, test_keys);
    tcase_add_test(cases, test_refusals);
    tcase_add_test(cases, test_short_memory);
    return suite_run(suite);
}
