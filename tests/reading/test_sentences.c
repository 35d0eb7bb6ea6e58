// Sentences: what people write, marked by hand, and what must hold for any bytes.

#include "base/random.h"
#include "language/language.h"
#include "reading/sentences.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"
#include "text/utf8.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define BOUNDARY                                                                                   \
    "‖" // in the files of tests/reading/sentences, where a sentence ends and another follows

typedef struct Counts {
    size_t lines, marked, found, right;
} Counts;

// The line without its marks, whose places go to `ends`; returns how many there are.
static size_t unmark(const char *line, size_t length, Bytes *text, size_t *ends)
{
    size_t count = 0, size = strlen(BOUNDARY);
    bytes_clear(text);
    for (size_t at = 0; at < length;) {
        if (length - at >= size && !memcmp(line + at, BOUNDARY, size)) {
            ends[count++] = text->length;
            at += size;
        } else {
            assert_ok(bytes_append(text, line + at++, 1, NULL));
        }
    }
    return count;
}

static void compare(Counts *counts, const Spans *found, const size_t *ends, size_t count)
{
    counts->lines++;
    counts->marked += count;
    counts->found += found->count - 1;
    for (size_t i = 0; i + 1 < found->count; i++)
        for (size_t j = 0; j < count; j++) counts->right += found->items[i].end == ends[j];
}

// Compares the boundaries found in a file of marked lines with the marks.
static Counts read_marked(const char *path, const Language *language)
{
    Counts counts = {0};
    Spans sentences = {0};
    Bytes file = scratch_read(path), text = {0};
    for (const char *line = file.data; *line;) {
        size_t length = strcspn(line, "\n"), ends[16];
        size_t count = unmark(line, length, &text, ends);
        assert_ok(sentences_split(&sentences, language, text.data, text.length, NULL));
        compare(&counts, &sentences, ends, count);
        line += length + 1;
    }
    spans_free(&sentences);
    bytes_free(&text);
    return counts;
}

/* Recall must be `least`. Without the language an ordinal is suspected where a number
 * ends the sentence, which costs recall. */
static void check_marked(const char *code, bool known, double least)
{
    char path[64];
    snprintf(path, sizeof path, "tests/reading/sentences/%s.txt", code);
    Counts counts = read_marked(path, known ? language_of(code) : NULL);
    double precision = (double)counts.right / (double)counts.found;
    double recall = (double)counts.right / (double)counts.marked;
    printf("%s, %s: %zu lines, %zu boundaries, precision %.3f, recall %.3f\n", code,
           known ? "given" : "not given", counts.lines, counts.marked, precision, recall);
    ck_assert_uint_ge(counts.lines, 60);
    ck_assert_double_ge(precision, 0.98);
    ck_assert_double_ge(recall, least);
}

TEST(marked_lines)
{
    static const char *const languages[] = {"en", "fr", "zh"};
    for (size_t i = 0; i < 3; i++) {
        check_marked(languages[i], true, 0.98);
        check_marked(languages[i], false, 0.95);
    }
}

// ---- any bytes

static bool is_space_between(const char *text, size_t begin, size_t end)
{
    while (begin < end)
        if (!utf8_is_space(utf8_next(text, end, &begin))) return false;
    return true;
}

// No part of a character, valid or not, may be cut off at a place.
static bool is_character_boundary(const char *text, size_t length, size_t place)
{
    size_t at = 0;
    while (at < place) (void)utf8_next(text, length, &at);
    return at == place;
}

/* Sentences in order with nothing but white space around them: put together with it they are the line,
 * byte for byte. */
static void check_partition(const char *text, size_t length)
{
    Spans sentences = {0};
    size_t end = 0;
    assert_ok(sentences_split(&sentences, NULL, text, length, NULL));
    for (size_t i = 0; i < sentences.count; i++) {
        const Span *sentence = &sentences.items[i];
        ck_assert_uint_le(end, sentence->begin);
        ck_assert_uint_lt(sentence->begin, sentence->end);
        ck_assert(is_space_between(text, end, sentence->begin));
        ck_assert(is_character_boundary(text, length, sentence->begin));
        ck_assert(is_character_boundary(text, length, sentence->end));
        end = sentence->end;
    }
    ck_assert_uint_le(end, length);
    ck_assert(is_space_between(text, end, length));
    spans_free(&sentences);
}

