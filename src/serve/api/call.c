#include "serve/api/call.h"

#include "base/array.h"
#include "text/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <strings.h>

void call_free(Call *call)
{
    json_decref(call->parameters);
    job_release(&call->job);
}

static json_t *parameter(const Call *call, const char *name)
{
    return json_object_get(call->parameters, name);
}

const char *call_text(const Call *call, const char *name)
{
    return json_string_value(parameter(call, name));
}

// Answers that the call is at fault, and is false.
#define bad_request(call, ...)                                                                     \
    (response_error(&(call)->job.response, HTTP_BAD_REQUEST, __VA_ARGS__), false)

// Answers that a needed parameter is missing, or that it is something else than text.
static bool refuse_parameter(Call *call, const char *name)
{
    const json_t *value = parameter(call, name);
    bool empty = json_is_array(value) && json_array_size(value) == 0;
    if (!value || json_is_null(value) || json_is_string(value) || empty)
        return bad_request(call, "Invalid request: missing %s parameter", name);
    return bad_request(call, "Invalid request: %s is not text", name);
}

static bool out_of_memory(Call *call)
{
    response_json(&call->job.response, NULL);
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
        count += characters_of(json_view(json_array_get(texts, i)));
    return count;
}

// Sets *list to a new reference to a parameter that is a text or a list of texts, as a list.
static bool read_list(json_t **list, bool *listed, Call *call, const char *name)
{
    json_t *value = parameter(call, name);
    *listed = json_is_array(value);
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!json_string_value(json_array_get(value, i)))
            return bad_request(call, "Invalid request: %s[%zu] is not text", name, i);
    if (!json_array_size(value) && !json_string_length(value)) return refuse_parameter(call, name);
    *list = *listed ? json_incref(value) : json_pack("[O]", value);
    return *list || out_of_memory(call);
}

static bool check_limit(Call *call, size_t size, size_t limit)
{
    return size <= limit ||
           bad_request(call, // LibreTranslate's status and message
                       "Invalid request: request (%zu) exceeds text limit (%zu)", size, limit);
}

bool call_check_aligned(Call *call, size_t characters)
{
    return check_limit(call, characters, call->service->options.max_characters / ALIGNED_PART);
}

bool call_read_texts(Call *call)
{
    const ServiceOptions *options = &call->service->options;
    if (!read_list(&call->job.texts, &call->job.listed, call, "q")) return false;
    call->characters = characters_of_all(call->job.texts);
    return check_limit(call, json_array_size(call->job.texts), options->max_texts) &&
           check_limit(call, call->characters, options->max_characters);
}

bool call_read_translations(Call *call)
{
    Job *job = &call->job;
    bool listed;
    if (!read_list(&job->translations, &listed, call, "translation")) return false;
    if (listed != job->listed || json_array_size(job->translations) != json_array_size(job->texts))
        return bad_request(call,
                           "Invalid request: q and translation do not have the same number of "
                           "texts");
    return call_check_aligned(call, characters_of_all(job->translations));
}

// Whether an optional parameter is true, "true" or "1".
static bool is_true(const Call *call, const char *name)
{
    const char *text = call_text(call, name);
    return json_is_true(parameter(call, name)) ||
           (text && (strcasecmp(text, "true") == 0 || strcmp(text, "1") == 0));
}

bool call_read_format(Call *call)
{
    Job *job = &call->job;
    const char *format = call_text(call, "format");
    job->alignment = is_true(call, "alignment");
    job->no_attributes = is_true(call, "no_attributes");
    job->uncertain = is_true(call, "uncertain");
    job->html = format && strcmp(format, "html") == 0;
    if (format && !job->html && strcmp(format, "text") != 0)
        return bad_request(call, "%.100s format is not supported", format);
    if (job->html && (job->alignment || json_string_length(parameter(call, "prefix")) > 0))
        return bad_request(call, "Invalid request: %s is for the text format, not for html",
                           job->alignment ? "alignment" : "prefix");
    if (!job->html && (job->no_attributes || job->uncertain))
        return bad_request(call, "Invalid request: %s is for the html format",
                           job->uncertain ? "uncertain" : "no_attributes");
    return true;
}

// Sets *number to an optional parameter, a number or its text.
static bool read_number(long long *number, Call *call, const char *name)
{
    const json_t *value = parameter(call, name);
    const char *text = json_string_value(value);
    bool valid = !value || json_is_null(value) || json_is_integer(value);
    if (json_is_integer(value)) *number = json_integer_value(value);
    if (text) {
        char *end;
        errno = 0;
        *number = strtoll(text, &end, 10);
        valid = *text && !*end && !errno;
    }
    return valid || bad_request(call, "Invalid request: %s parameter is not a number", name);
}

bool call_read_alternatives(Call *call)
{
    long long number = 0;
    bool valid = read_number(&number, call, "alternatives");
    call->job.alternatives = number > 0 ? (size_t)number : 0;
    return valid;
}

