// Decoding: sentences a second by each backend and by PyTorch with the same weights, and whether
// they say the same.

#include "bench/speed/decoding.h"
#include "base/clock.h"
#include "base/memory.h"
#include "bench/speed/exchange.h"
#include "bench/speed/stepper.h"
#include "model/inference.h"

#include <stdio.h>
#include <string.h>

// The searches and batches that are measured.
static const struct {
    size_t beam, batch;
} WAYS[] = {{1, 1}, {1, 64}, {5, 1}, {5, 64}};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS, MAX_ALONE = 32, MAX_STARTS = 15 };

// Updates until the highest learning rate: a short training has no time for those of `regard
// train`.
enum { SHORT_WARMUP = 50 };

typedef struct Decoding {
    Bench *bench;
    json_t *kept;
    TokenPair *sources; // (count)
    size_t count;
    Seq2SeqParams params[MAX_BACKENDS]; // trained, each packed in its own way
    Threads *threads, *one;
    BatchSearch searches[MAX_BACKENDS], searches_alone[MAX_BACKENDS];
    json_t *first; // what the first backend said in the way that is under way
    Way ways[WAY_COUNT];
} Decoding;

/* Trains for the time that was asked for, by the fastest backend, and leaves the running
 * average. */
static Status train(Decoding *decoding, Seq2SeqParams *params, Error *error)
{
    Bench *bench = decoding->bench;
    const Workload *workload = &bench->workload;
    TrainOptions options = workload->options;
    Stepper stepper;
    char now[64];
    double began = clock_seconds(), loss = 0;
    options.warmup = SHORT_WARMUP;
    Status status = stepper_new(&stepper, bench->backends[bench->trainer_count - 1],
                                &workload->config, &options, bench->settings->threads, error);
    while (!status && clock_seconds() - began < bench->settings->seconds) {
        StepResult step;
        status = stepper_step(&stepper, &workload->plan, stepper.steps % workload->plan.batches,
                              workload->corpus, &step, error);
        loss = step.loss;
        bench->bar.done = (size_t)(clock_seconds() - began);
        snprintf(now, sizeof now, "training a model, loss %.2f", loss);
        bar_step(&bench->bar, now);
    }
    if (!status)
        writer_format(&bench->out,
                      "Decoding, %zu threads\n  model                %.0f s of training: "
                      "%llu steps, loss %.2f\n",
                      bench->settings->threads, bench->settings->seconds,
                      (unsigned long long)stepper.steps, loss);
    if (!status)
        memcpy(params->block, stepper.average.block, params->list.block_size * sizeof(real));
    stepper_free(&stepper);
    return status;
}

static Status prepare_backend(Decoding *decoding, size_t i, Error *error)
{
    Bench *bench = decoding->bench;
    const ModelConfig *config = &bench->workload.config;
    Seq2SeqParams *params = &decoding->params[i];
    Status status = STATUS_OK;
    if (i > 0) {
        status = seq2seq_params_new(params, config, error);
        if (!status)
            memcpy(params->block, decoding->params[0].block,
                   params->list.block_size * sizeof(real));
    }
    if (!status) status = seq2seq_params_pack(params, bench->backends[i], PACKED_DECODING, error);
    if (status) return status;
    seq2seq_params_fill_all(params, decoding->threads);
    status = inference_batch_search(&decoding->searches[i], decoding->threads, params, NULL, NULL,
                                    error);
    if (status) return status;
    return inference_batch_search(&decoding->searches_alone[i], decoding->one, params, NULL, NULL,
                                  error);
}

/* Sources of the validation set, as many as are wanted and there are. */
static Status choose_sources(Decoding *decoding, Error *error)
{
    const TokenCorpus *corpus = &decoding->bench->workload.data.valid[0].tokens;
    size_t wanted = decoding->bench->settings->sentences;
    decoding->count = wanted < corpus->count ? wanted : corpus->count;
    decoding->sources = memory_new(decoding->count, sizeof *decoding->sources);
    if (!decoding->sources) return error_memory(error, decoding->count, "sources");
    for (size_t i = 0; i < decoding->count; i++)
        decoding->sources[i] = token_corpus_pair(corpus, i);
    return STATUS_OK;
}

static Status prepare(Decoding *decoding, Error *error)
{
    Bench *bench = decoding->bench;
    Status status = choose_sources(decoding, error);
    if (!status) status = threads_new(&decoding->threads, bench->settings->threads, error);
    if (!status) status = threads_new(&decoding->one, 1, error);
    if (!status) status = seq2seq_params_new(&decoding->params[0], &bench->workload.config, error);
    if (!status) status = train(decoding, &decoding->params[0], error);
    if (!status)
        status = bench_save_model(bench, EXCHANGE_TRAINED_MODEL, &decoding->params[0], error);
    for (size_t i = 0; i < bench->backend_count && !status; i++)
        status = prepare_backend(decoding, i, error);
    return status;
}

