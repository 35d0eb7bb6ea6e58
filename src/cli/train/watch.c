#define _POSIX_C_SOURCE 200809L // fileno
#include "cli/train/report.h"

#include "io/json.h"
#include "text/normalise.h"
#include "translate/watched.h"

Status train_watch_start(TrainWatch *watch, const char *sentence, FILE *stream, Error *error)
{
    *watch = (TrainWatch){
        .sentence = sentence, .stream = stream, .in_place = terminal_is(fileno(stream))};
    if (!sentence) return STATUS_OK;
    FREED_BY(bytes_free) Bytes text = {0};
    TRY(normalise(&text, sentence, strlen(sentence), NULL, error));
    if (text.length == 0)
        return error_set(error, STATUS_ARGUMENT, "--watch: the sentence is empty");
    return STATUS_OK;
}

void train_watch_erase(TrainWatch *watch)
{
    // ECMA-48: up so many lines, erase to the end of the display
    if (watch->standing) fprintf(watch->stream, "\033[%zuA\033[J", watch->standing);
    watch->standing = 0;
}

/* Appends the picture, or a line if the translation is empty, as it may be early in training. */
static Status write_picture(Bytes *out, const TrainWatch *watch, const Translation *translation,
                            Error *error)
{
    const Rendering *rendering = &translation->renderings[0];
    if (!rendering->alpha)
        return bytes_append_string(out, "(the watched sentence has no translation yet)\n", error);
    FREED_BY(alignment_free) Alignment alignment = {0};
    const LinkReading reading = reading_of_aligner(NULL);
    Writer writer = writer_start(out, error);
    writer.status =
        alignment_set(&alignment, translation, rendering, watch->data->units, &reading, error);
    Picture picture = {.weights = alignment.soft.weights,
                       .source = {translation->source.data, &alignment.source_units},
                       .target = {rendering->text.data, &alignment.target_units}};
    if (!writer.status) terminal_heatmap(&writer, &picture, fileno(watch->stream));
    return writer_end(&writer);
}

static void show(TrainWatch *watch, const Bytes *picture)
{
    size_t lines = 0;
    for (size_t i = 0; i < picture->length; i++) lines += picture->data[i] == '\n';
    fwrite(picture->data, 1, picture->length, watch->stream);
    fflush(watch->stream);
    // lines that have scrolled off the screen cannot be erased
    bool reachable = watch->in_place && lines < terminal_height(fileno(watch->stream));
    watch->standing = reachable ? lines : 0;
}

Status train_watch_draw(TrainWatch *watch, const TrainReport *report, Error *error)
{
    if (!watch->sentence) return STATUS_OK;
    FREED_BY(translation_free) Translation translation = {0};
    FREED_BY(bytes_free) Bytes picture = {0};
    const TextView sentence = text_view_of(watch->sentence);
    TRY(watched_translate(&translation, watch->data, report->average, sentence, error));
    TRY(write_picture(&picture, watch, &translation, error));
    show(watch, &picture);
    return STATUS_OK;
}

// What a log keeps at each validation for `regard report`: the watched sentence's alignment, and
// translations of a few validation sentences.
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
