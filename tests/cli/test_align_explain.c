// The page that `regard align --explain` prints, and the verb with a model.

#include "cli/align/align.h"
#include "io/json.h"

#include "support/failing_malloc.h"
#include "support/run.h"
#include "support/scratch.h"
#include "support/suite.h"
#include "support/tiny_corpus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// docs/attention.md's example, with subwords from two scripts.
static float state[] = {0.6F, 0.4F};
static float query[] = {0.48F, 0.54F};
static float energies[] = {0.6073F, 0.7698F, 0.6350F, 0.7162F};
static float weights[] = {0.2315F, 0.2724F, 0.2380F, 0.2581F};
static float context[] = {0.4523F, 0.4660F, -1, 0, 1};

static float annotations[4 * 5] = {0.2F, 0.3F};
static float gates[] = {0.25F, 0.5F, 0.75F, 1};
static float readout[] = {-1, 0, 1};

static const Explanation example = {
    .annotations = annotations,
    .gates = gates,
    .readout_size = 3,
    .readout = readout,
    .likeliest = {{7, -0.25F}, {8, -2}},
    .likeliest_count = 2,
    .state_size = 2,
    .query_size = 2,
    .heads = 1,
    .positions = 4,
    .context_size = 5,
    .state = state,
    .query = query,
    .energies = energies,
    .weights = weights,
    .context = context,
    .log_p = -0.25,
};

typedef void WriteStep(Writer *out, const ExplainedStep *step);

static Status write_step(WriteStep *write, Bytes *out, const Explanation *explanation,
                         const AttentionScorer *scorer, size_t head)
{
    Span places[3][4] = {
        {{0, 5}, {5, 11}, {11, 17}, {17, 21}}, {{0, 3}, {3, 7}}, {{0, 4}, {4, 7}, {7, 29}}};
    Spans source = {places[0], 4, 4}, target = {places[1], 2, 2}, likeliest = {places[2], 3, 3};
    ExplainedStep step = {.explanation = explanation,
                          .scorer = scorer,
                          .source = {"▁le我们好吗</s>", &source},
                          .target = {"the</s>", &target},
                          .likeliest = {"</s>theparliamentary-assembly", &likeliest},
                          .pair = 3,
                          .target_subword = 1,
                          .head = head};
    Writer writer = writer_start(out, NULL);
    write(&writer, &step);
    return writer_end(&writer);
}

static Status write_page(Bytes *out, const Explanation *explanation, const AttentionScorer *scorer,
                         size_t head)
{
    return write_step(align_explain_write, out, explanation, scorer, head);
}

static Status write_example(Bytes *out, const Explanation *explanation)
{
    return write_page(out, explanation, &attention_additive, 0);
}

// What follows the context.
#define DECODER                                                                                    \
    "gate r of s_t             [ 0.2500  0.5000]  D = 2\n"                                         \
    "gate z of s_t             [ 0.7500  1.0000]  D = 2\n"                                         \
    "readout r_t               [-1.0000  0.0000  1.0000]  E = 3\n"                                 \
    "p = softmax(E_out r_t + b) </s> 0.7788  the 0.1353\n"

TEST(page)
{
    Bytes out = {0};
    assert_ok(write_example(&out, &example));
    ck_assert_str_eq(
        out.data, "pair 3, target subword 1: </s>    log p = -0.2500\n"
                  "s = s_{t-1}               [ 0.6000  0.4000]  D = 2\n"
                  "q_t = W_a s + b_a         [ 0.4800  0.5400]  A = 2\n"
                  "\n"
                  "source subword  e_tj = vᵀ tanh(q_t + U_a h_j)  α_tj = softmax(e_t)\n"
                  "0 ▁le                                  0.6073  0.2315 ██▊\n"
                  "1 我们                                 0.7698  0.2724 ███▎\n"
                  "2 好吗                                 0.6350  0.2380 ██▉\n"
                  "3 </s>                                 0.7162  0.2581 ███▏\n"
                  "\n"
                  "c_t = Σ_j α_tj h_j        [ 0.4523  0.4660 -1.0000  0.0000 …]  C = 5\n" DECODER);
    bytes_free(&out);
}

// A line of 80 columns has no more of the likeliest subwords than it holds.
TEST(many_likeliest)
{
    Explanation explanation = example;
    Bytes out = {0};
    explanation.likeliest_count = 3;
    assert_ok(write_example(&out, &explanation));
    assert_contains(out.data, "+ b) </s> 0.7788  the 0.1353\n"
                              "                           parliamentary-assembly 1.0000\n");
    bytes_free(&out);
}

// Numbers that are none are printed, and have no bar; the whole weight has the whole bar.
TEST(extreme_weights)
{
    float extremes[] = {NAN, 0, 1, 1e-9F};
    Explanation explanation = example;
    Bytes out = {0};
    explanation.weights = extremes;
    assert_ok(write_example(&out, &explanation));
    assert_contains(out.data, "0.6073  nan\n");
    assert_contains(out.data, "0.7698  0.0000\n");
    assert_contains(out.data, "0.6350  1.0000 ████████████\n");
    assert_contains(out.data, "0.7162  0.0000\n");
    bytes_free(&out);
}

