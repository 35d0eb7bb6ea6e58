/* The scores for programs: one JSON object on one line.
 *
 *     {"sentences": 2,
 *      "bleu": {"score": 34.2, "signature": "nrefs:1|…", "brevity_penalty": 1.0,
 *               "hypothesis_tokens": 7, "reference_tokens": 7,
 *               "confidence": [31.0, 37.9],
 *               "against": {"score": 33.1, "difference": 1.1, "better": 0.93, "p": 0.13}},
 *      "chrf2": {"score": …, "signature": …, "confidence": …, "against": …},
 *      "exact": {"count": 1, "share": 0.5},
 *      "by_length": {"of": "source", "unit": "words",
 *                    "buckets": [{"least": 1, "most": 5, "sentences": 2, "bleu": …, "chrf2": …}, …]}}
 *
 * "confidence", "against" and "by_length" are present only if requested. Shares and p are between
 * 0 and 1. "of" is "source" or "first reference", "unit" is "words" or "characters"; "most" of the
 * last bucket is null; buckets without sentences are left out. */
#ifndef REGARD_CLI_EVALUATE_JSON_H
#define REGARD_CLI_EVALUATE_JSON_H

#include "cli/evaluate/evaluation.h"
#include "cli/output.h"

Status evaluation_json(const Evaluation *evaluation, Output *output, Error *error);

#endif
