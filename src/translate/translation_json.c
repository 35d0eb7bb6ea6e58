#include "translate/translation_json.h"

#include "io/json.h"

// The sentences of a rendering; NULL if out of memory.
static json_t *sentences_json(const Translation *translation, const Rendering *rendering)
{
    json_t *list = json_array();
    for (size_t i = 0; i < translation->sentence_count; i++) {
        const Translation *sentence = &translation->sentences[i];
        const Rendering *one = &sentence->renderings[rendering->places[i].rendering];
        json_t *json =
            json_pack("{s:s%, s:s%, s:o, s:o}", "source", bytes_text(&sentence->source),
                      sentence->source.length, "text", bytes_text(&one->text), one->text.length,
                      "score", json_number(one->score), "log_probability", json_number(one->log_p));
        if (!json_array_append_new(list, json)) continue;
        json_decref(list);
        return NULL;
    }
    return list;
}

/* One translation; "alignment" is left out where `links` is NULL. NULL if out of memory. */
static json_t *pack(const Translation *translation, const Rendering *rendering, const char *links)
{
    const Bytes *text = &rendering->text;
    json_t *json = json_pack("{s:s%, s:o, s:o, s:s*}", "text", bytes_text(text), text->length,
                             "score", json_number(rendering->score), "log_probability",
                             json_number(rendering->log_p), "alignment", links);
    if (!translation->sentence_count || !json) return json;
    if (!json_object_set_new(json, "sentences", sentences_json(translation, rendering)))
        return json;
    json_decref(json);
    return NULL;
}

// The translations as a list, NULL on failure; alignments in `units` unless NULL.
static json_t *list_json(Writer *out, const Translation *translation, const UnitKind *units,
                         const LinkReading *reading)
{
    Alignment alignment = {0};
    Bytes text = {0};
    json_t *list = json_array();
    for (size_t i = 0; i < translation->count && !out->status; i++) {
        const Rendering *rendering = &translation->renderings[i];
        bytes_clear(&text);
        Writer links = writer_start(&text, out->error);
        if (units)
            links.status =
                alignment_set(&alignment, translation, rendering, units, reading, out->error);
        if (units) links_write(&links, &alignment.links);
        out->status = writer_end(&links);
        if (json_array_append_new(list,
                                  pack(translation, rendering, units ? bytes_text(&text) : NULL))) {
            json_decref(list);
            list = NULL;
        }
    }
    alignment_free(&alignment);
    bytes_free(&text);
    return list;
}

void translation_json_write(Writer *out, const Translation *translation, size_t line,
                            const UnitKind *units, const LinkReading *reading)
{
    const Bytes *source = &translation->source;
    json_t *json =
        json_pack("{s:I, s:s%, s:o}", "line", (json_int_t)line, "source", bytes_text(source),
                  source->length, "translations", list_json(out, translation, units, reading));
    json_write(out, json, JSON_COMPACT | JSON_REAL_PRECISION(9));
}