/* The best hypotheses as arrays of ids, </s> left out. */
static json_t *said_by(Bench *bench, const Hypotheses *results, size_t count)
{
    json_t *said = json_array();
    for (size_t i = 0; i < count; i++) {
        const Hypothesis *best = &results[i].items[0];
        bench_append(bench, said, exchange_ids(best->tokens, best->length - best->ended));
    }
    return said;
}

/* Counts what was said, and how much of it the first backend says too. */
static void compare(Outcome *outcome, const json_t *said, const json_t *first)
{
    outcome->tokens = outcome->same = 0;
    for (size_t i = 0; i < json_array_size(said); i++) {
        const json_t *ids = json_array_get(said, i);
        outcome->tokens += json_array_size(ids);
        outcome->same += json_equal(ids, json_array_get(first, i)) != 0;
    }
}

/* All sources once: seconds, and with `said` what was said. */
static Status decode(const BatchSearch *search, const Decoding *decoding, const Way *way,
                     double *seconds, json_t **said, Error *error)
{
    size_t count = way->sources;
    SearchOptions options = {.beam = way->beam, .batch = way->batch, .length_normalization = 1};
    Hypotheses *results = memory_new(count, sizeof *results);
    if (!results) return error_memory(error, count * sizeof *results, "translations");
    double began = clock_seconds();
    Status status = batch_search_run(search, decoding->sources, count, &options, results, error);
    *seconds = clock_seconds() - began;
    if (!status && said) *said = said_by(decoding->bench, results, count);
    for (size_t i = 0; i < count; i++) hypotheses_free(&results[i]);
    memory_free(results);
    return status;
}

static Status run_backend(Decoding *decoding, Way *way, size_t backend, size_t round, Error *error)
{
    double seconds;
    json_t *said = NULL;
    Outcome *outcome = &way->outcomes[backend];
    Status status = decode(&decoding->searches[backend], decoding, way, &seconds, &said, error);
    if (status) return status;
    outcome->rates[round] = (double)way->sources / seconds;
    if (backend == 0 && !decoding->first) decoding->first = json_incref(said);
    compare(outcome, said, decoding->first);
    json_decref(said);
    return STATUS_OK;
}

/* One sentence after another by one thread: the median of how long each takes. */
static Status run_alone(Decoding *decoding, Way *way, size_t backend, Error *error)
{
    double seconds[MAX_ALONE];
    TokenPair *all = decoding->sources;
    Way one = *way;
    one.sources = 1;
    size_t count = decoding->count < MAX_ALONE ? decoding->count : MAX_ALONE;
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        decoding->sources = all + i;
        status =
            decode(&decoding->searches_alone[backend], decoding, &one, &seconds[i], NULL, error);
    }
    decoding->sources = all;
    if (!status) way->outcomes[backend].alone = spread_of(seconds, count).median;
    return status;
}

static Status run_peer(Decoding *decoding, Way *way, size_t round, Peer *peer, Error *error)
{
    json_t *answer = NULL;
    Outcome *outcome = &way->peer;
    Status status =
        peer_ask(peer,
                 json_pack("{s:s, s:i, s:i, s:i}", "do", "decode", "beam", (int)way->beam, "batch",
                           (int)way->batch, "count", (int)way->sources),
                 &answer, error);
    if (status) return status;
    outcome->rates[round] =
        (double)way->sources / json_number_value(json_object_get(answer, "seconds"));
    outcome->alone =
        way->batch == 1 ? json_number_value(json_object_get(answer, "median_latency")) : 0;
    compare(outcome, json_object_get(answer, "outputs"), decoding->first);
    json_decref(answer);
    return STATUS_OK;
}

/* Each process once, which also lets it find its number of threads; the faster one is measured. */
static Status choose_peer(Decoding *decoding, Way *way, Peer **chosen, Error *error)
{
    Bench *bench = decoding->bench;
    double best = 0;
    Status status = STATUS_OK;
    for (size_t i = 0; i < bench->peer_count && !status; i++) {
        status = run_peer(decoding, way, 0, bench->peers[i], error);
        double rate = way->peer.rates[0];
        if (!status && rate > best) {
            best = rate;
            *chosen = bench->peers[i];
        }
    }
    return status;
}

static Status run_way(Decoding *decoding, Way *way, Error *error)
{
    Bench *bench = decoding->bench;
    Status status = STATUS_OK;
    char now[64];
    double seconds;
    Peer *peer = NULL;
    snprintf(now, sizeof now, "beam %zu, batch %zu", way->beam, way->batch);
    json_decref(decoding->first);
    decoding->first = NULL;
    for (size_t i = 0; i < bench->backend_count && !status; i++) // warm
        status = decode(&decoding->searches[i], decoding, way, &seconds, NULL, error);
    if (!status) status = choose_peer(decoding, way, &peer, error);
    for (size_t round = 0; round < way->rounds && !status; round++) {
        bar_step(&bench->bar, now);
        for (size_t i = 0; i < bench->backend_count && !status; i++)
            status = run_backend(decoding, way, i, round, error);
        if (!status && peer) status = run_peer(decoding, way, round, peer, error);
    }
    for (size_t i = 0; i < bench->backend_count && !status && way->batch == 1; i++)
        status = run_alone(decoding, way, i, error);
    return status;
}