bool call_read_step(Call *call)
{
    long long number = -1;
    bool valid = read_number(&number, call, "step");
    call->job.inspects = true;
    call->job.step = number >= 0 ? (size_t)number : NO_STEP;
    return valid;
}

// Appends the text of HTML without attributes, a line for each segment.
static Status append_html_text(Bytes *out, TextView html, Error *error)
{
    FREED_BY(html_document_free) HtmlDocument document = {.attributes_stay = true};
    Writer writer = writer_start(out, error);
    writer.status = html_document_read(&document, html, error);
    for (size_t i = 0; i < document.count; i++) {
        TextView text = html_segment_text(&document, &document.segments[i]);
        writer_bytes(&writer, text.data, text.length);
        writer_string(&writer, "\n");
    }
    return writer_end(&writer);
}

static Status detect(Call *call, Error *error)
{
    FREED TextView *views = NULL;
    FREED_BY(bytes_free) Bytes text = {0};
    size_t count = json_array_size(call->job.texts);
    TRY(array_new(&views, count, "texts", error));
    for (size_t i = 0; i < count; i++) {
        views[i] = json_view(json_array_get(call->job.texts, i));
        if (call->job.html) TRY(append_html_text(&text, views[i], error));
    }
    if (call->job.html) {
        views[0] = bytes_view(&text);
        count = 1;
    }
    size_t left = MAX_DETECTED;
    for (size_t i = 0; i < count; i++) {
        if (views[i].length > left) views[i].length = left;
        left -= views[i].length;
    }
    return detection_set(&call->service->detection, call->job.models, views, count, error);
}

const Detection *call_detect(Call *call)
{
    Error error = {0};
    if (!detect(call, &error)) return &call->service->detection;
    response_failure(&call->job.response, &error, HTTP_FAILED);
    return NULL;
}

// Nothing in the text tells: the source of the first model to the target is as good as any.
static void guess(Call *call)
{
    for (size_t i = call->job.models->count; i-- > 0;) {
        const ServedModel *model = &call->job.models->items[i];
        if (language_code_equal(&model->languages[1], &call->target))
            call->job.language.code = model->languages[0];
    }
}

bool call_read_languages(Call *call)
{
    Job *job = &call->job;
    const char *source = call_text(call, "source");
    const char *target = call_text(call, "target");
    if (!source || !*source) return refuse_parameter(call, "source");
    if (!target || !*target) return refuse_parameter(call, "target");
    job->detected = strcasecmp(source, "auto") == 0;
    call->target = language_code_of(target);
    if (!served_models_have(job->models, &call->target))
        return bad_request(call, "%.100s is not supported", target);
    job->language = (DetectedLanguage){language_code_of(source), 100};
    if (job->detected) {
        const Detection *detection = call_detect(call);
        if (!detection) return false;
        job->language = detection->found[0];
        if (job->language.confidence <= 0) guess(call);
    }
    call->source = job->language.code;
    ServedModel *route[2];
    return served_models_route(route, job->models, &call->source, &call->target) ||
           served_models_have(job->models, &call->source) ||
           bad_request(call, "%.100s is not supported", job->detected ? call->source.text : source);
}

// Whether a single model translates, as what is asked of the model itself needs.
static bool has_one_model(Call *call, const char *what)
{
    return !call->job.onward.model ||
           bad_request(call, "Invalid request: %s is for languages with a model of their own",
                       what);
}

// Whether the text is one line, and short enough to be translated as a whole.
static bool is_one_line(Call *call, const char *what)
{
    const Job *job = &call->job;
    if (job->listed || job->html || job->pieces != 1)
        return bad_request(call, "Invalid request: %s is for one text of one line", what);
    return call_check_aligned(call, call->characters);
}

// Reads the parameter `prefix`, which may be no longer than a line that is translated as a whole.
static bool read_prefix(Call *call)
{
    Job *job = &call->job;
    json_t *prefix = parameter(call, "prefix");
    if (!json_string_length(prefix)) return true;
    if (!is_one_line(call, "a prefix")) return false;
    job->prefix = json_incref(prefix);
    job->cost += json_string_length(prefix) / COST_LENGTH;
    return call_check_aligned(call, characters_of(json_view(prefix)));
}

/* Reads the parameter `glossary`, an object of terms and their translations: texts that are within
 * the limit together with the call's. */
