#include "browser/engine.h"

#include "serve/service/job.h"
#include "translate/translation_json.h"

// A whole number among the parameters, from 1 to `most`.
static Status read_number(size_t *number, const json_t *parameters, const char *name, size_t most,
                          Error *error)
{
    const json_t *value = json_object_get(parameters, name);
    if (!value) return STATUS_OK;
    if (!json_is_integer(value) || json_integer_value(value) < 1 ||
        json_integer_value(value) > (json_int_t)most)
        return error_set(error, STATUS_ARGUMENT, "%s must be a whole number from 1 to %zu", name,
                         most);
    *number = (size_t)json_integer_value(value);
    return STATUS_OK;
}

static Status read_options(TranslateOptions *options, const json_t *parameters, Error *error)
{
    TRY(read_number(&options->search.beam, parameters, "beam", MAX_BEAM, error));
    options->search.with_alpha = json_is_true(json_object_get(parameters, "alignment"));
    return read_number(&options->n_best, parameters, "nBest", options->search.beam, error);
}

static Status write_line(Response *response, const ServedModel *model, const Translation *line,
                         bool with_alignment, Error *error)
{
    const Translator *translator = &model->translator;
    const UnitKind kinds[2] = {translator->source_units, translator->target_units};
    const TranslationParts parts = {.units = with_alignment ? kinds : NULL,
                                    .reading = &model->reading,
                                    .translator = translator,
                                    .words = kinds[1]};
    response_free(response);
    Writer out = writer_start(&response->body, error);
    translation_json_write(&out, line, 0, &parts);
    response->status = HTTP_OK;
    return writer_end(&out);
}

Status line_translate(Response *response, const Service *service, const json_t *parameters,
                      Error *error)
{
    const ServedModel *model = service->models->items;
    const json_t *text = json_object_get(parameters, "text");
    TranslateOptions options = service->options.translate;
    FREED_BY(translation_free) Translation line = {0};
    if (!json_is_string(text)) return error_set(error, STATUS_ARGUMENT, "text must be a string");
    TRY(read_options(&options, parameters, error));
    const TextView view = json_view(text);
    TRY(session_translate(model->sessions[LANE_SHORT], &view, 1, &options, &line, error));
    return write_line(response, model, &line, options.search.with_alpha, error);
}
