// Prefixes of translations: which subwords may say them, and that every translation begins so.
#include "reading/target_prefix.h"

#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/small_translator.h"
#include "support/suite.h"
#include "text/normalise.h"
#include "text/utf8.h"
#include "translate/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static SmallTranslator small;
static Translator translator;
static Session *session;
static Prefix prefix;
static ReadingContext context;
static Reading reading;
static size_t invalid;
static bool cut;

static void read(TextView text)
{
    Error error = {0};
    prefix = (Prefix){0};
    context = (ReadingContext){.target = small.target_vocabulary};
    reading = (Reading){.context = &context};
    Status status = target_prefix_read(&prefix, &reading, text, &invalid, &cut, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
}

static void release(void)
{
    prefix_free(&prefix);
    reading_free(&reading);
}

// Whether the subwords of a text go through the prefix.
static bool accepts(const char *text)
{
    Subwords subwords = {0};
    uint32_t node = PREFIX_START;
    assert_ok(vocabulary_encode(small.target_vocabulary, text, strlen(text), &subwords, NULL));
    for (size_t t = 0; t <= subwords.count && node != PREFIX_DONE; t++) {
        int32_t token = t < subwords.count ? subwords.ids[t] : TOKEN_EOS;
        size_t count, i = 0;
        const PrefixEdge *edges = prefix_edges(&prefix, node, &count);
        while (i < count && edges[i].token != token) i++;
        if (i == count) break;
        node = edges[i].to;
    }
    subwords_free(&subwords);
    return node == PREFIX_DONE;
}

static const char *const sentences[] = {
    "the house is small",
    "a small house does not stand there and sleeps",
    "it's the cat's house , isn't it ?",
    "l'homme qu\xe2\x80\x99il dort d'abord",
    "12,500 houses (3 %) ... x2y",
    "我 看见 北京的房子 small房子",
    "über Äpfel 🙂🙂 ﷺ",
};
enum { SENTENCES = sizeof sentences / sizeof *sentences };

// The end of every character of every sentence as the end of the prefix.
TEST(all_texts_that_begin_so_are_allowed)
{
    small_translator_new(&small, 2, 1);
    for (size_t i = 0; i < SENTENCES; i++) {
        const char *text = sentences[i];
        size_t length = strlen(text);
        for (size_t at = 0; at < length;) {
            (void)utf8_next(text, length, &at);
            read((TextView){text, at});
            bool space = text[at - 1] == ' ';
            ck_assert_uint_eq(reading.prefix.length, at - space);
            ck_assert_msg(accepts(text), "\"%.*s\" of \"%s\"", (int)at, text, text);
            ck_assert(!accepts("zzz"));
            release();
        }
    }
    small_translator_free(&small);
}

// Follows every edge: what is said up to the end of the prefix begins with it.
static void expect_texts(uint32_t node, int32_t *tokens, size_t length)
{
    size_t count;
    const PrefixEdge *edges = prefix_edges(&prefix, node, &count);
    ck_assert_uint_ge(count, 1);
    ck_assert_uint_lt(length, prefix.longest);
    for (size_t i = 0; i < count; i++) {
        tokens[length] = edges[i].token;
        if (edges[i].to != PREFIX_DONE) {
            expect_texts(edges[i].to, tokens, length + 1);
            continue;
        }
        Bytes text = {0};
        assert_ok(vocabulary_decode(small.target_vocabulary, tokens, length + 1, &text, NULL));
        ck_assert_msg(text.length >= reading.prefix.length &&
                          !memcmp(text.data, reading.prefix.data, reading.prefix.length),
                      "\"%s\" for \"%s\"", text.data, reading.prefix.data);
        bytes_free(&text);
    }
}

TEST(nothing_else_is_allowed)
{
    int32_t tokens[200];
    small_translator_new(&small, 2, 1);
    for (size_t i = 0; i < SENTENCES; i++) {
        size_t length = strlen(sentences[i]);
        for (size_t at = 0; at < length;) {
            (void)utf8_next(sentences[i], length, &at);
            read((TextView){sentences[i], at});
            expect_texts(PREFIX_START, tokens, 0);
            release();
        }
    }
    small_translator_free(&small);
}

TEST(a_complete_word)
{
    small_translator_new(&small, 2, 1);
    read(text_view_of("the"));
    ck_assert(accepts("the house") && accepts("there") && accepts("the"));
    release();
    read(text_view_of("the "));
    ck_assert(accepts("the house") && accepts("the") && !accepts("there"));
    release();
    read(text_view_of("  the\xc2\xa0 house\t"));
    ck_assert_str_eq(reading.prefix.data, "the house");
    ck_assert(accepts("the house is") && !accepts("the houses") && !accepts("the"));
    release();
    read(text_view_of(" \t "));
    ck_assert_uint_eq(prefix.count, 0);
    release();
    small_translator_free(&small);
}

TEST(a_long_prefix_is_cut)
{
    static char text[3000];
    small_translator_new(&small, 2, 1);
    for (size_t i = 0; i < sizeof text; i++) text[i] = i % 3 == 2 ? ' ' : 'z';
    read((TextView){text, sizeof text});
    ck_assert(cut);
    ck_assert_uint_eq(prefix.longest, MAX_TRANSLATION_SUBWORDS);
    ck_assert_mem_eq(reading.prefix.data, text, reading.prefix.length);
    release();
    read((TextView){"\xff\xfe", 2});
    ck_assert_uint_eq(invalid, 2);
    ck_assert_uint_eq(reading.prefix.length, 6);
    release();
    small_translator_free(&small);
}

TEST(out_of_memory)
{
    small_translator_new(&small, 2, 1);
    while (failing_malloc_next()) {
        Error error = {0};
        prefix = (Prefix){0};
        context = (ReadingContext){.target = small.target_vocabulary};
        reading = (Reading){.context = &context};
        Status status =
            target_prefix_read(&prefix, &reading, text_view_of("the h"), &invalid, &cut, &error);
        failing_malloc_expect(status);
        release();
    }
    small_translator_free(&small);
}

static void open_session(double eos_bias)
{
    small_translator_new(&small, 2, 1);
    small.model.params.output.bias[TOKEN_EOS] = (real)eos_bias;
    const char *path = scratch_path("model");
    small_translator_save(&small, path, "{}");
    assert_ok(translator_open(&translator, path, NULL));
    assert_ok(session_new(&session, &translator, 2, PRECISION_FLOAT32, NULL));
}

static void close_session(void)
{
    session_free(session);
    translator_close(&translator);
    small_translator_free(&small);
}

static bool begins_with(const Bytes *text, const char *beginning)
{
    return !strncmp(text->data, beginning, strlen(beginning));
}

/* What a rendering's subwords say is worth, and where its attention is, by forced decoding. Only where the
 * vocabulary cuts the text as the search did. */
static void expect_forced(const Translation *translation, const Rendering *rendering)
{
    Translation forced;
    const TextView source = {translation->source.data, translation->source.length};
    const TextView target = {rendering->text.data, rendering->text.length};
    const TextView *const sides[2] = {&source, &target};
    assert_ok(session_force(session, sides, 1, true, &forced, NULL));
    const Rendering *other = &forced.renderings[0];
    size_t count = rendering->subwords.count;
    bool same = other->subwords.count == count &&
                !memcmp(other->subwords.ids, rendering->subwords.ids, count * sizeof(int32_t));
    if (same) {
        ck_assert_double_eq_tol(other->log_p, rendering->log_p, 1e-3);
        size_t S = translation->source_subwords.count + 1;
        for (size_t k = 0; k < (count + 1) * S; k++)
            ck_assert_double_eq_tol((double)other->alpha[k], (double)rendering->alpha[k], 1e-3);
    }
    translation_free(&forced);
}

// Greedy, by beam and by samples, with sources of all lengths, and none where a prefix is empty.
TEST(every_translation_begins_so)
{
    TextView texts[SENTENCES + 1], prefixes[SENTENCES + 1];
    Translation translations[SENTENCES + 1];
    open_session(1);
    for (size_t i = 0; i <= SENTENCES; i++) {
        texts[i] = text_view_of(i == 2 ? "" : "das Haus ist klein");
        prefixes[i] = text_view_of(i < SENTENCES ? sentences[i] : "");
        if (i % 2 == 0 && i < SENTENCES) prefixes[i].length = 6;
    }
    for (size_t kind = 0; kind < 3; kind++) {
        const TranslateOptions options = {
            .search = {.beam = kind ? 4 : 1,
                       .batch = 3,
                       .length_normalization = 1,
                       .with_alpha = true,
                       .sampling = {.wanted = kind == 2, .temperature = 0.7, .seed = 3}},
            .n_best = kind ? 4 : 1,
            .prefixes = prefixes};
        assert_ok(session_translate(session, texts, SENTENCES + 1, &options, translations, NULL));
        ck_assert_uint_eq(translations[2].count, 0);
        for (size_t i = 0; i <= SENTENCES; i++) {
            Bytes expected = {0};
            assert_ok(normalise(&expected, prefixes[i].data, prefixes[i].length, NULL, NULL));
            for (size_t k = 0; k < translations[i].count; k++) {
                const Rendering *rendering = &translations[i].renderings[k];
                ck_assert_msg(begins_with(&rendering->text, bytes_text(&expected)), "%s",
                              rendering->text.data);
                if (rendering->alpha) expect_forced(&translations[i], rendering);
            }
            bytes_free(&expected);
            translation_free(&translations[i]);
        }
    }
    close_session();
}

/* An accent that follows would change the prefix's last letter: that is no translation, and if there is
 * no other the prefix is it. */
TEST(an_accent_after_the_prefix)
{
    open_session(1);
    const TextView text = text_view_of("das Haus"), beginning = text_view_of("the house");
    static const unsigned char accent[] = {0xcc, 0x81}; // U+0301 in its two bytes
    Translation translation = {0};
    int32_t tokens[32];
    assert_ok(translation_set_given_source(&translation, translator.source_vocabulary, text, NULL));
    read(beginning);
    Subwords subwords = {0};
    assert_ok(vocabulary_encode(translator.target_vocabulary, beginning.data, beginning.length,
                                &subwords, NULL));
    memcpy(tokens, subwords.ids, subwords.count * sizeof *tokens);
    tokens[subwords.count] = TOKEN_BYTES + accent[0];
    tokens[subwords.count + 1] = TOKEN_BYTES + accent[1];
    tokens[subwords.count + 2] = TOKEN_EOS;
    Hypothesis hypothesis = {
        .tokens = tokens, .length = subwords.count + 3, .ended = true, .log_p = -1};
    Hypotheses found = {.items = &hypothesis, .count = 1};
    assert_ok(translation_add_found(&translation, &reading, &found, 1, false, NULL));
    ck_assert_uint_eq(translation.count, 1);
    ck_assert_str_eq(translation.renderings[0].text.data, "the house");
    subwords_free(&subwords);
    translation_free(&translation);
    release();
    close_session();
}
