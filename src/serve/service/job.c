#include "serve/service/job.h"

#include "base/array.h"
#include "text/code_fence.h"
#include "text/utf8.h"

Status passage_set(Passage *passage, TextView text, Error *error)
{
    CodeFence fence = {0};
    passage->text = text;
    passage->count = 0;
    while (text.length > 0) {
        const TextView line = text_view_cut(&text, '\n'), piece = utf8_trimmed(line, utf8_next);
        const bool code = code_fence_has(&fence, line);
        if (piece.length == 0 || code) continue;
        TRY(array_add(&passage->pieces, &passage->count, &passage->capacity, "a text", error,
                      piece));
    }
    return STATUS_OK;
}

Status passage_set_html(Passage *passage, TextView html, const char *const languages[2],
                        Error *error)
{
    HtmlDocument *document = &passage->html;
    document->language = languages[0];
    document->attributes.language = languages[1];
    passage->text = html;
    passage->is_html = true;
    TRY(html_document_read(document, html, error));
    TRY(array_new(&passage->pieces, document->count, "a text", error));
    passage->count = passage->capacity = document->count;
    for (size_t i = 0; i < document->count; i++)
        passage->pieces[i] = html_segment_text(document, &document->segments[i]);
    return STATUS_OK;
}

void passage_write_gap(Writer *out, const Passage *passage, size_t piece)
{
    const TextView *text = &passage->text, *pieces = passage->pieces;
    const char *begin = text->data, *end = begin + text->length;
    if (piece > 0) begin = pieces[piece - 1].data + pieces[piece - 1].length;
    if (piece < passage->count) end = pieces[piece].data;
    writer_bytes(out, begin, (size_t)(end - begin));
}

void passage_free(Passage *passage)
{
    memory_free(passage->pieces);
    html_document_free(&passage->html);
    *passage = (Passage){0};
}

static size_t cost_of(size_t length)
{
    return 1 + length / COST_LENGTH;
}

Status job_prepare(Job *job, Error *error)
{
    const json_t *texts = job->onward.texts ? job->onward.texts : job->texts;
    job->count = json_array_size(texts);
    if (!job->translations) TRY(array_new(&job->passages, job->count, "a request", error));
    for (size_t i = 0; i < job->count; i++) {
        TextView text = json_view(json_array_get(texts, i));
        if (job->translations) {
            job->cost += cost_of(text.length) +
                         cost_of(json_string_length(json_array_get(job->translations, i)));
            continue;
        }
        Passage *passage = &job->passages[i];
        passage->html.attributes_stay = job->no_attributes;
        const Translator *translator = &job->model->translator;
        const char *const languages[2] = {translator->languages[0], translator->languages[1]};
        TRY(job->html ? passage_set_html(passage, text, languages, error)
                      : passage_set(passage, text, error));
        job->pieces += passage->count;
        for (size_t j = 0; j < passage->count; j++) job->cost += cost_of(passage->pieces[j].length);
    }
    return STATUS_OK;
}

static void free_passages(Job *job)
{
    for (size_t i = 0; i < job->count && job->passages; i++) passage_free(&job->passages[i]);
    memory_free(job->passages);
    job->passages = NULL;
}

Status job_go_on(Job *job, json_t *answer, Error *error)
{
    Onward *onward = &job->onward;
    json_t *texts = json_object_get(answer, "translatedText");
    size_t cost = job->cost;
    free_passages(job);
    job->model = onward->model;
    job->alternatives = onward->alternatives;
    job->prefix = onward->prefix;
    *onward = (Onward){.answer = answer,
                       .texts = job->listed ? json_incref(texts) : json_pack("[O]", texts)};
    if (!onward->texts) return error_memory(error, sizeof(json_t), "a request");
    job->pieces = 0;
    Status status = job_prepare(job, error);
    job->cost = cost; // it stays in its lane
    return status;
}

void job_release(Job *job)
{
    free_passages(job);
    json_decref(job->onward.answer);
    json_decref(job->onward.texts);
    json_decref(job->onward.prefix);
    json_decref(job->texts);
    json_decref(job->translations);
    json_decref(job->prefix);
    glossary_free(job->glossary);
    memory_free(job->what_if);
    json_decref(job->asked);
    served_models_release(job->models);
    response_free(&job->response);
}
