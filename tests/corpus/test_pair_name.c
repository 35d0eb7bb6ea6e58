#define _POSIX_C_SOURCE 200809L
#include "corpus/pair_name.h"

#include "support/scratch.h"
#include "support/suite.h"

#include <stdio.h>
#include <unistd.h>

static bool includes(const char *name, const char *path)
{
    bool found;
    Error error;
    assert_ok(pair_name_includes(&found, name, path, &error));
    return found;
}

// Whatever the form of the name and the path of the file.
TEST(includes)
{
    const char *one = scratch_path("one"), *two = scratch_path("two");
    const char *tmx = scratch_path("memory.tmx"), *link = scratch_path("link");
    char both[512], languages[256];
    scratch_write(one, "a\n", 2);
    scratch_write(two, "b\n", 2);
    scratch_write(tmx, "<tmx/>", 6);
    ck_assert_int_eq(symlink(two, link), 0);
    snprintf(both, sizeof both, "%s,%s", one, two);
    snprintf(languages, sizeof languages, "%s:en:fr", tmx);
    ck_assert(includes(one, one));
    ck_assert(!includes(one, two));
    ck_assert(includes(both, one));
    ck_assert(includes(both, two));
    ck_assert(includes(both, link));
    ck_assert(!includes(both, tmx));
    ck_assert(includes(tmx, tmx));
    ck_assert(includes(languages, tmx));
    ck_assert(!includes(languages, one));
}

// Such names are refused where they are read.
TEST(names_of_no_file)
{
    ck_assert(!includes("-", "/dev/stdin"));
    ck_assert(!includes("", "/"));
    ck_assert(!includes(",", "/"));
    ck_assert(!includes("/nonexistent,/nonexistent", "/nonexistent"));
}
