#include "align/aligner.h"

#include "align/link_lines.h"
#include "support/aligner_pairs.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

// Neighbouring Han characters lend each other what both directions say; others do not.
TEST(han_characters_share_links)
{
    static const char *const lines[][2] = {
        {"the plane", "\xE9\xA3\x9E\xE6\x9C\xBA"}, // 飞机
        {"the plane", "l'avion noir"},
    };
    AlignerCorpus corpus = {0};
    for (size_t n = 0; n < 2; n++) aligner_pairs_add_text(&corpus, lines[n][0], lines[n][1]);
    Threads *threads;
    Aligner aligner;
    assert_ok(threads_new(&threads, 1, NULL));
    assert_ok(aligner_learn(&aligner, &corpus, aligner_options_default(), threads, NULL));
    AlignerPosteriors posteriors = {0};
    for (size_t n = 0; n < 2; n++) {
        size_t sources = 2, targets = n ? 3 : 2;
        aligner_pairs_align(&posteriors, &aligner, lines[n][0], lines[n][1]);
        ck_assert_uint_eq(posteriors.targets, targets);
        const double *p = posteriors.forward, *r = posteriors.reverse;
        for (size_t i = 0; i < sources; i++)
            for (size_t j = 0; j < targets; j++) {
                double own = p[j * sources + i] * r[i * targets + j], both = own;
                if (!n)
                    both = p[j * sources + i] *
                           fmin(1, r[i * targets + j] +
                                       p[(1 - j) * sources + i] * r[i * targets + 1 - j]);
                ck_assert_double_eq_tol(aligner_posteriors_link(&posteriors, i, j), fmax(own, both),
                                        1e-12);
            }
    }
    aligner_posteriors_free(&posteriors);
    aligner_free(&aligner);
    threads_free(threads);
}

/* The posteriors of "my house", "ma maison" with this attention, (target, source); NULL: without.
 * */
static void attended(AlignerPosteriors *posteriors, const Aligner *aligner, float *attention)
{
    AlignerTokens tokens[2] = {{.capacity = 0}, {.capacity = 0}};
    const SoftAlignment soft = {attention, 2, 2, 0};
    assert_ok(aligner_tokens_set(&tokens[0], "my house", 8, NULL));
    assert_ok(aligner_tokens_set(&tokens[1], "ma maison", 9, NULL));
    assert_ok(
        aligner_align(posteriors, aligner, &tokens[0], &tokens[1], attention ? &soft : NULL, NULL));
    for (int s = 0; s < 2; s++) aligner_tokens_free(&tokens[s]);
}

/* By hand: with α = ¾ ¼ | 0 0 and ε = 0.4, t(ma | my) is multiplied by (2 · ¾ + 0.4) / 1.4, t(ma |
 * house) by (2 · ¼ + 0.4) / 1.4, in both directions, and t(maison | ·) by nothing. */
TEST(attention_is_a_factor)
{
    Aligner aligner = aligner_pairs_learn(1);
    AlignerPosteriors plain = {0}, with = {0};
    HmmWork work = {0};
    const double factors[2][2] = {{1.9 / 1.4, 0.9 / 1.4}, {1, 1}};
    double expected[4];
    attended(&plain, &aligner, NULL);
    attended(&with, &aligner, (float[]){0.75F, 0.25F, 0, 0});
    for (int d = 0; d < 2; d++) {
        HmmCounts counts = {.log_p = 0};
        for (size_t j = 0; j < 2; j++)
            for (size_t i = 0; i < 2; i++)
                plain.emissions[d][d ? i * 2 + j : j * 2 + i] *= factors[j][i];
        const Lattice lattice = {2, 2, plain.emissions[d], plain.null[d]};
        assert_ok(hmm_posteriors(expected, &counts, &work, &lattice, &aligner.jumps[d], NULL));
        for (size_t n = 0; n < 4; n++)
            ck_assert_double_eq_tol((d ? with.reverse : with.forward)[n], expected[n], 1e-9);
    }
    hmm_work_free(&work);
    aligner_posteriors_free(&plain);
    aligner_posteriors_free(&with);
    aligner_free(&aligner);
}

TEST(even_attention_changes_nothing)
{
    Aligner aligner = aligner_pairs_learn(1);
    AlignerPosteriors plain = {0}, even = {0};
    attended(&plain, &aligner, NULL);
    attended(&even, &aligner, (float[]){0.5F, 0.5F, 0.5F, 0.5F});
    for (size_t n = 0; n < 4; n++) {
        ck_assert_double_eq_tol(even.forward[n], plain.forward[n], 1e-12);
        ck_assert_double_eq_tol(even.reverse[n], plain.reverse[n], 1e-12);
    }
    aligner_posteriors_free(&plain);
    aligner_posteriors_free(&even);
    aligner_free(&aligner);
}

