// What a search tried, and its pictures: against forced decoding and the rules of the search.
#include "render/beam_tree.h"
#include "search/beam_case.h"

#include "io/json.h"
#include "support/learned_vocabulary.h"
#include "support/xml_lines.h"

#include <math.h>
#include <string.h>

enum { BEAM = 3, VOCABULARY = 300, LIMIT = 64 };

static const SearchOptions options = {.beam = BEAM, .length_normalization = 1, .with_tree = true};

// Sets tokens (LIMIT) to the path that ends with a node, and returns how many there are.
static size_t read_path(const BeamTree *tree, size_t node, int32_t *tokens)
{
    size_t length = tree->nodes[node].step + 1;
    ck_assert_uint_le(length, LIMIT);
    for (size_t t = length, at = node; t-- > 0; at = (size_t)tree->nodes[at].before) {
        tokens[t] = tree->nodes[at].token;
        ck_assert_uint_eq(tree->nodes[at].step, t);
    }
    return length;
}

// Whether a way to go on is in the tree.
static bool has(const BeamTree *tree, int32_t before, int32_t token)
{
    for (size_t i = 0; i < tree->count; i++)
        if (tree->nodes[i].before == before && tree->nodes[i].token == token) return true;
    return false;
}

// No way to go on from a node that went on is likelier than one of its step that is in the tree.
static void expect_best(const BeamTree *tree, const TokenPair *source, size_t beaten)
{
    int32_t tokens[LIMIT];
    const BeamNode *node = &tree->nodes[beaten];
    size_t length = read_path(tree, beaten, tokens);
    for (int32_t token = TOKEN_EOS + (node->step == 0); token < 12; token++) {
        if (has(tree, node->before, token)) continue;
        tokens[length - 1] = token;
        TokenPair pair = with_target(source, tokens, length);
        ck_assert_double_le(small_model_log_p(&model, &pair, NULL), node->log_p + 1e-4);
    }
}

static void expect_tree(const Hypotheses *found, const TokenPair *source)
{
    const BeamTree *tree = &found->tree;
    size_t ranked = 0, beaten = 0;
    for (size_t i = 0; i < tree->count; i++) {
        const BeamNode *node = &tree->nodes[i];
        int32_t tokens[LIMIT];
        size_t length = read_path(tree, i, tokens);
        ck_assert_int_lt(node->before, (int32_t)i);
        TokenPair pair = with_target(source, tokens, length);
        ck_assert_double_eq_tol(node->log_p, small_model_log_p(&model, &pair, NULL), 1e-4);
        if (node->rank) {
            const Hypothesis *hypothesis = &found->items[node->rank - 1];
            ck_assert_uint_eq(hypothesis->length, length);
            ck_assert_mem_eq(hypothesis->tokens, tokens, length * sizeof *tokens);
            ranked++;
        }
        if (node->beaten_by == NO_NODE) continue;
        const BeamNode *by = &tree->nodes[node->beaten_by];
        ck_assert(by->step == node->step && by->beaten_by == NO_NODE && by->log_p >= node->log_p);
        expect_best(tree, source, i);
        beaten++;
    }
    ck_assert_uint_eq(ranked, found->count);
    ck_assert_uint_ge(beaten, BEAM);
}

TEST(is_what_the_search_did)
{
    for (uint64_t seed = 0; seed < 6; seed++) {
        set_up(12, 2, seed);
        model.params.output.bias[TOKEN_EOS] = 1;
        Hypotheses found, plain;
        SearchOptions without = options;
        without.with_tree = false;
        search(drawn.pairs, 1, options, &found);
        search(drawn.pairs, 1, without, &plain);
        expect_tree(&found, &drawn.pairs[0]);
        ck_assert_uint_eq(plain.tree.count, 0);
        ck_assert_uint_eq(plain.count, found.count);
        for (size_t h = 0; h < found.count; h++)
            ck_assert(plain.items[h].log_p == found.items[h].log_p);
        free_all(&found, 1);
        free_all(&plain, 1);
        tear_down();
    }
}

TEST(pictures)
{
    static const char *const texts[] = {"le chat <dort> 猫"};
    Vocabulary *vocabulary = learned_vocabulary(texts, 1, VOCABULARY);
    BeamNode nodes[] = {{260, NO_NODE, NO_NODE, 0, 0, -0.5},
                        {261, NO_NODE, 0, 0, 0, -1.75},
                        {TOKEN_EOS, 0, NO_NODE, 1, 1, -1},
                        {'<' + TOKEN_BYTES, 0, 2, 1, 0, -INFINITY}};
    const BeamTree tree = {nodes, 4, 4, 1};
    const BeamTreeView view = {&tree, vocabulary};
    Error error;
    json_t *list = beam_tree_json(&view);
    json_int_t step, rank, by;
    double sum, score, margin;
    ck_assert_uint_eq(json_array_size(list), 4);
    ck_assert_int_eq(json_unpack(json_array_get(list, 2), "{sI sF sF sI}", "step", &step, "sum",
                                 &sum, "score", &score, "rank", &rank),
                     0);
    ck_assert(step == 1 && sum == -1 && score == -0.5 && rank == 1);
    ck_assert_int_eq(
        json_unpack(json_array_get(list, 1), "{sI sF}", "beaten_by", &by, "by", &margin), 0);
    ck_assert(by == 0 && margin == 1.25);
    json_decref(list);
    Bytes text = {0};
    Svg svg = {0};
    assert_ok(beam_tree_svg_add(&svg, &view, &error));
    assert_ok(beam_tree_svg_add(&svg, &view, &error));
    Writer out = writer_start(&text, &error);
    svg_write(&out, &svg, "a & b");
    assert_ok(writer_end(&out));
    Bytes lines = xml_lines(&text);
    ck_assert(xml_lines_have(&lines, "title", "a & b"));
    ck_assert_uint_eq(xml_lines_count(&lines, "path"), 4);
    ck_assert(strstr(text.data, ", beaten by ") && strstr(text.data, " by 1.250"));
    ck_assert(strstr(text.data, "number 1 of those found"));
    bytes_free(&lines);
    bytes_free(&text);
    svg_free(&svg);
    vocabulary_free(vocabulary);
}
