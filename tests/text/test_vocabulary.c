#include "base/random.h"
#include "support/suite.h"
#include "text/bpe_learn.h"
#include "text/normalise.h"
#include "text/utf8.h"

#include <stdbool.h>
#include <string.h>

#define SPACE "\xE2\x96\x81"

static Vocabulary *from_text(const char *text)
{
    Vocabulary *vocabulary;
    Error error = {0};
    Status status = vocabulary_read(&vocabulary, text, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
    return vocabulary;
}

// A vocabulary from sentences in several scripts, some of which hold what is special.
static Vocabulary *learned(void)
{
    static const char *const sentences[] = {
        "The old man looked at the sea, and the sea looked back.",
        "L'homme regardait la mer, et la mer lui rendait son regard : \xC3\xA9trange !",
        "\xE8\x80\x81\xE4\xBA\xBA\xE7\x9C\x8B\xE7\x9D\x80\xE5\xA4\xA7\xE6\xB5\xB7\xE3\x80\x82",
        "It's 1984 <s> or 2001 </s>? <pad> <unk> <0xE2>",
        "caf\xC3\xA9 na\xC3\xAFve \xF0\x9F\x98\x80 \xF0\x9F\x98\x80",
    };
    BpeLearner *learner;
    ck_assert_int_eq(bpe_learner_new(&learner, NULL), STATUS_OK);
    for (size_t i = 0; i < 2 * sizeof sentences / sizeof sentences[0]; i++) {
        const char *text = sentences[i / 2];
        ck_assert_int_eq(bpe_learner_add(learner, text, strlen(text), NULL), STATUS_OK);
    }
    Vocabulary *vocabulary;
    ck_assert_int_eq(bpe_learner_finish(learner, 420, &vocabulary, NULL), STATUS_OK);
    bpe_learner_free(learner);
    ck_assert_uint_gt(vocabulary_size(vocabulary), 380);
    return vocabulary;
}

// Checks the spellings of a text's subwords, with blanks between them.
static void check_encoding(const Vocabulary *vocabulary, const char *text, size_t length,
                           const char *expected)
{
    Subwords subwords = {0};
    Bytes shown = {0};
    ck_assert_int_eq(vocabulary_encode(vocabulary, text, length, &subwords, NULL), STATUS_OK);
    for (size_t i = 0; i < subwords.count; i++)
        ck_assert_int_eq(bytes_append_format(&shown, NULL, "%s%s", i ? " " : "",
                                             vocabulary_spelling(vocabulary, subwords.ids[i])),
                         STATUS_OK);
    ck_assert_str_eq(shown.length ? shown.data : "", expected);
    bytes_free(&shown);
    subwords_free(&subwords);
}

#define CHECK_ENCODING(vocabulary, text, expected)                                                 \
    check_encoding(vocabulary, text, sizeof(text) - 1, expected)

static const char LOW[] = "{\"alphabet\": [\" \", \"l\", \"o\", \"w\", \"<\", \"s\", \">\"],"
                          " \"merges\": [[261, 262], [267, 263], [260, 268], [262, 263],"
                          "              [261, 270]]}";

/* Subwords: 260 space, 261 l, 262 o, 263 w, 264 <, 265 s, 266 >, 267 lo, 268 low, 269 space+low, 270
 * ow; the last merge, l·ow, spells "low" again and gives 268. */
START_TEST(test_encodes_by_hand)
{
    Vocabulary *vocabulary = from_text(LOW);
    ck_assert_uint_eq(vocabulary_size(vocabulary), 271);
    CHECK_ENCODING(vocabulary, "low", SPACE "low");
    CHECK_ENCODING(vocabulary, "low low", SPACE "low " SPACE "low");
    CHECK_ENCODING(vocabulary, "slow", SPACE " s low");
    CHECK_ENCODING(vocabulary, "owl", SPACE " ow l");
    CHECK_ENCODING(vocabulary, "", "");
    CHECK_ENCODING(vocabulary, "\xC3\xA9", SPACE " <0xC3> <0xA9>");
    CHECK_ENCODING(vocabulary, SPACE, SPACE " <0xE2> <0x96> <0x81>"); // U+2581 itself
    CHECK_ENCODING(vocabulary, "<s>", SPACE " < s >");
    CHECK_ENCODING(vocabulary, "l\0w", SPACE " l <0x00> w");
    vocabulary_free(vocabulary);
}
END_TEST

START_TEST(test_ends_are_offsets_in_the_text)
{
    Vocabulary *vocabulary = from_text(LOW);
    Subwords subwords = {0};
    ck_assert_int_eq(vocabulary_encode(vocabulary, "slow low\xC3\xA9", 10, &subwords, NULL),
                     STATUS_OK);
    static const uint32_t ends[] = {0, 1, 4, 8, 9, 10}; // the space before the text has no place
    ck_assert_uint_eq(subwords.count, 6);
    ck_assert_mem_eq(subwords.ends, ends, sizeof ends);
    ck_assert_int_eq(vocabulary_encode(vocabulary, "low", 3, &subwords, NULL), STATUS_OK);
    ck_assert_uint_eq(subwords.count, 1); // replaced, not appended
    ck_assert_uint_eq(subwords.ends[0], 3);
    ck_assert_int_eq(vocabulary_encode(vocabulary, NULL, 0, &subwords, NULL), STATUS_OK);
    ck_assert_uint_eq(subwords.count, 0);
    subwords_free(&subwords);
    subwords_free(&subwords);
    vocabulary_free(vocabulary);
}
END_TEST

static void check_decoding(const Vocabulary *vocabulary, const int32_t *ids, size_t count,
                           const char *expected)
{
    Bytes out = {0};
    ck_assert_int_eq(bytes_append_string(&out, "[", NULL), STATUS_OK);
    ck_assert_int_eq(vocabulary_decode(vocabulary, ids, count, &out, NULL), STATUS_OK);
    ck_assert_str_eq(out.data + 1, expected);
    ck_assert_uint_eq(out.length, 1 + strlen(expected));
    bytes_free(&out);
}

#define CHECK_DECODING(vocabulary, expected, ...)                                                  \
    check_decoding(vocabulary, (const int32_t[]){__VA_ARGS__},                                     \
                   sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t), expected)
