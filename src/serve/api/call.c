#include "serve/api/call.h"

#include "base/array.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void call_free(Call *call)
{
    job_free(call->job);
    json_decref(call->parameters);
    json_decref(call->texts);
    served_models_release(call->models);
    response_free(&call->response);
}

const char *call_optional_text(const Call *call, const char *name)
{
    return json_string_value(json_object_get(call->parameters, name));
}

static bool missing(Call *call, const char *name)
{
    response_error(&call->response, HTTP_BAD_REQUEST, "Invalid request: missing %s parameter",
                   name);
    return false;
}

static size_t characters_of(TextView text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.length; i++) count += (text.data[i] & 0xc0) != 0x80;
    return count;
}

static size_t characters_of_all(const json_t *texts)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(texts); i++)
        count += characters_of(json_text_at(texts, i));
    return count;
}

// A parameter that is a text or a list of texts, as a list; a new reference, or NULL.
static json_t *read_list(Call *call, const char *name, bool *listed)
{
    json_t *value = json_object_get(call->parameters, name);
    *listed = json_is_array(value);
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (json_is_string(json_array_get(value, i))) continue;
        response_error(&call->response, HTTP_BAD_REQUEST, "Invalid request: %s[%zu] is not text",
                       name, i);
        return NULL;
    }
    if (!json_array_size(value) && !json_string_length(value)) {
        missing(call, name);
        return NULL;
    }
    json_t *list = *listed ? json_incref(value) : json_pack("[O]", value);
    if (!list) response_error(&call->response, HTTP_FAILED, "out of memory");
    return list;
}

static bool check_limit(Call *call, size_t size, size_t limit)
{
    if (size <= limit) return true;
    response_error(&call->response, HTTP_TOO_LARGE,
                   "Invalid request: request (%zu) exceeds text limit (%zu)", size, limit);
    return false;
}

bool call_read_texts(Call *call)
{
    const ServiceOptions *options = &call->service->options;
    call->texts = read_list(call, "q", &call->listed);
    if (!call->texts) return false;
    call->characters = characters_of_all(call->texts);
    return check_limit(call, json_array_size(call->texts), options->max_texts) &&
           check_limit(call, call->characters, options->max_characters);
}

bool call_check_aligned(Call *call)
{
    return check_limit(call, call->characters,
                       call->service->options.max_characters / ALIGNED_PART);
}

bool call_check_text_aligned(Call *call, const json_t *text)
{
    size_t size = characters_of((TextView){json_string_value(text), json_string_length(text)});
    return check_limit(call, size, call->service->options.max_characters / ALIGNED_PART);
}

bool call_check_terms(Call *call, const char *name, size_t *bytes)
{
    json_t *terms = json_object_get(call->parameters, name), *translation;
    const char *term;
    size_t characters = call->characters;
    bool valid = json_is_object(terms);
    *bytes = 0;
    json_object_foreach(terms, term, translation)
    {
        const TextView texts[] = {
            {term, strlen(term)},
            {json_string_value(translation), json_string_length(translation)}};
        valid = valid && json_is_string(translation);
        characters += characters_of(texts[0]) + characters_of(texts[1]);
        *bytes += texts[0].length + texts[1].length;
    }
    if (valid) return check_limit(call, characters, call->service->options.max_characters);
    response_error(&call->response, HTTP_BAD_REQUEST,
                   "Invalid request: %s is not an object of terms and their translations", name);
    return false;
}

json_t *call_matching_texts(Call *call, const char *name)
{
    bool listed;
    json_t *list = read_list(call, name, &listed);
    if (!list) return NULL;
    if (listed != call->listed || json_array_size(list) != json_array_size(call->texts)) {
        response_error(&call->response, HTTP_BAD_REQUEST,
                       "Invalid request: q and %s do not have the same number of texts", name);
    } else if (check_limit(call, characters_of_all(list),
                           call->service->options.max_characters / ALIGNED_PART)) {
        return list;
    }
    json_decref(list);
    return NULL;
}

