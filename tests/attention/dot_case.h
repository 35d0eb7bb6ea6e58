// What the tests of dot products by hand share.
#pragma once

#include "support/assert_close.h"
#include "support/attention_case.h"

/* Ends a case whose query (ln 3, 0) meets the annotations (1, 5) and (0, 2):
 * α = 3/4, 1/4 and c = 3/4 (1, 5) + 1/4 (0, 2). */
static void check_context(AttentionCase *subject)
{
    attention_case_set(subject->memory.annotations.values, (const double[]){1, 5, 0, 2}, 4);
    attention_case_forward(subject);
    assert_close(subject->alpha[0], (const double[]){.75, .25}, 2, 1e-6, 0, "alpha");
    assert_close(subject->step.context.values, (const double[]){.75, 4.25}, 2, 1e-6, 0, "context");
    attention_case_end(subject);
}
