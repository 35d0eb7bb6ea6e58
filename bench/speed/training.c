// Training: target tokens a second by each backend and by PyTorch, in rounds that alternate.

#include "bench/speed/bench.h"
#include "bench/speed/exchange.h"
#include "bench/speed/stepper.h"

#include <math.h>
#include <stdio.h>

enum { CHECK_STEPS = 3, PEER_KINDS = 2 };
static const double CHECK_TOLERANCE = 1e-4;

// PyTorch in float32, and in bf16 where that is faster.
typedef struct PeerRow {
    const char *precision;
    Peer *peer; // whose policy suits it best; NULL: not measured
    json_t *setting;
    double expected; // tokens/s when its setting was looked for
    double rates[MAX_ROUNDS];
} PeerRow;

typedef struct Training {
    Bench *bench;
    const Workload *workload;
    json_t *kept;
    Stepper steppers[MAX_BACKENDS];
    double rates[MAX_BACKENDS][MAX_ROUNDS]; // target tokens a second
    PeerRow rows[PEER_KINDS];
} Training;

static Status pass(Training *training, size_t backend, PassTime *time, Error *error)
{
    const Workload *workload = training->workload;
    return stepper_pass(&training->steppers[backend], &workload->plan, workload->batches,
                        workload->corpus, time, error);
}

/* Some steps without dropout from the same weights, by Regard in float32. */
static Status losses_of_regard(const Training *training, size_t steps, double *losses, Error *error)
{
    const Workload *workload = training->workload;
    TrainOptions options = workload->options;
    Stepper stepper;
    options.dropout = 0;
    Status status = stepper_new(&stepper, training->bench->backends[0], &workload->config, &options,
                                training->bench->settings->threads, error);
    for (size_t i = 0; i < steps && !status; i++) {
        StepResult step;
        status = stepper_step(&stepper, &workload->plan, i, workload->corpus, &step, error);
        losses[i] = step.loss;
    }
    stepper_free(&stepper);
    return status;
}

/* And by PyTorch: the same losses, or this is no comparison. */
static Status check_peer(Training *training, Error *error)
{
    Bench *bench = training->bench;
    size_t batches = training->workload->batches;
    size_t steps = batches < CHECK_STEPS ? batches : CHECK_STEPS;
    double losses[CHECK_STEPS];
    json_t *answer = NULL;
    Status status = losses_of_regard(training, steps, losses, error);
    if (!status)
        status =
            peer_ask(bench->peers[0], json_pack("{s:s, s:i}", "do", "check", "steps", (int)steps),
                     &answer, error);
    if (status) return status;
    json_t *theirs = json_object_get(answer, "losses"), *ours = json_array();
    for (size_t i = 0; i < steps && !status; i++) {
        double loss = json_number_value(json_array_get(theirs, i));
        bench_append(bench, ours, json_real(losses[i]));
        writer_format(&bench->out,
                      "  loss of batch %zu      Regard %.6f, PyTorch %.6f: %.1e apart\n", i + 1,
                      losses[i], loss, fabs(loss / losses[i] - 1));
        if (!(fabs(loss / losses[i] - 1) < CHECK_TOLERANCE))
            status = error_set(error, STATUS_FORMAT,
                               "PyTorch's loss of batch %zu is %.6f instead of %.6f: it does not "
                               "compute the same model, so there is no comparison",
                               i + 1, loss, losses[i]);
    }
    bench_keep(bench, training->kept, "losses_of_regard", ours);
    bench_keep(bench, training->kept, "losses_of_pytorch", json_incref(theirs));
    json_decref(answer);
    return status;
}

