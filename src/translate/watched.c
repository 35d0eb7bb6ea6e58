#include "translate/watched.h"

#include "model/inference.h"
#include "render/pictures.h"
#include "translate/alignment.h"

Status watched_translate(Translation *translation, const TrainingData *data,
                         const Seq2SeqParams *params, TextView sentence, Error *error)
{
    static const SearchOptions greedy = {.beam = 1, .with_alpha = true};
    const Subwords *subwords = &translation->source_subwords;
    const ReadingContext context = {.target = data->target_vocabulary};
    const Reading as_it_stands = {.context = &context};
    FREED_BY(token_corpus_free) TokenCorpus tokens = {0};
    SearchModel *model;
    FREED_BY(hypotheses_free) Hypotheses found = {0};
    *translation = (Translation){.count = 0};
    TRY(translation_set_given_source(translation, data->source_vocabulary, sentence, error));
    TRY(token_corpus_add(&tokens, subwords->ids, subwords->count, NULL, 0, error));
    TRY(inference_new(&model, params, NULL, NULL, error));
    const TokenPair source = token_corpus_pair(&tokens, 0);
    Status status = beam_search(model, &source, 1, &greedy, &found, error);
    model->free(model);
    TRY(status);
    return translation_add_found(translation, &as_it_stands, &found, 1, false, error);
}

static json_t *weights_json(const float *weights, size_t targets, size_t sources)
{
    json_t *rows = json_array();
    for (size_t t = 0; t < targets; t++) {
        json_t *row = json_array();
        for (size_t s = 0; s < sources; s++)
            json_append(&row, json_number(round(weights[t * sources + s] * 1e3) / 1e3));
        json_append(&rows, row);
    }
    return rows;
}

Status watched_json(json_t **json, const Translation *translation, const TrainingData *data,
                    Error *error)
{
    const Rendering *rendering = &translation->renderings[0];
    const LinkReading reading = reading_of_aligner(NULL);
    FREED_BY(alignment_free) Alignment alignment = {0};
    if (rendering->alpha)
        TRY(alignment_set(&alignment, translation, rendering, data->units, &reading, error));
    const Spans *sources = &alignment.source_units, *targets = &alignment.target_units;
    *json = json_pack("{s:o, s:o, s:o}", "source",
                      labels_json((Labels){translation->source.data, sources}), "target",
                      labels_json((Labels){rendering->text.data, targets}), "weights",
                      weights_json(alignment.soft.weights, targets->count, sources->count));
    return STATUS_OK;
}