bool call_flag(const Call *call, const char *name)
{
    const char *text = call_optional_text(call, name);
    return json_is_true(json_object_get(call->parameters, name)) ||
           (text && (strcasecmp(text, "true") == 0 || strcmp(text, "1") == 0));
}

bool call_size(Call *call, const char *name, size_t *size)
{
    const json_t *value = json_object_get(call->parameters, name);
    const char *text = json_string_value(value);
    long long number = json_integer_value(value);
    bool valid = !value || json_is_null(value) || json_is_integer(value);
    if (text) {
        char *end;
        errno = 0;
        number = strtoll(text, &end, 10);
        valid = *text && !*end && !errno;
    }
    *size = number > 0 ? (size_t)number : 0;
    if (!valid)
        response_error(&call->response, HTTP_BAD_REQUEST,
                       "Invalid request: %s parameter is not a number", name);
    return valid;
}

// The text of HTML, a line for each segment.
static Status append_html_text(Bytes *out, TextView html, Error *error)
{
    HtmlDocument document = {0};
    Status status = html_document_read(&document, html, error);
    for (size_t i = 0; i < document.count && !status; i++) {
        TextView text = html_segment_text(&document, i);
        status = bytes_append(out, text.data, text.length, error);
        if (!status) status = bytes_append(out, "\n", 1, error);
    }
    html_document_free(&document);
    return status;
}

static Status detect(Call *call, Error *error)
{
    TextView *views;
    Bytes text = {0};
    size_t count = json_array_size(call->texts);
    TRY(array_new(&views, count, "texts", error));
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        views[i] = json_text_at(call->texts, i);
        if (call->html) status = append_html_text(&text, views[i], error);
    }
    if (call->html) {
        views[0] = (TextView){bytes_text(&text), text.length};
        count = 1;
    }
    if (!status)
        status = detection_set(&call->service->detection, views, count, call->models, error);
    memory_free(views);
    bytes_free(&text);
    return status;
}

const Detection *call_detect(Call *call)
{
    Error error = {0};
    Status status = detect(call, &error);
    if (status) response_failure(&call->response, &error, HTTP_FAILED);
    return status ? NULL : &call->service->detection;
}

// Nothing in the text tells: the source of the first model to the target is as good as any.
static void guess(Call *call, DetectedLanguage *language)
{
    for (size_t i = served_models_count(call->models); i-- > 0;) {
        const ServedModel *model = served_models_item(call->models, i);
        if (language_code_equal(&model->languages[1], &call->target))
            language->code = model->languages[0];
    }
}

static bool unsupported(Call *call, const char *name)
{
    response_error(&call->response, HTTP_BAD_REQUEST, "%.100s is not supported", name);
    return false;
}

bool call_read_languages(Call *call, bool *detected, DetectedLanguage *language)
{
    const char *source = call_optional_text(call, "source");
    const char *target = call_optional_text(call, "target");
    if (!source || !*source) return missing(call, "source");
    if (!target || !*target) return missing(call, "target");
    *detected = strcasecmp(source, "auto") == 0;
    call->target = language_code_of(target);
    if (!served_models_have(call->models, &call->target)) return unsupported(call, target);
    *language = (DetectedLanguage){language_code_of(source), 100};
    if (*detected) {
        const Detection *detection = call_detect(call);
        if (!detection) return false;
        *language = detection->found[0];
        if (language->confidence <= 0) guess(call, language);
    }
    call->source = language->code;
    return served_models_find(call->models, &call->source, &call->target) ||
           served_models_have(call->models, &call->source) || unsupported(call, source);
}

ServedModel *call_find_model(Call *call)
{
    ServedModel *model = served_models_find(call->models, &call->source, &call->target);
    if (!model)
        response_error(&call->response, HTTP_BAD_REQUEST,
                       "%s (%s) is not available as a target language from %s (%s)",
                       language_code_name(&call->target), call->target.text,
                       language_code_name(&call->source), call->source.text);
    return model;
}
