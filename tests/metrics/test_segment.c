#include "metrics/segment.h"

#include "support/failing_malloc.h"
#include "support/suite.h"

static bool matches(const char *hypothesis, const char *reference, bool lowercase)
{
    bool equal = false;
    assert_ok(segment_is_exact(&equal, &(Segment){hypothesis, &reference, 1}, lowercase, NULL));
    return equal;
}

TEST(normal_form)
{
    ck_assert(matches("a b", "a b", false));
    ck_assert(matches("  a\t b\u3000", "a\u00A0b", false));
    ck_assert(matches("e\u0301te\u0301", "\u00E9t\u00E9", false)); // NFD and NFC
    ck_assert(matches("\xFF", "\uFFFD", false));                   // invalid bytes read as U+FFFD
    ck_assert(!matches("a b", "ab", false));
    ck_assert(!matches("a b", "a b.", false));
    ck_assert(!matches("a b.", "a b", false));
}

TEST(lower_case)
{
    ck_assert(!matches("Été", "été", false));
    ck_assert(matches("Été", "été", true));
    ck_assert(!matches("Été", "etes", true));
}

TEST(empty_texts)
{
    ck_assert(matches("", "", false));
    ck_assert(matches("", "", true));
    ck_assert(!matches("", "a", true));
    ck_assert(!matches("a", "", false));
    const char *some[] = {"", "a"}, *none[] = {"", ""};
    bool equal = true;
    assert_ok(segment_is_exact(&equal, &(Segment){"", some, 2}, false, NULL));
    ck_assert(!equal); // an empty reference stands for one that is not there
    assert_ok(segment_is_exact(&equal, &(Segment){"", none, 2}, false, NULL));
    ck_assert(equal);
}

TEST(any_reference)
{
    const char *references[] = {"x", "y", "a"};
    bool equal = false;
    assert_ok(segment_is_exact(&equal, &(Segment){"a", references, 3}, false, NULL));
    ck_assert(equal);
    assert_ok(segment_is_exact(&equal, &(Segment){"a", references, 2}, false, NULL));
    ck_assert(!equal);
}

TEST(out_of_memory)
{
    const char *reference = "A B";
    size_t rounds = 0;
    for (; failing_malloc_next(); rounds++) {
        bool equal = false;
        if (failing_malloc_expect(
                segment_is_exact(&equal, &(Segment){"a b", &reference, 1}, true, NULL)))
            ck_assert(!equal);
    }
    ck_assert_uint_ge(rounds, 4);
}
