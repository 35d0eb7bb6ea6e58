#include "base/array.h"
#include "serve/api/answer.h"

// Texts of several jobs, one after another, and what the model makes of them.
typedef struct BatchTexts {
    TextView *sources; // (count)
    TextView *targets; // (count) of pairs; of texts to translate, what the translations begin with
    const Glossary **glossaries; // (count) of texts to translate, NULL: none
    Spans *spans;                // (count) of texts to translate, that stay as they are
    Translation *translations;   // (count)
    size_t count;
} BatchTexts;

static size_t texts_of(const Job *job)
{
    return job->translations ? job->count : job->pieces;
}

static void batch_texts_free(BatchTexts *texts)
{
    for (size_t i = 0; i < texts->count; i++) translation_free(&texts->translations[i]);
    memory_free(texts->sources);
    memory_free(texts->targets);
    memory_free(texts->glossaries);
    memory_free(texts->spans);
    memory_free(texts->translations);
}

static void add_job(BatchTexts *texts, const Job *job)
{
    for (size_t i = 0; i < job->count && job->translations; i++) {
        texts->targets[texts->count] = json_view(json_array_get(job->translations, i));
        texts->sources[texts->count++] = json_view(json_array_get(job->texts, i));
    }
    for (size_t i = 0; i < job->count && !job->translations; i++) {
        const Passage *passage = &job->passages[i];
        for (size_t j = 0; j < passage->count; j++) {
            if (job->prefix) texts->targets[texts->count] = json_view(job->prefix);
            texts->glossaries[texts->count] = job->glossary;
            if (passage->is_html)
                texts->spans[texts->count] =
                    html_segment_kept(&passage->html, &passage->html.segments[j]);
            texts->sources[texts->count++] = passage->pieces[j];
        }
    }
}

/* What a model does for jobs that can be worked on together. Attention weights, whose memory grows
 * with the square of a sentence's length, are kept for those alone that need them; what is asked of
 * one text is not asked of others. */
typedef struct Work {
    const ServedModel *model;
    const WhatIfRequest *what_if;
    bool forces, attends, inspects;
} Work;

// Attention is needed for alignment, or to place the tags of HTML.
static Work work_of(const Job *job)
{
    return (Work){.model = job->model,
                  .what_if = job->what_if,
                  .forces = job->translations != NULL,
                  .attends = job->alignment || job->html || job->inspects,
                  .inspects = job->inspects};
}

// Whether a job is not answered, and that is to be done for it.
static bool is_for(const Work *work, const Job *job)
{
    const Work other = work_of(job);
    return !job->response.status && other.model == work->model && other.what_if == work->what_if &&
           other.forces == work->forces && other.attends == work->attends &&
           other.inspects == work->inspects;
}

// Lets the model work on the texts of those jobs before `end` for which the same is to be done as for
// the first.
static Status work(BatchTexts *texts, const Job *jobs, const Job *end, const Work *first,
                   const TranslateOptions *given, Error *error)
{
    TranslateOptions options = *given;
    size_t count = 0;
    bool prefixed = false, with_terms = false;
    Session *session = jobs->model->sessions[job_lane(jobs)];
    options.search.with_alpha = first->attends;
    options.search.with_tree = first->inspects;
    for (const Job *job = jobs; job != end; job = job->next) {
        if (!is_for(first, job)) continue;
        count += texts_of(job);
        prefixed = prefixed || job->prefix;
        with_terms = with_terms || job->glossary;
        if (job->alternatives + 1 > options.n_best) options.n_best = job->alternatives + 1;
    }
    TRY(array_new(&texts->sources, count, "a batch", error));
    TRY(array_new(&texts->targets, count, "a batch", error));
    TRY(array_new(&texts->glossaries, count, "a batch", error));
    TRY(array_new(&texts->spans, count, "a batch", error));
    TRY(array_new(&texts->translations, count, "a batch", error));
    for (const Job *job = jobs; job != end; job = job->next)
        if (is_for(first, job)) add_job(texts, job);
    options.prefixes = prefixed ? texts->targets : NULL;
    options.spans = texts->spans;
    options.glossaries = with_terms ? texts->glossaries : NULL;
    options.what_if = jobs->what_if;
    options.memory = jobs->model->memory;
    if (!jobs->translations)
        return session_translate(session, texts->sources, count, &options, texts->translations,
                                 error);
    return session_force(session, (const TextView *const[]){texts->sources, texts->targets}, count,
                         true, texts->translations, error);
}

// Works on those jobs and answers them, or has them go on.
static Status try_alike(Job *jobs, const Job *end, const Work *first,
                        const TranslateOptions *options, Error *error)
{
    FREED_BY(batch_texts_free) BatchTexts texts = {0};
    TRY(work(&texts, jobs, end, first, options, error));
    const Translation *at = texts.translations;
    for (Job *job = jobs; job != end; job = job->next) {
        if (!is_for(first, job)) continue;
        size_t count = texts_of(job); // before it goes on with others
        answer_job(job, at, options);
        at += count;
    }
    return STATUS_OK;
}

// The same; if it fails, one by one.
static void run_alike(Job *jobs, const Job *end, const TranslateOptions *options)
{
    const Work first = work_of(jobs);
    Error error = {0};
    Status status = try_alike(jobs, end, &first, options, &error);
    if (status && jobs->next == end) {
        // what is asked of a text cannot be known to be wrong before that is read
        response_failure(&jobs->response, &error,
                         jobs->what_if && status == STATUS_ARGUMENT ? HTTP_BAD_REQUEST
                                                                    : HTTP_FAILED);
        return;
    }
    for (Job *job = jobs; job != end && status; job = job->next)
        if (is_for(&first, job)) run_alike(job, job->next, options);
}

void batch_run(Job *jobs, const TranslateOptions *options)
{
    enum { MODELS = 2 }; // that a job needs at most
    for (size_t i = 0; i < MODELS; i++)
        for (Job *job = jobs; job; job = job->next)
            if (!job->response.status) run_alike(job, NULL, options);
}
