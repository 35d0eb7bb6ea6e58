#include "translate/session.h"

#include "base/memory.h"
#include "support/failing_malloc.h"
#include "support/small_session.h"
#include "text/utf8.h"
#include "translate/forced.h"

#include <math.h>
#include <string.h>

static const char *const sentences[] = {
    "das Haus ist klein",
    "die Katze",
    "ein kleines Haus steht dort nicht und schläft",
    "x",
    "über Äpfel 北京 🙂",
    "die Katze , die nicht schläft , ist klein .",
};
enum { SENTENCES = sizeof sentences / sizeof *sentences, COPIES = 10 };

static TranslateOptions options_of(size_t beam, size_t n_best)
{
    const SearchOptions search = {
        .beam = beam, .batch = 7, .length_normalization = 1, .with_alpha = true};
    return (TranslateOptions){.search = search, .n_best = n_best};
}

static void force(const TextView *sources, const TextView *targets, size_t count,
                  Translation *translations)
{
    Error error = {0};
    const TextView *const sides[2] = {sources, targets};
    Status status = session_force(session, sides, count, true, translations, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
}

static void expect_ends(const Subwords *subwords, size_t length, bool to_the_end)
{
    for (size_t i = 0; i < subwords->count; i++) {
        ck_assert_uint_le(subwords->ends[i], length);
        if (i) ck_assert_uint_ge(subwords->ends[i], subwords->ends[i - 1]);
    }
    if (to_the_end && subwords->count)
        ck_assert_uint_eq(subwords->ends[subwords->count - 1], length);
}

// One line of UTF-8, and not an empty one.
static void expect_line(const Bytes *text)
{
    ck_assert_uint_gt(text->length, 0);
    ck_assert_ptr_null(memchr(text->data, '\n', text->length));
    for (size_t at = 0; at < text->length;) {
        uint32_t code_point;
        bool valid;
        at += utf8_decode(text->data + at, text->length - at, &code_point, &valid);
        ck_assert(valid);
    }
}

// Rows are distributions over the source's subwords and </s>; that of an </s> never said is zeros.
static void expect_attention(const Translation *translation, const Rendering *rendering)
{
    size_t columns = translation->source_subwords.count + 1;
    ck_assert_ptr_nonnull(rendering->alpha);
    for (size_t t = 0; t <= rendering->subwords.count; t++) {
        double sum = 0;
        for (size_t j = 0; j < columns; j++) sum += (double)rendering->alpha[t * columns + j];
        if (t < rendering->subwords.count || sum > 0) ck_assert_double_eq_tol(sum, 1, 1e-4);
    }
}

static void expect_sound(const Translation *translation)
{
    expect_ends(&translation->source_subwords, translation->source.length, !translation->cut);
    for (size_t i = 0; i < translation->count; i++) {
        const Rendering *rendering = &translation->renderings[i];
        expect_line(&rendering->text);
        expect_ends(&rendering->subwords, rendering->text.length, true);
        if (rendering->alpha) expect_attention(translation, rendering);
        ck_assert(rendering->log_p < 0);
        if (i) ck_assert(rendering->score <= translation->renderings[i - 1].score);
    }
}

// Without α in the options it is the model's: translations and scores are those of that α given.
TEST(length_normalization_of_the_model)
{
    static const double alphas[] = {1, 0, 0.6, 1.4, 10};
    TextView texts[SENTENCES];
    for (size_t i = 0; i < SENTENCES; i++) texts[i] = text_view_of(sentences[i]);
    set_up(0);
    open_session(2);
    for (size_t a = 0; a < sizeof alphas / sizeof *alphas; a++) {
        Translation of_model[SENTENCES], given[SENTENCES], plain[SENTENCES];
        TranslateOptions options = options_of(5, 5);
        translate_all(texts, SENTENCES, options, plain);
        options.search.length_normalization = alphas[a];
        translate_all(texts, SENTENCES, options, given);
        options.search.length_normalization = MODELS_NORMALIZATION;
        translator.length_normalization = alphas[a];
        translate_all(texts, SENTENCES, options, of_model);
        for (size_t i = 0; i < SENTENCES; i++) {
            ck_assert_uint_eq(of_model[i].count, given[i].count);
            for (size_t k = 0; k < given[i].count; k++) {
                const Rendering *one = &of_model[i].renderings[k], *same = &given[i].renderings[k];
                ck_assert_str_eq(bytes_text(&one->text), bytes_text(&same->text));
                ck_assert(one->score == same->score && one->log_p == same->log_p);
            }
            const double score = given[i].renderings->score;
            ck_assert((alphas[a] == 1) == (score == plain[i].renderings->score));
        }
        free_all(of_model, SENTENCES);
        free_all(given, SENTENCES);
        free_all(plain, SENTENCES);
    }
}

TEST(translates)
{
    static const double biases[] = {-5, 0, 3};
    for (size_t b = 0; b < 3; b++) {
        set_up(biases[b]);
        open_session(2);
        TextView texts[SENTENCES];
        Translation translations[SENTENCES];
        for (size_t i = 0; i < SENTENCES; i++) texts[i] = text_view_of(sentences[i]);
        translate_all(texts, SENTENCES, options_of(4, 3), translations);
        for (size_t i = 0; i < SENTENCES; i++) {
            ck_assert_str_eq(translations[i].source.data, sentences[i]);
            ck_assert_uint_ge(translations[i].count, 1);
            ck_assert_uint_le(translations[i].count, 3);
            ck_assert(!translations[i].cut && translations[i].invalid == 0);
            expect_sound(&translations[i]);
        }
        free_all(translations, SENTENCES);
        tear_down();
    }
}

// A subword of the best translation is in this share of the beam's others; alone there are none.
TEST(agreement_of_the_beam)
{
    const TextView text = text_view_of(sentences[2]);
    Translation translation, alone;
    set_up(0);
    open_session(1);
    translate_all(&text, 1, options_of(5, 5), &translation);
    translate_all(&text, 1, options_of(1, 1), &alone);
    const Rendering *best = translation.renderings;
    ck_assert_ptr_nonnull(best->agreements);
    for (size_t t = 0; t < best->subwords.count; t++) {
        double others = 4 * (double)best->agreements[t];
        ck_assert_double_eq_tol(others, round(others), 1e-6);
        ck_assert(others >= 0 && others <= 4);
    }
    ck_assert_ptr_null(alone.renderings->agreements);
    translation_free(&translation);
    translation_free(&alone);
}

TEST(empty_and_odd_texts)
{
    set_up(2);
    open_session(2);
    const TextView texts[] = {{"", 0},          {NULL, 0},
                              {" \t\r\n ", 5},  {"a\0b", 3},
                              {"\0", 1},        {"\xff\xfe zwei \xe2\x82", 10},
                              {"a\nb\r\nc", 6}, {"  das   Haus ", 13}};
    enum { COUNT = sizeof texts / sizeof *texts };
    Translation translations[COUNT];
    translate_all(texts, COUNT, options_of(2, 1), translations);
    for (size_t i = 0; i < COUNT; i++) {
        expect_sound(&translations[i]);
        ck_assert_uint_eq(translations[i].count, i < 3 ? 0 : 1);
    }
    ck_assert_uint_eq(translations[3].source.length, 3); // the NUL is a character
    ck_assert_uint_eq(translations[5].invalid, 3);
    ck_assert_str_eq(translations[6].source.data, "a b c");
    ck_assert_str_eq(translations[7].source.data, "das Haus");
    free_all(translations, COUNT);
    translate_all(texts, 3, options_of(2, 1), translations); // nothing at all to search
    for (size_t i = 0; i < 3; i++) ck_assert_uint_eq(translations[i].count, 0);
    free_all(translations, 3);
    translate_all(texts, 0, options_of(2, 1), translations);
}

TEST(very_long_text, .seconds = 60)
{
    set_up(2);
    open_session(1);
    Bytes text = {0};
    for (int i = 0; i < 5000; i++) assert_ok(bytes_append_format(&text, NULL, "Haus%d ", i));
    const TextView views[2] = {{text.data, text.length}, text_view_of("klein")};
    Translation translations[2];
    translate_all(views, 2, options_of(2, 1), translations);
    ck_assert(translations[0].cut && !translations[1].cut);
    ck_assert_uint_eq(translations[0].source_subwords.count, MAX_TRANSLATION_SUBWORDS);
    ck_assert_uint_eq(translations[0].source.length, text.length - 1);
    for (size_t i = 0; i < 2; i++) expect_sound(&translations[i]);
    free_all(translations, 2);
    const TextView sources[2] = {views[0], views[1]}, targets[2] = {views[1], views[0]};
    force(sources, targets, 2, translations);
    for (size_t i = 0; i < 2; i++) {
        ck_assert(translations[i].cut);
        ck_assert_uint_eq(translations[i].count, 1);
        expect_attention(&translations[i], &translations[i].renderings[0]);
    }
    ck_assert_uint_eq(translations[1].renderings[0].subwords.count, MAX_TRANSLATION_SUBWORDS);
    free_all(translations, 2);
    bytes_free(&text);
}

// What search found is as likely when it is given.
TEST(forced_decoding_agrees_with_search)
{
    set_up(10); // so that all end by themselves
    open_session(2);
    TextView texts[SENTENCES];
    Translation translations[SENTENCES], forced[SENTENCES];
    TokenCorpus tokens = {0};
    Threads *threads = NULL;
    for (size_t i = 0; i < SENTENCES; i++) texts[i] = text_view_of(sentences[i]);
    translate_all(texts, SENTENCES, options_of(3, 1), translations);
    force(texts, texts, SENTENCES, forced); // to be overwritten: the very subwords are forced below
    for (size_t i = 0; i < SENTENCES; i++) {
        const Subwords *source = &translations[i].source_subwords;
        const Subwords *target = &translations[i].renderings[0].subwords;
        memory_free(forced[i].renderings[0].log_ps);
        assert_ok(token_corpus_add(&tokens, source->ids, source->count, target->ids, target->count,
                                   NULL));
    }
    assert_ok(threads_new(&threads, 2, NULL));
    const Forcing forcing = {.threads = threads, .params = &translator.model.params};
    assert_ok(forced_decode(&forcing, &tokens, forced, NULL));
    for (size_t i = 0; i < SENTENCES; i++)
        ck_assert_double_eq_tol(forced[i].renderings[0].log_p, translations[i].renderings[0].log_p,
                                1e-4);
    threads_free(threads);
    token_corpus_free(&tokens);
    free_all(translations, SENTENCES);
    free_all(forced, SENTENCES);
}

static void expect_same(const Translation *a, const Translation *b)
{
    const Rendering *x = &a->renderings[0], *y = &b->renderings[0];
    bool exact = backend_openblas.rows_exact();
    ck_assert_double_le(fabs(x->log_p - y->log_p), exact ? 0 : 1e-4);
    if (!exact) return;
    ck_assert_uint_eq(x->text.length, y->text.length);
    if (x->text.length) ck_assert_mem_eq(x->text.data, y->text.data, x->text.length);
    size_t weights = (x->subwords.count + 1) * (a->source_subwords.count + 1);
    ck_assert_mem_eq(x->alpha, y->alpha, weights * sizeof *x->alpha);
}

// Alone or among sixty, by one thread or three: the same numbers.
TEST(batches_and_threads_do_not_matter, .seconds = 60)
{
    enum { COUNT = SENTENCES * COPIES };
    for (size_t count = 1; count <= 3; count++) {
        set_up(1);
        open_session(count);
        TextView sources[COUNT], targets[COUNT];
        Translation together[COUNT], alone;
        for (size_t i = 0; i < COUNT; i++) {
            sources[i] = text_view_of(sentences[i % SENTENCES]);
            targets[i] = text_view_of(sentences[i / SENTENCES % SENTENCES]);
        }
        force(sources, targets, COUNT, together);
        for (size_t i = 0; i < COUNT; i++) {
            force(&sources[i], &targets[i], 1, &alone);
            expect_same(&together[i], &alone);
            translation_free(&alone);
        }
        free_all(together, COUNT);
        translate_all(sources, COUNT, options_of(3, 1), together);
        for (size_t i = 0; i < COUNT; i++) {
            translate_all(&sources[i], 1, options_of(3, 1), &alone);
            expect_same(&together[i], &alone);
            translation_free(&alone);
        }
        free_all(together, COUNT);
        tear_down();
    }
}

TEST(force_with_empty_sides)
{
    set_up(0);
    open_session(2);
    const TextView sources[3] = {text_view_of(""), text_view_of("das Haus"), text_view_of("")};
    const TextView targets[3] = {text_view_of("the house"), text_view_of(" "),
                                 text_view_of("\xff")};
    Translation translations[3];
    force(sources, targets, 3, translations);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(translations[i].count, 1);
        ck_assert(isfinite(translations[i].renderings[0].log_p));
        ck_assert(translations[i].renderings[0].log_p < 0);
        ck_assert(translations[i].renderings[0].score == translations[i].renderings[0].log_p);
        expect_attention(&translations[i], &translations[i].renderings[0]);
    }
    ck_assert_uint_eq(translations[1].renderings[0].subwords.count, 0);
    ck_assert_uint_eq(translations[2].invalid, 1);
    free_all(translations, 3);
    force(sources, targets, 0, translations);
}

