#include "metrics/expect_tokens.h"
#include "metrics/tokenizer.h"
#include "text/utf8.h"

static Status tokenizer_zh(const char *text, size_t length, Bytes *line, Error *error)
{
    return bleu_tokenize(BLEU_ZH, text, length, line, error);
}

TEST(every_chinese_character_is_a_token)
{
    expect_tokens(tokenizer_zh, "猫在睡觉。", "猫 在 睡 觉 。");
    expect_tokens(tokenizer_zh, "他说：“好的，没问题。”", "他 说 ： “ 好 的 ， 没 问 题 。 ”");
    expect_tokens(tokenizer_zh, "价３．５元", "价 ３ ． ５ 元"); // full-width digits too
}

TEST(western_text_among_it)
{
    expect_tokens(tokenizer_zh, "我有2.5元,买iPhone-15了!", "我 有 2.5 元 , 买 iPhone-15 了 !");
    expect_tokens(tokenizer_zh, "装的是Linux系统，16GB。", "装 的 是 Linux 系 统 ， 16GB 。");
    expect_tokens(tokenizer_zh, "10-20个 don't", "10 - 20 个 don't");
    expect_tokens(tokenizer_zh, "&quot;<skipped>", "& quot ; < skipped >"); // unlike 13a
}

TEST(ends_of_the_line_have_no_neighbour)
{
    expect_tokens(tokenizer_zh, "5.", "5."); // 13a gives two tokens
    expect_tokens(tokenizer_zh, ".5", ".5");
    expect_tokens(tokenizer_zh, " \u3000.5 5.\n", ".5 5."); // white space at the ends goes first
    expect_tokens(tokenizer_zh, "共5.", "共 5.");
    expect_tokens(tokenizer_zh, "a.", "a .");
}

// Whether a character between two letters becomes a token of its own.
static bool is_token(uint32_t code_point)
{
    char text[8] = "a";
    size_t length = 1 + utf8_encode(code_point, text + 1);
    text[length++] = 'a';
    Bytes line = {0};
    assert_ok(tokenizer_zh(text, length, &line, NULL));
    bool token = line.data[1] == ' ';
    bytes_free(&line);
    return token;
}

TEST(ranges)
{
    static const uint32_t chinese[] = {0x3400, 0x4DB5, 0x4E00, 0x9FBB, 0xF900, 0xFA2D, 0xFA30,
                                       0xFAD9, 0xFF01, 0xFFEF, 0x2E80, 0x303F, 0x3105, 0x31EF,
                                       0x2FF0, 0xFE10, 0xFE4F, 0x2600, 0x27BF, 0x3200, 0x33FF};
    static const uint32_t others[] = {'a',    0xE9,   0x4DB6, 0x9FBC, 0xFA2E, 0xFA6B,  0xFADA,
                                      0xFFF0, 0xFE20, 0x3041, 0x30AB, 0xAC00, 0x1F600, 0xFFFD};
    for (size_t i = 0; i < sizeof chinese / sizeof *chinese; i++)
        ck_assert_msg(is_token(chinese[i]), "U+%04X", (unsigned)chinese[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(!is_token(others[i]), "U+%04X", (unsigned)others[i]);
}

TEST(ranges_as_sacrebleu_spells_them)
{
    // the bounds meant as U+20000 … U+2A6D6 act as U+2001 … U+2A6D
    ck_assert(!is_token(0x1FFE)); // U+2000 and U+2001 are white space, and so never tokens
    ck_assert(is_token(0x200B));
    ck_assert(is_token(0x2A6D));
    ck_assert(!is_token(0x2A6E));
    ck_assert(!is_token(0x20000));
    ck_assert(!is_token(0x2F800));
    expect_tokens(tokenizer_zh, "wait—“no”…", "wait — “ no ” …");
    expect_tokens(tokenizer_zh, "x\U00020000\U00020001", "x\U00020000\U00020001");
}

TEST(edges)
{
    expect_tokens(tokenizer_zh, "", "");
    expect_tokens(tokenizer_zh, "\u3000 ", "");
    expect_tokens(tokenizer_zh, "a\0猫", "a\0 猫");
    expect_tokens(tokenizer_zh, "\xe7\x8c猫\xff", "\ufffd 猫 \ufffd");
}
