// regard align and translate: --from, what alignments are read from.

#include "support/suite.h"
#include "support/trained_model.h"

#include <jansson.h>
#include <string.h>

static TrainedModel plain; // made once, before the tests fork: without an aligner
static const char *guided; // with one
static const char pair[] =
    "the red cat sees the old dog .\tle chat rouge voit le chien vieille .\n";
static const char right[] = "0-0 1-2 2-1 3-3 4-4 5-6 6-5 7-7\n";

static void set_up(void)
{
    plain = trained_model_make();
    guided = scratch_path("guided.safetensors");
    run_expect_done(RUN("", "train", "--train", plain.corpus, "--model", guided, "--guide", "auto",
                        "--max-epochs", "1", TRAINED_FLAGS));
}

TESTS_SHARE(set_up, .seconds = 60)

// A model that has learned nothing but carries the aligner links what the aligner knows.
TEST(links)
{
    run_expect_output(RUN(pair, "align", "--model", guided, "-"), right);
    run_expect_output(RUN(pair, "align", "--model", guided, "--from", "table", "-"), right);
    Run attention =
        run_expect_done(RUN(pair, "align", "--model", guided, "--from", "attention", "-"));
    ck_assert_str_ne(attention.out.data, right);
    const char *gold = scratch_text("gold", right);
    Run error_rate = run_expect_done(RUN(pair, "align", "--model", guided, "--gold", gold, "-"));
    assert_contains(error_rate.out.data, "AER 0.00 %");
    run_expect_output(RUN(pair, "align", "--model", guided, "--threshold", "1", "-"), "\n");
}

TEST(without_an_aligner)
{
    Run links = RUN(pair, "align", "--model", plain.model, "-");
    Run attention = RUN(pair, "align", "--model", plain.model, "--from", "attention", "-");
    run_expect_done(links);
    run_expect_output(attention, links.out.data);
    run_expect_failure(RUN(pair, "align", "--model", plain.model, "--from", "both", "-"), 1,
                       "carries no aligner; train it with --guide auto");
    Run text =
        RUN("the cat\n", "translate", "--model", plain.model, "--alignment", "--from", "table");
    assert_contains(text.error.data, plain.model); // it is named
    run_expect_failure(text, 1, "carries no aligner; train it with --guide auto");
    run_expect_failure(RUN(pair, "align", "--from", "table", "-"), 2, "--from needs a model");
}

// Attention is drawn unless --from asks for more; links are always the best there are.
TEST(matrices)
{
    static const char *const from[] = {NULL, "attention", "both", "table"};
    for (size_t n = 0; n < 4; n++) {
        Run run = run_expect_done(
            from[n]
                ? RUN(pair, "align", "--model", guided, "--format", "soft", "--from", from[n], "-")
                : RUN(pair, "align", "--model", guided, "--format", "soft", "-"));
        json_t *json = json_loads(run.out.data, 0, NULL), *row;
        ck_assert_ptr_nonnull(json);
        row = json_array_get(json_object_get(json, "weights"), 0);
        // a subword of 猫 gets nearly all of it from the aligner, and a little of an untrained
        // attention
        double most = 0;
        for (size_t s = 0; s < json_array_size(row); s++) {
            double weight = json_number_value(json_array_get(row, s));
            if (weight > most) most = weight;
        }
        ck_assert_msg(n < 2 ? most < 0.5 : most > 0.9, "%zu: %g", n, most);
        const char *links = json_string_value(json_object_get(json, "links"));
        if (n != 1) ck_assert_str_eq(links, "0-0 1-2 2-1 3-3 4-4 5-6 6-5 7-7");
        ck_assert((json_object_get(json, "only_aligner") != NULL) == (n != 1));
        json_decref(json);
    }
}

// Pictures say what they show.
TEST(pictures_say_what_they_show)
{
    Run attention = run_expect_done(RUN(pair, "align", "--model", guided, "--format", "svg", "-"));
    assert_contains(attention.out.data, "additive attention, 1 pair");
    Run both = run_expect_done(
        RUN(pair, "align", "--model", guided, "--format", "svg", "--from", "both", "-"));
    assert_contains(both.out.data, "additive attention and the aligner, 1 pair");
    Run page = run_expect_done(
        RUN("the cat\n", "translate", "--model", guided, "--alignment=html", "--from", "table"));
    assert_contains(page.out.data, "\"shows\":\"the aligner alone\"");
    Run differ = run_expect_done(RUN(pair, "align", "--model", guided, "--format", "html", "-"));
    assert_contains(differ.out.data, "\"differ\":[\"");
    ck_assert_ptr_null(strstr(differ.out.data, "\"shows\""));
}

// The int8 model carries it as well.
TEST(quantised)
{
    const char *small = scratch_path("small.safetensors");
    run_expect_done(RUN("", "quantize", guided, "-o", small));
    run_expect_output(RUN(pair, "align", "--model", small, "-"), right);
}