TEST(partition_of_any_text)
{
    static const char *const pieces[] = {
        "a",  "B",  "I",    "Mr",       "7",        ".",   ".",  "...",    "!", "?",
        "…",  " ",  " ",    "\"",       "(",        ")",   "«",  "»",      "“", "”",
        "我", "说", "。",   "！",       "；",       "「",  "」", "\t",     "-", "'",
        "😀",  ",",  "\xff", "\xe2\x80", "\xf0\x9f", "\0x", "　", "\u00a0", "é"};
    enum { PIECES = sizeof pieces / sizeof *pieces, LONGEST = 40 };
    Random random = random_from(7, 0);
    for (int i = 0; i < 20000; i++) {
        char text[LONGEST * 4];
        size_t length = 0, count = random_below(&random, LONGEST);
        for (size_t j = 0; j < count; j++) {
            const char *piece = pieces[random_below(&random, PIECES)];
            size_t size = *piece ? strlen(piece) : 1;
            memcpy(text + length, piece, size);
            length += size;
        }
        check_partition(text, length);
    }
}

TEST(white_space_alone)
{
    Spans sentences = {0};
    static const char *const texts[] = {"", " ", "\t \r\n", "\u00a0\u3000"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_ok(sentences_split(&sentences, NULL, texts[i], strlen(texts[i]), NULL));
        ck_assert_uint_eq(sentences.count, 0);
    }
    assert_ok(sentences_split(&sentences, NULL, "...!", 4, NULL));
    ck_assert_uint_eq(sentences.count, 1); // no word, but not nothing
    spans_free(&sentences);
}

static double seconds_of(const char *piece, size_t length)
{
    Bytes text = {0};
    Spans sentences = {0};
    struct timespec begin, end;
    assert_ok(bytes_reserve(&text, length + strlen(piece), NULL));
    while (text.length < length) assert_ok(bytes_append_string(&text, piece, NULL));
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    assert_ok(sentences_split(&sentences, NULL, text.data, text.length, NULL));
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    spans_free(&sentences);
    bytes_free(&text);
    return (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
}

// Quadratic time would be 10 s for 128 KB, 10 minutes for the megabyte, and longer with sanitizers.
TEST(linear_time, .seconds = 120)
{
    static const char *const pieces[] = {"a",       ".",         ". ",    "a. ",  "\"",
                                         "( ",      "A. (",      "A! ((", "。",   "“。",
                                         "A.     ", "A. \"( « ", "a.b.",  "我说", "知."};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        double seconds = seconds_of(pieces[i], 1 << 17);
        ck_assert_msg(seconds < 5, "\"%s\": %.2f s", pieces[i], seconds);
    }
    ck_assert_double_lt(seconds_of("Mr. A. \"(is « ", 1 << 20), 20);
}

TEST(out_of_memory)
{
    Spans sentences = {0};
    Error error;
    failing_malloc_at(1);
    Status status = sentences_split(&sentences, NULL, "A b. C d.", 9, &error);
    (void)failing_malloc_stop();
    ck_assert_int_eq(status, STATUS_MEMORY);
    ck_assert_uint_eq(sentences.count, 0);
    spans_free(&sentences);
}

static void check_clause(const char *text, size_t most, const char *expected)
{
    size_t end = clause_end(text, strlen(text), most, language_of("en"));
    ck_assert_msg(end == strlen(expected) && !memcmp(text, expected, end), "%.*s", (int)end, text);
}

TEST(clause_end)
{
    check_clause("one, two; three, four five", 18, "one, two;");
    check_clause("one, two three, four five", 18, "one, two three,");
    check_clause("one, two three four five", 18, "one,");
    check_clause("I, two three four five", 18, "I, two three four"); // a comma too far before
    check_clause("3,141,592,653,589,793", 10, "3,141,592,");
    check_clause("我来了，他走了；她说话。", 24, "我来了，他走了；");
    check_clause("我来了他走了她说话", 10, "我来了");
    check_clause("he came and she went away again", 20, "he came");
    check_clause("I and she went away again", 20, "I and she went away"); // too far before
    check_clause("he came and she went because of it", 26, "he came and she went");
    check_clause("he came, and she went because of it", 26, "he came, and she went");
    check_clause("he came andante she went", 16, "he came andante");
    check_clause("ab\xe2\x80", 4, "ab\xe2\x80");
}

// So many marks before a sentence are none's, and a word that ends with a hyphen is no initials.
TEST(odd_marks)
{
    Spans sentences = {0};
    static const char many[] = "Yes, we do. (((((((((((((((((((((No, we do not.",
                      hyphen[] = "We do. It is J-. Is it so?";
    assert_ok(sentences_split(&sentences, NULL, many, sizeof many - 1, NULL));
    ck_assert_uint_eq(sentences.count, 1);
    assert_ok(sentences_split(&sentences, NULL, hyphen, sizeof hyphen - 1, NULL));
    ck_assert_uint_eq(sentences.count, 3);
    spans_free(&sentences);
}
