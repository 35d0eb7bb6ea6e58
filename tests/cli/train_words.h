// A short training as a user runs it, and the check that its model translates.
#pragma once

#include "support/suite.h"
#include "support/trained_model.h"

#define TRAIN(corpus, model) "train", "--train", corpus, "--model", model, TRAINED_FLAGS

static inline void expect_loads(const char *model)
{
    Run run = run_expect_done(RUN("the red cat .\n", "translate", "--model", model));
    ck_assert_uint_gt(run.out.length, 1);
}
