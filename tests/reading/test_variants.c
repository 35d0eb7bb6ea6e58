// Characters that a vocabulary lacks, with vocabularies of a few sentences.

#include "support/learned_vocabulary.h"
#include "support/reading_case.h"

#include <string.h>

static Vocabulary *typewriter, *chinese;

static void learn(void)
{
    static const char *const plain[] = {"I don't know, \"she\" said...", "-123 A %", "THIMNOU"};
    static const char *const han[] = {"我不知道，“他”说。", "-3 A."};
    typewriter = learned_vocabulary(plain, 3, 400);
    chinese = learned_vocabulary(han, 2, 400);
}

static void forget(void)
{
    vocabulary_free(typewriter);
    vocabulary_free(chinese);
}

static void check_in(const char *language, const Vocabulary *vocabulary, const char *text,
                     const char *expected)
{
    const ReadingContext context = {.source = vocabulary, .languages = {language_of(language)}};
    Reading reading = read_by(&variants_step, &context, text);
    size_t length = strlen(text), before = 0;
    ck_assert_str_eq(bytes_text(&reading.text.text), expected);
    for (size_t end = 1; end <= reading.text.text.length; end++) {
        size_t place = mapped_origin(&reading.text, end);
        ck_assert(place >= before && place <= length);
        before = place;
    }
    reading_free(&reading);
}

static void check(const Vocabulary *vocabulary, const char *text, const char *expected)
{
    check_in(NULL, vocabulary, text, expected);
}

TESTS_SHARE(learn, .remove = forget)

TEST(marks)
{
    check(typewriter, "“I don’t know”, ‘she’ said…", "\"I don't know\", 'she' said...");
    check(typewriter, "« I » «know»", "\" I \" \"know\"");
    check(typewriter, "I know – she said – 12–3", "I know, she said, 12-3");
    check(typewriter, "I—she—know", "I, she, know");
    check(typewriter, "– I know", "- I know");
    check(typewriter, "I know; she said;", "I know, she said.");
    check(typewriter, "she\u200b k\u00adnow", "she know");
    check(chinese, "「他」不知道；我……说——３Ａ……", "“他”不知道，我，说，3A。");
    check(chinese, "我不知道；", "我不知道。");
    check(chinese, "我……", "我。");
    check(chinese, "‘我’ ‐3 １", "‘我’ -3 １");
    check(typewriter, "Oh \u200eI", "Oh I");
}

// Words for what is short, with its capital; not inside of words, nor where there is no number.
TEST(abbreviations)
{
    check_in("en", typewriter, "Bus No. 7, p. \ue001", "Bus Number 7, page \ue001");
    check_in("en", typewriter, "Oh no. 7pp. 3", "Oh number 7pp. 3");
    check_in("en", typewriter, "on Fri. e.g. this", "on Friday for example this");
    check_in("en", typewriter, "no. No, mon. piano. 5 no.", "no. No, mon. piano. 5 no.");
    check_in("fr", typewriter, "N° 5, tél. 7 et p. 3", "Numéro 5, téléphone 7 et page 3");
    check_in("de", typewriter, "no. 7", "no. 7");
    check_in("en", typewriter, "Thx, u dont know im Im IM", "Thanks, you don't know i'm Im IM");
    check_in("en", typewriter, "u-turn, u.s. d-u, U know u.", "u-turn, u.s. d-u, U know you.");
    check_in("fr", typewriter, "Nan, stp. Nan sait", "Non, s'il te plaît. Nan sait");
}

// Of two letters or more, but not in a text in capitals; the last full stop may be the sentence's.
TEST(initials)
{
    check(typewriter, "the A.I. said", "the AI said");
    check(typewriter, "I know A.I.A.", "I know AIA.");
    check(typewriter, "know I.A.? A. I.", "know IA? A. I.");
    check(typewriter, "I.A.", "IA.");
    check(typewriter, "A.I. A", "A.I. A");
    check(typewriter, "A.-I. a.i. A.Ia A.I", "A.-I. a.i. A.Ia A.I");
}

// What the vocabulary has, or what has no variant, is not changed.
TEST(others)
{
    check(chinese, "“他”，我。", "“他”，我。");
    check(typewriter, "I know π, \xff\n;", "I know π, \xff\n.");
    check(typewriter, "", "");
    check(typewriter, "\u200b", "\u200b"); // nothing would be left
    check(typewriter, "\u200bI", "I");
}

TEST(places)
{
    const char *text = "don’t – I";
    const ReadingContext context = {.source = typewriter};
    Reading reading = read_by(&variants_step, &context, text);
    ck_assert_str_eq(reading.text.text.data, "don't, I");
    ck_assert_uint_eq(mapped_origin(&reading.text, 3), 3);
    ck_assert_uint_eq(mapped_origin(&reading.text, 4), 6);
    ck_assert_uint_eq(mapped_origin(&reading.text, 6), strlen("don’t –"));
    ck_assert_uint_eq(mapped_origin(&reading.text, 8), strlen(text));
    reading_free(&reading);
}
