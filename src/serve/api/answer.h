/* The JSON that answers a job, once its model has worked.
 *
 *     {"translatedText": "…", "alternatives": ["…"], "detectedLanguage": {…}, "alignment": {…}}
 *
 * of texts that are translated, where all but the first are there if they were asked for, and
 * {"alignment": {…}} of pairs. If the texts came as an array, each value is one. An alignment is
 *
 *     {"source": ["The", "cat"], "target": ["Le", "chat"], "links": [[0, 0], [1, 1]],
 *      "confidence": [0.97, 0.88]}
 *
 * the units of both sides in order, the links between them by their places, and the probability that
 * each of the target is right. With it come "confidence", that of the whole text, both if the model has
 * learned them (translate/confidence.h), and "senses", what a word or short text stands for elsewhere:
 * [{"word": "chambre", "share": 0.41}], else []. */
#pragma once

#include "serve/service/job.h"

/* Sets job->response. `translations` are those of the job's pieces, or of its texts, each with its one
 * given rendering. Parts of HTML may be translated anew, with `options`. */
void answer_job(Job *job, const Translation *translations, const TranslateOptions *options);

// The same where source and target language are the same: the texts themselves, without others.
void answer_unchanged(Job *job);

// {"confidence": 90.0, "language": "fr"}; NULL where memory is short.
json_t *answer_language(const DetectedLanguage *language);

/* What /inspect answers (docs/server.md): adds to the answer of a job that inspects its only piece what its
 * translation came from (serve/api/inspection.c):
 *
 *     {"translatedText": "…", "source": ["▁The", …], "target": ["▁Le", …], "texts": ["Le", " chat", …],
 *      "attention": [[…], …], "log_probabilities": […], "score": -0.3, "tree": [{…}, …],
 *      "explanation": {…}}
 *
 * STATUS_ARGUMENT for a step that is not there. */
Status inspection_add(json_t *answer, const Job *job, const Translation *translation, Error *error);