#define BYTE(value) (TOKEN_BYTES + (value))

START_TEST(test_decodes_by_hand)
{
    Vocabulary *vocabulary = from_text(LOW);
    check_decoding(vocabulary, NULL, 0, "");
    CHECK_DECODING(vocabulary, "low low", 269, 269);
    CHECK_DECODING(vocabulary, "low low", 268, 269); // no space at the beginning: none taken
    CHECK_DECODING(vocabulary, " low", 260, 269);    // two: one is kept
    CHECK_DECODING(vocabulary, "low", TOKEN_BOS, 269, TOKEN_UNK, TOKEN_EOS, TOKEN_PAD);
    CHECK_DECODING(vocabulary, "\xC3\xA9", BYTE(0xC3), BYTE(0xA9));
    CHECK_DECODING(vocabulary, "\xC3\xA9", BYTE(0xC3), TOKEN_PAD, BYTE(0xA9));
    vocabulary_free(vocabulary);
}
END_TEST

#define BAD "\xEF\xBF\xBD"

START_TEST(test_bytes_that_are_not_text)
{
    Vocabulary *vocabulary = from_text(LOW);
    CHECK_DECODING(vocabulary, BAD, BYTE(0xFF));
    CHECK_DECODING(vocabulary, BAD, BYTE(0xE2), BYTE(0x96));            // ended by the end
    CHECK_DECODING(vocabulary, BAD "low", BYTE(0xE2), BYTE(0x96), 268); // ended by a subword
    CHECK_DECODING(vocabulary, BAD " low" BAD, BYTE(0xC3), 269, BYTE(0xA9));
    CHECK_DECODING(vocabulary, BAD BAD BAD "l", BYTE(0xED), BYTE(0xA0), BYTE(0x80), 261);
    CHECK_DECODING(vocabulary, "low" BAD SPACE, 269, BYTE(0xF0), BYTE(0xE2), BYTE(0x96),
                   BYTE(0x81));
    vocabulary_free(vocabulary);
}
END_TEST

