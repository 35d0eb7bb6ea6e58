// Texts that are encoded and decoded again come back, whatever they are.

#include "base/random.h"
#include "text/normalise.h"
#include "text/utf8.h"
#include "text/vocabulary_case.h"

#include <string.h>

// decode(encode(text)) = text, no specials, and ends that grow up to the text's length.
static void check_round_trip(const Vocabulary *vocabulary, const Bytes *text, Subwords *subwords,
                             Bytes *back)
{
    const char *data = text->data;
    assert_ok(vocabulary_encode(vocabulary, data, text->length, subwords, NULL));
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
    assert_ok(vocabulary_decode(vocabulary, subwords->ids, subwords->count, back, NULL));
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
        assert_ok(bytes_append(text, part, length, NULL));
    }
}

TEST(round_trips, .seconds = 30)
{
    Vocabulary *vocabulary = learned();
    Random random = random_from(1, 0);
    Subwords subwords = {0};
    Bytes text = {0}, normal = {0}, back = {0};
    for (int round = 0; round < 8000; round++) {
        random_text(&random, &text);
        assert_ok(normalise(&normal, text.data, text.length, NULL, NULL));
        check_round_trip(vocabulary, &normal, &subwords, &back);
    }
    bytes_free(&text);
    bytes_free(&normal);
    bytes_free(&back);
    subwords_free(&subwords);
    vocabulary_free(vocabulary);
}

// Valid UTF-8 comes back even where it is not normalised: spaces at both ends, in rows, of every
// kind.
TEST(round_trips_of_what_is_not_normalised)
{
    static const char *const texts[] = {" ",          "  ",     " low",     "low ",
                                        " low  low ", "\n\t x", "\xC2\xA0", "\xE3\x80\x80x",
                                        "e\xCC\x81"};
    Vocabulary *vocabulary = learned();
    Subwords subwords = {0};
    Bytes text = {0}, back = {0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        bytes_clear(&text);
        assert_ok(bytes_append_string(&text, texts[i], NULL));
        check_round_trip(vocabulary, &text, &subwords, &back);
    }
    bytes_free(&text);
    bytes_free(&back);
    subwords_free(&subwords);
    vocabulary_free(vocabulary);
}

// 600 kB without a space: a quadratic encoder would take minutes.
TEST(one_long_chunk)
{
    Vocabulary *vocabulary =
        from_text("{\"alphabet\": [\" \", \"\\u5927\", \"\\u6D77\", \"\\u4EBA\"],"
                  " \"merges\": [[261, 262], [261, 261], [264, 263], [265, 266]]}");
    static const char *const han[] = {"\xE5\xA4\xA7", "\xE6\xB5\xB7", "\xE4\xBA\xBA"};
    Random random = random_from(6, 0);
    Subwords subwords = {0};
    Bytes text = {0}, back = {0};
    assert_ok(bytes_reserve(&text, 600000, NULL));
    for (int i = 0; i < 200000; i++)
        bytes_append_string(&text, han[random_below(&random, 3)], NULL);
    check_round_trip(vocabulary, &text, &subwords, &back);
    ck_assert_uint_lt(subwords.count, 170000);
    bytes_free(&text);
    bytes_free(&back);
    subwords_free(&subwords);
    vocabulary_free(vocabulary);
}
