#include "translate/watched.h"

#include "model/inference.h"

Status watched_translate(Translation *translation, const TrainingData *data,
                         const Seq2SeqParams *params, TextView sentence, Error *error)
{
    static const SearchOptions greedy = {.beam = 1, .with_alpha = true};
    const Subwords *subwords = &translation->source_subwords;
    const ReadingContext context = {.target = data->target_vocabulary};
    const Reading as_it_stands = {.context = &context};
    TokenCorpus tokens = {0};
    SearchModel *model;
    Hypotheses found = {0};
    *translation = (Translation){.count = 0};
    TRY(translation_set_given_source(translation, data->source_vocabulary, sentence, error));
    TRY(inference_new(&model, params, NULL, error));
    Status status = token_corpus_add(&tokens, subwords->ids, subwords->count, NULL, 0, error);
    if (!status) {
        TokenPair source = token_corpus_pair(&tokens, 0);
        status = beam_search(model, &source, 1, &greedy, &found, error);
    }
    if (!status)
        status = translation_add_found(translation, &as_it_stands, &found, 1, false, error);
    hypotheses_free(&found);
    model->free(model);
    token_corpus_free(&tokens);
    return status;
}