// A table for each head, or for the one that is asked for.
TEST(heads)
{
    float two_energies[] = {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F, 0.7F, 0.8F};
    float two_weights[] = {1, 0, 0, 0, 0, 0, 0, 1};
    Explanation explanation = example;
    Bytes out = {0};
    explanation.heads = 2;
    explanation.energies = two_energies;
    explanation.weights = two_weights;
    assert_ok(write_page(&out, &explanation, &attention_multi_head, 0));
    assert_contains(out.data, "q_t = W_q s / √(A/heads)");
    assert_contains(out.data, "\nhead 1,");
    assert_contains(out.data, "  0.1000  1.0000 ██");
    assert_contains(out.data, "\nhead 2,");
    assert_contains(out.data, "  0.8000  1.0000 ██");
    bytes_clear(&out);
    assert_ok(write_page(&out, &explanation, &attention_multi_head, 2));
    ck_assert_ptr_null(strstr(out.data, "head 1,"));
    assert_contains(out.data, "head 2,");
    bytes_free(&out);
}

TEST(no_attention)
{
    float even[] = {0.25F, 0.25F, 0.25F, 0.25F};
    Explanation explanation = example;
    Bytes out = {0};
    explanation.energies = NULL;
    explanation.query_size = 0;
    explanation.weights = even;
    assert_ok(write_page(&out, &explanation, &attention_none, 0));
    ck_assert_str_eq(
        out.data, "pair 3, target subword 1: </s>    log p = -0.2500\n"
                  "s = s_{t-1}               [ 0.6000  0.4000]  D = 2\n"
                  "no attention: there is no query, and all subwords have the same weight\n"
                  "\n"
                  "source subword  α_tj = 1 / S\n"
                  "0 ▁le           0.2500 ███\n"
                  "1 我们          0.2500 ███\n"
                  "2 好吗          0.2500 ███\n"
                  "3 </s>          0.2500 ███\n"
                  "\n"
                  "c_t = Σ_j h_j / S         [ 0.4523  0.4660 -1.0000  0.0000 …]  C = 5\n" DECODER);
    bytes_free(&out);
}

static void write_json(Writer *out, const ExplainedStep *step)
{
    json_write(out, explanation_json(step), JSON_COMPACT | JSON_REAL_PRECISION(9));
}

// The step as JSON; to be freed.
static json_t *example_json(const Explanation *explanation, const AttentionScorer *scorer,
                            size_t head)
{
    Bytes out = {0};
    assert_ok(write_step(write_json, &out, explanation, scorer, head));
    json_t *json = json_loadb(out.data, out.length, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(json);
    bytes_free(&out);
    return json;
}

// Every number comes back with its bits.
static void expect_numbers(const json_t *list, const float *values, size_t count)
{
    ck_assert_uint_eq(json_array_size(list), count);
    for (size_t i = 0; i < count; i++) {
        float value = (float)json_number_value(json_array_get(list, i));
        ck_assert_mem_eq(&value, &values[i], sizeof value);
    }
}

TEST(json)
{
    Explanation explanation = example;
    float odd[] = {1.0F / 3, 1e-30F, -1.17549435e-38F, 3.40282347e38F, 0.1F};
    explanation.context = odd;
    json_t *json = example_json(&explanation, &attention_additive, 0);
    const json_t *heads = json_object_get(json, "heads"), *head = json_array_get(heads, 0);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "pair")), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "target_subword")), 1);
    ck_assert_str_eq(json_string_value(json_object_get(json, "token")), "</s>");
    ck_assert_str_eq(json_string_value(json_object_get(json, "attention")), "additive");
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(json, "source"), 1)), "我们");
    ck_assert_double_eq(json_number_value(json_object_get(json, "log_probability")), -0.25);
    expect_numbers(json_object_get(json, "state"), state, 2);
    expect_numbers(json_object_get(json, "query"), query, 2);
    expect_numbers(json_object_get(json, "context"), odd, 5);
    ck_assert_uint_eq(json_array_size(heads), 1);
    expect_numbers(json_object_get(head, "energies"), energies, 4);
    expect_numbers(json_object_get(head, "weights"), weights, 4);
    expect_numbers(json_array_get(json_object_get(json, "annotations"), 0), annotations, 5);
    expect_numbers(json_object_get(json, "readout"), readout, 3);
    const json_t *gate = json_array_get(json_object_get(json, "gates"), 0);
    expect_numbers(json_object_get(gate, "reset"), gates, 2);
    expect_numbers(json_object_get(gate, "update"), gates + 2, 2);
    const json_t *likely = json_array_get(json_object_get(json, "likeliest"), 1);
    ck_assert_str_eq(json_string_value(json_object_get(likely, "token")), "the");
    ck_assert_double_eq(json_number_value(json_object_get(likely, "log_probability")), -2);
    json_decref(json);

    // one of two heads; no attention; numbers that JSON does not have
    float two[] = {0.1F, 0.2F, 0.3F, 0.4F, NAN, 0.6F, 0.7F, INFINITY};
    explanation.heads = 2;
    explanation.energies = explanation.weights = two;
    json = example_json(&explanation, &attention_multi_head, 2);
    heads = json_object_get(json, "heads");
    head = json_array_get(heads, 0);
    ck_assert_uint_eq(json_array_size(heads), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(head, "head")), 2);
    ck_assert(json_is_null(json_array_get(json_object_get(head, "weights"), 0)));
    ck_assert(json_is_null(json_array_get(json_object_get(head, "weights"), 3)));
    json_decref(json);
    explanation.heads = 1;
    explanation.query_size = 0;
    explanation.energies = NULL;
    json = example_json(&explanation, &attention_none, 0);
    head = json_array_get(json_object_get(json, "heads"), 0);
    ck_assert(json_is_null(json_object_get(json, "query")));
    ck_assert(json_is_null(json_object_get(head, "energies")));
    json_decref(json);
}

