#include "bench/speed/workload.h"

#include "base/memory.h"
#include "base/random.h"
#include "bench/speed/operations.h"
#include "bench/speed/widen.h"

#include <string.h>

TrainOptions workload_options(const Settings *settings)
{
    TrainOptions options = TRAIN_OPTIONS_DEFAULT;
    options.embedding = settings->embedding;
    options.hidden = settings->hidden;
    options.vocabulary_size = settings->vocabulary;
    options.batch_tokens = settings->batch_tokens;
    options.dropout = 0.3;
    options.label_smoothing = 0.1;
    options.seed = settings->seed;
    options.threads = settings->threads;
    return options;
}

/* The plan, and what its first batches hold. */
static Status plan(Workload *workload, size_t batches, Error *error)
{
    const TrainOptions *options = &workload->options;
    Status status = config_check(&workload->config, error);
    if (!status)
        status = batch_plan_new(&workload->plan, workload->corpus, options->batch_tokens,
                                options->seed, 0, error);
    if (status) return status;
    workload->batches = batches < workload->plan.batches ? batches : workload->plan.batches;
    for (size_t i = 0; i < workload->plan.begin[workload->batches]; i++) {
        TokenPair pair = token_corpus_pair(workload->corpus, workload->plan.pairs[i]);
        workload->target_tokens += pair.target_length;
        workload->source_tokens += pair.source_length;
        workload->operations += operations_of_pair(&workload->config, &pair);
    }
    return STATUS_OK;
}

/* Reads the corpus with vocabularies that learn from it, or again with those widened to what is
 * wanted. */
static Status read_data(Workload *workload, const TrainingFiles *files, Error *error)
{
    TrainingData *data = &workload->data;
    size_t size = workload->options.vocabulary_size;
    Status status = training_data_read(data, files, &workload->options, NULL, NULL, error);
    if (status || !data->figures.small_vocabulary) return status;
    Vocabulary *source = NULL, *target = NULL;
    status = vocabulary_widen(&source, data->source_vocabulary, size, error);
    target = source;
    if (!status && !data->joint)
        status = vocabulary_widen(&target, data->target_vocabulary, size, error);
    training_data_free(data);
    if (!status) return training_data_read(data, files, &workload->options, source, target, error);
    vocabulary_free(source);
    return status;
}

Status workload_read(Workload *workload, const Settings *settings, Error *error)
{
    static const char *const embedded[] = {"data/en-fr/train.tsv", "data/en-fr/everyday.tsv"};
    static const char *const valid[] = {"data/en-fr/valid.tsv"};
    TrainingFiles files = {.readers = &training_file_readers,
                           .train = embedded,
                           .count = 2,
                           .valid = valid,
                           .valid_count = 1};
    if (settings->corpus)
        files = (TrainingFiles){
            .readers = &training_file_readers, .train = &settings->corpus, .count = 1};
    workload->options = workload_options(settings);
    Status status = read_data(workload, &files, error);
    if (status) return status;
    const TrainingData *data = &workload->data;
    workload->corpus = &data->train;
    workload->config =
        train_options_config(&workload->options, vocabulary_size(data->source_vocabulary),
                             vocabulary_size(data->target_vocabulary), data->joint);
    return plan(workload, settings->batches, error);
}

Status workload_draw(Workload *workload, const TrainOptions *options, size_t length, size_t batches,
                     Error *error)
{
    size_t each = options->batch_tokens / length, inside = length - 1; // </s> is added
    size_t pairs = batches * (each ? each : 1);
    Random random = random_from(options->seed, RANDOM_STREAM_EPOCHS);
    int32_t *tokens = memory_new(2 * inside + 1, sizeof *tokens);
    Status status = tokens ? STATUS_OK : error_memory(error, length, "drawn sentences");
    workload->options = *options;
    for (size_t i = 0; i < pairs && !status; i++) {
        for (size_t j = 0; j < 2 * inside; j++)
            tokens[j] = (int32_t)(TOKEN_BYTES +
                                  random_below(&random,
                                               (uint32_t)(options->vocabulary_size - TOKEN_BYTES)));
        status = token_corpus_add(&workload->drawn, tokens, inside, tokens + inside, inside, error);
    }
    memory_free(tokens);
    if (status) return status;
    workload->corpus = &workload->drawn;
    workload->config =
        train_options_config(options, options->vocabulary_size, options->vocabulary_size, true);
    return plan(workload, batches, error);
}

// A pair that grows.
typedef struct Joined {
    int32_t *tokens[2];
    size_t lengths[2];
} Joined;

/* Appends a side of a pair, without its </s>. */
static void join(Joined *joined, int side, const int32_t *tokens, size_t length)
{
    memcpy(joined->tokens[side] + joined->lengths[side], tokens, (length - 1) * sizeof *tokens);
    joined->lengths[side] += length - 1;
}

static Status join_all(TokenCorpus *to, const TokenCorpus *from, Joined *joined, size_t longest,
                       Error *error)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i <= from->count && !status; i++) {
        TokenPair pair = {0};
        if (i < from->count) pair = token_corpus_pair(from, i);
        bool full = i == from->count || joined->lengths[0] + pair.source_length > longest ||
                    joined->lengths[1] + pair.target_length > longest;
        if (full && joined->lengths[0]) {
            status = token_corpus_add(to, joined->tokens[0], joined->lengths[0], joined->tokens[1],
                                      joined->lengths[1], error);
            joined->lengths[0] = joined->lengths[1] = 0;
        }
        if (i == from->count || pair.source_length > longest || pair.target_length > longest)
            continue;
        join(joined, 0, pair.source, pair.source_length);
        join(joined, 1, pair.target, pair.target_length);
    }
    return status;
}

Status workload_join(Workload *workload, const Workload *from, size_t longest, size_t batch_tokens,
                     Error *error)
{
    Joined joined = {{memory_new(longest, sizeof(int32_t)), memory_new(longest, sizeof(int32_t))},
                     {0, 0}};
    Status status = joined.tokens[0] && joined.tokens[1]
                        ? join_all(&workload->drawn, from->corpus, &joined, longest, error)
                        : error_memory(error, longest, "joined sentences");
    memory_free(joined.tokens[0]);
    memory_free(joined.tokens[1]);
    if (status) return status;
    workload->options = from->options;
    workload->options.batch_tokens = batch_tokens;
    workload->config = from->config;
    workload->corpus = &workload->drawn;
    return plan(workload, SIZE_MAX, error);
}

void workload_free(Workload *workload)
{
    training_data_free(&workload->data);
    token_corpus_free(&workload->drawn);
    batch_plan_free(&workload->plan);
    *workload = (Workload){0};
}
