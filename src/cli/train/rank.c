#define _POSIX_C_SOURCE 200809L
#include "cli/train/train.h"

#include "base/memory.h"
#include "base/string_map.h"
#include "base/threads.h"
#include "cli/output.h"

#include <unistd.h>

Status rank_start(TrainRank *rank, TrainValues *values, Progress *progress, Error *error)
{
    Ranks *ranks = &rank->ranks;
    Status status = ranks_start(ranks, error);
    if (!status) status = ranks_compare_programs(ranks, error);
    if (!status) rank->processors = (size_t)-ranks_max(ranks, -(double)threads_available());
    if (!status && values->check) ranks_end(ranks);
    if (ranks_rank(ranks) == 0) return status;
    progress->stream = NULL;
    return status;
}

void rank_choose_threads(const TrainRank *rank, TrainValues *values, bool given)
{
    size_t *threads = &values->options.threads, count = ranks_count(&rank->ranks);
    if (values->resume && !given)
        *threads = *threads > count ? *threads / count : 1;
    else if (!given)
        *threads = rank->processors;
    *threads *= count;
}

size_t rank_own_threads(const TrainRank *rank, const TrainOptions *options)
{
    return options->threads / ranks_count(&rank->ranks);
}

void rank_check_processors(const TrainRank *rank, const TrainOptions *options, Progress *progress)
{
    size_t own = rank_own_threads(rank, options), available = rank->processors;
    if (ranks_count(&rank->ranks) > 1 && own > available)
        progress_say(progress,
                     "warning: a rank has %zu threads and may use %zu processor%s; with Open MPI, "
                     "mpirun --bind-to none lets it use all",
                     own, available, plural(available));
}

Status rank_compare_options(TrainRank *rank, const TrainOptions *options, bool aligns, Error *error)
{
    Ranks *ranks = &rank->ranks;
    FREED char *text = NULL;
    if (ranks_count(ranks) == 1) return STATUS_OK;
    TRY(ranks_compare(ranks, options->precision,
                      "--precision auto is another here than on rank 0; give --precision", error));
    TRY(json_text(&text, train_options_to_json(options, true), JSON_COMPACT, error));
    uint64_t hash = string_hash(text, strlen(text));
    return ranks_compare(ranks, 2 * hash + aligns, "its options are not those of rank 0", error);
}

Status rank_compare_states(TrainRank *rank, const Trainer *trainer, Error *error)
{
    Ranks *ranks = &rank->ranks;
    const Seq2SeqParams *params = trainer_params(trainer);
    if (ranks_count(ranks) == 1) return STATUS_OK;
    uint64_t hash =
        string_hash((const char *)params->block, params->list.block_size * sizeof(real));
    return ranks_compare(ranks, hash ^ trainer_counters(trainer)->steps,
                         "it does not begin with what rank 0 begins with; give all nodes the same "
                         "model or checkpoint",
                         error);
}

Status rank_end(TrainRank *rank, Status status, Error *error)
{
    Ranks *ranks = &rank->ranks;
    char host[64] = "";
    if (status && !ranks->agreed && ranks->module) {
        const Error inner = *error;
        gethostname(host, sizeof host - 1);
        (void)error_set(error, status, "rank %zu (%s): %s", ranks_rank(ranks), host, inner.text);
        report_error("train", error);
        ranks_end_all(ranks, 1);
    }
    ranks_end(ranks);
    return ranks_rank(ranks) == 0 ? status : STATUS_OK;
}
