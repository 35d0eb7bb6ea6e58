#include "train/additions.h"

#include "align/aligner_file.h"
#include "train/shortlist_learning.h"

// Learns with the model's parameters, in the packed forms of `trained` if that has any.
static Status learn_packed(LearnedShortlist *learned, const TokenCorpus *corpus, const Model *model,
                           const Seq2SeqParams *trained, Threads *threads, Error *error)
{
    Seq2SeqParams params;
    TRY(seq2seq_params_list(&params, &model->params.config, error));
    seq2seq_params_place(&params, model->params.places);
    seq2seq_params_share_packed(&params, trained);
    seq2seq_params_fill_all(&params, threads);
    Status status = learned_shortlist_make(learned, corpus, &params, threads, error);
    seq2seq_params_free(&params);
    return status;
}

// An aligner and the tensors that refer to it until they are saved.
typedef struct AlignerAddition {
    const Aligner *aligner;
    AlignerTensors tensors;
} AlignerAddition;

static Status write_aligner(void *context, SafetensorsWriter *writer, Error *error)
{
    AlignerAddition *addition = context;
    return aligner_write(writer, &addition->tensors, addition->aligner, error);
}

Status additions_add_to_model(const char *path, const TrainingData *data,
                              const Seq2SeqParams *trained, Threads *threads, Error *error)
{
    Model model;
    LearnedShortlist learned = {0};
    AlignerAddition aligner = {.aligner = &data->aligner};
    const ModelAddition addition = {write_aligner, &aligner};
    TRY(model_open(&model, path, error));
    const AttentionScorer *scorer = attention_scorer_named(model.params.config.attention);
    bool learns = model.shortlist.always_count == 0 && scorer->energies;
    bool aligns = data->aligned && !aligner_is_in(model.file);
    Status status = STATUS_OK;
    if (learns) status = learn_packed(&learned, &data->train, &model, trained, threads, error);
    if (!status && (learns || aligns))
        status = model_save_additions(path, &model, learns ? &learned.list : &model.shortlist,
                                      aligns ? &addition : NULL, error);
    aligner_tensors_free(&aligner.tensors);
    learned_shortlist_free(&learned);
    model_close(&model);
    return status;
}