START_TEST(test_ids_outside_are_refused)
{
    Vocabulary *vocabulary = from_text(LOW);
    static const int32_t outside[] = {-1, 271, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < 4; i++) {
        Bytes out = {0};
        Error error = {0};
        ck_assert_int_eq(bytes_append_string(&out, "kept", NULL), STATUS_OK);
        const int32_t ids[] = {269, outside[i]};
        ck_assert_int_eq(vocabulary_decode(vocabulary, ids, 2, &out, &error), STATUS_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(error.text, "not in the vocabulary of 271"));
        ck_assert_str_eq(out.data, "kept");
        bytes_free(&out);
        size_t length = 9;
        ck_assert_ptr_null(vocabulary_spelling(vocabulary, outside[i]));
        ck_assert_str_eq(vocabulary_bytes(vocabulary, outside[i], &length), "");
        ck_assert_uint_eq(length, 0);
    }
    vocabulary_free(vocabulary);
    vocabulary_free(NULL);
}
END_TEST

START_TEST(test_spellings_are_unique_and_without_space)
{
    Vocabulary *vocabulary = learned();
    for (int32_t id = 0; id < (int32_t)vocabulary_size(vocabulary); id++) {
        const char *spelling = vocabulary_spelling(vocabulary, id);
        size_t spelt = strlen(spelling), length;
        ck_assert_uint_gt(spelt, 0);
        ck_assert_int_eq(vocabulary_find(vocabulary, spelling, spelt), id);
        for (size_t at = 0; at < spelt;) {
            uint32_t code_point;
            bool valid;
            at += utf8_decode(spelling + at, spelt - at, &code_point, &valid);
            ck_assert(valid && !utf8_is_space(code_point) && !utf8_is_control(code_point));
        }
        const char *bytes = vocabulary_bytes(vocabulary, id, &length);
        if (id < TOKEN_BYTES) ck_assert_uint_eq(length, 0);
        if (id >= TOKEN_BYTES && id < TOKEN_FIRST) {
            ck_assert_uint_eq(length, 1);
            ck_assert_int_eq((unsigned char)bytes[0], id - TOKEN_BYTES);
        }
        if (id >= TOKEN_FIRST)
            ck_assert_uint_eq(length, spelt - (strncmp(spelling, SPACE, 3) ? 0 : 2));
    }
    ck_assert_int_eq(vocabulary_find(vocabulary, "<pad>", 5), TOKEN_PAD);
    ck_assert_int_eq(vocabulary_find(vocabulary, "<unk>", 5), TOKEN_UNK);
    ck_assert_int_eq(vocabulary_find(vocabulary, "<s>", 3), TOKEN_BOS);
    ck_assert_int_eq(vocabulary_find(vocabulary, "</s>", 4), TOKEN_EOS);
    ck_assert_int_eq(vocabulary_find(vocabulary, "<0xE2>", 6), BYTE(0xE2));
    ck_assert_int_eq(vocabulary_find(vocabulary, SPACE, 3), TOKEN_FIRST);
    ck_assert_int_eq(vocabulary_find(vocabulary, "no such subword", 13), -1);
    ck_assert_int_eq(vocabulary_find(vocabulary, "", 0), -1);
    vocabulary_free(vocabulary);
}
END_TEST

// decode(encode(text)) = text, no specials, and ends that grow up to the text's length.
static void check_round_trip(const Vocabulary *vocabulary, const Bytes *text, BpeDropout *dropout,
                             Subwords *subwords, Bytes *back)
{
    const char *data = text->data;
    ck_assert_int_eq(
        vocabulary_encode_dropout(vocabulary, data, text->length, dropout, subwords, NULL),
        STATUS_OK);
    ck_assert(subwords->count > 0 || !text->length);
    size_t faults = 0; // one assertion for all: each of them writes to a file
    for (size_t i = 0; i < subwords->count; i++) {
        faults += subwords->ids[i] < TOKEN_BYTES;
        faults += subwords->ids[i] >= (int32_t)vocabulary_size(vocabulary);
        faults += i && subwords->ends[i] <= subwords->ends[i - 1];
    }
    ck_assert_uint_eq(faults, 0);
    if (subwords->count) ck_assert_uint_eq(subwords->ends[subwords->count - 1], text->length);
    bytes_clear(back);
    ck_assert_int_eq(vocabulary_decode(vocabulary, subwords->ids, subwords->count, back, NULL),
                     STATUS_OK);
    ck_assert_uint_eq(back->length, text->length);
    if (back->length) ck_assert_mem_eq(back->data, data, back->length);
}

