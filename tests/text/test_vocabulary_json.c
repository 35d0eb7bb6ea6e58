#include "base/writer.h"
#include "support/failing_malloc.h"
#include "text/vocabulary_case.h"

#include <stdlib.h>
#include <string.h>

// Checks that a vocabulary and what is read from its JSON are the same in every subword.
static void check_round_trip(const Vocabulary *vocabulary)
{
    char *text = dump(vocabulary);
    Vocabulary *copy = from_text(text);
    char *again = dump(copy);
    ck_assert_str_eq(text, again);
    ck_assert_uint_eq(vocabulary_size(vocabulary), vocabulary_size(copy));
    for (int32_t id = 0; id < (int32_t)vocabulary_size(vocabulary); id++)
        ck_assert_str_eq(vocabulary_spelling(vocabulary, id), vocabulary_spelling(copy, id));
    free(text);
    free(again);
    vocabulary_free(copy);
}

TEST(round_trip)
{
    static const char *const text =
        "The sea, the sea \xE2\x80\x94 la mer ! \xE5\xA4\xA7\xE6\xB5\xB7 \"\\";
    Vocabulary *vocabulary = learned_vocabulary((const char *const[]){text}, 1, 400);
    ck_assert_uint_gt(vocabulary_size(vocabulary), 290);
    check_round_trip(vocabulary);
    vocabulary_free(vocabulary);
}

// 264 is ab, 265 bc; a·bc and ab·c spell the same subword, 266.
TEST(two_merges_of_one_spelling)
{
    Vocabulary *vocabulary = from_text("{\"alphabet\": [\" \", \"a\", \"b\", \"c\"], \"merges\":"
                                       " [[261, 262], [262, 263], [264, 263], [261, 265]]}");
    ck_assert_uint_eq(vocabulary_size(vocabulary), 267);
    ck_assert_str_eq(vocabulary_spelling(vocabulary, 266), "abc");
    check_round_trip(vocabulary);
    vocabulary_free(vocabulary);
}

TEST(the_smallest)
{
    Vocabulary *vocabulary = from_text("{\"alphabet\": [\" \"], \"merges\": []}");
    ck_assert_uint_eq(vocabulary_size(vocabulary), 261);
    check_round_trip(vocabulary);
    vocabulary_free(vocabulary);
}

static const struct {
    const char *json, *words;
} broken[] = {
    {"[]", "not an object of exactly two lists"},
    {"", "not an object of exactly two lists"},
    {"null", "not an object of exactly two lists"},
    {"{\"alphabet\": [\" \"], \"merges\": []", "not an object of exactly two lists"},
    {"{\"alphabet\": [\" \"], \"merges\": []}}", "not an object of exactly two lists"},
    {"{\"alphabet\": [\" \",], \"merges\": []}", "not an object of exactly"},
    {"{\"alphabet\": [\" \" \"a\"], \"merges\": []}", "not an object of exactly"},
    {"{\"merges\": [], \"alphabet\": [\" \"]}", "not an object of exactly two lists"},
    {"{\"alphabet\": [\" \"], \"alphabet\": [\" \"]}", "exactly two lists"},
    {"{}", "not an object of exactly two lists"},
    {"{\"alphabet\": [\" \"]}", "not an object of exactly two lists"},
    {"{\"alphabet\": {}, \"merges\": []}", "not an object of exactly two lists"},
    {"{\"alphabet\": [\" \"], \"merges\": 3}", "not an object of exactly two lists"},
    {"{\"alphabet\": [\" \"], \"merges\": [], \"more\": 1}", "exactly two lists"},
    {"{\"alphabet\": [], \"merges\": []}", "the alphabet is empty"},
    {"{\"alphabet\": [\"a\"], \"merges\": []}", "does not begin with a space"},
    {"{\"alphabet\": [\" \", \" \"], \"merges\": []}", "entry 1 of the alphabet"},
    {"{\"alphabet\": [\" \", \"a\", \"a\"], \"merges\": []}", "\"a\", is a duplicate"},
    {"{\"alphabet\": [\" \", \"ab\"], \"merges\": []}", "not one printable character"},
    {"{\"alphabet\": [\" \", \"\"], \"merges\": []}", "not one printable character"},
    {"{\"alphabet\": [\" \", 7], \"merges\": []}", "not one printable character"},
    {"{\"alphabet\": [\" \", null], \"merges\": []}", "not one printable character"},
    {"{\"alphabet\": [\" \", \"\\u0000\"], \"merges\": []}", "not one printable character"},
    {"{\"alphabet\": [\" \", \"\\n\"], \"merges\": []}", "not one printable character"},
    {"{\"alphabet\": [\" \", \"\\u2581\"], \"merges\": []}", "not one printable character"},
    {"{\"alphabet\": [\" \", \"\\u3000\"], \"merges\": []}", "not one printable character"},
    {"{\"alphabet\": [\" \", \"\\uFFFF\"], \"merges\": []}", "not one printable character"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [7]}", "merge 0 is not a pair of ids"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[260]]}", "not a pair of ids"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[260, 261, 261]]}", "not a pair of ids"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[260, 261.0]]}", "not a pair of ids"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[260, \"261\"]]}", "not a pair of ids"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[260, -1]]}", "out of range"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[4294967556, 261]]}", "out of range"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[9223372036854775807, 261]]}", "out of range"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[260, 1000000]]}", "out of range"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[-1, 261]]}", "out of range"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[]]}", "not a pair of ids"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[1.5, 261]]}", "not a pair of ids"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[261, 261 x", "not a pair of ids"},
    {"{\"alphabet\": [", "not an object of exactly two lists"},
    {"{\"alphabet\": [\" \"], 7: []}", "not an object of exactly two lists"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[262, 261]]}", "does not exist yet"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[260, 262]]}", "does not exist yet"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[261, 261], [262, 263]]}",
     "merge 1, of 262 and 263, uses a subword that does not exist yet"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[2, 261]]}", "a special token or a byte"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[261, 259]]}", "a special token or a byte"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[261, 261], [261, 261]]}",
     "repeats an earlier merge"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[261, 260]]}", "a space inside"},
    {"{\"alphabet\": [\" \", \"a\"], \"merges\": [[260, 260]]}", "a space inside"},
    {"{\"alphabet\": [\" \", \"<\", \"s\", \">\"], \"merges\": [[261, 262], [264, 263]]}",
     "merge 1, of 264 and 263, makes the spelling of a special token or a byte"},
    {"{\"alphabet\": [\" \", \"<0\", \"x\"], \"merges\": []}", "not one printable character"},
};