/* As soft alignments: of the tokens, the mean of both directions; of other units, the greatest of
 * the tokens that they overlap: here "my house" is one unit, "maison" begins within "ma". */
TEST(soft)
{
    Span places[2][2] = {{{0, 8}}, {{0, 1}, {1, 9}}};
    const Spans units[2] = {{places[0], 1, 0}, {places[1], 2, 0}};
    AlignerTokens tokens[2] = {{.capacity = 0}, {.capacity = 0}};
    assert_ok(aligner_tokens_set(&tokens[0], "my house", 8, NULL));
    assert_ok(aligner_tokens_set(&tokens[1], "ma maison", 9, NULL));
    Aligner aligner = aligner_pairs_learn(1);
    AlignerPosteriors posteriors = {0};
    SoftAlignment soft = {0}, of_units = {0};
    attended(&posteriors, &aligner, NULL);
    assert_ok(aligner_soft(&soft, &posteriors, NULL));
    for (size_t j = 0; j < 2; j++)
        for (size_t i = 0; i < 2; i++)
            ck_assert_double_eq_tol(
                (double)soft.weights[j * 2 + i],
                (posteriors.forward[j * 2 + i] + posteriors.reverse[i * 2 + j]) / 2, 1e-6);
    assert_ok(aligner_soft_of_units(&of_units, &posteriors, ALIGNER_MEAN, tokens,
                                    (const Spans *[]){&units[0], &units[1]}, NULL));
    ck_assert(of_units.targets == 2 && of_units.sources == 1);
    float ma = fmaxf(soft.weights[0], soft.weights[1]),
          maison = fmaxf(soft.weights[2], soft.weights[3]);
    ck_assert_double_eq((double)of_units.weights[0], (double)ma);
    ck_assert_double_eq((double)of_units.weights[1], (double)fmaxf(ma, maison));
    soft_alignment_free(&soft);
    soft_alignment_free(&of_units);
    for (int s = 0; s < 2; s++) aligner_tokens_free(&tokens[s]);
    aligner_posteriors_free(&posteriors);
    aligner_free(&aligner);
}

TEST(same_bits_for_any_number_of_threads)
{
    Aligner one = aligner_pairs_learn(1), three = aligner_pairs_learn(3);
    ck_assert_uint_eq(one.table.entries, three.table.entries);
    ck_assert_mem_eq(one.table.columns, three.table.columns,
                     one.table.entries * sizeof *one.table.columns);
    ck_assert_mem_eq(one.table.links, three.table.links,
                     one.table.entries * sizeof *one.table.links);
    for (int s = 0; s < 2; s++) {
        size_t types = one.vocabularies[s].types.count;
        ck_assert_mem_eq(one.table.type_links[s], three.table.type_links[s], types * sizeof(float));
        ck_assert_mem_eq(one.table.unlinked[s], three.table.unlinked[s], types * sizeof(float));
        ck_assert_mem_eq(&one.jumps[s], &three.jumps[s], sizeof(JumpModel));
    }
    aligner_free(&one);
    aligner_free(&three);
}

// Each direction's table sums to at most 1 over the words that were seen, and t(· | null) to 1.
TEST(translations_are_probabilities)
{
    Aligner aligner = aligner_pairs_learn(2);
    for (int d = 0; d < 2; d++) {
        const StringMap *given = &aligner.vocabularies[d].types;
        const StringMap *said = &aligner.vocabularies[1 - d].types;
        double null = 0;
        for (uint32_t x = 0; x < given->count; x++) {
            double sum = 0;
            for (uint32_t y = 0; y < said->count; y++) {
                AlignerQuery query = {.alike = false};
                double t[2];
                query.words[d] = (AlignerWord){x, aligner.vocabularies[d].classes[x]};
                query.words[1 - d] = (AlignerWord){y, aligner.vocabularies[1 - d].classes[y]};
                aligner_table_translations(t, &aligner.table, &query);
                ck_assert(t[d] > 0);
                sum += t[d];
            }
            ck_assert_double_lt(sum, 1 + 1e-6);
        }
        for (uint32_t y = 0; y < said->count; y++)
            null += aligner_table_null(&aligner.table, &aligner.vocabularies[1 - d], 1 - d,
                                       (AlignerWord){y, {0, false}});
        ck_assert_double_eq_tol(null, 1, 1e-6);
    }
    aligner_free(&aligner);
}

