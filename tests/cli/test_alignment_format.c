// The forms of alignments, which align and translate write alike.

#include "cli/one_model.h"
#include "support/xml_lines.h"

#include <jansson.h>
#include <string.h>

static const char nasty[] = "the </script> cat\tle <b> &amp; \"chat\"\n";
static const char pairs[] = "the red cat\tle chat rouge\n\tle\nthe\t\n\t\nthe dog\tle chien\n";
enum { PAIRS = 5 };

static Run align(const char *input, const char *format)
{
    return RUN(input, "align", "--model", trained.model, "--format", format, "-");
}

static Run translate(const char *input, const char *alignment)
{
    return RUN(input, "translate", "--model", trained.model, alignment);
}

// The JSON in a page; freed by json_decref.
static json_t *data_of(const Run *run)
{
    static const char mark[] = "type=\"application/json\">";
    const char *begin = strstr(run->out.data, mark);
    ck_assert_ptr_nonnull(begin);
    begin += sizeof mark - 1;
    json_t *json = json_loadb(begin, (size_t)(strstr(begin, "</script>") - begin), 0, NULL);
    ck_assert_ptr_nonnull(json);
    return json;
}

static json_t *pair_of(const json_t *data, size_t i)
{
    return json_array_get(json_object_get(data, "pairs"), i);
}

static const char *first_word(const json_t *pair, const char *side)
{
    json_t *words = json_object_get(json_object_get(pair, "words"), side);
    return json_string_value(json_array_get(words, 0));
}

static void expect_svg(const Run *run, size_t pictures)
{
    Bytes lines = xml_lines(&run->out);
    ck_assert_uint_eq(xml_lines_count(&lines, "g"), pictures);
    bytes_free(&lines);
}

TESTS_SHARE(train_once, .seconds = 60)

TEST(svg)
{
    Run run = run_expect_done(align(pairs, "svg"));
    expect_svg(&run, 2); // pairs without words have no picture
    assert_contains(run.out.data, "Alignments by model.safetensors, additive attention, 5 pairs");
    run = run_expect_done(align(nasty, "svg"));
    expect_svg(&run, 1);
    run = run_expect_done(translate("the red cat\n\nthe dog\n", "--alignment=svg"));
    expect_svg(&run, 2);
    run = run_expect_done(translate("", "--alignment=svg"));
    expect_svg(&run, 0);
}

TEST(html)
{
    Run run = run_expect_done(align(pairs, "html"));
    json_t *data = data_of(&run);
    ck_assert_uint_eq(json_array_size(json_object_get(data, "pairs")), PAIRS);
    ck_assert_str_eq(json_string_value(json_object_get(data, "model")), "model.safetensors");
    ck_assert_str_eq(json_string_value(json_object_get(data, "attention")), "additive");
    ck_assert_str_eq(first_word(pair_of(data, 4), "target"), "le");
    json_decref(data);

    run = run_expect_done(align(nasty, "html"));
    data = data_of(&run);
    ck_assert_str_eq(first_word(pair_of(data, 0), "source"), "the");
    json_decref(data);

    run = run_expect_done(RUN("the red cat\n\nthe dog\n", "translate", "--model", trained.model,
                              "--alignment=html", "--n-best", "2"));
    data = data_of(&run);
    ck_assert_uint_eq(json_array_size(json_object_get(data, "pairs")), 2 + 1 + 2);
    ck_assert_ptr_null(first_word(pair_of(data, 2), "target"));
    ck_assert_str_eq(first_word(pair_of(data, 3), "source"), "the");
    json_decref(data);

    run = run_expect_done(translate("", "--alignment=html"));
    data = data_of(&run);
    ck_assert_uint_eq(json_array_size(json_object_get(data, "pairs")), 0);
    json_decref(data);
}

