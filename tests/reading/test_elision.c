// French elision before what was put into a text.

#include "reading/glossary.h"
#include "support/reading_case.h"
#include "support/small_translator.h"

#include <string.h>

// The first `from` bytes were given.
static void check_from(size_t from, const char *given, const char *expected)
{
    const ReadingContext context = {.languages = {NULL, language_of("fr")}};
    Reading reading = {.context = &context};
    assert_ok(bytes_append(&reading.prefix, given, from, NULL));
    MappedText said = written_by(&elision_step, &reading, given);
    ck_assert_str_eq(bytes_text(&said.text), expected);
    ck_assert_uint_eq(mapped_place(&said, strlen(given)), said.text.length);
    reading_free(&reading);
    mapped_free(&said);
}

static void check(const char *given, const char *expected)
{
    check_from(0, given, expected);
}

// Where the language of the target is not known, or has no such words, nothing is written.
TEST(languages)
{
    const ReadingContext unknown = {0}, other = {.languages = {NULL, language_of("en")}};
    Reading reading = {.context = &unknown};
    ck_assert(!elision_step.applies(&reading));
    reading.context = &other;
    ck_assert(!elision_step.applies(&reading));
}

TEST(with_a_space)
{
    check("L' eau d' Anna, jusqu' ici.", "L'eau d'Anna, jusqu'ici.");
    check("besoin d' 8 œufs, l’ lycée", "besoin de 8 œufs, le lycée");
    check("L' DUPONT, qu' Tom; d' hiver", "LE DUPONT, que Tom; d'hiver");
    check("l' œuf l' été", "l'œuf l'été");
}

TEST(without_a_space)
{
    check("qu'Tom d'8 l’SNCF", "que Tom de 8 le SNCF");
    check("D'Tom", "De Tom");
}

TEST(with_a_vowel)
{
    check("la expression, que à", "l'expression, qu'à");
    check("Le optimisme de Amsterdam; il ne appelle jamais que Anna lorsque il y est",
          "L'optimisme d'Amsterdam; il n'appelle jamais qu'Anna lorsqu'il y est");
    check("jusque à LA ÉGLISE que y", "jusqu'à L'ÉGLISE qu'y");
    check_from(6, "que à que à", "que à qu'à");
}

// Within what was given so: a span that was put back, or a glossary's term.
TEST(given)
{
    const ReadingContext context = {.languages = {NULL, language_of("fr")}};
    Reading reading = {.context = &context};
    MappedText said = {0};
    assert_ok(mapped_set(&said, "que X, que à", strlen("que X, que à"), NULL));
    assert_ok(mapped_replace(&said, 4, 5, "la école d' 8", strlen("la école d' 8"), NULL));
    assert_ok(mapped_finish(&said, NULL));
    assert_ok(elision_step.write(&reading, &said, NULL));
    ck_assert_str_eq(bytes_text(&said.text), "que la école d' 8, qu'à");
    mapped_free(&said);

    SmallTranslator small;
    Glossary *glossary;
    const TextView term = {"a", 1}, translation = {"la ola", strlen("la ola")};
    small_translator_new(&small, 1, 1);
    assert_ok(glossary_new(&glossary, small.target_vocabulary, NULL));
    assert_ok(glossary_add(glossary, term, translation, NULL));
    reading.glossary = glossary;
    said = written_by(&elision_step, &reading, "que La ola, la ola de Anna, la olive");
    ck_assert_str_eq(bytes_text(&said.text), "que La ola, la ola d'Anna, l'olive");
    mapped_free(&said);
    glossary_free(glossary);
    small_translator_free(&small);
}

// What is right with its vowel, or wrong otherwise.
TEST(vowels_that_stay)
{
    static const char *const texts[] = {"le onze, la onzième, que oui, à la une, le et",
                                        "le héros, de Hanoï, le yaourt, de York, la yole",
                                        "donne-le à ta mère, prends-la avec toi",
                                        "le a, de A à Z, la lettre e, le I",
                                        "le IIe siècle, de IX, Anna De Angelis",
                                        "ma amie, ce arbre, une école, sa idée, elle est",
                                        "le 8, le chat, e à, le ",
                                        "presque à, parce que, aile à, île à, d'le à"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check(texts[i], texts[i]);
}

TEST(others)
{
    static const char *const texts[] = {
        "",    "l'eau",  "les boys' room", "aujourd' hui", "t'sais", "l'ONU",  "d'",
        "d' ", "d' (8)", "presqu' il",     "él' eau",      "l'我",   "\xff' a"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check(texts[i], texts[i]);
    check("c' est' 8", "c'est' 8");
    check_from(11, "d' 8 et d' 8 ou d' 9", "d' 8 et d' 8 ou de 9");
}
