#include "metrics/segment.h"

#include "support/failing_malloc.h"
#include "support/suite.h"

static bool matches(const char *hypothesis, const char *reference, bool lowercase)
{
    bool equal = false;
    ck_assert_int_eq(
        segment_is_exact(&equal, &(Segment){hypothesis, &reference, 1}, lowercase, NULL),
        STATUS_OK);
    return equal;
}

START_TEST(test_normal_form)
{
    ck_assert(matches("a b", "a b", false));
    ck_assert(matches("  a\t b\u3000", "a\u00A0b", false));
    ck_assert(matches("e\u0301te\u0301", "\u00E9t\u00E9", false)); // NFD and NFC
    ck_assert(matches("\xFF", "\uFFFD", false));                   // invalid bytes read as U+FFFD
    ck_assert(!matches("a b", "ab", false));
    ck_assert(!matches("a b", "a b.", false));
    ck_assert(!matches("a b.", "a b", false));
}
END_TEST

START_TEST(test_lowercase)
{
    ck_assert(!matches("Été", "été", false));
    ck_assert(matches("Été", "été", true));
    ck_assert(!matches("Été", "etes", true));
}
END_TEST

START_TEST(test_empty_texts)
{
    ck_assert(matches("", "", false));
    ck_assert(matches("", "", true));
    ck_assert(!matches("", "a", true));
    ck_assert(!matches("a", "", false));
    const char *some[] = {"", "a"}, *none[] = {"", ""};
    bool equal = true;
    ck_assert_int_eq(segment_is_exact(&equal, &(Segment){"", some, 2}, false, NULL), STATUS_OK);
    ck_assert(!equal); // an empty reference stands for one that is not there
    ck_assert_int_eq(segment_is_exact(&equal, &(Segment){"", none, 2}, false, NULL), STATUS_OK);
    ck_assert(equal);
}
END_TEST

START_TEST(test_any_reference)
{
    const char *references[] = {"x", "y", "a"};
    bool equal = false;
    ck_assert_int_eq(segment_is_exact(&equal, &(Segment){"a", references, 3}, false, NULL),
                     STATUS_OK);
    ck_assert(equal);
    ck_assert_int_eq(segment_is_exact(&equal, &(Segment){"a", references, 2}, false, NULL),
                     STATUS_OK);
    ck_assert(!equal);
}
END_TEST

START_TEST(test_out_of_memory)
{
    const char *reference = "A B";
    size_t n = 1;
    for (;; n++) {
        bool equal = false;
        failing_malloc_at(n);
        Status status = segment_is_exact(&equal, &(Segment){"a b", &reference, 1}, true, NULL);
        if (!failing_malloc_stop()) break;
        ck_assert_int_eq(status, STATUS_MEMORY);
        ck_assert(!equal);
    }
    ck_assert_uint_ge(n, 4);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("segment");
    suite_add(suite, "normal form", test_normal_form);
    suite_add(suite, "lower case", test_lowercase);
    suite_add(suite, "empty texts", test_empty_texts);
    suite_add(suite, "any reference", test_any_reference);
    suite_add(suite, "out of memory", test_out_of_memory);
    return suite_run(suite);
}