static bool read_glossary(Call *call)
{
    Job *job = &call->job;
    json_t *terms = parameter(call, "glossary");
    size_t characters = call->characters, bytes = 0;
    Error error = {0};
    if (!terms || json_is_null(terms)) return true;
    if (!has_one_model(call, "a glossary")) return false;
    bool valid = json_typeof(terms) == JSON_OBJECT;
    Status status = glossary_new(&job->glossary, job->model->translator.target_vocabulary, &error);
    for (void *at = json_object_iter(terms); at && !status; at = json_object_iter_next(terms, at)) {
        const char *key = json_object_iter_key(at);
        const TextView term = text_view_of(key);
        const TextView translation = json_view(json_object_iter_value(at));
        valid = translation.data != NULL;
        if (!valid) break;
        characters += characters_of(term) + characters_of(translation);
        bytes += term.length + translation.length;
        if (!check_limit(call, characters, call->service->options.max_characters)) return false;
        status = glossary_add(job->glossary, term, translation, &error);
    }
    job->cost += bytes / COST_LENGTH;
    if (!valid)
        return bad_request(call, "Invalid request: glossary is not an object of terms and their "
                                 "translations");
    if (status == STATUS_FORMAT)
        return bad_request(call, "Invalid request: glossary: %s", error.text);
    if (status) response_failure(&job->response, &error, HTTP_FAILED);
    return !status;
}

// The kind of that name, with _ in place of -; ASK_KINDS: there is none.
static size_t kind_named(const char *name)
{
    size_t kind = 0;
    for (; kind < ASK_KINDS; kind++) {
        size_t i = 0;
        while (name[i] && (name[i] == '_' ? '-' : name[i]) == what_if_names[kind][i]) i++;
        if (!name[i] && !what_if_names[kind][i]) break;
    }
    return kind;
}

static bool read_questions(Call *call, json_t *asked)
{
    WhatIfRequest *what_if = call->job.what_if;
    for (void *at = json_object_iter(asked); at; at = json_object_iter_next(asked, at)) {
        const char *name = json_object_iter_key(at);
        const json_t *list = json_object_iter_value(at);
        size_t kind = kind_named(name), count = json_array_size(list);
        bool valid = kind < ASK_KINDS && json_typeof(list) == JSON_ARRAY && count < MAX_WHAT_IFS;
        for (size_t i = 0; i < count && valid; i++) {
            what_if->items[kind][i] = json_string_value(json_array_get(list, i));
            valid = what_if->items[kind][i] != NULL;
        }
        if (!valid)
            return bad_request(call,
                               "Invalid request: what_if: %.100s is not a list of texts for "
                               "forbid_source, attend, force or forbid",
                               name);
        what_if->counts[kind] = count;
    }
    return true;
}

// Whether the call is for one line and one model, as what is asked of a search is.
static bool is_one_search(Call *call, const char *what)
{
    return has_one_model(call, what) && is_one_line(call, what);
}

// The parameter `what_if`.
static bool read_what_if(Call *call)
{
    Job *job = &call->job;
    json_t *asked = parameter(call, "what_if");
    if (!asked || json_is_null(asked)) return true;
    if (json_typeof(asked) != JSON_OBJECT)
        return bad_request(call, "Invalid request: what_if is not an object");
    if (!is_one_search(call, "what_if")) return false;
    if (array_new(&job->what_if, 1, "a request", NULL)) return out_of_memory(call);
    job->asked = json_incref(asked);
    return read_questions(call, asked);
}

// Sets the models of the call's languages; if `directly`, there must be one of their own.
static bool find_route(Call *call, bool directly)
{
    Job *job = &call->job;
    ServedModel *route[2];
    bool found = served_models_route(route, job->models, &call->source, &call->target);
    job->model = route[0];
    job->onward.model = route[1];
    return (found && !(directly && route[1])) ||
           bad_request(call, "%s (%s) is not available as a target language from %s (%s)",
                       language_code_name(&call->target), call->target.text,
                       language_code_name(&call->source), call->source.text);
}

// Whether a text is one line that is not blank.
static bool is_line(TextView text)
{
    bool solid = false;
    for (size_t at = 0; at < text.length;) {
        uint32_t c = utf8_next(text.data, text.length, &at);
        if (c == '\n') return false;
        solid = solid || !utf8_is_space(c);
    }
    return solid;
}

bool call_read_suggestion(Call *call, TextView *text, TextView *translation)
{
    Job *job = &call->job;
    const json_t *given = parameter(call, "s");
    if (!call_read_texts(call) || !call_read_languages(call) || !find_route(call, true))
        return false;
    *text = json_view(json_array_get(job->texts, 0));
    *translation = json_view(given);
    if (job->listed || !is_line(*text) || !is_line(*translation))
        return bad_request(call, "Invalid request: a correction has one line as q and one as s");
    return check_limit(call, characters_of(*translation), call->service->options.max_characters);
}

void call_wait(Call *call)
{
    Job *job = &call->job;
    size_t most = call->service->options.translate.search.beam - 1;
    Error error = {0};
    if (!find_route(call, job->translations != NULL)) return;
    if (job_prepare(job, &error))
        response_failure(&job->response, &error, HTTP_FAILED);
    else
        call->waits =
            job->translations || ((!job->inspects || is_one_search(call, "inspect")) &&
                                  read_prefix(call) && read_glossary(call) && read_what_if(call));
    if (job->alternatives > most) job->alternatives = most;
    if (!job->onward.model) return;
    job->onward.alternatives = job->alternatives;
    job->onward.prefix = job->prefix;
    job->alternatives = 0;
    job->prefix = NULL;
}
