// include/regard.h: where the model looked.

#include "regard.h"

#include <math.h>
#include <string.h>

#include "api/open_model.h" // last: its names are short

static RegardResult *result;

static void begin_aligned(void)
{
    begin();
    options.alignment = true;
}

/* Units stand in the text in order, each with its NUL, nothing but spaces between them. */
static void check_units(const RegardText *units, size_t count, RegardText text)
{
    const char *at = text.bytes;
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_gt(units[i].length, 0);
        ck_assert_int_eq(units[i].bytes[units[i].length], '\0');
        while (*at == ' ') at++;
        ck_assert_mem_eq(at, units[i].bytes, units[i].length);
        at += units[i].length;
    }
    ck_assert_ptr_eq(at, text.bytes + text.length);
}

enum { MAX_SOURCES = 1200 };

// What each source unit gets of all target units' attention.
static void sum_columns(double *sums, const RegardAlignment *alignment)
{
    size_t sources = alignment->source_count;
    ck_assert_uint_le(sources, MAX_SOURCES);
    for (size_t s = 0; s < sources; s++) sums[s] = 0;
    for (size_t t = 0; t < alignment->target_count; t++)
        for (size_t s = 0; s < sources; s++) sums[s] += (double)alignment->weights[t * sources + s];
}

// The mean of what a source unit gets of a target unit's attention and of what the target unit
// gives of all that it gets.
static double strength(const RegardAlignment *alignment, const double *sums, size_t target,
                       size_t source)
{
    double weight = (double)alignment->weights[target * alignment->source_count + source];
    return weight > 0 ? (weight + weight / sums[source]) / 2 : 0;
}

// A row sums to 1 and has links to its strongest source and to those of 0.4, or is all zeros and
// has none.
static size_t check_row(const RegardAlignment *alignment, const double *sums, size_t target)
{
    const float *row = alignment->weights + target * alignment->source_count;
    double sum = 0, best = 0, least = (double)0.4F;
    size_t links = 0, expected = 0;
    bool possible = true;
    for (size_t s = 0; s < alignment->source_count; s++) {
        possible &= row[s] >= 0 && row[s] <= 1.00001F;
        sum += (double)row[s];
        best = fmax(best, strength(alignment, sums, target, s));
    }
    ck_assert(possible);
    ck_assert(sum == 0 || fabs(sum - 1) < 1e-5);
    for (size_t s = 0; s < alignment->source_count && sum > 0; s++)
        expected += strength(alignment, sums, target, s) >= fmin(best, least);
    for (size_t i = 0; i < alignment->link_count; i++) {
        if (alignment->links[i].target != target) continue;
        ck_assert(strength(alignment, sums, target, alignment->links[i].source) >=
                  fmin(best, least));
        links++;
    }
    ck_assert_uint_eq(links, expected);
    return links;
}

static const RegardAlignment *check_alignment(size_t i, size_t rank)
{
    const RegardTranslation *one = regard_result_translation(result, i, rank);
    const RegardAlignment *alignment = one->alignment;
    size_t links = 0;
    ck_assert_ptr_nonnull(alignment);
    check_units(alignment->sources, alignment->source_count, regard_result_source(result, i)->text);
    check_units(alignment->targets, alignment->target_count, one->text);
    double sums[MAX_SOURCES];
    sum_columns(sums, alignment);
    for (size_t t = 0; t < alignment->target_count; t++) links += check_row(alignment, sums, t);
    ck_assert_uint_eq(links, alignment->link_count);
    for (size_t l = 1; l < alignment->link_count; l++) {
        RegardLink a = alignment->links[l - 1], b = alignment->links[l];
        ck_assert(a.source < b.source || (a.source == b.source && a.target < b.target));
    }
    return alignment;
}

TESTS_EACH(begin_aligned, end)

TEST(of_translations)
{
    RegardText sources[] = {TEXT("the cat sat"), TEXT(""), TEXT("x"),
                            TEXT("\xE6\x88\x91\xE4\xBB\xAC and \xff")};
    static const size_t words[] = {3, 0, 1, 3};
    options.n_best = 4;
    assert_ok(regard_translate(model, sources, 4, &options, &result, &error));
    size_t links = 0;
    for (size_t i = 0; i < 4; i++)
        for (size_t rank = 0; regard_result_translation(result, i, rank); rank++) {
            const RegardAlignment *alignment = check_alignment(i, rank);
            ck_assert_uint_eq(alignment->source_count, words[i]);
            links += alignment->link_count;
        }
    ck_assert_uint_gt(links, 4);
    regard_result_free(result);
}

