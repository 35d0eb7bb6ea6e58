// POST /translate: texts to their translations.

#include "serve/api/answer.h"
#include "serve/api/routes.h"

#include <string.h>

// Reads the parameter `format`; what HTML cannot be asked for is an error.
static bool read_format(Call *call)
{
    const char *format = call_optional_text(call, "format");
    call->html = format && strcmp(format, "html") == 0;
    bool known = !format || call->html || strcmp(format, "text") == 0;
    bool aligned = call_flag(call, "alignment");
    bool prefixed = json_string_length(json_object_get(call->parameters, "prefix")) > 0;
    if (!known)
        response_error(&call->response, HTTP_BAD_REQUEST, "%.100s format is not supported", format);
    else if (call->html && (aligned || prefixed))
        response_error(&call->response, HTTP_BAD_REQUEST,
                       "Invalid request: %s is for the text format, not for html",
                       aligned ? "alignment" : "prefix");
    else
        return true;
    return false;
}

/* Takes the parameter `prefix`, which only one line can have; it is translated as a whole, so it
 * may be no longer than what is aligned as a whole. */
static void read_prefix(Call *call)
{
    json_t *prefix = json_object_get(call->parameters, "prefix");
    if (!json_string_length(prefix)) return;
    bool single = !call->listed && call->job->pieces == 1;
    if (single && call_check_aligned(call) && call_check_text_aligned(call, prefix)) {
        job_set_prefix(call->job, prefix);
        return;
    }
    if (!single)
        response_error(&call->response, HTTP_BAD_REQUEST,
                       "Invalid request: a prefix is for one text of one line");
    job_free(call->job);
    call->job = NULL;
}

static Status fill_glossary(Glossary *glossary, json_t *terms, Error *error)
{
    const char *term;
    json_t *translation;
    json_object_foreach(terms, term, translation)
    {
        TextView said = {json_string_value(translation), json_string_length(translation)};
        TRY(glossary_add(glossary, (TextView){term, strlen(term)}, said, error));
    }
    return STATUS_OK;
}

// Takes the parameter `glossary`, an object of terms and their translations.
static void read_glossary(Call *call)
{
    json_t *terms = json_object_get(call->parameters, "glossary");
    Glossary *glossary = NULL;
    Error error = {0};
    size_t bytes;
    if (!call->job || !terms || json_is_null(terms)) return;
    if (call_check_terms(call, "glossary", &bytes)) {
        const Translator *translator = &call->job->model->translator;
        Status status = glossary_new(&glossary, translator->target_vocabulary, &error);
        if (!status) status = fill_glossary(glossary, terms, &error);
        if (!status) {
            job_set_glossary(call->job, glossary, bytes);
            return;
        }
        glossary_free(glossary);
        if (status == STATUS_FORMAT)
            response_error(&call->response, HTTP_BAD_REQUEST, "Invalid request: glossary: %s",
                           error.text);
        else
            response_failure(&call->response, &error, HTTP_FAILED);
    }
    job_free(call->job);
    call->job = NULL;
}

static void make_job(Call *call, size_t alternatives, bool alignment)
{
    Error error = {0};
    size_t beam = call->service->options.translate.search.beam;
    ServedModel *model = call_find_model(call);
    if (!model) return;
    JobTexts texts = {.texts = json_incref(call->texts), .html = call->html};
    if (job_new(&call->job, call->models, model, texts, &error)) {
        response_failure(&call->response, &error, HTTP_FAILED);
        return;
    }
    call->job->listed = call->listed;
    call->job->alternatives = alternatives < beam ? alternatives : beam - 1;
    call->job->alignment = alignment;
    read_prefix(call);
    read_glossary(call);
}

void translate_route(Call *call)
{
    size_t alternatives;
    bool detected, alignment = call_flag(call, "alignment");
    DetectedLanguage language;
    if (!call_read_texts(call) || !read_format(call) ||
        !call_read_languages(call, &detected, &language) ||
        !call_size(call, "alternatives", &alternatives) || (alignment && !call_check_aligned(call)))
        return;
    if (language_code_equal(&call->source, &call->target)) {
        answer_unchanged(&call->response, call->texts, call->listed, alternatives > 0,
                         detected ? &language : NULL);
        return;
    }
    make_job(call, alternatives, alignment);
    if (!call->job) return;
    call->job->detected = detected;
    call->job->language = language;
}
