// Memory: what training and translating hold at most.

#include "bench/speed/bench.h"
#include "bench/speed/exchange.h"
#include "model/seq2seq.h"

#include <stdio.h>

// Long sentences in large batches.
enum { LONGEST = 70, LARGE_BATCH = 4000 };

#define LONG_PAIRS "long.tsv"
#define LONG_BATCHES "long.json"

static Status append_text(Bytes *text, const Vocabulary *vocabulary, const int32_t *ids,
                          size_t count, const char *behind, Error *error)
{
    Status status = vocabulary_decode(vocabulary, ids, count - 1, text, error);
    return status ? status : bytes_append_string(text, behind, error);
}

/* The joined pairs as text, for `regard train`. */
static Status write_pairs(const Bench *bench, const Workload *large, Error *error)
{
    const TrainingData *data = &bench->workload.data;
    Bytes text = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < large->corpus->count && !status; i++) {
        TokenPair pair = token_corpus_pair(large->corpus, i);
        status = append_text(&text, data->source_vocabulary, pair.source, pair.source_length, "\t",
                             error);
        if (!status)
            status = append_text(&text, data->target_vocabulary, pair.target, pair.target_length,
                                 "\n", error);
    }
    if (!status) status = bench_write(bench, LONG_PAIRS, &text, error);
    bytes_free(&text);
    return status;
}

/* A short run of the program itself on those pairs. */
static Status measure_training(Bench *bench, json_t *kept, Error *error)
{
    const Settings *settings = bench->settings;
    char numbers[5][32];
    const size_t values[] = {settings->vocabulary, settings->embedding, settings->hidden,
                             settings->threads, LARGE_BATCH};
    Bytes pairs = {0}, model = {0};
    Launch launched;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        snprintf(numbers[i], sizeof numbers[i], "%zu", values[i]);
    bar_step(&bench->bar, "regard train");
    Status status = bench_path(&pairs, bench, LONG_PAIRS, error);
    if (!status) status = bench_path(&model, bench, "long.safetensors", error);
    if (!status) {
        // exec does not change what it is given
        char *const words[] = {(char *)settings->regard,
                               "train",
                               "--train",
                               pairs.data,
                               "--model",
                               model.data,
                               "--overwrite",
                               "--vocab-size",
                               numbers[0],
                               "--embedding",
                               numbers[1],
                               "--hidden",
                               numbers[2],
                               "--threads",
                               numbers[3],
                               "--batch-tokens",
                               numbers[4],
                               "--max-minutes",
                               settings->quick ? "0.05" : "0.3",
                               NULL};
        status = launch(&launched, words, "", true, error);
    }
    bytes_free(&pairs);
    bytes_free(&model);
    if (status) return status;
    bench_keep(bench, kept, "regard_train", json_integer((json_int_t)launched.memory));
    bar_end(&bench->bar);
    writer_format(&bench->out,
                  "  regard train         %zu MB in all, corpus and vocabulary included\n",
                  launched.memory >> 20);
    return STATUS_OK;
}

/* A fresh PyTorch, in float32, on the same batches: one that has done other work may have held
 * more. */
static Status measure_peer(Bench *bench, const Workload *large, json_t *kept, Error *error)
{
    const Settings *settings = bench->settings;
    const PeerCommand command = {settings->python, settings->peer, settings->into, NULL};
    Bytes text = {0};
    Peer *peer = NULL;
    json_t *greeting = NULL, *answer = NULL;
    TRY(bench_need_peers(bench, error));
    if (bench->peer_count == 0) return STATUS_OK;
    bar_step(&bench->bar, "PyTorch");
    Writer out = writer_start(&text, error);
    exchange_workload(&out, large);
    Status status = writer_end(&out);
    if (!status) status = bench_write(bench, LONG_BATCHES, &text, error);
    bytes_free(&text);
    if (!status) status = peer_start(&peer, &command, &greeting, error);
    json_decref(greeting);
    if (!status)
        status = peer_ask(peer, json_pack("{s:s, s:s}", "do", "memory", "workload", LONG_BATCHES),
                          &answer, error);
    peer_end(peer);
    if (status) return status;
    json_int_t bytes = json_integer_value(json_object_get(answer, "bytes"));
    json_decref(answer);
    bench_keep(bench, kept, "pytorch_train", json_integer(bytes));
    bar_end(&bench->bar);
    writer_format(&bench->out, "  PyTorch, training    %zu MB in all, PyTorch itself included\n",
                  (size_t)bytes >> 20);
    return STATUS_OK;
}

static Status measure_translating(Bench *bench, json_t *kept, Error *error)
{
    const Workload *workload = &bench->workload;
    Seq2SeqParams params;
    Bytes model = {0};
    Launch launched;
    Status status = seq2seq_params_new(&params, &workload->config, error);
    if (!status) status = bench_save_model(bench, "empty.safetensors", &params, error);
    size_t block = params.list.block_size * sizeof(real);
    seq2seq_params_free(&params);
    if (!status) status = bench_path(&model, bench, "empty.safetensors", error);
    bar_step(&bench->bar, "regard translate");
    if (!status) {
        char *const words[] = {(char *)bench->settings->regard, "translate", "--model", model.data,
                               NULL};
        status = launch(&launched, words, "one line\n", true, error);
    }
    bytes_free(&model);
    if (status) return status;
    bench_keep(bench, kept, "regard_translate", json_integer((json_int_t)launched.memory));
    bench_keep(bench, kept, "parameters", json_integer((json_int_t)block));
    bar_end(&bench->bar);
    writer_format(
        &bench->out,
        "  regard translate     %zu MB in all, for one line\n"
        "  parameters           %zu MB; training has %zu blocks of this size: parameters, "
        "their average, moments, gradients\n",
        launched.memory >> 20, block >> 20, 4 + bench->settings->threads);
    return STATUS_OK;
}

static Status run(Bench *bench, const Workload *large, json_t *kept, Error *error)
{
    bar_begin(&bench->bar, "memory", 3);
    writer_format(&bench->out, "Memory, batches of %d tokens, sentences of up to %d\n", LARGE_BATCH,
                  LONGEST);
    Status status = write_pairs(bench, large, error);
    if (!status) status = measure_training(bench, kept, error);
    if (!status) status = measure_peer(bench, large, kept, error);
    if (!status) status = measure_translating(bench, kept, error);
    return status;
}

Status section_memory(Bench *bench, Error *error)
{
    Workload large = {0};
    Status status = bench_need_workload(bench, error);
    if (!status) status = workload_join(&large, &bench->workload, LONGEST, LARGE_BATCH, error);
    if (!status)
        status = run(bench, &large, bench_keep_object(bench, bench->results, "memory"), error);
    workload_free(&large);
    return status;
}
