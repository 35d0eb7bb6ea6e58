// Characters that a vocabulary lacks, with vocabularies of a few sentences.

#include "support/learned_vocabulary.h"
#include "support/suite.h"
#include "text/variants.h"

#include <string.h>

static Vocabulary *typewriter, *chinese;

static void learn(void)
{
    static const char *const plain[] = {"I don't know, \"she\" said...", "-123 A %"};
    static const char *const han[] = {"我不知道，“他”说。", "-3 A."};
    typewriter = learned_vocabulary(plain, 2, 400);
    chinese = learned_vocabulary(han, 2, 400);
}

static void forget(void)
{
    vocabulary_free(typewriter);
    vocabulary_free(chinese);
}

static void check(const Vocabulary *vocabulary, const char *text, const char *expected)
{
    Variants variants = {0};
    size_t length = strlen(text), before = 0;
    ck_assert_int_eq(variants_read(&variants, text, length, vocabulary, NULL), STATUS_OK);
    ck_assert_str_eq(bytes_text(&variants.text), expected);
    for (size_t end = 1; end <= variants.text.length; end++) {
        size_t place = variants_place(&variants, end);
        ck_assert(place >= before && place <= length);
        ck_assert(place == length || (text[place] & 0xC0) != 0x80);
        before = place;
    }
    variants_free(&variants);
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
}

// What the vocabulary has, or what has no variant, is not changed.
TEST(others)
{
    check(chinese, "“他”，我。", "“他”，我。");
    check(typewriter, "I know π, \xff\n;", "I know π, \xff\n.");
    check(typewriter, "", "");
    check(typewriter, "\u200b", "");
}

TEST(places)
{
    Variants variants = {0};
    const char *text = "don’t – I";
    ck_assert_int_eq(variants_read(&variants, text, strlen(text), typewriter, NULL), STATUS_OK);
    ck_assert_str_eq(variants.text.data, "don't, I");
    ck_assert_uint_eq(variants_place(&variants, 3), 3);
    ck_assert_uint_eq(variants_place(&variants, 4), 6);
    ck_assert_uint_eq(variants_place(&variants, 6), strlen("don’t –"));
    ck_assert_uint_eq(variants_place(&variants, 8), strlen(text));
    ck_assert_uint_eq(variants_place(&variants, 9), strlen(text) + 1);
    variants_free(&variants);
}
