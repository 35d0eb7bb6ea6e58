#include "translate/translation_json.h"

#include <jansson.h>
#include <stdlib.h>

static const char *text_of(const Bytes *bytes)
{
    return bytes->data ? bytes->data : "";
}

/* One translation; "alignment" is left out where `links` is NULL. */
static json_t *pack(const Rendering *rendering, const char *links)
{
    const Bytes *text = &rendering->text;
    return json_pack("{s:s%, s:f, s:f, s:s*}", "text", text_of(text), text->length, "score",
                     rendering->score, "log_probability", rendering->log_p, "alignment", links);
}

static Status add_translations(json_t *list, const Translation *translation, const UnitKind *units,
                               Error *error)
{
    Alignment alignment = {0};
    Bytes links = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < translation->count && !status; i++) {
        const Rendering *rendering = &translation->renderings[i];
        bytes_clear(&links);
        if (units)
            status = alignment_set(&alignment, translation, rendering, units[0], units[1],
                                   linking_default(), error);
        if (units && !status) status = links_write_pharaoh(&alignment.links, &links, error);
        if (!status && json_array_append_new(list, pack(rendering, units ? text_of(&links) : NULL)))
            status = error_memory(error, rendering->text.length, "a line of JSON");
    }
    alignment_free(&alignment);
    bytes_free(&links);
    return status;
}

Status translation_json_write(const Translation *translation, size_t line, const UnitKind *units,
                              Bytes *out, Error *error)
{
    const Bytes *source = &translation->source;
    json_t *list = json_array();
    Status status = add_translations(list, translation, units, error);
    json_t *json = json_pack("{s:I, s:s%, s:o}", "line", (json_int_t)line, "source",
                             text_of(source), source->length, "translations", list);
    char *text = json ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    if (!status)
        status = text ? bytes_append_string(out, text, error)
                      : error_memory(error, source->length, "a line of JSON");
    free(text); // Jansson's
    json_decref(json);
    return status;
}
