#include "support/suite.h"

#include "support/scratch.h"

#include <stdlib.h>
#include <string.h>

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

// What can be reached from here is no leak to a sanitizer.
static struct Kept {
    void *memory;
    struct Kept *before;
} * kept;

void suite_keep(void *memory)
{
    struct Kept *last = malloc(sizeof *last);
    ck_assert_ptr_nonnull(last);
    *last = (struct Kept){memory, kept};
    kept = last;
}

static SuiteEntry *entries; // in the order of the file

void suite_register(SuiteEntry *entry)
{
    SuiteEntry **at = &entries;
    while (*at && (*at)->place < entry->place) at = &(*at)->next;
    entry->next = *at;
    *at = entry;
}

static TCase *add_case(Suite *suite, const char *name, double seconds, const SuiteEntry *group)
{
    TCase *test_case = tcase_create(name);
    tcase_set_timeout(test_case, seconds > 0 ? seconds : 20);
    tcase_add_checked_fixture(test_case, NULL, scratch_remove); // the last of all
    if (group) tcase_add_checked_fixture(test_case, group->before, group->after);
    suite_add_tcase(suite, test_case);
    return test_case;
}

int main(int argc, char **argv)
{
    (void)argc;
    const char *slash = strrchr(argv[0], '/');
    Suite *suite = suite_create(slash ? slash + 1 : argv[0]);
    const SuiteEntry *group = NULL;
    TCase *shared = NULL;
    for (const SuiteEntry *entry = entries; entry; entry = entry->next) {
        if (!entry->test) {
            group = entry;
            shared = entry->make ? add_case(suite, "shared", entry->seconds, group) : NULL;
            if (!shared) continue;
            tcase_add_unchecked_fixture(shared, NULL, scratch_remove);
            tcase_add_unchecked_fixture(shared, entry->make, entry->remove);
            continue;
        }
        TCase *own = shared ? shared : add_case(suite, entry->test->name, entry->seconds, group);
        if (entry->times)
            tcase_add_loop_test(own, entry->test, 0, entry->times);
        else
            tcase_add_test(own, entry->test);
    }
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
