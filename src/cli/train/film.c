// What a log keeps at each validation for `regard report`: the watched sentence's alignment, and translations of a few
// validation sentences.
#include "cli/train/report.h"

#include "io/json.h"
#include "translate/watched.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 5 };

// The place of a sample among the validation pairs: at even distances.
static size_t sample_place(const TextCorpus *valid, size_t sample)
{
    return sample * valid->count / SAMPLES;
}

json_t *train_film_samples(const TrainingData *data)
{
    json_t *list = json_array();
    for (size_t i = 0; i < SAMPLES && i < data->valid_text.count; i++) {
        TextPair pair = text_corpus_pair(&data->valid_text, sample_place(&data->valid_text, i));
        json_append(&list,
                    json_pack("{s:s%, s:s%}", "source", pair.sides[0].data, pair.sides[0].length,
                              "target", pair.sides[1].data, pair.sides[1].length));
    }
    return list;
}

static json_t *units_json(const Units *units, const char *text)
{
    json_t *list = json_array();
    for (size_t i = 0; i < units->count; i++)
        json_append(&list,
                    json_stringn(text + units->begins[i], units->ends[i] - units->begins[i]));
    return list;
}

static json_t *weights_json(const Alignment *alignment)
{
    json_t *rows = json_array();
    size_t sources = alignment->source_units.count;
    for (size_t t = 0; t < alignment->target_units.count; t++) {
        json_t *row = json_array();
        for (size_t s = 0; s < sources; s++)
            json_append(&row,
                        json_number(round(alignment->soft.weights[t * sources + s] * 1e3) / 1e3));
        json_append(&rows, row);
    }
    return rows;
}

// The alignment of a translation; without words, an object of empty lists.
static Status alignment_to_json(json_t **json, const Translation *translation,
                                const TrainingData *data, Error *error)
{
    const Rendering *rendering = &translation->renderings[0];
    const LinkReading reading = reading_default();
    Alignment alignment = {0};
    Status status = STATUS_OK;
    if (rendering->alpha)
        status = alignment_set(&alignment, translation, rendering, data->units, &reading, error);
    if (!status)
        *json = json_pack("{s:o, s:o, s:o}", "source",
                          units_json(&alignment.source_units, translation->source.data), "target",
                          units_json(&alignment.target_units, rendering->text.data), "weights",
                          weights_json(&alignment));
    alignment_free(&alignment);
    return status;
}

static Status translate_samples(json_t **list, const TrainWatch *watch, const TrainReport *report,
                                Error *error)
{
    const TextCorpus *valid = &watch->data->valid_text;
    Status status = STATUS_OK;
    *list = json_array();
    for (size_t i = 0; i < SAMPLES && i < valid->count && !status; i++) {
        Translation translation;
        TextPair pair = text_corpus_pair(valid, sample_place(valid, i));
        status =
            watched_translate(&translation, watch->data, report->average, pair.sides[0], error);
        if (!status) json_append(list, json_string(bytes_text(&translation.renderings[0].text)));
        translation_free(&translation);
    }
    return status;
}

Status train_film_make(json_t **film, const TrainWatch *watch, const TrainReport *report,
                       Error *error)
{
    json_t *watched = NULL, *list = NULL;
    Status status = STATUS_OK;
    *film = NULL;
    if (watch->sentence) {
        Translation translation;
        const TextView view = {watch->sentence, strlen(watch->sentence)};
        status = watched_translate(&translation, watch->data, report->average, view, error);
        if (!status) status = alignment_to_json(&watched, &translation, watch->data, error);
        translation_free(&translation);
    }
    if (!status) status = translate_samples(&list, watch, report, error);
    if (!status) *film = json_pack("{s:O*, s:O}", "watched", watched, "translations", list);
    json_decref(watched);
    json_decref(list);
    return status;
}
