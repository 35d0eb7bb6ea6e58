// What a log keeps at each validation for `regard report`: the watched sentence's alignment, and translations of a few
// validation sentences.
#include "cli/train/report.h"

#include "io/json.h"
#include "translate/watched.h"

enum { SAMPLES = 5 };

// The place of a sample among the validation pairs: at even distances.
static size_t sample_place(const TextCorpus *valid, size_t sample)
{
    return sample * valid->count / SAMPLES;
}

json_t *train_film_samples(const TrainingData *data)
{
    json_t *list = json_array();
    for (size_t i = 0; i < SAMPLES && i < data->valid[0].text.count; i++) {
        TextPair pair =
            text_corpus_pair(&data->valid[0].text, sample_place(&data->valid[0].text, i));
        json_append(&list,
                    json_pack("{s:s%, s:s%}", "source", pair.sides[0].data, pair.sides[0].length,
                              "target", pair.sides[1].data, pair.sides[1].length));
    }
    return list;
}

Status train_film_make(json_t **film, const TrainWatch *watch, const TrainReport *report,
                       Error *error)
{
    const TextCorpus *valid = &watch->data->valid[0].text;
    const size_t samples = valid->count < SAMPLES ? valid->count : SAMPLES;
    FREED_BY(json_decref_at) json_t *watched = NULL;
    json_memory_was_short(); // of an earlier try
    FREED_BY(json_decref_at) json_t *list = json_array();
    *film = NULL;
    for (size_t i = 0; i < samples + (watch->sentence != NULL); i++) {
        FREED_BY(translation_free) Translation translation = {0};
        TextView text = {watch->sentence, i < samples ? 0 : strlen(watch->sentence)};
        if (i < samples) text = text_corpus_pair(valid, sample_place(valid, i)).sides[0];
        TRY(watched_translate(&translation, watch->data, report->average, text, error));
        if (i < samples)
            json_append(&list, json_string(bytes_text(&translation.renderings[0].text)));
        else
            TRY(watched_json(&watched, &translation, watch->data, error));
    }
    *film = json_pack("{s:O*, s:O}", "watched", watched, "translations", list);
    if (*film && !json_memory_was_short()) return STATUS_OK;
    json_decref(*film);
    *film = NULL;
    return error_memory(error, 0, "a log");
}
