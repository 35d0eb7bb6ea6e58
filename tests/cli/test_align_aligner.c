// regard align without --model: links learned from the pairs themselves.

#include "cli/few_pairs.h"
#include "support/run.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>

static const char links[] = "0-0 1-1\n0-0 1-1\n\n0-0 1-1\n0-0 1-1\n0-0 1-1 2-2 3-3\n";

TEST(links_are_learned, .seconds = 30)
{
    static const char *const threads[] = {"1", "3"};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        run_expect_output(RUN(pairs, "align", "--threads", threads[i], "-"), links);
    }
    static const char *const ways[] = {"intersection", "union", "grow-diag-final-and"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        run_expect_output(RUN(pairs, "align", "--symmetrize", ways[i], "-"), links);
    }
}

TEST(more_pairs_and_gold, .seconds = 30)
{
    const char *more = scratch_text("more.tsv", pairs);
    run_expect_output(RUN("the house here\tla maison ici\n", "align", "--train", more, "-"),
                      "0-0 1-1 2-2\n");
    run_expect_output(RUN("the house here\tla maison ici\n", "align", "--train", more, "--gold",
                          scratch_text("gold", "0-0 1-1 2?2\n"), "-"),
                      "AER 0.00 %  precision 100.00 %  recall 100.00 %  (1 pairs: 3 links; gold: 2 "
                      "sure, 3 possible; words, words)\n");
}

TEST(units, .seconds = 30)
{
    run_expect_output(RUN("a\t我们\n", "align", "--units", "characters", "-"), "0-0 0-1\n");
    run_expect_output(RUN("a\t我们\n", "align", "--units", "words", "-"), "0-0\n");
}

TEST(usage, .seconds = 30)
{
    static const char *const of_models[][2] = {
        {"--explain", "1"},
        {"--head", "1"},
        {"--reverse", "x"},
        {"--precision", "float32"},
    };
    for (size_t i = 0; i < sizeof of_models / sizeof *of_models; i++) {
        run_expect_failure(RUN(pairs, "align", of_models[i][0], of_models[i][1], "-"), 2,
                           of_models[i][0]);
    }
    run_expect_failure(RUN(pairs, "align", "--json", "-"), 2, "--json");
    run_expect_failure(RUN(pairs, "align", "--model", "x", "--train", "y", "-"), 2, "--train");
    run_expect_failure(RUN(pairs, "align", "--train", "/nonexistent", "-"), 1, "/nonexistent");
    run_expect_failure(RUN(pairs, "align", "--gold", "/nonexistent", "-"), 1, "/nonexistent");
}
