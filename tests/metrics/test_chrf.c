#include "metrics/chrf.h"
#include "support/suite.h"

#include <string.h>

static ChrfCounts count_pair(const char *hypothesis, const char *reference)
{
    ChrfCounts counts = {0};
    assert_ok(chrf_add(&counts, &(Segment){hypothesis, &reference, 1}, false, NULL));
    return counts;
}

static void expect_counts(ChrfCounts counts, ChrfCounts expected)
{
    for (size_t n = 0; n < 6; n++) {
        ck_assert_uint_eq(counts.matches[n], expected.matches[n]);
        ck_assert_uint_eq(counts.hypothesis[n], expected.hypothesis[n]);
        ck_assert_uint_eq(counts.reference[n], expected.reference[n]);
    }
}

TEST(by_hand)
{
    /* abc against abd: 2 of 3, 1 of 2 (ab), 0 of 1, and no longer n-grams on either side, so that
     * P = R = (2/3 + 1/2 + 0) / 3 = 7/18, which is also the mean of the two */
    ChrfCounts counts = count_pair("ab c", " abd");
    expect_counts(counts, (ChrfCounts){{2, 1}, {3, 2, 1}, {3, 2, 1}});
    ck_assert_double_eq_tol(chrf_score(&counts), 700.0 / 18, 1e-9);

    /* ab against abcd: P = (2/2 + 1/1) / 2 = 1, R = (2/4 + 1/3) / 2 = 5/12; orders 3 and 4 are the
     * reference's alone. (1 + 4) · 1 · 5/12 / (4 · 1 + 5/12) = 25/53 */
    counts = count_pair("ab", "abcd");
    expect_counts(counts, (ChrfCounts){{2, 1}, {2, 1}, {4, 3, 2, 1}});
    ck_assert_double_eq_tol(chrf_score(&counts), 2500.0 / 53, 1e-9);
}

TEST(hypothesis_counts_only_where_the_reference_has_any)
{
    expect_counts(count_pair("abcd", "ab"), (ChrfCounts){{2, 1}, {4, 3}, {2, 1}});
}

TEST(identical_is_100)
{
    ChrfCounts counts = count_pair("猫 在\u3000睡觉。", "猫在睡觉。"); // white space does not count
    ck_assert_double_eq_tol(chrf_score(&counts), 100, 1e-9);
}

TEST(the_best_reference_counts)
{
    const char *references[] = {"xyz", "abcd", "", "abce"};
    ChrfCounts counts = {0};
    assert_ok(chrf_add(&counts, &(Segment){"abcd", references, 4}, false, NULL));
    expect_counts(counts, count_pair("abcd", "abcd"));

    const char *none[] = {"xyz", "uvwxyz"}; // the first, where all are equally bad
    counts = (ChrfCounts){0};
    assert_ok(chrf_add(&counts, &(Segment){"abcd", none, 2}, false, NULL));
    expect_counts(counts, count_pair("abcd", "xyz"));
}

TEST(empty_texts)
{
    ChrfCounts counts = count_pair("", "ab");
    expect_counts(counts, (ChrfCounts){{0}, {0}, {2, 1}});
    ck_assert_double_eq(chrf_score(&counts), 0);
    counts = count_pair("ab", "");
    expect_counts(counts, (ChrfCounts){0});
    ck_assert_double_eq(chrf_score(&counts), 0);
    expect_counts(count_pair(" \n", "\t"), (ChrfCounts){0});
    const char *empty[] = {"", ""};
    assert_ok(chrf_add(&counts, &(Segment){"ab", empty, 2}, true, NULL));
    expect_counts(counts, (ChrfCounts){0});
}

TEST(counts_add_up)
{
    ChrfCounts a = count_pair("ab c", "abd"), b = count_pair("ab", "abcd"), both = a;
    const char *reference = "abcd";
    assert_ok(chrf_add(&both, &(Segment){"ab", &reference, 1}, false, NULL));
    for (size_t n = 0; n < 6; n++) {
        a.matches[n] += b.matches[n];
        a.hypothesis[n] += b.hypothesis[n];
        a.reference[n] += b.reference[n];
    }
    expect_counts(both, a);
}

TEST(lowercase)
{
    const char *reference = "été";
    ChrfCounts counts = {0};
    assert_ok(chrf_add(&counts, &(Segment){"ÉtÉ", &reference, 1}, true, NULL));
    ck_assert_double_eq_tol(chrf_score(&counts), 100, 1e-9);
    ck_assert_uint_eq(count_pair("ÉtÉ", reference).matches[0], 1);
}

TEST(invalid_text)
{
    expect_counts(count_pair("a\xff\xe4\xbd", "a\ufffd\xfe"),
                  (ChrfCounts){{3, 2, 1}, {3, 2, 1}, {3, 2, 1}});
}

TEST(a_megabyte_in_one_line)
{
    enum { LENGTH = 1000000 };
    static char line[LENGTH + 1];
    memset(line, 'a', LENGTH);
    ChrfCounts counts = count_pair(line, line);
    ck_assert_uint_eq(counts.matches[5], LENGTH - 5);
}
