// P(right) of texts and words, from the log-probabilities of subwords.
#include "translate/confidence.h"

#include "support/suite.h"

#include <math.h>

// "ab c": subwords a, b, ▁c.
static int32_t ids[] = {4, 5, 6};
static uint32_t ends[] = {1, 2, 4};
static float log_ps[] = {-0.25f, -0.5f, -1, -0.25f}; // </s> last
static char text[] = "ab c";

static const ConfidenceWeights weights = {.text = {0.5, 2, 0.25, -0.125, -1},
                                          .word = {-1, 2, 0.5, 1, 0.25}};

static Rendering rendering_of(float *given)
{
    return (Rendering){.text = {.data = text, .length = 4},
                       .subwords = {.ids = ids, .ends = ends, .count = 3},
                       .log_ps = given};
}

static double sigma(double sum)
{
    return 1 / (1 + exp(-sum));
}

TEST(by_hand)
{
    Rendering rendering = rendering_of(log_ps);
    Translation translation = {.renderings = &rendering, .count = 1};
    Confidence confidence = {0};
    assert_ok(confidence_set(&confidence, &weights, &translation, &rendering, UNITS_WORDS, NULL));
    // mean −0.5; lowest −1; one of four with p < 1/2
    ck_assert_double_eq_tol(confidence.text, sigma(0.5 - 2 * 0.5 - 0.25 - 0.125 * log(4) - 0.25),
                            1e-12);
    ck_assert_uint_eq(confidence.words.count, 2);
    ck_assert_double_eq_tol(confidence.of_words[0].right,
                            sigma(-1 + 2 * exp(-0.75) - 0.5 * 0.5 + exp(-1) - 0.25 * 0.5), 1e-12);
    ck_assert_double_eq_tol(confidence.of_words[1].right,
                            sigma(-1 + 2 * exp(-1) - 0.5 + exp(-0.25) - 0.25 * 0.5), 1e-12);
    // characters have those of their subword
    assert_ok(
        confidence_set(&confidence, &weights, &translation, &rendering, UNITS_CHARACTERS, NULL));
    ck_assert_uint_eq(confidence.words.count, 3);
    ck_assert_double_eq_tol(confidence.of_words[0].right,
                            sigma(-1 + 2 * exp(-0.25) - 0.5 * 0.25 + exp(-0.5) - 0.25 * 0.5),
                            1e-12);
    confidence_free(&confidence);
}

// Of a text that was split: the product, and the words of both at their places.
TEST(sentences)
{
    Rendering rendering = rendering_of(log_ps);
    Translation sentences[2] = {{.renderings = &rendering, .count = 1},
                                {.renderings = &rendering, .count = 1}};
    SentencePlace places[] = {{0, 0}, {0, 5}};
    char both[] = "ab c ab c";
    Rendering joined = {.text = {.data = both, .length = 9}, .places = places};
    Translation translation = {
        .renderings = &joined, .count = 1, .sentences = sentences, .sentence_count = 2};
    Confidence one = {0}, confidence = {0};
    assert_ok(confidence_set(&one, &weights, &sentences[0], &rendering, UNITS_WORDS, NULL));
    assert_ok(confidence_set(&confidence, &weights, &translation, &joined, UNITS_WORDS, NULL));
    ck_assert_double_eq_tol(confidence.text, one.text * one.text, 1e-12);
    ck_assert_uint_eq(confidence.words.count, 4);
    ck_assert_uint_eq(confidence.words.items[2].begin, 5);
    ck_assert_uint_eq(confidence.words.items[3].end, 9);
    ck_assert_double_eq(confidence.of_words[3].right, one.of_words[1].right);
    confidence_free(&one);
    confidence_free(&confidence);
}

// What stays as it is cannot be wrong; a source that nothing was found for is no translation.
TEST(not_searched)
{
    Rendering same = rendering_of(NULL), left = {.text = {.data = text, .length = 4}};
    Translation translation = {.renderings = &same, .count = 1};
    Confidence confidence = {0};
    assert_ok(confidence_set(&confidence, &weights, &translation, &same, UNITS_WORDS, NULL));
    ck_assert_double_eq(confidence.text, 1);
    ck_assert_double_eq(confidence.of_words[1].right, 1);
    assert_ok(confidence_set(&confidence, &weights, &translation, &left, UNITS_WORDS, NULL));
    ck_assert_double_eq(confidence.text, 0);
    ck_assert_double_eq(confidence.of_words[1].right, 0);
    confidence_free(&confidence);
}

// Other hypotheses that do not have a subword make it, and the text, less sure.
TEST(agreement_of_others)
{
    static float agreements[] = {0.5F, 1, 0};
    Rendering rendering = rendering_of(log_ps);
    Translation translation = {.renderings = &rendering, .count = 1};
    const ConfidenceWeights only = {{[5] = 1}, {[5] = 1}};
    Confidence confidence = {0};
    assert_ok(confidence_set(&confidence, &only, &translation, &rendering, UNITS_WORDS, NULL));
    ck_assert_double_eq_tol(confidence.text, sigma((3 * 0.75 + 1) / 4), 1e-12); // not known
    rendering.agreements = agreements;
    assert_ok(confidence_set(&confidence, &only, &translation, &rendering, UNITS_WORDS, NULL));
    ck_assert_double_eq_tol(confidence.text, sigma((0.5 + 1 + 0 + 1) / 4), 1e-12);
    ck_assert_double_eq_tol(confidence.of_words[0].right, sigma(0.5), 1e-12); // its lowest
    ck_assert_double_eq_tol(confidence.of_words[1].right, sigma(0), 1e-12);
    rendering.known = 0.9; // of a dictionary or a memory
    assert_ok(confidence_set(&confidence, &only, &translation, &rendering, UNITS_WORDS, NULL));
    ck_assert_double_eq(confidence.text, 0.9);
    ck_assert_double_eq(confidence.of_words[1].right, 0.9);
    confidence_free(&confidence);
}

TEST(kept_as_json)
{
    ConfidenceWeights read;
    json_t *training = json_pack("{s:o}", "confidence", confidence_to_json(&weights));
    ck_assert(confidence_read(&read, training));
    ck_assert_double_eq(read.text[4], weights.text[4]);
    ck_assert_double_eq(read.word[0], weights.word[0]);
    json_t *word = json_object_get(json_object_get(training, "confidence"), "word");
    json_array_remove(word, 5); // of a model that was fitted before
    ck_assert(confidence_read(&read, training));
    json_array_remove(word, 4);
    ck_assert(!confidence_read(&read, training));
    ck_assert_double_eq(read.text[4], 0);
    json_decref(training);
}
