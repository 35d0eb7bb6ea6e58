// The lexicon in a model file, and what it says of a source.
#include "model/lexicon.h"

#include "model/model_file_case.h"

/* Unit 4 5 stands for 7 8 (p = 0.6) and 9 (0.2), 4 5 5 for 10, and the text 5 </s> for 8. Token 4
 * begins with a space and ends with a letter, 5 begins and ends with one. */
#define HEAD(tokens, value) ((tokens) + 256 * (value))
static const uint16_t units[] = {
    HEAD(2, 2), 4, 5, HEAD(2, 153), 7, 8, HEAD(1, 51), 9, HEAD(3, 1), 4, 5, 5, HEAD(1, 255), 10,
    HEAD(2, 1), 5, 3, HEAD(1, 102), 8};
enum { SIZE = sizeof units / sizeof *units };
static const uint8_t edges[SOURCES] = {
    [4] = EDGE_SPACE | EDGE_ENDS | EDGE_WORD, [5] = EDGE_BEGINS | EDGE_ENDS | EDGE_WORD};
static uint32_t places[] = {0, 8, 14};
static const Lexicon lexicon = {edges, units, SIZE, places, 3, {NULL}};

static void expect_lexicon(const char *file)
{
    Model model;
    assert_ok(model_open(&model, file, NULL));
    ck_assert_uint_eq(model.lexicon.size, SIZE);
    ck_assert_uint_eq(model.lexicon.count, 3);
    ck_assert_mem_eq(model.lexicon.units, units, sizeof units);
    ck_assert_mem_eq(model.lexicon.edges, edges, sizeof edges);
    ck_assert_mem_eq(model.lexicon.places, places, sizeof places);
    model_close(&model);
}

TESTS_EACH(set_up, tear_down)

TEST(round_trip)
{
    Model model;
    assert_ok(model_open(&model, path, NULL));
    ck_assert_uint_eq(model.lexicon.count, 0);
    assert_ok(model_save_additions(path, &model, &model.shortlist, &lexicon, NULL, NULL));
    model_close(&model);
    expect_lexicon(path);
    // and a quantised model keeps it
    static const WeightType types[] = {WEIGHTS_INT8, WEIGHTS_BF16, WEIGHTS_INT4};
    assert_ok(model_open(&model, path, NULL));
    for (size_t i = 0; i < 3; i++) {
        const char *copy = scratch_path("quantised");
        assert_ok(quantise_model(&model, path, types[i], NULL, copy, NULL));
        expect_lexicon(copy);
    }
    model_close(&model);
}

// A file with these units, which model_save_additions would refuse to write.
static void write_unchecked(const uint16_t *changed, size_t size, size_t sources)
{
    const TensorView tensors[] = {
        {.name = "lexicon.units", .type = TENSOR_U16, .rank = 1, .shape = {size}, .data = changed},
        {.name = "lexicon.edges", .type = TENSOR_U8, .rank = 1, .shape = {sources}, .data = edges}};
    SafetensorsWriter *writer = begin_file();
    for (size_t i = 0; i < 2; i++)
        if (tensors[i].shape[0] > 0)
            assert_ok(safetensors_writer_tensor(writer, &tensors[i], NULL));
    end_file(writer);
}

static void expect_bad_number(size_t at, uint16_t value, const char *part)
{
    uint16_t changed[SIZE];
    memcpy(changed, units, sizeof units);
    changed[at] = value;
    write_unchecked(changed, SIZE, SOURCES);
    expect_refusal(path, part);
}

TEST(damaged)
{
    expect_bad_number(0, HEAD(0, 2), "a wrong number of tokens, at 0");
    expect_bad_number(0, HEAD(1, 2), "tensor lexicon.units has a");
    expect_bad_number(0, HEAD(MAX_UNIT_TOKENS + 1, 2), "a wrong number of tokens, at 0");
    expect_bad_number(0, HEAD(2, MAX_UNIT_ENTRIES + 1), "a wrong number of translations, at 0");
    expect_bad_number(1, 3, "a token that is none, at 1");
    expect_bad_number(2, SOURCES, "a token that is none, at 2");
    expect_bad_number(3, HEAD(2, 153) + UNIT_IS_TEXT, "a wrong number of tokens, at 3");
    expect_bad_number(4, TARGETS, "a token that is none, at 4");
    expect_bad_number(17, HEAD(2, 102), "a wrong number of tokens, at 17");
    expect_bad_number(14, HEAD(2, 2), "a unit without its end, at 19");
    expect_bad_number(15, 3, "a token that is none, at 15");
    expect_bad_number(18, 3, "a token that is none, at 18");
    expect_bad_number(2, 6, "a token that is none, at 2");
    expect_bad_number(9, 3, "a token that is none, at 9");
    const uint16_t twice[] = {HEAD(2, 1), 4, 5, HEAD(1, 9), 7, HEAD(2, 1), 4, 5, HEAD(1, 9), 8};
    write_unchecked(twice, sizeof twice / sizeof *twice, SOURCES);
    expect_refusal(path, "units out of order, at 5");
    write_unchecked(units, SIZE, SOURCES - 1);
    expect_refusal(path, "tensor lexicon.edges has 5 numbers; there are 6 source tokens");
    write_unchecked(units, SIZE, 0);
    expect_refusal(path, "tensor lexicon.edges of its lexicon is missing or of another form");
}

