// --shortlist, which training leaves in its models.

#include "cli/one_model.h"

#include <string.h>

TESTS_SHARE(train_once, .seconds = 60)

/* 320 tokens are those that are always in and what the corpus has: nothing is lost. */
TEST(translates_with_it)
{
    static const char sentences[] =
        "the red cat sees the old dog .\nthe new boat takes the car .\n";
    Run info = RUN("", "info", trained.model);
    assert_contains(info.out.data, "\nshortlist     ");
    const char *small = scratch_path("int8");
    run_expect_done(RUN("", "quantize", trained.model, "-o", small));
    const char *models[] = {trained.model, small};
    for (size_t i = 0; i < 2; i++) {
        Run with = RUN(sentences, "translate", "--model", models[i], "--shortlist");
        Run without = RUN(sentences, "translate", "--model", models[i]);
        run_expect_done(with);
        run_expect_done(without);
        ck_assert_str_eq(with.out.data, without.out.data);
        run_expect_done(RUN("", "evaluate", "--model", models[i], "--shortlist", trained.corpus));
    }
}

TEST(a_model_without)
{
    const char *model = scratch_path("none.safetensors");
    run_expect_done(RUN("", "train", "--train", trained.corpus, "--model", model, TRAINED_FLAGS,
                        "--max-epochs", "1", "--attention", "none"));
    run_expect_failure(RUN("a\n", "translate", "--model", model, "--shortlist"), 1,
                       "none.safetensors: has no shortlist, like all models");
    run_expect_failure(RUN("", "evaluate", "--model", model, "--shortlist", trained.corpus), 1,
                       "none.safetensors: has no shortlist");
    run_expect_failure(RUN("", "evaluate", "--hypothesis", "x", "--reference", "y", "--shortlist"),
                       2, "--shortlist is for --model FILE and PAIRS");
}