static void fail_each_allocation(WriteStep *write)
{
    while (failing_malloc_next()) {
        Bytes out = {0};
        failing_malloc_expect(write_step(write, &out, &example, &attention_additive, 0));
        bytes_free(&out);
    }
}

TEST(out_of_memory)
{
    json_watch();
    fail_each_allocation(align_explain_write);
    fail_each_allocation(write_json);
}

/* The weights of the table of a page, S of them, against the first row of "weights" of --format soft. */
static void expect_same_weights(const char *page, const char *soft)
{
    const char *line = strstr(page, "softmax(e_t)\n"), *weight = strstr(soft, "\"weights\": [[");
    ck_assert(line && weight);
    line = strchr(line, '\n') + 1;
    weight += strlen("\"weights\": [[");
    for (;; line = strchr(line, '\n') + 1) {
        char *end;
        double expected = strtod(weight, &end), printed = 0;
        const char *columns = line + strcspn(line, " ") + 1; // behind the number
        columns += strcspn(columns, " ");                    // and the subword
        ck_assert_int_eq(sscanf(columns, "%*f %lf", &printed), 1);
        ck_assert_double_eq_tol(printed, expected, 6e-5);
        if (*end == ']') break;
        weight = end + 1;
    }
    ck_assert_int_eq(strncmp(strchr(line, '\n'), "\n\n", 2), 0); // the table ends with it
}

TEST(verb)
{
    const char *corpus = scratch_path("corpus.tsv");
    const char *model = scratch_path("model"), *pair = "one two three\tun deux trois\n";
    tiny_corpus_write(corpus);
    run_expect_done(
        RUN("", "train", "--train", corpus, "--model", model, "--max-epochs", "2", TINY_TRAINING));
    Run page = RUN(pair, "align", "--model", model, "--explain", "0", "-");
    Run soft = RUN(pair, "align", "--model", model, "--format", "soft", "-");
    ck_assert_msg(page.status == 0 && page.error.length == 0, "%s", page.error.data);
    ck_assert_int_eq(strncmp(page.out.data, "pair 1, target subword 0: ▁un", 27), 0);
    expect_same_weights(page.out.data, soft.out.data);

    // a word instead of its number: all of its subwords, at each of its places
    Run word = RUN("one two one\tun deux un\n", "align", "--model", model, "--explain", "un", "-");
    Run first = RUN("one two one\tun deux un\n", "align", "--model", model, "--explain", "0", "-");
    run_expect_done(word);
    ck_assert_int_eq(strncmp(word.out.data, first.out.data, first.out.length), 0);
    assert_contains(word.out.data + first.out.length, "▁un    log p");
    run_expect_failure(
        RUN("one\tun\none\tune\n", "align", "--model", model, "--explain", "deux", "-"), 1,
        "--explain deux: 2 pairs do not have that word in the target; the first is pair 1\n");
    run_expect_failure(
        RUN("one\tun\none\tune\n", "align", "--model", model, "--explain", "one", "-"), 1,
        "; the first is pair 1, which has it in the source");

    // a pair that has no such subword is an error, and the others have their pages
    Run short_pair =
        RUN("one\t\none two three\tun deux trois\n", "align", "--model", model, "--explain=1", "-");
    run_expect_said(short_pair, 1,
                    "--explain 1: 1 pair does not have as many target subwords; the first, pair 1, "
                    "has 0 to 0, the last of them </s>");
    ck_assert_int_eq(strncmp(short_pair.out.data, "pair 2, target subword 1: ", 26), 0);
    run_expect_failure(
        RUN("one\t\none\t\n", "align", "--model", model, "--explain", "99", "--json", "-"), 1,
        "--explain 99: 2 pairs do not have as many target subwords; the first, pair 1, has "
        "0 to 0, the last of them </s>");
    run_expect_failure(
        RUN(pair, "align", "--model", model, "--explain", "0", "--format", "soft", "-"), 2,
        "--format and --explain conflict; give only one");
}
