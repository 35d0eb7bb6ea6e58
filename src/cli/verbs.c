#include "cli/verbs.h"

const Verb *const verbs[MAX_VERBS + 1] = {
    &verb_train,    &verb_translate, &verb_align,   &verb_score,     &verb_evaluate,
    &verb_tokenize, &verb_quantize,  &verb_average, &verb_calibrate, &verb_info,
    &verb_models,   &verb_serve,     &verb_page,    &verb_report,
};
