#include "bench/speed/bench.h"

#include "bench/speed/exchange.h"
#include "io/file_writer.h"
#include "model/seq2seq.h"
#include "train/save.h"

#include <stdlib.h>
#include <string.h>

void bench_keep(Bench *bench, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value)) bench->out_of_memory = true;
}

void bench_append(Bench *bench, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value)) bench->out_of_memory = true;
}

json_t *bench_keep_object(Bench *bench, json_t *object, const char *key)
{
    json_t *made = json_object();
    bench_keep(bench, object, key, made);
    return bench->out_of_memory ? object : made;
}

Status bench_need_workload(Bench *bench, Error *error)
{
    if (bench->workload_read) return STATUS_OK;
    bar_begin(&bench->bar, "corpus", 1);
    bar_step(&bench->bar, "learning its subwords");
    Status status = workload_read(&bench->workload, bench->settings, error);
    bench->workload_read = !status;
    bar_end(&bench->bar);
    return status;
}

Status bench_path(Bytes *path, const Bench *bench, const char *name, Error *error)
{
    bytes_clear(path);
    return bytes_append_format(path, error, "%s/%s", bench->settings->into, name);
}

Status bench_write_file(const char *path, const Bytes *text, Error *error)
{
    FileWriter *writer = NULL;
    Status status = file_writer_open(&writer, path, error);
    if (status) return status;
    status = file_writer_write(writer, text->data, text->length, error);
    if (!status) return file_writer_commit(writer, error);
    file_writer_abandon(writer);
    return status;
}

Status bench_write(const Bench *bench, const char *name, const Bytes *text, Error *error)
{
    Bytes path = {0};
    Status status = bench_path(&path, bench, name, error);
    if (!status) status = bench_write_file(path.data, text, error);
    bytes_free(&path);
    return status;
}

Status bench_flush(Bench *bench, Error *error)
{
    return bench->out.status ? bench->out.status : output_flush(bench->output, error);
}

Status bench_save_model(const Bench *bench, const char *name, const Seq2SeqParams *params,
                        Error *error)
{
    const Workload *workload = &bench->workload;
    const TrainCounters counters = {0};
    Bytes path = {0};
    Status status = bench_path(&path, bench, name, error);
    if (!status) {
        const TrainSetup setup = {
            .data = &workload->data, .options = &workload->options, .model_path = path.data};
        status = save_model(&setup, params, &counters, NULL, error);
    }
    bytes_free(&path);
    return status;
}

/* What the peers read: the first weights, the batches, the options. */
static Status prepare_exchange(Bench *bench, Error *error)
{
    Seq2SeqParams params = {0};
    const Workload *workload = &bench->workload;
    Status status = seq2seq_params_new(&params, &workload->config, error);
    if (!status) {
        seq2seq_initialise(&params, workload->options.seed);
        status = bench_save_model(bench, EXCHANGE_FIRST_MODEL, &params, error);
    }
    seq2seq_params_free(&params);
    Bytes text = {0};
    Writer out = writer_start(&text, error);
    out.status = status;
    exchange_workload(&out, workload);
    status = writer_end(&out);
    if (!status) status = bench_write(bench, EXCHANGE_WORKLOAD, &text, error);
    bytes_free(&text);
    return status;
}

/* Two processes: libgomp reads OMP_WAIT_POLICY when it is loaded. */
static Status start_peers(Bench *bench, json_t *kept, Error *error)
{
    static const char *const policies[MAX_PEERS] = {NULL, "PASSIVE"};
    const Settings *settings = bench->settings;
    for (size_t i = settings->quick ? 1 : 0; i < MAX_PEERS;
         i++) { // quick: the one that is mostly faster
        json_t *greeting = NULL;
        Error said = {0};
        PeerCommand command = {settings->python, settings->peer, settings->into, policies[i]};
        Status status = peer_start(&bench->peers[bench->peer_count], &command, &greeting, &said);
        if (status == STATUS_ARGUMENT && bench->peer_count == 0) {
            bench_keep(bench, kept, "absent", json_string(said.text));
            writer_format(&bench->out, "without PyTorch: %s (Debian: python3-torch)\n", said.text);
            return STATUS_OK;
        }
        if (status) return error_set(error, status, "%s", said.text);
        if (bench->peer_count++ == 0) bench_keep(bench, kept, "peer", json_incref(greeting));
        json_decref(greeting);
    }
    return STATUS_OK;
}

Status bench_need_peers(Bench *bench, Error *error)
{
    if (bench->peers_started || bench->settings->no_peer) return STATUS_OK;
    Status status = bench_need_workload(bench, error);
    if (!status) status = prepare_exchange(bench, error);
    bar_begin(&bench->bar, "PyTorch", 1);
    bar_step(&bench->bar, "starting");
    if (!status) status = start_peers(bench, bench->results, error);
    bar_end(&bench->bar);
    bench->peers_started = !status;
    return status;
}
