// regard evaluate, called with what does not go together.

#include "support/run.h"
#include "support/suite.h"

#include <string.h>

// What only a model can follow must not be ignored in silence. No file is opened before.
TEST(flags_of_the_other_form)
{
    static const char *const flags[] = {"--group-source", "--beam=3", "--length-normalization=0.5",
                                        "--shortlist", "--threads=1"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        char message[64] = "";
        strncat(message, flags[i], strcspn(flags[i], "="));
        strcat(message, " is for --model FILE and PAIRS; ");
        run_expect_failure(RUN("", "evaluate", "--hypothesis", "/nonexistent", "--reference",
                               "/nonexistent", flags[i]),
                           2, message);
    }
}

TEST(half_a_form)
{
    static const char *const words[][5] = {
        {"--hypothesis", "h"},
        {"--reference", "r"},
        {"--model", "m"},
        {"pairs.tsv"},
        {"--hypothesis", "h", "--reference=r", "pairs.tsv"},
        {"--model", "m", "pairs.tsv", "--reference=r"},
        {"--model", "m", "pairs.tsv", "--hypothesis=h"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *const *w = words[i];
        run_expect_failure(
            run_program((const char *const[]){"evaluate", w[0], w[1], w[2], w[3], NULL}, "", 0,
                        RUN_CAPTURED),
            2, "give either --model FILE and PAIRS, or --hypothesis FILE");
    }
    run_expect_failure(RUN("", "evaluate"), 2,
                       "give either --model FILE and PAIRS, or --hypothesis FILE");
}