// The model's own units are words of the source and characters of the target.
TEST(units)
{
    static const size_t sources[] = {
        [REGARD_UNITS_MODEL] = 3, [REGARD_UNITS_WORDS] = 3, [REGARD_UNITS_CHARACTERS] = 8};
    static const size_t targets[] = {
        [REGARD_UNITS_MODEL] = 4, [REGARD_UNITS_WORDS] = 2, [REGARD_UNITS_CHARACTERS] = 4};
    for (unsigned s = 0; s <= REGARD_UNITS_CHARACTERS; s++)
        for (unsigned t = 0; t <= REGARD_UNITS_CHARACTERS; t++) {
            options.source_units = (RegardUnits)s;
            options.target_units = (RegardUnits)t;
            assert_ok(regard_score(model, &TEXT("one  word \xEF\xBF\xBD"),
                                   &TEXT("\xE6\x88\x91\xE4\xBB\xAC ab"), 1, &options, &result,
                                   &error));
            const RegardAlignment *alignment = check_alignment(0, 0);
            ck_assert_uint_eq(alignment->source_count, sources[s]);
            ck_assert_uint_eq(alignment->target_count, targets[t]);
            ck_assert_uint_ge(alignment->link_count, targets[t]);
            regard_result_free(result);
        }
}

// Scoring gives one translation for each pair, even if a side is empty.
TEST(of_given_pairs)
{
    RegardText sources[] = {TEXT("a b"), TEXT("a b"), TEXT(""), TEXT("")};
    RegardText targets[] = {TEXT("c  d e"), TEXT(" "), TEXT("c"), TEXT("")};
    static const size_t source_counts[] = {2, 2, 0, 0}, target_counts[] = {3, 0, 1, 0};
    assert_ok(regard_score(model, sources, targets, 4, &options, &result, &error));
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(regard_result_source(result, i)->translation_count, 1);
        const RegardAlignment *alignment = check_alignment(i, 0);
        ck_assert_uint_eq(alignment->source_count, source_counts[i]);
        ck_assert_uint_eq(alignment->target_count, target_counts[i]);
        ck_assert_uint_ge(alignment->link_count, source_counts[i] ? target_counts[i] : 0);
        ck_assert(regard_result_translation(result, i, 0)->log_probability < 0);
    }
    ck_assert_str_eq(regard_result_translation(result, 0, 0)->text.bytes, "c d e");
    regard_result_free(result);

    options.alignment = false;
    assert_ok(regard_score(model, sources, targets, 4, &options, &result, &error));
    ck_assert_ptr_null(regard_result_translation(result, 0, 0)->alignment);
    regard_result_free(result);
}

// Units beyond the limit of 1000 subwords have rows of zeros.
TEST(beyond_the_limit)
{
    static char words[2401];
    for (size_t i = 0; i < 1200; i++) memcpy(words + 2 * i, "a ", 2);
    RegardText text = {words, sizeof words - 1};
    assert_ok(regard_score(model, &text, &text, 1, &options, &result, &error));
    const RegardAlignment *alignment = check_alignment(0, 0);
    ck_assert_uint_eq(alignment->source_count, 1200);
    ck_assert_uint_eq(alignment->target_count, 1200);
    ck_assert(alignment->link_count > 0 && alignment->link_count < 1001);
    regard_result_free(result);
}

// Everything that a result points to is its own.
TEST(outlives_model_and_texts)
{
    char source[] = "the cat", target[] = "abc";
    RegardText texts[] = {{source, 7}, {target, 3}};
    ck_assert_int_eq(regard_score(model, &texts[0], &texts[1], 1, &options, &result, &error), 0);
    regard_close(model);
    model = NULL;
    memset(source, '?', 7);
    memset(target, '?', 3);
    const RegardAlignment *alignment = check_alignment(0, 0);
    ck_assert_str_eq(alignment->sources[1].bytes, "cat");
    ck_assert_str_eq(alignment->targets[2].bytes, "c");
    ck_assert_str_eq(regard_result_source(result, 0)->text.bytes, "the cat");
    regard_result_free(result);
}
