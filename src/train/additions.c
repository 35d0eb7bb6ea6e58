#include "train/additions.h"

#include "align/aligner_file.h"
#include "model/seq2seq.h"
#include "train/disk_wait.h"
#include "train/initial_values.h"
#include "train/shortlist_learning.h"

typedef struct Additions {
    bool learned; // the model had no shortlist
    LearnedShortlist shortlist;
} Additions;

// Rank 0 alone: whether the model lacks a shortlist; its values.
static Status read_model(bool *lacks, const char *path, Seq2SeqParams *params, Error *error)
{
    Model model;
    TRY(model_open(&model, path, error));
    const AttentionScorer *scorer = attention_scorer_named(model.params.config.attention);
    *lacks = model.shortlist.always_count == 0 && scorer->energies;
    if (*lacks) initial_values_take(params, &model);
    model_close(&model);
    return STATUS_OK;
}

static Status learn(Additions *additions, const TrainSetup *setup, Seq2SeqParams *params,
                    Threads *threads, Error *error)
{
    Ranks *ranks = setup->ranks;
    bool lacks = false;
    Status status = STATUS_OK;
    if (ranks_rank(ranks) == 0) status = read_model(&lacks, setup->model_path, params, error);
    TRY(ranks_agree(ranks, status, error));
    additions->learned = ranks_max(ranks, lacks) > 0;
    if (!additions->learned) return STATUS_OK;
    ranks_broadcast(ranks, params->block, params->list.block_size * sizeof(real));
    seq2seq_params_fill_all(params, threads);
    return learned_shortlist_make(&additions->shortlist, &setup->data->train, params, threads,
                                  ranks, error);
}

static Status save(const Additions *additions, const TrainSetup *setup, Error *error)
{
    Model model;
    AlignerAddition aligner = {.aligner = &setup->data->aligner, .tensors.form = ALIGNER_EXACT};
    const ModelAddition addition = {aligner_addition_write, &aligner};
    TRY(model_open(&model, setup->model_path, error));
    bool aligns = setup->data->aligned && !aligner_is_in(model.file);
    Status status = STATUS_OK;
    if (additions->learned || aligns)
        status =
            model_save_additions(setup->model_path, &model,
                                 additions->learned ? &additions->shortlist.list : &model.shortlist,
                                 aligns ? &addition : NULL, error);
    aligner_tensors_free(&aligner.tensors);
    model_close(&model);
    return status;
}

static Status save_when_there_is_space(const Additions *additions, const TrainSetup *setup,
                                       const TrainCounters *counters, Error *error)
{
    DiskWait wait = {.setup = setup, .counters = counters};
    Status status;
    do status = save(additions, setup, error);
    while (disk_wait_again(&wait, status, error));
    return status;
}

Status additions_add_to_model(const TrainSetup *setup, const TrainCounters *counters,
                              Seq2SeqParams *params, Threads *threads, Error *error)
{
    Additions additions = {0};
    Status status = learn(&additions, setup, params, threads, error);
    if (!status && ranks_rank(setup->ranks) == 0)
        status = save_when_there_is_space(&additions, setup, counters, error);
    learned_shortlist_free(&additions.shortlist);
    return ranks_agree(setup->ranks, status, error);
}
