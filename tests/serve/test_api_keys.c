// Files of API keys.

#include "serve/service/api_keys.h"

#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>

static const char *path;

static void write_keys(const char *text)
{
    scratch_write(path, text, strlen(text));
}

static void set_up(void)
{
    path = scratch_path("keys");
}

TESTS_SHARE(set_up)

TEST(keys)
{
    ApiKeys keys = {0};
    write_keys("# a comment\n\n  one \t\r\r\ntwo two\n");
    assert_ok(api_keys_read(&keys, path, NULL));
    ck_assert(api_keys_have(&keys, "one"));
    ck_assert(api_keys_have(&keys, "two two"));
    ck_assert(!api_keys_have(&keys, ""));
    ck_assert(!api_keys_have(&keys, "on"));
    ck_assert(!api_keys_have(&keys, "# a comment"));
    char longer[MAX_API_KEY + 1] = "one";
    memset(longer + 3, 'k', MAX_API_KEY - 3);
    ck_assert(!api_keys_have(&keys, longer)); // than any key
    api_keys_free(&keys);
}

static void expect_refused(const char *message)
{
    ApiKeys keys = {0};
    Error error = {0};
    ck_assert_int_ne(api_keys_read(&keys, path, &error), STATUS_OK);
    assert_contains(error.text, message);
}

TEST(refusals)
{
    char line[MAX_API_KEY + 2] = {0};
    write_keys("# none\n");
    expect_refused("has no key");
    memset(line, 'k', MAX_API_KEY);
    write_keys(line);
    expect_refused("line 1: a key has at most 255 bytes");
    path = scratch_path("absent");
    expect_refused("absent");
}

TEST(short_memory)
{
    write_keys("one\ntwo\n");
    while (failing_malloc_next()) {
        ApiKeys keys = {0};
        if (!failing_malloc_expect(api_keys_read(&keys, path, NULL))) api_keys_free(&keys);
    }
}
