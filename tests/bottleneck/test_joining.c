// Joining pairs: what stands between sentences, that nothing is lost, classes of lengths, and what is held out.

#include "bench/bottleneck/joining.h"

#include "bench/bottleneck/lengths.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

static const Scripts words = {UNITS_WORDS, UNITS_WORDS};

static void add(TextCorpus *corpus, const char *source, const char *target)
{
    TextPair pair = {.source = source,
                     .target = target,
                     .source_length = strlen(source),
                     .target_length = strlen(target)};
    ck_assert_int_eq(text_corpus_add(corpus, &pair, NULL), STATUS_OK);
}

// "a7 b c." and "A7 B.": sentence i has 1 + i % 9 words, of which the first is its own.
static TextCorpus numbered(size_t count)
{
    TextCorpus corpus = {0};
    char source[64], target[64];
    for (size_t i = 0; i < count; i++) {
        int length = snprintf(source, sizeof source, "a%zu", i);
        for (size_t w = 0; w < i % 9; w++) {
            strcpy(source + length, " b");
            length += 2;
        }
        strcpy(source + length, ".");
        snprintf(target, sizeof target, "A%zu B.", i);
        add(&corpus, source, target);
    }
    return corpus;
}

static size_t count_words(const char *text)
{
    size_t count = 1;
    for (; *text; text++) count += *text == ' ';
    return count;
}

// The numbers behind each `letter` in a text, into `numbers`; returns how many.
static size_t read_numbers(const char *text, char letter, size_t *numbers, size_t most)
{
    size_t count = 0;
    for (; *text; text++)
        if (*text == letter) {
            ck_assert_uint_lt(count, most);
            ck_assert_int_eq(sscanf(text + 1, "%zu", &numbers[count++]), 1);
        }
    return count;
}

