#include "metrics/expect_tokens.h"
#include "metrics/tokenizer.h"

static Status tokenizer_13a(const char *text, size_t length, Bytes *line, Error *error)
{
    return bleu_tokenize(BLEU_13A, text, length, line, error);
}

TEST(splits_punctuation)
{
    expect_tokens(tokenizer_13a, "Hello, world.", "Hello , world .");
    expect_tokens(tokenizer_13a, "\"Hello,\" he said.", "\" Hello , \" he said .");
    expect_tokens(tokenizer_13a, "Really?! (Yes; no: {x} [y])",
                  "Really ? ! ( Yes ; no : { x } [ y ] )");
    expect_tokens(tokenizer_13a, "a/b a*b a_b a@b.c", "a / b a * b a _ b a @ b . c");
    expect_tokens(tokenizer_13a, "wait...", "wait . . .");
    expect_tokens(tokenizer_13a, "don't l'eau", "don't l'eau"); // the apostrophe alone stays
}

TEST(keeps_numbers_together)
{
    expect_tokens(tokenizer_13a, "It costs $1,000.50, or 5.5%.",
                  "It costs $ 1,000.50 , or 5.5 % .");
    expect_tokens(tokenizer_13a, "1,000.5", "1,000.5");
    expect_tokens(tokenizer_13a, "in 5. .5 5,", "in 5 . . 5 5 ,");
    expect_tokens(tokenizer_13a, "3.x v1.2", "3 . x v1.2");
}

TEST(splits_hyphens_after_digits_only)
{
    expect_tokens(tokenizer_13a, "well-known 10-20 F-16 16-bit",
                  "well-known 10 - 20 F-16 16 - bit");
    expect_tokens(tokenizer_13a, "-5 --", "-5 --");
}

TEST(looks_at_pairs_from_left_to_right)
{
    // in 5..5 rule 2 takes the pair "..", so that the first point is split off only by rule 3
    expect_tokens(tokenizer_13a, "a.,.,b", "a . , . , b");
    expect_tokens(tokenizer_13a, "5..5", "5 . . 5");
    expect_tokens(tokenizer_13a, "5.,5", "5 . , 5");
    expect_tokens(tokenizer_13a, "1--2", "1 - -2");
}

TEST(resolves_markup)
{
    expect_tokens(tokenizer_13a, "&quot;a&quot; &lt;b&gt; c&amp;d", "\" a \" < b > c & d");
    // one pass each, in the order quot, amp, lt, gt
    expect_tokens(tokenizer_13a, "&amp;lt; &amp;quot; &amp;amp;", "< & quot ; & amp ;");
    expect_tokens(tokenizer_13a, "&apos; &quot &", "& apos ; & quot &");
    expect_tokens(tokenizer_13a, "a<skipped>b <skip<skipped>ped>", "ab < skipped >");
}

TEST(joins_lines)
{
    expect_tokens(tokenizer_13a, "co-\noperate\nnow", "cooperate now");
    expect_tokens(tokenizer_13a, "at the end-\n",
                  "at the end-"); // white space at the end goes first
    expect_tokens(tokenizer_13a, "a-\r\nb", "a- b");
}

TEST(scripts_other_than_western)
{
    expect_tokens(tokenizer_13a, "Où est-il ? « Là »\u00a0!", "Où est-il ? « Là » !");
    expect_tokens(tokenizer_13a, "“curly” — dash…", "“curly” — dash…");
    expect_tokens(tokenizer_13a, "他说：好。", "他说：好。");
    expect_tokens(tokenizer_13a, "价.格,é.", "价 . 格 , é .");
}

TEST(edges)
{
    expect_tokens(tokenizer_13a, "", "");
    expect_tokens(tokenizer_13a, " \t\n\u3000", "");
    expect_tokens(tokenizer_13a, "<skipped>", "");
    expect_tokens(tokenizer_13a, ".", ".");
    expect_tokens(tokenizer_13a, "a\0b.", "a\0b ."); // a NUL is a character like any other
    expect_tokens(tokenizer_13a, "a\xff.\xe4\xbd", "a\ufffd . \ufffd");
}