// Words of the training text, spellings of specials and bytes, odd characters, any characters, any
// bytes.
static void random_text(Random *random, Bytes *text)
{
    static const char *const parts[] = {"the",
                                        "mer ",
                                        "L'homme",
                                        "\xE5\xA4\xA7\xE6\xB5\xB7",
                                        " ",
                                        "<s>",
                                        "</s>",
                                        "<pad>",
                                        "<unk>",
                                        "<0xE2>",
                                        SPACE,
                                        "<0x",
                                        "\xCC\x81",
                                        "\xF0\x9F\x98\x80",
                                        "\xE2\x80\x8D",
                                        "\xC2\xA0",
                                        "\xC3\xA9",
                                        "e\xCC\x81",
                                        "\xEF\xBB\xBF",
                                        "\xF0\x9F\x87\xAB\xF0\x9F\x87\xB7"};
    bytes_clear(text);
    size_t count = random_below(random, 16);
    for (size_t i = 0; i < count; i++) {
        const char *part = parts[random_below(random, sizeof parts / sizeof parts[0])];
        size_t length = strlen(part);
        char bytes[4];
        uint64_t kind = random_below(random, 8);
        if (kind < 4) {
            static const uint32_t ends[] = {0x80, 0x3000, 0xFFFF, 0x10FFFF};
            length = utf8_encode((uint32_t)random_below(random, ends[kind] + 1), bytes);
            part = bytes;
        } else if (kind == 4) {
            bytes[0] = (char)random_below(random, 256);
            length = 1;
            part = bytes;
        }
        ck_assert_int_eq(bytes_append(text, part, length, NULL), STATUS_OK);
    }
}

START_TEST(test_round_trips)
{
    Vocabulary *vocabulary = learned();
    Random random = random_from(1, 0);
    Subwords subwords = {0};
    Bytes text = {0}, normal = {0}, back = {0};
    BpeDropout dropout = {.random = random_from(2, 0)};
    for (int round = 0; round < 8000; round++) {
        random_text(&random, &text);
        ck_assert_int_eq(normalise(&normal, text.data, text.length, NULL, NULL), STATUS_OK);
        dropout.probability = (round % 5) / 4.0;
        check_round_trip(vocabulary, &normal, round % 2 ? &dropout : NULL, &subwords, &back);
    }
    bytes_free(&text);
    bytes_free(&normal);
    bytes_free(&back);
    subwords_free(&subwords);
    vocabulary_free(vocabulary);
}
END_TEST

// Valid UTF-8 comes back even where it is not normalised: spaces at both ends, in rows, of every
// kind.
START_TEST(test_round_trips_of_what_is_not_normalised)
{
    static const char *const texts[] = {" ",          "  ",     " low",     "low ",
                                        " low  low ", "\n\t x", "\xC2\xA0", "\xE3\x80\x80x",
                                        "e\xCC\x81"};
    Vocabulary *vocabulary = learned();
    Subwords subwords = {0};
    Bytes text = {0}, back = {0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        bytes_clear(&text);
        ck_assert_int_eq(bytes_append_string(&text, texts[i], NULL), STATUS_OK);
        check_round_trip(vocabulary, &text, NULL, &subwords, &back);
    }
    bytes_free(&text);
    bytes_free(&back);
    subwords_free(&subwords);
    vocabulary_free(vocabulary);
}
END_TEST

// How many subwords texts of three scripts have under dropout, in the mean of `rounds`.
static double mean_subwords(const Vocabulary *vocabulary, double probability, int rounds)
{
    static const char *const texts[] = {"the sea looked", "la mer \xC3\xA9trange",
                                        "\xE8\x80\x81\xE4\xBA\xBA\xE5\xA4\xA7\xE6\xB5\xB7"};
    BpeDropout dropout = {probability, random_from(1, 0)};
    Subwords subwords = {0};
    size_t count = 0;
    for (int i = 0; i < 3 * rounds; i++) {
        const char *text = texts[i % 3];
        Status status =
            vocabulary_encode_dropout(vocabulary, text, strlen(text), &dropout, &subwords, NULL);
        count += status ? 0 : subwords.count;
    }
    subwords_free(&subwords);
    return (double)count / rounds;
}

