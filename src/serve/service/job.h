/* Texts of a request that wait for a model, to be translated or to be aligned with translations. A
 * job belongs to its request; from the time it is in the queue until it is answered, to the
 * service's thread. */
#pragma once

#include "html/document.h"
#include "serve/api/response.h"
#include "serve/service/detection.h"

/* A text cut into what is translated piece by piece, and what stands between the pieces and is kept
 * as it is: lines without the white space around them, or segments of HTML. Start from {0}, end
 * with passage_free. A view: the text must outlive it. */
typedef struct Passage {
    TextView text;
    TextView *pieces; // (count) in order, none empty
    size_t count, capacity;
    bool is_html;
    HtmlDocument html; // its segments are the pieces
} Passage;

// Cuts a text into its lines, but for those of blocks of code (text/code_fence.h).
Status passage_set(Passage *passage, TextView text, Error *error);

// Cuts HTML, whose language is to be translated into another (NULL: not known), into its segments. It
// must be freed even after a failure.
Status passage_set_html(Passage *passage, TextView html, const char *const languages[2],
                        Error *error);

// Writes what stands in the text, which is not HTML, before a piece; for `count`, behind the last.
void passage_write_gap(Writer *out, const Passage *passage, size_t piece);

void passage_free(Passage *passage);

/* How a job goes on whose languages have no model, after it has been translated into a third
 * language. Start from {0}. */
typedef struct Onward {
    ServedModel *model;  // the second; NULL: there is none, or it is the job's now
    size_t alternatives; // wanted of it
    json_t *prefix;      // of its translation; a reference, or NULL
    json_t *answer;      // of the first; a reference, or NULL
    json_t *texts;       // its translations, which are the second's texts; a reference, or NULL
} Onward;

#define NO_STEP SIZE_MAX

typedef struct Job {
    ServedModels *models; // a reference, or NULL
    ServedModel *model;   // one of them
    json_t *texts;        // (count) strings; a reference
    json_t *translations; // (count) strings, to align the texts with; a reference. NULL: translate
    bool listed;          // the texts came as an array, and so does the answer
    bool html;            // they are HTML, and so are their translations
    bool no_attributes;   // whose attributes stay as they are,
    bool uncertain;       // and whose doubtful words are marked
    Passage *passages;    // (count) of texts to translate
    size_t count, pieces; // texts, and pieces of all passages
    size_t cost;          // what the job takes of a batch (MAX_BATCH_COST)
    size_t alternatives;  // wanted beside the best translation
    bool alignment;       // wanted with the translation
    bool inspects;        // the only piece: all of what its translation came from is the answer,
    size_t step;          // and with it an explanation of this step; NO_STEP: of none
    json_t *prefix;     // what the translation of the only piece begins with; a reference, or NULL
    Glossary *glossary; // of all pieces; owned, or NULL
    WhatIfRequest *what_if; // of the only piece; owned, or NULL: nothing
    json_t *asked;          // has its texts; a reference, or NULL
    Onward onward;
    bool detected; // the source language was found, and is part of the answer:
    DetectedLanguage language;
    double since;                    // seconds of the monotonic clock when the queue took it
    Response response;               // once it is answered
    void (*answered)(void *context); // called by the service's thread, which then is done with it
    bool (*gone)(void *context);     // whether nobody waits for the answer any more; NULL: never
    void *context;
    struct Job *next; // in the queue
} Job;

// What the jobs of a batch may cost together: each piece, and each text of a pair, 1, and 1 more
// for each COST_LENGTH bytes, those of a prefix or a glossary too. So a batch has some hundred
// sentences.
enum { MAX_BATCH_COST = 1024, COST_LENGTH = 16 };

// What the jobs of the short lane cost at most: some ten sentences.
enum { MAX_SHORT_COST = 64 };

static inline Lane job_lane(const Job *job)
{
    return job->cost > MAX_SHORT_COST ? LANE_LONG : LANE_SHORT;
}

// Cuts the texts, or those of `onward`, of a job that is to be translated, and sets what it costs, but for a prefix or a
// glossary. It must be released even after a failure.
Status job_prepare(Job *job, Error *error);

/* Makes the answer of the first model, which it takes, what the second has to translate. What the
 * job costs stays. */
Status job_go_on(Job *job, json_t *answer, Error *error);

/* Works on jobs for the same model together, a list by `next`, and sets the response of each
 * (serve/service/batch.c). What a job is answered does not depend on the others (search/batch_search.h). If their
 * work fails together, such as for lack of memory, each is tried alone. */
void batch_run(Job *jobs, const TranslateOptions *options);

// Frees what it holds.
void job_release(Job *job);

// The text of a JSON string.
static inline TextView json_view(const json_t *string)
{
    return (TextView){json_string_value(string), json_string_length(string)};
}