/* From the start of `regard translate` to the line it prints. */
static Status start_cold(Decoding *decoding, Error *error)
{
    Bench *bench = decoding->bench;
    const Settings *settings = bench->settings;
    double seconds[MAX_STARTS];
    size_t times = settings->quick ? 5 : MAX_STARTS;
    char text[SPREAD_TEXT_SIZE];
    Bytes model = {0}, line = {0};
    TextPair pair = text_corpus_pair(&bench->workload.data.valid[0].text, 0);
    Status status = bench_path(&model, bench, EXCHANGE_TRAINED_MODEL, error);
    if (!status) status = bytes_append_format(&line, error, "%s\n", pair.sides[0].data);
    for (size_t i = 0; i < times && !status; i++) {
        Launch launched;
        // exec does not change what it is given
        char *const words[] = {(char *)settings->regard, "translate", "--model", model.data, NULL};
        status = launch(&launched, words, line.data, false, error);
        seconds[i] = 1e3 * launched.first_line;
    }
    bytes_free(&model);
    bytes_free(&line);
    if (status) return status;
    Spread spread = spread_of(seconds, times);
    bench_keep(bench, decoding->kept, "cold_start_milliseconds", spread_json(spread));
    writer_format(&bench->out,
                  "  regard translate     %s ms from process start to the first line\n",
                  spread_text(text, spread, 1));
    return STATUS_OK;
}

static Status load_peers(Decoding *decoding, Error *error)
{
    Bench *bench = decoding->bench;
    Bytes path = {0};
    Status status = bench_path(&path, bench, EXCHANGE_TRAINED_MODEL, error);
    for (size_t i = 0; i < bench->peer_count && !status; i++) {
        json_t *sources = json_array(), *answer = NULL;
        for (size_t s = 0; s < decoding->count; s++)
            bench_append(
                bench, sources,
                exchange_ids(decoding->sources[s].source, decoding->sources[s].source_length));
        status = peer_ask(
            bench->peers[i],
            json_pack("{s:s, s:s, s:o}", "do", "load", "model", path.data, "sources", sources),
            &answer, error);
        if (!status) json_decref(answer);
    }
    bytes_free(&path);
    return status;
}

static void decoding_free(Decoding *decoding)
{
    for (size_t i = 0; i < MAX_BACKENDS; i++) {
        batch_search_free(&decoding->searches[i]);
        batch_search_free(&decoding->searches_alone[i]);
        seq2seq_params_free(&decoding->params[i]);
    }
    threads_free(decoding->threads);
    threads_free(decoding->one);
    memory_free(decoding->sources);
    json_decref(decoding->first);
}

/* What is to be measured in each way: sentence by sentence takes longer and needs fewer sources. */
static void lay_out(Decoding *decoding)
{
    size_t rounds = decoding->bench->settings->rounds;
    for (size_t i = 0; i < WAY_COUNT; i++) {
        Way *way = &decoding->ways[i];
        *way = (Way){.beam = WAYS[i].beam,
                     .batch = WAYS[i].batch,
                     .sources = WAYS[i].batch > 1 ? decoding->count : (decoding->count + 3) / 4,
                     .rounds = rounds < MAX_DECODING_ROUNDS ? rounds : MAX_DECODING_ROUNDS,
                     .with_peer = decoding->bench->peer_count > 0};
        for (size_t s = 0; s < way->sources; s++)
            way->reference += (decoding->sources[s].target_length - 1) / (double)way->sources;
    }
}

static Status run(Decoding *decoding, Error *error)
{
    Bench *bench = decoding->bench;
    bar_begin(&bench->bar, "decoding", (size_t)bench->settings->seconds);
    Status status = prepare(decoding, error);
    if (!status) status = load_peers(decoding, error);
    if (!status) lay_out(decoding);
    bar_begin(&bench->bar, "decoding", WAY_COUNT * decoding->ways[0].rounds);
    for (size_t i = 0; i < WAY_COUNT && !status; i++)
        status = run_way(decoding, &decoding->ways[i], error);
    bar_end(&bench->bar);
    for (size_t i = 0; i < WAY_COUNT && !status; i++)
        decoding_print(bench, decoding->kept, &decoding->ways[i]);
    if (!status) status = start_cold(decoding, error);
    return status;
}

Status section_decoding(Bench *bench, Error *error)
{
    Status status = bench_need_workload(bench, error);
    if (!status) status = bench_need_peers(bench, error);
    if (status) return status;
    Decoding *decoding = memory_new(1, sizeof *decoding);
    if (!decoding) return error_memory(error, sizeof *decoding, "decoding");
    decoding->bench = bench;
    decoding->kept = bench_keep_object(bench, bench->results, "decoding");
    status = run(decoding, error);
    decoding_free(decoding);
    memory_free(decoding);
    return status;
}
