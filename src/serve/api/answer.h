/* The JSON that answers a job, once its model has worked.
 *
 *     {"translatedText": "…", "alternatives": ["…"], "detectedLanguage": {…}, "alignment": {…}}
 *
 * of JOB_TRANSLATE, where all but the first are there if they were asked for, and {"alignment":
 * {…}} of JOB_ALIGN. If the texts came as an array, each value is one. An alignment is
 *
 *     {"source": ["The", "cat"], "target": ["Le", "chat"], "links": [[0, 0], [1, 1]]}
 *
 * the units of both sides in order, and the links between them by their places. */
#ifndef REGARD_SERVE_API_ANSWER_H
#define REGARD_SERVE_API_ANSWER_H

#include "serve/service/job.h"

/* Sets job->response. `translations` are those of the job's pieces (JOB_TRANSLATE) or of its texts,
 * each with its one given rendering (JOB_ALIGN). Parts of HTML may be translated anew, with
 * `options`. */
void answer_job(Job *job, const Translation *translations, const TranslateOptions *options);

/* The answer where source and target language are the same: the texts themselves, without other
 * translations, and the language if it was `detected`, else NULL. */
void answer_unchanged(Response *response, json_t *texts, bool listed, bool alternatives,
                      const DetectedLanguage *detected);

// {"confidence": 90.0, "language": "fr"}; NULL where memory is short.
json_t *answer_language(const DetectedLanguage *language);

#endif
