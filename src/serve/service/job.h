/* A request that waits for a model: texts to translate or pairs to align. It belongs to its
 * request; from the time it is in the queue until it is answered, to the queue's thread. */
#ifndef REGARD_SERVE_SERVICE_JOB_H
#define REGARD_SERVE_SERVICE_JOB_H

#include "serve/api/response.h"
#include "serve/service/detection.h"
#include "serve/service/passage.h"

typedef enum JobKind { JOB_TRANSLATE, JOB_ALIGN } JobKind;

typedef struct Job {
    JobKind kind;
    ServedModels *models; // a reference
    ServedModel *model;   // one of them
    json_t *texts;        // (count) strings, owned
    json_t *translations; // (count) of JOB_ALIGN, strings, owned
    bool listed;          // they came as an array, and so does the answer
    bool html;            // they are HTML, and so are their translations
    Passage *passages;    // (count) of JOB_TRANSLATE
    size_t count, pieces; // texts, and pieces of all passages
    size_t cost;          // what the job takes of a batch (MAX_BATCH_COST)
    size_t alternatives;  // wanted beside the best translation
    bool alignment;       // wanted
    json_t *prefix;       // what the translation of the only piece begins with; owned, or NULL
    Glossary *glossary;   // of all pieces; owned, or NULL
    bool detected;        // the source language was found, and is part of the answer:
    DetectedLanguage language;
    double since;                    // seconds of the monotonic clock when the queue took it
    Response response;               // once it is answered
    void (*answered)(void *context); // called by the queue's thread; then the job is the request's
    bool (*gone)(void *context);     // whether nobody waits for the answer any more; NULL: never
    void *context;
    struct Job *next; // in the queue
} Job;

// What the jobs of a batch may cost together: each piece, and each text of a pair, 1, and 1 more
// for each COST_LENGTH bytes, those of a prefix or a glossary too. So a batch has some hundred
// sentences.
enum { MAX_BATCH_COST = 1024, COST_LENGTH = 16 };

// What a job is made of: lists of strings.
typedef struct JobTexts {
    json_t *texts;
    json_t *translations; // of JOB_ALIGN; NULL: it is JOB_TRANSLATE
    bool html;
} JobTexts;

/* A job for one of `models`, to which it takes a reference, and the texts, of which it takes over
 * the references, even on failure. Freed by job_free. */
Status job_new(Job **job, ServedModels *models, ServedModel *model, JobTexts texts, Error *error);

// Has the translation of the only piece begin with `prefix`, a string, to which it takes a
// reference.
void job_set_prefix(Job *job, json_t *prefix);

// Has the translations have the terms of a glossary, which it takes over, of so many bytes in all.
void job_set_glossary(Job *job, Glossary *glossary, size_t bytes);

void job_free(Job *job); // NULL is allowed

// Text i of a list of strings.
TextView json_text_at(const json_t *texts, size_t i);

#endif
