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

// Whether attention weights are needed, for alignment or to place the tags of HTML.
static bool attends(const Job *job)
{
    return job->alignment || job->html || job->inspects;
}

/* What a model does for jobs that can be worked on together. Attention weights, whose memory grows
 * with the square of a sentence's length, are kept for those alone that need them; what is asked of
 * one text is not asked of others. */
typedef struct Work {
    const ServedModel *model;
    const WhatIfRequest *what_if;
    bool forces, attends, inspects;
} Work;

static Work work_of(const Job *job)
{
    return (Work){job->model, job->what_if, job->translations != NULL, attends(job), job->inspects};
}

// Whether that is to be done for a job.
static bool is_for(const Work *work, const Job *job)
{
    return !job->response.status && job->model == work->model && job->what_if == work->what_if &&
           (job->translations != NULL) == work->forces && attends(job) == work->attends &&
           job->inspects == work->inspects;
}

// Lets the model work on the texts of the jobs for which the same is to be done as for the first.
static Status work(BatchTexts *texts, const Job *jobs, const Work *first,
                   const TranslateOptions *given, Error *error)
{
    TranslateOptions options = *given;
    size_t count = 0;
    bool prefixed = false, with_terms = false;
    Session *session = jobs->model->sessions[job_lane(jobs)];
    options.search.with_alpha = first->attends;
    options.search.with_tree = first->inspects;
    for (const Job *job = jobs; job; job = job->next) {
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
    for (const Job *job = jobs; job; job = job->next)
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

// Answers those jobs, or has them go on.
static void run_alike(Job *jobs, const TranslateOptions *options)
{
    BatchTexts texts = {0};
    const Work first = work_of(jobs);
    Error error = {0};
    Status status = work(&texts, jobs, &first, options, &error);
    const Translation *at = texts.translations;
    for (Job *job = jobs; job && !status; job = job->next) {
        if (!is_for(&first, job)) continue;
        size_t count = texts_of(job); // before it goes on with others
        answer_job(job, at, options);
        at += count;
    }
    for (size_t i = 0; i < texts.count && !status; i++) translation_free(&texts.translations[i]);
    memory_free(texts.sources);
    memory_free(texts.targets);
    memory_free(texts.glossaries);
    memory_free(texts.spans);
    memory_free(texts.translations);
    for (Job *job = jobs; job && status; job = job->next) {
        if (!is_for(&first, job)) continue;
        Job *next = job->next;
        bool alone = jobs == job && !next;
        if (alone) {
            // what is asked of a text cannot be known to be wrong before that is read
            response_failure(&job->response, &error,
                             job->what_if && status == STATUS_ARGUMENT ? HTTP_BAD_REQUEST
                                                                       : HTTP_FAILED);
            return;
        }
        job->next = NULL;
        run_alike(job, options);
        job->next = next;
    }
}

void batch_run(Job *jobs, const TranslateOptions *options)
{
    enum { MODELS = 2 }; // that a job needs at most
    for (size_t i = 0; i < MODELS; i++)
        for (Job *job = jobs; job; job = job->next)
            if (!job->response.status) run_alike(job, options);
}
