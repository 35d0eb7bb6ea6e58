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
#ifndef REGARD_TESTS_SUPPORT_SUITE_H
#define REGARD_TESTS_SUPPORT_SUITE_H

#include <check.h>

// What a TEST or a TESTS_SHARE says; only those two make it.
typedef struct SuiteEntry {
    int place;         // in the file
    const TTest *test; // NULL: what the tests below it share
    double seconds;    // for a test; 0: 20, since the sanitizers are several times slower
    int times;         // 0: once
    void (*setup)(void), (*teardown)(void), (*before)(void), (*after)(void);
    struct SuiteEntry *next;
} SuiteEntry;

void suite_register(SuiteEntry *entry);

#define TEST(...) SUITE_TEST(__VA_ARGS__, .place = __COUNTER__)
#define SUITE_TEST(name, ...) SUITE_FUNCTION(test_##name, __VA_ARGS__)
#define SUITE_FUNCTION(function, ...)                                                              \
    static const TTest *function;                                                                  \
    SUITE_ENTRY(function##_entry, .test = function, __VA_ARGS__)                                   \
    START_TEST(function)

/* The tests below it share what the first function makes once, before they fork, and the second removes; .before and
 * .after, if given, are called around each of them, and each may take .seconds:
 *
 *     TESTS_SHARE(train_once, remove_model, .seconds = 60)
 */
#define TESTS_SHARE(...) SUITE_SHARE(__COUNTER__, __VA_ARGS__, .next = NULL)
#define SUITE_SHARE(number, ...) SUITE_SHARE_AT(number, __VA_ARGS__)
#define SUITE_SHARE_AT(number, make, remove, ...)                                                  \
    SUITE_ENTRY(suite_share_##number, .place = number, .setup = make, .teardown = remove,          \
                __VA_ARGS__)

#define SUITE_ENTRY(entry, ...)                                                                    \
    __attribute__((constructor)) static void entry(void)                                           \
    {                                                                                              \
        static SuiteEntry made;                                                                    \
        made = (SuiteEntry){__VA_ARGS__};                                                          \
        suite_register(&made);                                                                     \
    }

#endif
