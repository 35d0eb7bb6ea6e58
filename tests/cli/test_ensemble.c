// regard translate and evaluate with several models.

#include "support/run.h"
#include "support/scratch.h"
#include "support/suite.h"
#include "support/tiny_model.h"
#include "support/trained_model.h"

#include <string.h>

static const char *a, *b;

static void set_up(void)
{
    a = scratch_path("a");
    b = scratch_path("b");
    tiny_model_write(a, 1);
    tiny_model_write(b, 2);
}

TESTS_SHARE(set_up, .seconds = 60)

// Twice the same model is that model; two different ones are neither.
TEST(translate)
{
    static const char input[] = "some words\nothers to say\n";
    Run alone = RUN(input, "translate", "--model", a);
    Run twice = RUN(input, "translate", "--model", a, "--model", a);
    Run both = RUN(input, "translate", "--model", a, "--model", b, "--json");
    run_expect_done(alone);
    run_expect_done(twice);
    run_expect_done(both);
    ck_assert_str_eq(bytes_text(&alone.out), bytes_text(&twice.out));
    assert_contains(bytes_text(&both.out), "\"translations\"");
}

TEST(refusals)
{
    TrainedModel other = trained_model_make(); // another vocabulary
    run_expect_said(RUN("x\n", "translate", "--model", a, "--model", other.model), 1,
                    "its vocabulary differs from that of");
    run_expect_said(RUN("x\n", "translate", "--model", a, "--model", b, "--shortlist"), 2,
                    "--shortlist is for one --model");
}

TEST(evaluate)
{
    Run run = run_expect_done(
        RUN("some words\tsome words\n", "evaluate", "--model", a, "--model", b, "-"));
    assert_contains(bytes_text(&run.out), "BLEU");
}