// Without dropout as ever, more subwords with more of it, and at 1 one for each character.
START_TEST(test_dropout)
{
    Vocabulary *vocabulary = learned();
    Subwords plain = {0}, dropped = {0};
    BpeDropout none = {.random = random_from(1, 0)};
    ck_assert_int_eq(vocabulary_encode(vocabulary, "the old sea", 11, &plain, NULL), STATUS_OK);
    ck_assert_int_eq(
        vocabulary_encode_dropout(vocabulary, "the old sea", 11, &none, &dropped, NULL), STATUS_OK);
    ck_assert_uint_eq(plain.count, dropped.count);
    ck_assert_mem_eq(plain.ids, dropped.ids, plain.count * sizeof *plain.ids);
    ck_assert_mem_eq(plain.ends, dropped.ends, plain.count * sizeof *plain.ends);
    double last = mean_subwords(vocabulary, 0, 1);
    for (double p = 0.1; p < 0.95; p += 0.2) {
        double mean = mean_subwords(vocabulary, p, 300);
        ck_assert_double_gt(mean, last);
        last = mean;
    }
    ck_assert_double_eq(mean_subwords(vocabulary, 1, 1),
                        (14 + 14 + 4) + 3); // the space before each
    subwords_free(&plain);
    subwords_free(&dropped);
    vocabulary_free(vocabulary);
}
END_TEST

// A word has the same subwords at the start of a text and inside it.
START_TEST(test_words_are_the_same_everywhere)
{
    Vocabulary *vocabulary = learned();
    Subwords alone = {0}, inside = {0};
    ck_assert_int_eq(vocabulary_encode(vocabulary, "looked", 6, &alone, NULL), STATUS_OK);
    ck_assert_int_eq(vocabulary_encode(vocabulary, "sea looked", 10, &inside, NULL), STATUS_OK);
    ck_assert_uint_gt(inside.count, alone.count);
    ck_assert_mem_eq(alone.ids, inside.ids + inside.count - alone.count,
                     alone.count * sizeof *alone.ids);
    subwords_free(&alone);
    subwords_free(&inside);
    vocabulary_free(vocabulary);
}
END_TEST

// 600 kB without a space: a quadratic encoder would take minutes.
START_TEST(test_one_long_chunk)
{
    Vocabulary *vocabulary =
        from_text("{\"alphabet\": [\" \", \"\\u5927\", \"\\u6D77\", \"\\u4EBA\"],"
                  " \"merges\": [[261, 262], [261, 261], [264, 263], [265, 266]]}");
    static const char *const han[] = {"\xE5\xA4\xA7", "\xE6\xB5\xB7", "\xE4\xBA\xBA"};
    Random random = random_from(6, 0);
    Subwords subwords = {0};
    Bytes text = {0}, back = {0};
    ck_assert_int_eq(bytes_reserve(&text, 600000, NULL), STATUS_OK);
    for (int i = 0; i < 200000; i++)
        bytes_append_string(&text, han[random_below(&random, 3)], NULL);
    check_round_trip(vocabulary, &text, NULL, &subwords, &back);
    ck_assert_uint_lt(subwords.count, 170000);
    bytes_free(&text);
    bytes_free(&back);
    subwords_free(&subwords);
    vocabulary_free(vocabulary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("vocabulary");
    suite_add(suite, "encodes by hand", test_encodes_by_hand);
    suite_add(suite, "ends are offsets in the text", test_ends_are_offsets_in_the_text);
    suite_add(suite, "decodes by hand", test_decodes_by_hand);
    suite_add(suite, "bytes that are not text", test_bytes_that_are_not_text);
    suite_add(suite, "ids outside are refused", test_ids_outside_are_refused);
    suite_add(suite, "spellings are unique and without space",
              test_spellings_are_unique_and_without_space);
    suite_add_slow(suite, "round trips", test_round_trips, 30);
    suite_add(suite, "dropout", test_dropout);
    suite_add(suite, "round trips of what is not normalised",
              test_round_trips_of_what_is_not_normalised);
    suite_add(suite, "words are the same everywhere", test_words_are_the_same_everywhere);
    suite_add(suite, "one long chunk", test_one_long_chunk);
    return suite_run(suite);
}
