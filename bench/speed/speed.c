// How fast this machine trains and translates, beside PyTorch: `make bench`.

#define _DEFAULT_SOURCE
#include "bench/speed/bench.h"

#include "base/threads.h"
#include "base/version.h"
#include "io/json.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Of each processor: more than this in the last minute is somebody else's work.
static const double BUSY = 0.5;

typedef struct Section {
    const char *name;
    Status (*run)(Bench *bench, Error *error);
} Section;

static const Section sections[] = {
    {"machine", section_machine}, {"training", section_training}, {"decoding", section_decoding},
    {"growth", section_growth},   {"memory", section_memory},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

static Status write_json(const Bench *bench, Error *error)
{
    Bytes text = {0};
    Writer out = writer_start(&text, error);
    json_write(&out, json_incref(bench->results), JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    writer_string(&out, "\n");
    Status status = writer_end(&out);
    if (!status && bench->out_of_memory) status = error_memory(error, text.length, "the results");
    if (!status) status = bench_write_file(bench->settings->json, &text, error);
    bytes_free(&text);
    return status;
}

static Status run_sections(Bench *bench, Error *error)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i < SECTIONS && !status; i++) {
        if (!settings_wants(bench->settings, sections[i].name)) continue;
        status = sections[i].run(bench, error);
        bar_end(&bench->bar);
        if (!status) status = bench_flush(bench, error);
    }
    if (!status && bench->settings->json) status = write_json(bench, error);
    return status;
}

// What was asked for, so that the file explains itself.
static json_t *settings_to_json(const Settings *settings)
{
    return json_pack(
        "{s:s, s:b, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "version", REGARD_VERSION,
        "quick", settings->quick, "isa", settings->isa == ISA_AVX2 ? "avx2" : "best", "corpus",
        settings->corpus ? settings->corpus : "embedded", "rounds", (int)settings->rounds,
        "batches", (int)settings->batches, "batch_tokens", (int)settings->batch_tokens, "embedding",
        (int)settings->embedding, "hidden", (int)settings->hidden, "vocabulary",
        (int)settings->vocabulary, "threads", (int)settings->threads, "seed", (int)settings->seed);
}

/* Figures of a busy machine are of no use: says so. */
static void look_around(Bench *bench)
{
    double load = 0;
    size_t processors = threads_available();
    if (getloadavg(&load, 1) != 1) return;
    bench_keep(bench, bench->results, "load_before", json_real(load));
    if (load < BUSY * (double)processors) return;
    writer_format(&bench->out,
                  "Busy: the load of the last minute was %.1f on %zu processors, so the figures "
                  "below are not valid.\n",
                  load, processors);
}

static void add_backends(Bench *bench, bool training)
{
    for (size_t i = 0; backends[i] && bench->backend_count < MAX_BACKENDS; i++)
        if (backends[i]->available() && backends[i]->chosen_for(PACKED_TRAINING) == training)
            bench->backends[bench->backend_count++] = backends[i];
}

static Status run(const Settings *settings, Output *output, Error *error)
{
    Bench bench = {.settings = settings,
                   .output = output,
                   .out = output_start(output, error),
                   .bar = bar_new()};
    add_backends(&bench, true);
    bench.trainer_count = bench.backend_count;
    add_backends(&bench, false);
    if (mkdir(settings->into, 0777) && errno != EEXIST)
        return error_set(error, STATUS_IO, "%s: %s", settings->into, strerror(errno));
    bench.results = json_object();
    bench_keep(&bench, bench.results, "settings", settings_to_json(settings));
    look_around(&bench);
    Status status =
        bench.results ? run_sections(&bench, error) : error_memory(error, 1, "the results");
    for (size_t i = 0; i < bench.peer_count; i++) peer_end(bench.peers[i]);
    workload_free(&bench.workload);
    json_decref(bench.results);
    return status;
}

static Status read_words(size_t count, const char *const *words, Output *output, Error *error)
{
    Settings settings;
    Arguments arguments;
    const char *names[SECTIONS];
    for (size_t i = 0; i < SECTIONS; i++) names[i] = sections[i].name;
    Status status = options_parse(&arguments, &settings_verb, count, words, &settings, error);
    if (!status && arguments.help) {
        Writer out = output_start(output, error);
        options_help(&out, &settings_verb);
        return output_end(output, &out);
    }
    if (!status) status = settings_check(&settings, names, SECTIONS, error);
    if (status) return status;
    settings_complete(&settings, &arguments);
    if (!settings_limit(&settings)) return error_memory(error, 1, "the environment");
    return run(&settings, output, error);
}

int main(int argc, char **argv)
{
    Error error = {0};
    Output output = {.descriptor = STDOUT_FILENO};
    size_t count = argc > 0 ? (size_t)argc - 1 : 0;
    signal(SIGPIPE, SIG_IGN); // a peer that ended comes back as an error
    Status status = read_words(count, (const char *const *)argv + 1, &output, &error);
    Status closed = output_close(&output, status ? NULL : &error);
    if (!status) status = closed;
    if (!status || output.reader_gone) return EXIT_SUCCESS;
    report_error("speed", &error);
    return status == STATUS_ARGUMENT ? 2 : EXIT_FAILURE;
}