START_TEST(test_separators)
{
    static const struct {
        const char *first, *second;
        UnitKind kind;
        const char *joined[2]; // either may come first
    } cases[] = {
        {"One.", "Two?", UNITS_WORDS, {"One. Two?", "Two? One."}},
        {"a dog", "an été", UNITS_WORDS, {"a dog. an été", "an été. a dog"}},
        {"room 7", "« oui »", UNITS_WORDS, {"room 7. « oui »", "« oui » room 7"}},
        {"下雨了。", "走吧！", UNITS_CHARACTERS, {"下雨了。走吧！", "走吧！下雨了。"}},
        {"一只狗", "走吧！", UNITS_CHARACTERS, {"一只狗。走吧！", "走吧！一只狗"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TextCorpus pairs = {0}, joined = {0};
        Scripts scripts = {cases[i].kind, cases[i].kind};
        bool found = false;
        add(&pairs, cases[i].first, cases[i].first);
        add(&pairs, cases[i].second, cases[i].second);
        ck_assert_int_eq(join_all(&joined, &pairs, scripts, 40, 1, NULL), STATUS_OK);
        for (size_t j = 0; j < joined.count; j++) {
            TextPair pair = text_corpus_pair(&joined, j);
            ck_assert_str_eq(pair.source, pair.target);
            if (strcmp(pair.source, cases[i].first) == 0) continue;
            if (strcmp(pair.source, cases[i].second) == 0) continue;
            found = true;
            ck_assert_msg(strcmp(pair.source, cases[i].joined[0]) == 0 ||
                              strcmp(pair.source, cases[i].joined[1]) == 0,
                          "%s", pair.source);
        }
        ck_assert(found);
        text_corpus_free(&pairs);
        text_corpus_free(&joined);
    }
}
END_TEST

START_TEST(test_every_pass_has_every_pair)
{
    enum { PAIRS = 400, PASSES = 3 };
    size_t seen[PAIRS] = {0}, sizes[MAX_JOINED + 1] = {0}, total = 0;
    size_t sources[MAX_JOINED], targets[MAX_JOINED];
    TextCorpus pairs = numbered(PAIRS), joined = {0};
    ck_assert_int_eq(join_all(&joined, &pairs, words, PASSES, 1, NULL), STATUS_OK);
    for (size_t i = 0; i < joined.count; i++) {
        TextPair pair = text_corpus_pair(&joined, i);
        size_t count = read_numbers(pair.source, 'a', sources, MAX_JOINED);
        ck_assert_uint_eq(count, read_numbers(pair.target, 'A', targets, MAX_JOINED));
        ck_assert_mem_eq(sources, targets, count * sizeof *sources);
        ck_assert_uint_eq(pair.source_length, strlen(pair.source));
        for (size_t j = 0; j < count; j++) seen[sources[j]]++;
        sizes[count]++;
        total += count;
    }
    for (size_t i = 0; i < PAIRS; i++) ck_assert_uint_eq(seen[i], PASSES);
    ck_assert_uint_eq(total, PAIRS * PASSES);
    // k pairs are drawn as often as 1/k, so that k times their number is about the same for all: 150 of the 1,200 sentences
    for (size_t k = 1; k <= MAX_JOINED; k++) {
        ck_assert_uint_ge(k * sizes[k], 75);
        ck_assert_uint_le(k * sizes[k], 225);
    }
    text_corpus_free(&pairs);
    text_corpus_free(&joined);
}
END_TEST

START_TEST(test_seed_decides)
{
    TextCorpus pairs = numbered(100), joined[3] = {0}, even[2] = {0};
    static const uint64_t seeds[] = {1, 1, 2};
    for (size_t i = 0; i < 3; i++)
        ck_assert_int_eq(join_all(&joined[i], &pairs, words, 2, seeds[i], NULL), STATUS_OK);
    for (size_t i = 0; i < 2; i++)
        ck_assert_int_eq(join_evenly(&even[i], &pairs, words, 3, 5, NULL), STATUS_OK);
    ck_assert_uint_eq(joined[0].count, joined[1].count);
    ck_assert(joined[0].hash == joined[1].hash);
    ck_assert(joined[0].hash != joined[2].hash);
    ck_assert(even[0].hash == even[1].hash);
    for (size_t i = 0; i < 3; i++) text_corpus_free(&joined[i]);
    for (size_t i = 0; i < 2; i++) text_corpus_free(&even[i]);
    text_corpus_free(&pairs);
}
END_TEST

START_TEST(test_classes)
{
    static const struct {
        size_t length, class;
        const char *name;
    } cases[] = {{1, 0, "1–10"},   {10, 0, "1–10"}, {11, 1, "11–20"}, {50, 4, "41–50"},
                 {60, 5, "51–60"}, {61, 6, "61+"},  {5000, 6, "61+"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_uint_eq(length_class(cases[i].length), cases[i].class);
        ck_assert_str_eq(length_class_name(cases[i].class), cases[i].name);
    }
}
END_TEST

START_TEST(test_evenly)
{
    TextCorpus pairs = numbered(200), joined = {0};
    size_t counts[LENGTH_CLASSES] = {0};
    // the sentences have 5 words on average, and eight of them seldom more than 60
    ck_assert_int_eq(join_evenly(&joined, &pairs, words, 7, 1, NULL), STATUS_OK);
    for (size_t i = 0; i < joined.count; i++) {
        TextPair pair = text_corpus_pair(&joined, i);
        counts[length_class(count_words(pair.source))]++;
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(pair.source, text_corpus_pair(&joined, j).source);
    }
    for (size_t c = 0; c + 1 < LENGTH_CLASSES; c++) ck_assert_uint_eq(counts[c], 7);
    ck_assert_uint_le(counts[LENGTH_CLASSES - 1], 7);
    text_corpus_free(&pairs);
    text_corpus_free(&joined);
}
END_TEST

// Three words cannot make long inputs, nor many different ones.
START_TEST(test_classes_that_stay_empty)
{
    TextCorpus pairs = {0}, joined = {0};
    add(&pairs, "one", "un");
    add(&pairs, "two", "deux");
    ck_assert_int_eq(join_evenly(&joined, &pairs, words, 5, 1, NULL), STATUS_OK);
    ck_assert_uint_eq(joined.count, 4); // one; two; one. two; two. one
    text_corpus_free(&pairs);
    text_corpus_free(&joined);
}
END_TEST

START_TEST(test_characters)
{
    TextCorpus pairs = {0}, joined = {0};
    for (int i = 0; i < 12; i++) add(&pairs, "我想找一条蓝色的围巾。", "I want a blue scarf.");
    Scripts scripts = scripts_of(&pairs);
    ck_assert_int_eq(scripts.source, UNITS_CHARACTERS);
    ck_assert_int_eq(scripts.target, UNITS_WORDS);
    ck_assert_int_eq(join_evenly(&joined, &pairs, scripts, 1, 1, NULL), STATUS_OK);
    // one to eight times eleven characters: 11–20, 21–30, 31–40, 41–50, 51–60, 61+
    ck_assert_uint_eq(joined.count, 6);
    text_corpus_free(&pairs);
    text_corpus_free(&joined);
}
END_TEST

START_TEST(test_hold_out)
{
    TextCorpus corpus = {0}, held_out = {0};
    size_t count = 3;
    add(&corpus, "a", "1");
    add(&corpus, "b", "2");
    add(&corpus, "c", "3");
    add(&corpus, "d", "e");
    add(&held_out, "a", "9");
    add(&held_out, "e", "3");
    ck_assert_int_eq(join_hold_out(&corpus, &held_out, &count, NULL), STATUS_OK);
    ck_assert_uint_eq(count, 5);
    ck_assert_uint_eq(corpus.count, 2);
    ck_assert_str_eq(text_corpus_pair(&corpus, 0).source, "b");
    ck_assert_str_eq(text_corpus_pair(&corpus, 1).source, "d");
    text_corpus_free(&corpus);
    text_corpus_free(&held_out);
}
END_TEST

START_TEST(test_nothing_to_join)
{
    TextCorpus none = {0}, joined = {0};
    Error error;
    ck_assert_int_eq(join_all(&joined, &none, words, 1, 1, &error), STATUS_ARGUMENT);
    ck_assert_int_eq(join_evenly(&joined, &none, words, 1, 1, &error), STATUS_ARGUMENT);
    ck_assert_uint_eq(joined.count, 0);
}
END_TEST

START_TEST(test_out_of_memory)
{
    for (size_t n = 1;; n++) {
        TextCorpus pairs = numbered(20), held_out = numbered(3), joined = {0};
        size_t count = 0;
        failing_malloc_at(n);
        Status status = join_all(&joined, &pairs, words, 1, 1, NULL);
        if (!status) status = join_evenly(&joined, &pairs, words, 1, 1, NULL);
        if (!status) status = join_hold_out(&pairs, &held_out, &count, NULL);
        bool failed = failing_malloc_stop();
        ck_assert_int_eq(status, failed ? STATUS_MEMORY : STATUS_OK);
        text_corpus_free(&pairs);
        text_corpus_free(&held_out);
        text_corpus_free(&joined);
        if (!failed) break;
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("joining");
    suite_add(suite, "separators", test_separators);
    suite_add(suite, "every pass has every pair", test_every_pass_has_every_pair);
    suite_add(suite, "the seed decides", test_seed_decides);
    suite_add(suite, "classes of lengths", test_classes);
    suite_add(suite, "evenly", test_evenly);
    suite_add(suite, "classes that stay empty", test_classes_that_stay_empty);
    suite_add(suite, "characters", test_characters);
    suite_add(suite, "hold out", test_hold_out);
    suite_add(suite, "nothing to join", test_nothing_to_join);
    suite_add_slow(suite, "out of memory", test_out_of_memory, 20);
    return suite_run(suite);
}