TEST(finds)
{
    LexiconRun runs[MAX_UNIT_ENTRIES];
    ck_assert_uint_eq(lexicon_find(runs, &lexicon, (const int32_t[]){4, 5}, 2), 2);
    ck_assert_uint_eq(runs[0].count, 2);
    ck_assert_uint_eq(runs[0].tokens[1], 8);
    ck_assert_double_eq_tol(runs[0].p, 0.6, 1e-9);
    ck_assert_uint_eq(runs[1].count, 1);
    ck_assert_uint_eq(runs[1].tokens[0], 9);
    ck_assert_double_eq_tol(runs[1].p, 0.2, 1e-9);
    ck_assert_uint_eq(lexicon_find(runs, &lexicon, (const int32_t[]){4, 5, 5}, 3), 1);
    ck_assert_uint_eq(lexicon_find(runs, &lexicon, (const int32_t[]){4, 4}, 2), 0);
    ck_assert_uint_eq(lexicon_find(runs, &lexicon, (const int32_t[]){5, 5}, 2), 0);
    ck_assert_uint_eq(lexicon_find(runs, &lexicon, (const int32_t[]){4}, 1), 0);
}

// A unit without translations is there all the same; one may be a text, too.
TEST(has)
{
    static const uint16_t text[] = {HEAD(2, 1) + UNIT_IS_TEXT, 4, 5, HEAD(1, 255), 7};
    const Lexicon of_text = {edges, text, 5, places, 1, {NULL}};
    static const uint16_t alone[] = {HEAD(2, 0), 4, 5};
    const Lexicon known = {edges, alone, 3, places, 1, {NULL}};
    LexiconRun runs[MAX_UNIT_ENTRIES];
    ck_assert(lexicon_has(&known, (const int32_t[]){4, 5}, 2));
    ck_assert(!lexicon_has(&known, (const int32_t[]){4, 5, 5}, 3));
    ck_assert(!lexicon_has(&known, (const int32_t[MAX_UNIT_TOKENS + 1]){4}, MAX_UNIT_TOKENS + 1));
    ck_assert_uint_eq(lexicon_find(runs, &known, (const int32_t[]){4, 5}, 2), 0);
    ck_assert(!lexicon_has_text(&known, (const int32_t[]){4, 5}, 2));
    ck_assert(lexicon_has_text(&of_text, (const int32_t[]){4, 5}, 2));
    ck_assert(!lexicon_has_text(&of_text, (const int32_t[]){4}, 1));
    ck_assert_uint_eq(lexicon_find(runs, &of_text, (const int32_t[]){4, 5}, 2), 1);
    ck_assert_uint_eq(runs[0].tokens[0], 7);
}

// The longest unit, and none that cuts a word.
TEST(longest)
{
    static const struct {
        int32_t source[6];
        size_t length, begin, end;
    } cases[] = {
        {{4, 5, 3}, 3, 0, 2},          // a word
        {{4, 5, 5, 3}, 4, 0, 3},       // a longer one
        {{4, 5, 5, 5, 3}, 5, 0, 0},    // that goes on behind any unit
        {{4, 5, 4, 5, 3}, 5, 2, 4},    // the second word
        {{5, 4, 5, 3}, 4, 1, 3},       // which begins with a space
        {{5, 5, 4, 5, 5, 3}, 6, 1, 1}, // inside a word
        {{4, 5}, 2, 0, 2},             // at the end
        {{4, 5}, 2, 1, 1},
        {{5, 3}, 2, 0, 2},    // a text
        {{1, 5, 3}, 3, 1, 1}, // the end of another
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        LexiconRun runs[MAX_UNIT_ENTRIES];
        size_t count, end = lexicon_longest(runs, &count, &lexicon, cases[i].source,
                                            cases[i].length, cases[i].begin);
        ck_assert_msg(end == cases[i].end, "case %zu: %zu", i, end);
        ck_assert(count > 0 || end == cases[i].begin);
    }
}

// A unit of one token, if it is a name.
TEST(longest_name)
{
    static const uint16_t one[] = {HEAD(1, 1), 4, HEAD(1, 255), 7};
    for (unsigned name = 0; name < 2; name++) {
        const uint8_t own[SOURCES] = {
            [4] = (uint8_t)(EDGE_SPACE | EDGE_ENDS | EDGE_WORD | (name ? EDGE_NAME : 0))};
        const Lexicon of_name = {own, one, 4, places, 1, {NULL}};
        LexiconRun runs[MAX_UNIT_ENTRIES];
        size_t count, end = lexicon_longest(runs, &count, &of_name, (const int32_t[]){4, 3}, 2, 0);
        ck_assert_uint_eq(end, name);
        ck_assert_uint_eq(count, name);
    }
}
