// Several models that translate together (session_add_models, search/search_model.h).

#include "base/memory.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/small_translator.h"
#include "support/suite.h"
#include "support/tiny_model.h"
#include "translate/session.h"

#include <math.h>
#include <string.h>

static Translator translators[3];
static Session *session;

static void open_models(void)
{
    static const char *const names[] = {"a", "b", "c"};
    for (size_t i = 0; i < 3; i++) {
        const char *path = scratch_path(names[i]);
        tiny_model_write(path, i + 1);
        assert_ok(translator_open(&translators[i], path, NULL));
    }
    assert_ok(session_new(&session, &translators[0], 2, PRECISION_FLOAT32, NULL));
}

static void close_models(void)
{
    session_free(session);
    for (size_t i = 0; i < 3; i++) translator_close(&translators[i]);
}

static void add(const Translator *const *others, size_t count)
{
    size_t odd;
    assert_ok(session_add_models(session, others, count, &odd, NULL));
}

static Translation translated_by(size_t beam, double length_normalization)
{
    const TextView text = {"some words to say", 17};
    const TranslateOptions options = {.search = {.beam = beam,
                                                 .batch = 4,
                                                 .length_normalization = length_normalization,
                                                 .with_alpha = true},
                                      .n_best = 1};
    Translation translation;
    assert_ok(session_translate(session, &text, 1, &options, &translation, NULL));
    return translation;
}

static Translation translated(size_t beam)
{
    return translated_by(beam, 1);
}

// A model with itself says what it says alone, as likely, and looks where it looks.
TEST(with_itself)
{
    for (size_t beam = 1; beam <= 4; beam += 3) {
        open_models();
        Translation alone = translated(beam);
        add((const Translator *const[]){&translators[0], &translators[0]}, 2);
        Translation together = translated(beam);
        const Rendering *a = &alone.renderings[0], *b = &together.renderings[0];
        ck_assert_str_eq(bytes_text(&a->text), bytes_text(&b->text));
        ck_assert_double_eq_tol(a->score, b->score, 1e-4);
        for (size_t i = 0; i < alone.source_subwords.count * a->subwords.count; i++)
            ck_assert_double_eq_tol((double)a->alpha[i], (double)b->alpha[i], 1e-5);
        translation_free(&alone);
        translation_free(&together);
        close_models();
    }
}

// The order of the models does not matter.
TEST(of_three)
{
    open_models();
    add((const Translator *const[]){&translators[1], &translators[2]}, 2);
    Translation one = translated(3);
    session_free(session);
    assert_ok(session_new(&session, &translators[0], 1, PRECISION_FLOAT32, NULL));
    add((const Translator *const[]){&translators[2], &translators[1]}, 2);
    Translation other = translated(3);
    ck_assert_str_eq(bytes_text(&one.renderings[0].text), bytes_text(&other.renderings[0].text));
    ck_assert_double_eq_tol(one.renderings[0].score, other.renderings[0].score, 1e-4);
    translation_free(&one);
    translation_free(&other);
    close_models();
}

// α is that of the first model.
TEST(length_normalization)
{
    open_models();
    translators[0].length_normalization = 1.4;
    translators[1].length_normalization = 0.6;
    add((const Translator *const[]){&translators[1]}, 1);
    Translation one = translated_by(3, MODELS_NORMALIZATION), same = translated_by(3, 1.4);
    ck_assert_str_eq(bytes_text(&one.renderings->text), bytes_text(&same.renderings->text));
    ck_assert(one.renderings->score == same.renderings->score);
    translation_free(&one);
    translation_free(&same);
    close_models();
}

TEST(another_vocabulary)
{
    SmallTranslator small;
    Translator odd_one;
    Error error = {0};
    size_t odd;
    open_models();
    small_translator_new(&small, 1, 1);
    small_translator_save(&small, scratch_path("odd"), "{}");
    small_translator_free(&small);
    assert_ok(translator_open(&odd_one, scratch_path("odd"), NULL));
    const Translator *others[] = {&translators[1], &odd_one};
    ck_assert_int_eq(session_add_models(session, others, 2, &odd, &error), STATUS_FORMAT);
    ck_assert_uint_eq(odd, 1);
    assert_contains(error.text, "vocabulary");
    translator_close(&odd_one);
    close_models();
}

TEST(out_of_memory)
{
    const Translator *others[] = {&translators[1], &translators[2]};
    for (size_t n = 1;; n++) {
        size_t odd;
        open_models();
        failing_malloc_at(n);
        bool failed = failing_malloc_expect(session_add_models(session, others, 2, &odd, NULL));
        close_models();
        if (!failed) break;
    }
}