// A line for each line, an empty one too, and the same numbers that align gives for the same pair.
TEST(soft)
{
    Run run = run_expect_done(translate("the red cat\n\n", "--alignment=soft"));
    json_t *first = json_loads(run.out.data, JSON_DISABLE_EOF_CHECK, NULL);
    json_t *second = json_loads(strchr(run.out.data, '\n') + 1, 0, NULL);
    ck_assert(first && second);
    ck_assert_uint_eq(json_array_size(json_object_get(first, "source_words")), 3);
    ck_assert_uint_eq(json_array_size(json_object_get(second, "source_words")), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(second, "weights")), 1); // that of </s>
    json_decref(first);
    json_decref(second);

    Run text = run_expect_done(RUN("the red cat\n", "translate", "--model", trained.model));
    Bytes pair = {0};
    assert_ok(bytes_append_format(&pair, NULL, "the red cat\t%s", text.out.data));
    Run given = run_expect_done(align(pair.data, "soft"));
    ck_assert_uint_ge(run.out.length, given.out.length);
    const char *links = strstr(given.out.data, "\"links\"");
    assert_contains(run.out.data, links);
    bytes_free(&pair);
}

TEST(heatmap)
{
    Run run = run_expect_done(translate("the red cat\n\nthe dog\n", "--alignment=heatmap"));
    assert_contains(run.out.data, " \u2502");
    assert_contains(run.out.data, "\u2502\n\n\n"); // the empty line's picture is empty
    ck_assert_ptr_null(strstr(run.out.data, "|||"));
}

// Links behind the text, whether pharaoh is said or not.
TEST(pharaoh)
{
    Run bare = translate("the red cat\n", "--alignment");
    Run named = translate("the red cat\n", "--alignment=pharaoh");
    run_expect_done(bare);
    assert_contains(bare.out.data, " ||| ");
    ck_assert_str_eq(bare.out.data, named.out.data);
}

// A model with heads gives the page their mean and each of them, or the one that is asked for.
TEST(heads)
{
    const char *path = scratch_path("heads");
    Run run =
        run_expect_done(RUN("", "train", "--train", trained.corpus, "--model", path, TRAINED_FLAGS,
                            "--max-epochs", "1", "--attention", "multi-head", "--heads", "2"));
    for (size_t head = 0; head < 3; head++) {
        const char *number = scratch_format("--head=%zu", head);
        const char *expected = scratch_format("head %zu of multi-head", head);
        run = run_expect_done(RUN(pairs, "align", "--model", path, "--format", "html", "-",
                                  head ? number : "--threads=2"));
        json_t *data = data_of(&run);
        json_t *words = json_object_get(pair_of(data, 0), "words");
        ck_assert_int_eq(json_integer_value(json_object_get(data, "heads")), head ? 1 : 2);
        ck_assert_uint_eq(json_array_size(json_object_get(words, "weights")), head ? 1 : 3);
        ck_assert_str_eq(json_string_value(json_object_get(data, "attention")),
                         head ? expected : "multi-head");
        json_decref(data);
    }
    run = run_expect_done(RUN("the red cat\n\n", "translate", "--model", path, "--alignment=html"));
    json_t *data = data_of(&run);
    for (size_t i = 0; i < 2; i++) {
        json_t *words = json_object_get(pair_of(data, i), "words");
        ck_assert_uint_eq(json_array_size(json_object_get(words, "weights")), 3);
    }
    json_decref(data);
}

TEST(refuses)
{
    static const char *const documents[] = {"svg", "html"};
    run_expect_failure(translate("a\n", "--alignment=png"), 2,
                       "--alignment is \"png\"; it must be pharaoh, soft, heatmap, svg or html");
    run_expect_failure(RUN("a\n", "translate", "--model", trained.model, "--alignment", "html"), 2,
                       "unexpected \"html\"");
    Run run = RUN("a\n", "translate", "--model", trained.model, "--alignment=svg", "--json");
    run_expect_failure(run, 2, "--json and --alignment=svg conflict");
    for (size_t i = 0; i < 2; i++) {
        const char *format = documents[i];
        run_expect_failure(
            RUN("", "align", "--model", trained.model, "--format", format, "/nonexistent"), 1,
            "/nonexistent: cannot be opened");
        run_expect_failure(RUN_INTO(RUN_FULL_DISK, pairs, "align", "--model", trained.model,
                                    "--format", format, "-"),
                           1, "No space left on device");
        // what stands before a bad line is in a document that can be read
        run = align("the cat\tle chat\nno tab\n", format);
        run_expect_said(run, 1, "standard input:2: has no TAB");
        assert_contains(run.out.data, i ? "</html>\n" : "</svg>\n");
        run_expect_done(RUN_INTO(RUN_CLOSED_BY_READER, pairs, "align", "--model", trained.model,
                                 "--format", format, "-"));
    }
}