// A model that says nothing visible: the source stands in.
TEST(invisible_translations)
{
    set_up(40);
    int32_t space = vocabulary_find(small.target_vocabulary, "\xe2\x96\x81", 3);
    ck_assert_int_ge(space, TOKEN_FIRST);
    small.model.params.output.bias[space] = 30; // a space, then </s>
    open_session(1);
    TextView text = text_view_of("das  Haus");
    Translation translation;
    translate_all(&text, 1, options_of(1, 1), &translation);
    ck_assert_uint_eq(translation.count, 1);
    ck_assert_str_eq(translation.renderings[0].text.data, "das Haus");
    ck_assert_ptr_null(translation.renderings[0].alpha);
    ck_assert_uint_eq(translation.renderings[0].subwords.count, 0);
    translation_free(&translation);
    translate_all(&text, 1, options_of(4, 4), &translation); // others are visible, and come instead
    ck_assert_uint_ge(translation.count, 1);
    ck_assert_ptr_nonnull(translation.renderings[0].alpha);
    expect_sound(&translation);
    translation_free(&translation);
}

// Bytes that are no character, spaces in a row: ends are measured in the text that comes out.
TEST(ends_of_odd_subwords)
{
    static const char *const spellings[] = {"<0xE2>", "<0xCC>", "\xe2\x96\x81", "<0x0A>", "<0x00>"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        set_up(-3);
        int32_t id = vocabulary_find(small.target_vocabulary, spellings[i], strlen(spellings[i]));
        ck_assert_int_ge(id, TOKEN_BYTES);
        small.model.params.output.bias[id] = 4; // often, but not always
        open_session(1);
        TextView texts[SENTENCES];
        Translation translations[SENTENCES];
        for (size_t s = 0; s < SENTENCES; s++) texts[s] = text_view_of(sentences[s]);
        translate_all(texts, SENTENCES, options_of(4, 4), translations);
        for (size_t s = 0; s < SENTENCES; s++) expect_sound(&translations[s]);
        free_all(translations, SENTENCES);
        tear_down();
    }
}

