#define _POSIX_C_SOURCE 200809L // fileno
#include "cli/train/report.h"

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