/* Words that were never seen: by their stems, by their spelling, by what is left. */
TEST(unknown_words)
{
    Aligner aligner = aligner_pairs_learn(1);
    AlignerPosteriors posteriors = {0};
    // "housed" and "maisonnette" have known stems, "1984" is spelt alike
    aligner_pairs_align(&posteriors, &aligner, "the housed 1984", "la maisonnette 1984");
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            double link = aligner_posteriors_link(&posteriors, i, j);
            ck_assert(i == j ? link > 0.5 : link < 0.1);
        }
    aligner_pairs_align(&posteriors, &aligner, "", "la maison");
    ck_assert_uint_eq(posteriors.sources, 0);
    aligner_posteriors_free(&posteriors);
    aligner_free(&aligner);
}

static double score_of(const Aligner *aligner, const char *source, const char *target)
{
    const char *const texts[2] = {source, target};
    AlignerTokens tokens[2] = {{.capacity = 0}, {.capacity = 0}};
    AlignerPosteriors posteriors = {0};
    double score;
    for (int s = 0; s < 2; s++)
        assert_ok(aligner_tokens_set(&tokens[s], texts[s], strlen(texts[s]), NULL));
    assert_ok(aligner_score(&score, &posteriors, aligner, &tokens[0], &tokens[1], NULL));
    for (int s = 0; s < 2; s++) aligner_tokens_free(&tokens[s]);
    aligner_posteriors_free(&posteriors);
    return score;
}

TEST(score)
{
    Aligner aligner = aligner_pairs_learn(1);
    double right = score_of(&aligner, "the house", "la maison");
    ck_assert_double_gt(right, 0);
    ck_assert_double_gt(right, score_of(&aligner, "the book", "la maison"));
    ck_assert_double_gt(score_of(&aligner, "the book", "la maison"),
                        score_of(&aligner, "my book", "la maison"));
    ck_assert_double_eq(score_of(&aligner, "", "la maison"), 0);
    ck_assert_double_eq(score_of(&aligner, "the house", ""), 0);
    // by hand, of two unknown words: t(y | x) = 0.05 p(y) / 0.65, of which one link is no more
    double seen = aligner.table.totals[1].unseen * 0.05 / 0.65;
    double back = aligner.table.totals[0].unseen * 0.05 / 0.65;
    double y = 1.0 / (double)aligner.vocabularies[1].token_count * 0.5;
    double x = 1.0 / (double)aligner.vocabularies[0].token_count * 0.5;
    y += 0.5 * 100 * 2 * y / (aligner.table.all_unlinked[1] + 100);
    x += 0.5 * 100 * 2 * x / (aligner.table.all_unlinked[0] + 100);
    double null = aligner.jumps[0].null; // the same in both directions
    ck_assert_double_eq_tol(
        score_of(&aligner, "zebra", "quagga"),
        (log(null + (1 - null) * seen / y) + log(null + (1 - null) * back / x)) / 2, 1e-6);
    aligner_free(&aligner);
}

// A thousand words on either side, half of them unknown.
TEST(long_sentences, .seconds = 60)
{
    enum { WORDS = 1000 };
    Aligner aligner = aligner_pairs_learn(1);
    AlignerPosteriors posteriors = {0};
    Bytes texts[2] = {{0}, {0}};
    for (size_t n = 0; n < WORDS; n++) {
        ck_assert_int_eq(bytes_append_format(&texts[0], NULL, n % 2 ? "w%zu " : "house ", n), 0);
        ck_assert_int_eq(bytes_append_format(&texts[1], NULL, n % 2 ? "w%zu " : "maison ", n), 0);
    }
    aligner_pairs_align(&posteriors, &aligner, texts[0].data, texts[1].data);
    ck_assert_uint_ge(posteriors.targets, WORDS);
    for (size_t i = 0; i < posteriors.sources; i++)
        ck_assert_double_gt(aligner_posteriors_link(&posteriors, i, i), 0.1);
    ck_assert(isfinite(posteriors.counts[0].log_p) && isfinite(posteriors.counts[1].log_p));
    for (int s = 0; s < 2; s++) bytes_free(&texts[s]);
    aligner_posteriors_free(&posteriors);
    aligner_free(&aligner);
}