/* Each process tries its settings; whoever is faster is measured. */
static Status choose_peers(Training *training, Error *error)
{
    Bench *bench = training->bench;
    static const char *const precisions[PEER_KINDS] = {"float32", "bf16"};
    Status status = STATUS_OK;
    for (size_t i = 0; i < bench->peer_count && !status; i++) {
        json_t *answer = NULL;
        int batches = bench->settings->quick ? 1 : 4;
        bar_step(&bench->bar, "PyTorch, its settings");
        status =
            peer_ask(bench->peers[i], json_pack("{s:s, s:i}", "do", "settle", "batches", batches),
                     &answer, error);
        for (size_t kind = 0; kind < PEER_KINDS && !status; kind++) {
            json_t *found = json_object_get(answer, precisions[kind]);
            double rate = json_number_value(json_object_get(found, "tokens_per_second"));
            PeerRow *row = &training->rows[kind];
            if (!found || rate <= row->expected) continue;
            json_decref(row->setting);
            *row = (PeerRow){precisions[kind], bench->peers[i], json_incref(found), rate, {0}};
        }
        if (!status) json_decref(answer);
    }
    if (training->rows[1].expected <= training->rows[0].expected) training->rows[1].peer = NULL;
    return status;
}

static Status peer_pass(PeerRow *row, size_t round, Error *error)
{
    json_t *answer = NULL;
    Status status =
        peer_ask(row->peer, json_pack("{s:s, s:s}", "do", "train", "precision", row->precision),
                 &answer, error);
    if (status) return status;
    row->rates[round] = json_number_value(json_object_get(answer, "target_tokens")) /
                        json_number_value(json_object_get(answer, "seconds"));
    json_decref(answer);
    return STATUS_OK;
}

/* One round: everybody once, each time beginning with another. */
static Status run_round(Training *training, size_t round, Error *error)
{
    Bench *bench = training->bench;
    size_t parties = bench->trainer_count + PEER_KINDS;
    Status status = STATUS_OK;
    for (size_t turn = 0; turn < parties && !status; turn++) {
        size_t party = (turn + round) % parties;
        PeerRow *row =
            party < bench->trainer_count ? NULL : &training->rows[party - bench->trainer_count];
        if (row && row->peer) {
            bar_step(&bench->bar, "PyTorch");
            status = peer_pass(row, round, error);
        } else if (!row) {
            PassTime time;
            bar_step(&bench->bar, bench->backends[party]->title);
            status = pass(training, party, &time, error);
            training->rates[party][round] = time.target_tokens / time.seconds;
        }
    }
    return status;
}

static Status measure(Training *training, Error *error)
{
    Bench *bench = training->bench;
    size_t rounds = bench->settings->rounds;
    Status status = STATUS_OK;
    bar_begin(&bench->bar, "training",
              bench->peer_count + (rounds + 1) * bench->trainer_count +
                  rounds * (bench->peer_count > 0));
    if (bench->peer_count) status = choose_peers(training, error);
    for (size_t i = 0; i < bench->trainer_count && !status; i++) {
        PassTime time;
        bar_step(&bench->bar, "warming up");
        status = pass(training, i, &time, error);
    }
    for (size_t round = 0; round < rounds && !status; round++)
        status = run_round(training, round, error);
    bar_end(&bench->bar);
    return status;
}

static void print_backend(Training *training, size_t backend)
{
    Bench *bench = training->bench;
    const Workload *workload = training->workload;
    char text[2][SPREAD_TEXT_SIZE];
    size_t rounds = bench->settings->rounds;
    Spread rate = spread_of(training->rates[backend], rounds);
    double token = workload->operations / workload->target_tokens;
    json_t *row = bench_keep_object(bench, training->kept, bench->backends[backend]->name);
    bench_keep(bench, row, "target_tokens_per_second", spread_json(rate));
    bench_keep(bench, row, "operations_per_second", json_real(rate.median * token));
    bench_keep(bench, row, "share_of_peak", json_real(rate.median * token / bench->peaks[backend]));
    writer_format(&bench->out, "  %-20s %-26s tokens/s  %6.1f GFLOP/s  %5.1f %% of its peak",
                  bench->backends[backend]->title, spread_text(text[0], rate, 0),
                  rate.median * token / 1e9, 100 * rate.median * token / bench->peaks[backend]);
    for (size_t kind = 0; kind < PEER_KINDS; kind++) {
        const PeerRow *peer = &training->rows[kind];
        if (!peer->peer) continue;
        Spread ratio = spread_of_ratios(training->rates[backend], peer->rates, rounds);
        snprintf(text[1], sizeof text[1], "times_pytorch_%s", peer->precision);
        bench_keep(bench, row, text[1], spread_json(ratio));
        writer_format(&bench->out, "  %s × PyTorch %s", spread_text(text[0], ratio, 2),
                      peer->precision);
    }
    writer_string(&bench->out, "\n");
}

