/* The verbs of the program. To add one: write cmd_VERB.c with its table of options and its `Verb`,
 * declare that here and name it in the list in verbs.c. */
#pragma once

#include "cli/args/options.h"
#include "cli/output.h"

extern const Verb verb_train;
extern const Verb verb_translate;
extern const Verb verb_align;
extern const Verb verb_score;
extern const Verb verb_evaluate;
extern const Verb verb_tokenize;
extern const Verb verb_quantize;
extern const Verb verb_average;
extern const Verb verb_calibrate;
extern const Verb verb_info;
extern const Verb verb_models;
extern const Verb verb_serve;
extern const Verb verb_page;
extern const Verb verb_report;

// All of them, in the order of the overview; NULL behind the last.
enum { MAX_VERBS = 16 };
extern const Verb *const verbs[MAX_VERBS + 1];
