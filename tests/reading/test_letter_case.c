// Text in capitals and in title case, with a vocabulary of a few words.

#include "reading/letter_case.h"
#include "support/learned_vocabulary.h"
#include "support/reading_case.h"

#include <string.h>

static Vocabulary *vocabulary;

static void learn(void)
{
    static const char *const texts[] = {
        "Where is Tom going?", "Is the station in Rome?",        "where in Paris is the station?",
        "The café is here.",   "He works for the NATO in Rome.", "help me, I'm here, I know!"};
    vocabulary = learned_vocabulary(texts, sizeof texts / sizeof *texts, 600);
}

static void forget(void)
{
    vocabulary_free(vocabulary);
}

static void check_sentence(const char *text, const char *expected)
{
    Bytes out = {0};
    assert_ok(bytes_append_string(&out, text, NULL));
    assert_ok(letter_case_to_sentence(out.data, out.length, vocabulary, NULL));
    ck_assert_str_eq(bytes_text(&out), expected);
    bytes_free(&out);
}

TESTS_SHARE(learn, .remove = forget)

TEST(sentence)
{
    check_sentence("WHERE IS TOM GOING?", "Where is Tom going?");
    check_sentence("IS THE STATION IN PARIS?", "Is the station in Paris?");
    check_sentence("I KNOW THE NATO, I'M HERE.", "I know the NATO, I'm here.");
    check_sentence("THE CAFÉ", "The café");
    check_sentence("那是 TOM", "那是 TOM");
    check_sentence("Where Is Tom Going In Rome?", "Where is Tom going in Rome?");
}

// A single word may be an abbreviation.
TEST(word)
{
    check_sentence("HELP!", "help!");
    check_sentence("BRNO", "BRNO");
    check_sentence("NATO", "NATO");
    check_sentence("?", "?");
}

// Bytes that are no letters, and letters whose small form is longer or shorter, stay.
TEST(places)
{
    check_sentence("\xff THE İ STATION \xe2\x84\xaa", "\xff The İ station \xe2\x84\xaa");
}

static void check_cases(LetterCase expected, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(letter_case_of(texts[i], strlen(texts[i])) == expected, "%s", texts[i]);
}

TEST(cases)
{
    static const char *const capitals[] = {"WHERE?", "ÉTÉ 2"};
    static const char *const titles[] = {"Where Is The Station?", "The Old Man and the Sea",
                                         "Tom Loves Mary", "Don't Touch Tom", "Tom Loves The Sea."};
    static const char *const sentences[] = {"",
                                            "Where is Tom?",
                                            "12!",
                                            "我们",
                                            "我 AB",
                                            "128GB的内存",
                                            "NASa",
                                            "ß",
                                            "Is Tom here",
                                            "Ask O'Neill",
                                            "Tom met O’Neill",
                                            "Tom met Ingrid, me and Jean-Luc.",
                                            "Excuse me, Miss Lee.",
                                            "The UN met in New York.",
                                            "我 Tom Lee 和 Ann",
                                            "Where Is The station?"};
    check_cases(CASE_CAPITALS, capitals, sizeof capitals / sizeof *capitals);
    check_cases(CASE_TITLE, titles, sizeof titles / sizeof *titles);
    check_cases(CASE_SENTENCE, sentences, sizeof sentences / sizeof *sentences);
}

// A part of a sentence that has small letters elsewhere.
TEST(names_of_a_part)
{
    const ReadingContext context = {.source = vocabulary, .languages = {NULL, NULL}};
    for (int part = 0; part < 2; part++) {
        Reading reading = reading_of(&context, "Tom in Rome, Where Is");
        reading.given.of_sentence = part;
        assert_ok(letter_case_step.read(&reading, NULL));
        ck_assert(reading.letter_case == (part ? CASE_SENTENCE : CASE_TITLE));
        reading_free(&reading);
    }
}

TEST(capitals)
{
    char text[] = "Où est l'été, cœur ? straße ÿ \xff 我们 i";
    letter_case_to_capitals(text, strlen(text));
    ck_assert_str_eq(text, "OÙ EST L'ÉTÉ, CŒUR ? STRAßE Ÿ \xff 我们 I");
}

TEST(begin)
{
    char word[] = "été", others[] = "2 mots", none[] = "";
    letter_case_begin(word, strlen(word));
    letter_case_begin(others, strlen(others));
    letter_case_begin(none, 0);
    ck_assert_str_eq(word, "Été");
    ck_assert_str_eq(others, "2 mots");
}

static void check_said(const char *text, bool goes_on, const char *said, const char *expected)
{
    const ReadingContext context = {.source = vocabulary, .languages = {NULL, language_of("en")}};
    Reading reading = reading_of(&context, text);
    reading.given.goes_on = goes_on;
    if (letter_case_step.applies(&reading)) {
        assert_ok(letter_case_step.read(&reading, NULL));
        MappedText written = written_by(&letter_case_step, &reading, said);
        ck_assert_str_eq(written.text.data, expected);
        mapped_free(&written);
    } else {
        ck_assert_str_eq(said, expected);
    }
    reading_free(&reading);
}

// A capital becomes one, whatever the model has said; a small letter does not.
TEST(beginnings)
{
    check_said("Où ?", false, "where?", "Where?");
    check_said("« Où ? »", false, "\"where?\"", "\"Where?\"");
    check_said("où ?", false, "where?", "where?");
    check_said("Rome", true, "in Rome", "in Rome");
    check_said("Rome", true, "In Rome", "In Rome");
    check_said("昨天", true, "The house", "the house");
    check_said("où", true, "\"Where", "\"where");
    check_said("我们", true, "I am", "I am");
    check_said("罗马", true, "Rome is", "Rome is");
    check_said("12 mots", false, "words", "words");
    check_said("我知道。", false, "we know.", "We know.");
    check_said("我知道", false, "we know", "we know");
    check_said("我知道", false, "i know", "I know");
}