static void print_peer(Training *training, PeerRow *row)
{
    Bench *bench = training->bench;
    char text[SPREAD_TEXT_SIZE], key[32];
    if (!row->peer) return;
    Spread rate = spread_of(row->rates, bench->settings->rounds);
    snprintf(key, sizeof key, "pytorch_%s", row->precision);
    json_t *kept = bench_keep_object(bench, training->kept, key);
    bench_keep(bench, kept, "target_tokens_per_second", spread_json(rate));
    bench_keep(bench, kept, "setting", json_incref(row->setting));
    const char *said = json_string_value(json_object_get(row->setting, "setting"));
    writer_format(&bench->out, "  PyTorch %-12s %-26s tokens/s  %s\n", row->precision,
                  spread_text(text, rate, 0), said ? said : "");
}

static void print(Training *training)
{
    Bench *bench = training->bench;
    for (size_t i = 0; i < bench->trainer_count; i++) print_backend(training, i);
    for (size_t kind = 0; kind < PEER_KINDS; kind++) print_peer(training, &training->rows[kind]);
}

static void print_workload(Training *training)
{
    Bench *bench = training->bench;
    const Workload *workload = training->workload;
    double pairs = (double)workload->plan.begin[workload->batches];
    double token = workload->operations / workload->target_tokens;
    bench_keep(bench, training->kept, "operations_per_target_token", json_real(token));
    bench_keep(bench, training->kept, "target_tokens", json_real(workload->target_tokens));
    writer_format(
        &bench->out,
        "Training, %zu threads\n  model                E %zu, H = D = A %zu, V %zu, dropout %g\n"
        "  batches              %zu of %zu tokens: %.0f pairs, on average %.1f and %.1f tokens "
        "long\n  operations           %.2f million for a target token, forward and backward\n",
        bench->settings->threads, workload->config.embedding, workload->config.hidden,
        workload->config.target_vocabulary, workload->options.dropout, workload->batches,
        workload->options.batch_tokens, pairs, workload->source_tokens / pairs,
        workload->target_tokens / pairs, token / 1e6);
}

static Status run(Training *training, Error *error)
{
    Bench *bench = training->bench;
    Status status = STATUS_OK;
    print_workload(training);
    for (size_t i = 0; i < bench->trainer_count && !status; i++)
        status =
            stepper_new(&training->steppers[i], bench->backends[i], &training->workload->config,
                        &training->workload->options, bench->settings->threads, error);
    if (!status && bench->peer_count) status = check_peer(training, error);
    if (!status) status = bench_flush(bench, error);
    if (!status) status = measure(training, error);
    if (!status) print(training);
    for (size_t i = 0; i < bench->trainer_count; i++) stepper_free(&training->steppers[i]);
    for (size_t kind = 0; kind < PEER_KINDS; kind++) json_decref(training->rows[kind].setting);
    return status;
}

Status section_training(Bench *bench, Error *error)
{
    Training training = {.bench = bench, .workload = &bench->workload};
    Status status = bench_need_peaks(bench, error);
    if (!status) status = bench_need_workload(bench, error);
    if (!status) status = bench_need_peers(bench, error);
    if (status) return status;
    training.kept = bench_keep_object(bench, bench->results, "training");
    return run(&training, error);
}