TEST(out_of_memory)
{
    set_up(2);
    open_session(1);
    session_infer_attention(session, true);
    const TextView texts[3] = {text_view_of("das Haus"), text_view_of(""),
                               text_view_of("\xffzwei")};
    const TextView *const sides[2] = {texts, texts};
    const TextView prefixes[3] = {text_view_of("the h"), text_view_of(""), text_view_of("the ")};
    const TextView split[3] = {text_view_of("Die Katze. Das Haus."), text_view_of("x"),
                               text_view_of("die")};
    Span first = {0, 1};
    const Spans spans[3] = {{0}, {&first, 1, 1}, {0}}; // all of the second
    TranslateOptions options = options_of(2, 2);
    options.prefixes = prefixes;
    for (int forcing = 0; forcing < 3; forcing++) {
        options.split = forcing == 2 ? SPLIT_SENTENCES : SPLIT_NONE; // texts of two and of none
        options.search.with_alpha = forcing == 2;
        options.prefixes = forcing == 2 ? NULL : prefixes;
        if (forcing == 2) options.spans = spans;
        while (failing_malloc_next()) {
            Translation translations[3];
            Error error = {0};
            bool failed = failing_malloc_expect(
                forcing == 1 ? session_force(session, sides, 3, true, translations, &error)
                             : session_translate(session, forcing == 2 ? split : texts, 3, &options,
                                                 translations, &error));
            for (size_t i = 0; i < 3 && failed; i++) {
                ck_assert_uint_eq(translations[i].count, 0);
                ck_assert_ptr_null(translations[i].source.data);
            }
            free_all(translations, 3);
        }
    }
}

