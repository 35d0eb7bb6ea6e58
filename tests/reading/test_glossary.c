// Glossaries: which terms are found, and what they require.
#include "reading/glossary.h"

#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/small_translator.h"
#include "support/suite.h"
#include "text/normalise.h"
#include "translate/session.h"

#include <string.h>

static SmallTranslator small;
static Glossary *glossary;

static void begin(void)
{
    small_translator_new(&small, 1, 1);
    assert_ok(glossary_new(&glossary, small.target_vocabulary, NULL));
}

static void end(void)
{
    glossary_free(glossary);
    small_translator_free(&small);
}

static void add(const char *term, const char *translation)
{
    Error error = {0};
    Status status = glossary_add(glossary, text_view_of(term), text_view_of(translation), &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
}

static void require_with(Constraints *constraints, const char *sentence, const Span *kept)
{
    const ReadingContext context = {.source = small.source_vocabulary};
    Subwords subwords = {0};
    Bytes normal = {0};
    bool cut = false;
    *constraints = (Constraints){0};
    assert_ok(normalise(&normal, sentence, strlen(sentence), NULL, NULL));
    Reading reading = {.context = &context,
                       .given = {.text = {bytes_text(&normal), normal.length}}};
    assert_ok(reading_read(&reading, NULL));
    if (kept) reading.placed[reading.placed_count++] = *kept;
    assert_ok(reading_encode(&reading, &subwords, &cut, NULL));
    assert_ok(glossary_require(glossary, &reading, &subwords, constraints, NULL));
    reading_free(&reading);
    subwords_free(&subwords);
    bytes_free(&normal);
}

static void require(Constraints *constraints, const char *sentence)
{
    require_with(constraints, sentence, NULL);
}

// What the first alternatives of the phrases say, with "|" between them.
static void expect(const char *sentence, const char *expected)
{
    Constraints constraints;
    Bytes said = {0};
    uint32_t next = 0;
    require(&constraints, sentence);
    for (size_t i = 0; i < constraints.alternative_count; i++) {
        const PhraseTokens *tokens = &constraints.alternatives[i];
        if (tokens->phrase != next) continue;
        if (next++ > 0) assert_ok(bytes_append_string(&said, "|", NULL));
        assert_ok(vocabulary_decode(small.target_vocabulary, constraints.tokens + tokens->begin,
                                    tokens->length, &said, NULL));
    }
    ck_assert_msg(!strcmp(bytes_text(&said), expected), "%s: %s", sentence, bytes_text(&said));
    bytes_free(&said);
    constraints_free(&constraints);
}

TEST(which_terms_are_found)
{
    begin();
    add("engine", "moteur");
    add("engine room", "salle des machines");
    add("Apple", "Pomme SA");
    add("apple", "pomme");
    add("IT", "informatique");
    add("  two   words ", " deux  mots ");
    add("发动机", "engine");
    add("éTé", "X");
    expect("engine", "moteur");
    expect("Engine ENGINE, (engine) engine's l'engine", "moteur|moteur|moteur|moteur|moteur");
    expect("engines enginé engine2 1engine reengine", "");
    expect("the engine room engine", "salle des machines|moteur"); // the longest first
    expect("Apple apple APPLE", "Pomme SA|pomme|pomme");           // its own case first
    expect("it IT It", "informatique");
    expect("two words", "deux mots");
    expect("新发动机的发动机x", "engine|engine");
    expect("éTé été", "X");
    expect("", "");
    end();
}

// With a space before it and without; with a capital at the beginning.
TEST(alternatives)
{
    static const char *const spellings[] = {" house", "house", " House"};
    Constraints constraints;
    begin();
    add("haus", "house");
    require(&constraints, "das haus");
    ck_assert_uint_eq(constraints.count, 1);
    ck_assert_uint_eq(constraints.alternative_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const PhraseTokens *tokens = &constraints.alternatives[i];
        Bytes said = {0};
        for (size_t t = 0; t < tokens->length; t++) {
            size_t length;
            const char *bytes = vocabulary_bytes(small.target_vocabulary,
                                                 constraints.tokens[tokens->begin + t], &length);
            assert_ok(bytes_append(&said, bytes, length, NULL));
        }
        ck_assert_str_eq(said.data, spellings[i]);
        ck_assert(tokens->initial == (i == 2));
        bytes_free(&said);
    }
    ck_assert_uint_gt(constraints.sources[0].begin, 0);
    ck_assert_uint_gt(constraints.sources[0].end, constraints.sources[0].begin);
    constraints_free(&constraints);
    end();
}

// Nothing is looked for in a span that stays as it is, nor across its ends.
TEST(spans_that_are_kept)
{
    Constraints constraints;
    begin();
    add("haus", "house");
    add("haus tier", "pet");
    require_with(&constraints, "haus tier haus", &(Span){5, 9});
    ck_assert_uint_eq(constraints.count, 2);
    constraints_free(&constraints);
    require_with(&constraints, "ein haus tier", &(Span){4, 8});
    ck_assert_uint_eq(constraints.count, 0);
    constraints_free(&constraints);
    end();
}

// A found span that is a term is no longer kept, but a given one is.
TEST(terms_are_spared)
{
    const ReadingContext context = {.placeholders = 1};
    const Span given = {11, 15};
    Span items[] = {{0, 2}, {3, 7}, {8, 10}, {11, 15}};
    begin();
    add("haus", "house");
    Reading reading = {.context = &context,
                       .given = {text_view_of("ab haus cd Haus"), &given, 1},
                       .glossary = glossary,
                       .spans = {.items = items, .count = 4}};
    ck_assert(glossary_step.applies(&reading));
    assert_ok(glossary_step.read(&reading, NULL));
    ck_assert_uint_eq(reading.spans.count, 3);
    ck_assert(items[0].begin == 0 && items[1].begin == 8 && items[2].begin == 11);
    end();
}

static void expect_refusal(const char *term, const char *translation, const char *part)
{
    Error error = {0};
    ck_assert_int_eq(glossary_add(glossary, text_view_of(term), text_view_of(translation), &error),
                     STATUS_FORMAT);
    assert_contains(error.text, part);
}

TEST(refusals)
{
    char lengthy[MAX_TERM_CHARACTERS + 2] = {0};
    begin();
    memset(lengthy, 'x', MAX_TERM_CHARACTERS + 1);
    expect_refusal("", "a", "the term is empty");
    expect_refusal("  ", "a", "the term is empty");
    expect_refusal("a", " ", "the translation of \"a\" is empty");
    expect_refusal(lengthy, "a", "more than 200 characters");
    expect_refusal("a", "b\ue000c", "the translation of \"a\" has a character from U+E000");
    expect_refusal("a", lengthy, "subwords, more than 64");
    add("a", "b");
    add("a", "b"); // again
    expect_refusal("a", "c", "\"a\" is translated by \"c\" here and by \"b\" before");
    add("A", "c"); // another term
    end();
}

TEST(many_terms_in_a_sentence)
{
    Constraints constraints;
    Bytes sentence = {0};
    begin();
    add("x", "y");
    for (size_t i = 0; i <= MAX_PHRASES; i++)
        assert_ok(bytes_append_string(&sentence, i ? " x" : "x", NULL));
    require(&constraints, sentence.data);
    ck_assert_uint_eq(constraints.count, MAX_PHRASES);
    constraints_free(&constraints);
    bytes_free(&sentence);
    end();
}

TEST(out_of_memory)
{
    Subwords subwords = {0};
    const Reading reading = {.given = {.text = text_view_of("das haus")}};
    small_translator_new(&small, 1, 1);
    assert_ok(vocabulary_encode(small.source_vocabulary, "das haus", 8, &subwords, NULL));
    while (failing_malloc_next()) {
        Constraints constraints = {0};
        glossary = NULL;
        Status status = glossary_new(&glossary, small.target_vocabulary, NULL);
        if (!status)
            status = glossary_add(glossary, text_view_of("haus"), text_view_of("house"), NULL);
        if (!status) status = glossary_require(glossary, &reading, &subwords, &constraints, NULL);
        failing_malloc_expect(status);
        constraints_free(&constraints);
        glossary_free(glossary);
    }
    subwords_free(&subwords);
    small_translator_free(&small);
}

// A number that is a term does not stay as it is, nor is it said beside its translation.
TEST(numbers)
{
    const ReadingContext context = {.placeholders = 4};
    const Span given[] = {{0, 2}, {5, 7}};
    begin();
    add("42", "viele");
    Reading reading = {.context = &context,
                       .given = {.text = text_view_of("42 + 43"), .spans = given, .span_count = 2},
                       .glossary = glossary};
    for (size_t i = 0; i < 2; i++) assert_ok(spans_add(&reading.spans, given[i], NULL));
    assert_ok(glossary_step.read(&reading, NULL));
    ck_assert_uint_eq(reading.spans.count, 1);
    ck_assert_uint_eq(reading.spans.items[0].begin, 5);
    ck_assert_uint_eq(reading.phrases.count, 1);
    ck_assert_uint_eq(reading.phrases.items[0].end, 2);
    reading_free(&reading);
    end();
}

// Each text its own glossary, or none, whether it is split into sentences or not.
TEST(translations_have_the_terms)
{
    const TextView texts[] = {
        text_view_of("das Haus schläft"), text_view_of("das Haus"),
        text_view_of("Das Haus ist klein. Die Katze schläft. Das Haus ist alt.")};
    const char *path = scratch_path("model");
    Translator translator;
    Session *session;
    begin();
    small_translator_save(&small, path, "{}");
    add("haus", "quux");
    add("katze", "quuz");
    assert_ok(translator_open(&translator, path, NULL));
    assert_ok(session_new(&session, &translator, 1, PRECISION_FLOAT32, NULL));
    const Glossary *const glossaries[] = {glossary, NULL, glossary};
    for (int i = 0; i < 4; i++) {
        const TranslateOptions options = {.search = {.beam = i % 2 ? 4 : 1, .batch = 8},
                                          .n_best = 1,
                                          .glossaries = glossaries,
                                          .split = i / 2 ? SPLIT_SENTENCES : SPLIT_NONE};
        Translation translations[3];
        assert_ok(session_translate(session, texts, 3, &options, translations, NULL));
        for (size_t t = 0; t < 3; t++) {
            const Rendering *rendering = &translations[t].renderings[0];
            const char *found = rendering->text.data;
            size_t terms = 0;
            while ((found = strstr(found, "uu"))) found++, terms++;
            ck_assert(!rendering->incomplete);
            ck_assert_uint_eq(terms, t == 0 ? 1 : t == 1 ? 0 : 3);
            translation_free(&translations[t]);
        }
    }
    session_free(session);
    translator_close(&translator);
    end();
}
