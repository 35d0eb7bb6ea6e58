/* The frame every test program shares: one noun, one suite.
 *
 *     int main(void)
 *     {
 *         Suite *suite = suite_create("bytes");
 *         suite_add(suite, "appends", test_appends);
 *         return suite_run(suite);
 *     }
 */
#ifndef REGARD_TESTS_SUPPORT_SUITE_H
#define REGARD_TESTS_SUPPORT_SUITE_H

#include <check.h>

// Adds one START_TEST function as a case of its own name.
void suite_add(Suite *suite, const char *name, const TTest *test);

/* Adds it with a time limit of its own, in seconds: a gradient check, a training run. Check's
 * default is 4. */
void suite_add_slow(Suite *suite, const char *name, const TTest *test, double seconds);

/* A case for tests that share what `setup` makes once, before they fork, and `teardown` removes;
 * they are put in with tcase_add_test, and each may take so many seconds. */
TCase *suite_share(Suite *suite, void (*setup)(void), void (*teardown)(void), double seconds);

// Runs all and returns the exit status of the program: 0 if none failed.
int suite_run(Suite *suite);

#endif
