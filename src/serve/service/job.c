#include "serve/service/job.h"

#include "base/array.h"
#include "base/memory.h"

TextView json_text_at(const json_t *texts, size_t i)
{
    const json_t *text = json_array_get(texts, i);
    return (TextView){json_string_value(text), json_string_length(text)};
}

static size_t cost_of(TextView text)
{
    return 1 + text.length / COST_LENGTH;
}

static void count_pairs(Job *job)
{
    for (size_t i = 0; i < job->count; i++)
        job->cost +=
            cost_of(json_text_at(job->texts, i)) + cost_of(json_text_at(job->translations, i));
}

static Status cut(Job *job, Error *error)
{
    TRY(array_new(&job->passages, job->count, "a request", error));
    for (size_t i = 0; i < job->count; i++) {
        Passage *passage = &job->passages[i];
        TextView text = json_text_at(job->texts, i);
        TRY(job->html ? passage_set_html(passage, text, error) : passage_set(passage, text, error));
        job->pieces += passage->count;
        for (size_t j = 0; j < passage->count; j++) job->cost += cost_of(passage->pieces[j]);
    }
    return STATUS_OK;
}

void job_set_prefix(Job *job, json_t *prefix)
{
    job->prefix = json_incref(prefix);
    job->cost += json_string_length(prefix) / COST_LENGTH;
}

void job_set_glossary(Job *job, Glossary *glossary, size_t bytes)
{
    job->glossary = glossary;
    job->cost += bytes / COST_LENGTH;
}

Status job_new(Job **out, ServedModels *models, ServedModel *model, JobTexts texts, Error *error)
{
    Job *job;
    Status status = array_new(&job, 1, "a request", error);
    if (status) {
        json_decref(texts.texts);
        json_decref(texts.translations);
        return status;
    }
    *job = (Job){.kind = texts.translations ? JOB_ALIGN : JOB_TRANSLATE,
                 .models = served_models_keep(models),
                 .model = model,
                 .texts = texts.texts,
                 .translations = texts.translations,
                 .html = texts.html,
                 .count = json_array_size(texts.texts)};
    if (texts.translations)
        count_pairs(job);
    else
        status = cut(job, error);
    if (status)
        job_free(job);
    else
        *out = job;
    return status;
}

void job_free(Job *job)
{
    if (!job) return;
    for (size_t i = 0; i < job->count && job->passages; i++) passage_free(&job->passages[i]);
    memory_free(job->passages);
    json_decref(job->texts);
    json_decref(job->translations);
    json_decref(job->prefix);
    glossary_free(job->glossary);
    served_models_release(job->models);
    response_free(&job->response);
    memory_free(job);
}
