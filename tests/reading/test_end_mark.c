// The mark at the end of a short text is read, and left out again.

#include "support/reading_case.h"

#include <string.h>

static void check_missing(const char *text, const char *expected)
{
    const ReadingContext context = {.placeholders = 1};
    Reading reading = read_by(&end_mark_step, &context, text);
    const Bytes *read = &reading.text.text;
    ck_assert_msg(end_mark_step.applies(&reading) == false, "%s", text); // it has its mark now
    ck_assert_uint_eq(read->length, strlen(text) + (expected ? strlen(expected) : 0));
    if (expected) ck_assert_str_eq(read->data + strlen(text), expected);
    ck_assert_uint_eq(mapped_origin(&reading.text, read->length), strlen(text));
    reading_free(&reading);
}

TEST(missing)
{
    check_missing("Hello", ".");
    check_missing("my old house", ".");
    check_missing("你好", "。");
    check_missing("我爱 Paris", ".");
    check_missing("where is the station", NULL);
    check_missing("我不知道他在哪里", NULL);
    check_missing("Hello!", NULL);
    check_missing("page 3", NULL);
    check_missing("\xff", NULL);
    check_missing("", NULL);
}

static void check_strip(const char *text, const char *expected)
{
    const Reading reading = {0};
    MappedText said = written_by(&end_mark_step, &reading, text);
    ck_assert_str_eq(bytes_text(&said.text), expected);
    mapped_free(&said);
}

TEST(strip)
{
    check_strip("Salut !", "Salut");
    check_strip("你好。", "你好");
    check_strip("Salut", "Salut");
    check_strip("Où ?!…", "Où");
    check_strip("a.b.", "a.b");
    check_strip("?!", "?!");
    check_strip("", "");
}
