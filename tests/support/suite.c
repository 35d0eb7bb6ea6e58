#include "support/suite.h"

/* The sanitizers end a program that asks for too much; here NULL must come back, as without them.
 * They look these functions up by name. */
#define FOUND_BY_NAME __attribute__((visibility("default")))
FOUND_BY_NAME const char *__asan_default_options(void);
FOUND_BY_NAME const char *__tsan_default_options(void);

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void)
{
    return "allocator_may_return_null=1";
}

void suite_add_slow(Suite *suite, const char *name, const TTest *test, double seconds)
{
    TCase *test_case = tcase_create(name);
    tcase_set_timeout(test_case, seconds);
    tcase_add_test(test_case, test);
    suite_add_tcase(suite, test_case);
}

void suite_add(Suite *suite, const char *name, const TTest *test)
{
    suite_add_slow(suite, name, test, 20); // the sanitizers are several times slower
}

TCase *suite_share(Suite *suite, void (*setup)(void), void (*teardown)(void), double seconds)
{
    TCase *test_case = tcase_create("shared");
    tcase_set_timeout(test_case, seconds);
    tcase_add_unchecked_fixture(test_case, setup, teardown);
    suite_add_tcase(suite, test_case);
    return test_case;
}

int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
