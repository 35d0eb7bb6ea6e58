// What /inspect answers, docs/server.md: what a translation came from.
#pragma once

#include "serve/service/job.h"

/* Adds to the answer of a job that inspects its only piece, whose translation this is:
 *
 *     {"translatedText": "…", "source": ["▁The", …], "target": ["▁Le", …], "texts": ["Le", " chat", …],
 *      "attention": [[…], …], "log_probabilities": […], "score": -0.3, "tree": [{…}, …],
 *      "explanation": {…}}
 *
 * STATUS_ARGUMENT for a step that is not there. */
Status inspection_add(json_t *answer, const Job *job, const Translation *translation, Error *error);