TEST(broken_json)
{
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        Vocabulary *vocabulary = (Vocabulary *)&broken;
        Error error = {0};
        ck_assert_int_eq(vocabulary_read(&vocabulary, broken[i].json, &error), STATUS_FORMAT);
        ck_assert_ptr_null(vocabulary);
        ck_assert_msg(strstr(error.text, broken[i].words), "case %zu: %s", i, error.text);
    }
}

// Sixty merges that each double a subword would ask for 2^60 bytes.
TEST(doubling_merges_are_refused)
{
    json_t *merges = json_array();
    for (int i = 0; i < 60; i++)
        ck_assert_int_eq(json_array_append_new(merges, json_pack("[ii]", 261 + i, 261 + i)), 0);
    json_t *json = json_pack("{s:[ss],s:o}", "alphabet", " ", "a", "merges", merges);
    char *text = json_dumps(json, JSON_COMPACT);
    ck_assert_ptr_nonnull(text);
    Vocabulary *vocabulary;
    Error error = {0};
    ck_assert_int_eq(vocabulary_read(&vocabulary, text, &error), STATUS_FORMAT);
    assert_contains(error.text, "merge 8, of 269 and 269, makes a subword that is too");
    json_decref(json);
    free(text);
}

// A thousand letters and all of their pairs are more subwords than there may be.
TEST(too_many_subwords, .seconds = 120)
{
    enum { LETTERS = 1000 };
    Bytes text = {0};
    Writer out = writer_start(&text, NULL);
    writer_string(&out, "{\"alphabet\": [\" \"");
    for (int i = 0; i < LETTERS; i++) writer_format(&out, ",\"\\u%04x\"", 0x4e00 + i);
    writer_string(&out, "], \"merges\": [[261, 261]");
    for (int i = 1; i < LETTERS * LETTERS; i++)
        writer_format(&out, ",[%d,%d]", 261 + i / LETTERS, 261 + i % LETTERS);
    writer_string(&out, "]}");
    assert_ok(writer_end(&out));
    Vocabulary *vocabulary = NULL;
    Error error = {0};
    ck_assert_int_eq(vocabulary_read(&vocabulary, text.data, &error), STATUS_ARGUMENT);
    ck_assert_str_eq(error.text, "a vocabulary holds at most 1000000 subwords");
    ck_assert_ptr_null(vocabulary);
    bytes_free(&text);
}

TEST(equal)
{
    static const char *const texts[] = {
        "{\"alphabet\": [\" \", \"a\", \"b\"], \"merges\": [[261, 262]]}",
        "{\"alphabet\": [\" \", \"a\", \"b\"], \"merges\": [[262, 261]]}",
        "{\"alphabet\": [\" \", \"a\", \"b\"], \"merges\": []}"};
    for (size_t i = 0; i < 9; i++) {
        Vocabulary *one = from_text(texts[i / 3]), *other = from_text(texts[i % 3]);
        ck_assert_int_eq(vocabulary_equal(one, other), i / 3 == i % 3);
        ck_assert(vocabulary_equal(one, one));
        vocabulary_free(one);
        vocabulary_free(other);
    }
}

// In reading, and in writing, where what lacks a part is none.
TEST(out_of_memory)
{
    json_set_alloc_funcs(malloc, free); // so that Jansson's allocations fail too
    Vocabulary *vocabulary = learned();
    char *text = dump(vocabulary);
    while (failing_malloc_next()) {
        Vocabulary *read = NULL;
        bool failed = failing_malloc_expect(vocabulary_read(&read, text, NULL));
        ck_assert(failed ? !read : vocabulary_equal(read, vocabulary));
        vocabulary_free(read);
    }
    while (failing_malloc_next()) {
        json_t *json = vocabulary_to_json(vocabulary);
        ck_assert(failing_malloc_stop() == !json);
        json_decref(json);
    }
    free(text);
    vocabulary_free(vocabulary);
}