static bool wanted_at(void *context)
{
    return __atomic_sub_fetch((int *)context, 1, __ATOMIC_RELAXED) < 0;
}

// At each asking in turn, until the work is done before; then the session works as ever.
TEST(cancelled)
{
    set_up(2);
    open_session(2);
    TextView texts[SENTENCES];
    const TextView *const sides[2] = {texts, texts};
    const TranslateOptions options = options_of(2, 2);
    for (size_t s = 0; s < SENTENCES; s++) texts[s] = text_view_of(sentences[s]);
    for (int forcing = 0; forcing < 2; forcing++) {
        Status status = STATUS_INTERRUPTED;
        int asked = 0;
        for (; status; asked++) {
            int left = asked;
            const Cancel cancel = {wanted_at, &left};
            Translation translations[SENTENCES];
            Error error = {0};
            session_cancel_by(session, &cancel);
            status = forcing ? session_force(session, sides, SENTENCES, true, translations, &error)
                             : session_translate(session, texts, SENTENCES, &options, translations,
                                                 &error);
            ck_assert(status == STATUS_OK || status == STATUS_INTERRUPTED);
            for (size_t s = 0; s < SENTENCES; s++)
                ck_assert_int_eq(translations[s].count == 0, status != STATUS_OK);
            free_all(translations, SENTENCES);
        }
        ck_assert_int_gt(asked, SENTENCES + 1);
    }
}