// Sets the links of the units of two texts, given the posteriors of their tokens.
static void set_links(Links *links, SoftAlignment *soft, const AlignerPosteriors *posteriors,
                      AlignerReading reading, const char *const sides[2], const UnitKind kinds[2])
{
    AlignerTokens tokens[2] = {{.capacity = 0}, {.capacity = 0}};
    Spans units[2] = {{0}, {0}};
    for (int s = 0; s < 2; s++) {
        assert_ok(aligner_tokens_set(&tokens[s], sides[s], strlen(sides[s]), NULL));
        assert_ok(units_split(&units[s], kinds[s], sides[s], strlen(sides[s]), NULL));
    }
    assert_ok(aligner_soft_of_units(soft, posteriors, reading, tokens,
                                    (const Spans *[]){&units[0], &units[1]}, NULL));
    assert_ok(links_from_posteriors(links, soft, 0.5F, NULL));
    for (int s = 0; s < 2; s++) {
        aligner_tokens_free(&tokens[s]);
        spans_free(&units[s]);
    }
}

static void expect_links(const Aligner *aligner, size_t pair, AlignerReading reading,
                         UnitKind targets, const char *expected)
{
    AlignerPosteriors posteriors = {0};
    SoftAlignment soft = {0};
    Links links = {0};
    aligner_pairs_align(&posteriors, aligner, aligner_pairs[pair][0], aligner_pairs[pair][1]);
    set_links(&links, &soft, &posteriors, reading, aligner_pairs[pair],
              (const UnitKind[]){UNITS_WORDS, targets});
    expect_line(&links, expected);
    links_free(&links);
    soft_alignment_free(&soft);
    aligner_posteriors_free(&posteriors);
}

TEST(links_of_units)
{
    Aligner aligner = aligner_pairs_learn(1);
    for (AlignerReading reading = ALIGNER_FORWARD; reading <= ALIGNER_REVERSE; reading++) {
        expect_links(&aligner, 8, reading, UNITS_WORDS, "0-0 1-1 2-2 3-3");
        expect_links(&aligner, 4, reading, UNITS_WORDS, "");
        expect_links(&aligner, 5, reading, UNITS_WORDS, "");
        expect_links(&aligner, 6, reading, UNITS_WORDS, "");
    }
    // a token is linked by all the units it overlaps: "livre" has five characters
    expect_links(&aligner, 3, ALIGNER_MEAN, UNITS_CHARACTERS, "0-0 0-1 1-2 1-3 1-4 1-5 1-6");
    aligner_free(&aligner);
}

// The links of two texts of three tokens, of which only the last, marks, are aligned.
static void expect_links_of_marks(const char *source, const char *target, const char *expected)
{
    AlignerPosteriors posteriors = {0};
    SoftAlignment soft = {0};
    Links links = {0};
    assert_ok(aligner_posteriors_begin(&posteriors, 3, 3, NULL));
    for (size_t n = 0; n < 9; n++) posteriors.forward[n] = posteriors.reverse[n] = n == 8;
    set_links(&links, &soft, &posteriors, ALIGNER_MEAN, (const char *const[]){source, target},
              (const UnitKind[]){UNITS_WORDS, UNITS_WORDS});
    expect_line(&links, expected);
    for (size_t n = 0; n < soft.targets * soft.sources; n++)
        ck_assert(soft.weights[n] == (links.count && n == soft.targets * soft.sources - 1));
    links_free(&links);
    soft_alignment_free(&soft);
    aligner_posteriors_free(&posteriors);
}

// Marks at the ends of both words do not link the words.
TEST(attached_marks)
{
    expect_links_of_marks("last week.", "semaine derni\xC3\xA8re.", "");
    expect_links_of_marks("last week)", "semaine derni)", "");
    expect_links_of_marks("last week.", "semaine derni\xC3\xA8re .", "1-2");
    expect_links_of_marks("last week !", "semaine derni\xC3\xA8re !", "2-2");
    expect_links_of_marks("last week !", "semaine derni\xC3\xA8re!", "2-1");
}

TEST(out_of_memory, .seconds = 60)
{
    Threads *threads;
    assert_ok(threads_new(&threads, 1, NULL));
    AlignerOptions options = {
        .model1_iterations = 1, .hmm_iterations = 1, .null = 0.1, .least_links = 0.01};
    while (failing_malloc_next()) {
        AlignerCorpus corpus = {0};
        Aligner aligner;
        Error error;
        Status status = aligner_pairs_add(&corpus, &error);
        if (!status) status = aligner_learn(&aligner, &corpus, options, threads, &error);
        failing_malloc_expect(status);
        if (!status) aligner_free(&aligner);
        aligner_corpus_free(&corpus);
    }
    threads_free(threads);
}
