/* The frame of every test program: one noun, one suite. A test is written once,
 *
 *     TEST(appends)
 *     {
 *         …
 *     }
 *
 * and runs in a process of its own, in the order of the file; main is in suite.c. Behind the name a test may have a
 * time limit of its own, or be run several times, with _i = 0, 1, …:
 *
 *     TEST(learns, .seconds = 60)
 *     TEST(products, .times = SET_COUNT)
 */
#pragma once

#include "base/status.h"

#include <check.h>
#include <string.h>

// What the macros below say; only they make it.
typedef struct SuiteEntry {
    int place;         // in the file
    const TTest *test; // NULL: what holds for the tests below it
    double seconds;    // for a test; 0: 20, since the sanitizers are several times slower
    int times;         // 0: once
    void (*make)(void), (*remove)(void), (*before)(void), (*after)(void);
    struct SuiteEntry *next;
} SuiteEntry;

void suite_register(SuiteEntry *entry);

#define TEST(...) SUITE_TEST(__VA_ARGS__, .place = __COUNTER__)
#define SUITE_TEST(name, ...) SUITE_FUNCTION(test_##name, __VA_ARGS__)
#define SUITE_FUNCTION(function, ...)                                                              \
    static const TTest *function;                                                                  \
    SUITE_ENTRY(function##_entry, .test = function, __VA_ARGS__)                                   \
    START_TEST(function)

/* The tests below it share what the function makes once, before they fork, and .remove, if given,
 * removes; .before and .after are called around each of them, and each may take .seconds:
 *
 *     TESTS_SHARE(train_once, .seconds = 60)
 */
#define TESTS_SHARE(...) SUITE_GROUP(__COUNTER__, .make = __VA_ARGS__)

// Each test below it begins with the first function and ends with the second.
#define TESTS_EACH(begin, end) SUITE_GROUP(__COUNTER__, .before = begin, .after = end)

#define SUITE_GROUP(number, ...) SUITE_GROUP_AT(number, __VA_ARGS__)
#define SUITE_GROUP_AT(number, ...) SUITE_ENTRY(suite_group_##number, .place = number, __VA_ARGS__)

#define SUITE_ENTRY(entry, ...)                                                                    \
    __attribute__((constructor)) static void entry(void)                                           \
    {                                                                                              \
        static SuiteEntry made;                                                                    \
        made = (SuiteEntry){__VA_ARGS__};                                                          \
        suite_register(&made);                                                                     \
    }

// Memory that no test has to free: it is there until the program ends.
void suite_keep(void *memory);

// The call did not fail.
#define assert_ok(...) ck_assert_int_eq(__VA_ARGS__, STATUS_OK)

// The text holds the part.
#define assert_contains(text, part)                                                                \
    do {                                                                                           \
        const char *text_ = (text), *part_ = (part);                                               \
        ck_assert_msg(strstr(text_, part_), "no \"%s\" in: %.2000s", part_, text_);                \
    } while (0)
