// How the cost of training grows: with threads, units, vocabulary, length. Sentences are drawn,
// equally long on both sides.

#include "bench/speed/bench.h"
#include "bench/speed/stepper.h"

// One thing is varied at a time; 0 leaves the settings' value.
typedef struct Point {
    const char *of; // "units", "threads" …
    size_t threads, hidden, vocabulary, length;
    bool quick; // measured in --quick too
} Point;

enum { LENGTH_USUAL = 20, GROWTH_BATCHES = 3, GROWTH_ROUNDS = 3 };

static const Point POINTS[] = {
    {"threads", .threads = 1, .quick = true},
    {"threads", .threads = 2, .quick = true},
    {"units", .hidden = 128},
    {"units", .hidden = 256},
    {"units", .hidden = 512},
    {"units", .hidden = 1024},
    {"vocabulary", .vocabulary = 4000},
    {"vocabulary", .vocabulary = 8000},
    {"vocabulary", .vocabulary = 16000},
    {"vocabulary", .vocabulary = 32000},
    {"length", .length = 10},
    {"length", .length = 20},
    {"length", .length = 40},
    {"length", .length = 80, .quick = true},
};
enum { POINT_COUNT = sizeof POINTS / sizeof *POINTS };

// What is varied at this point.
static size_t value_of(const Point *point)
{
    if (point->threads) return point->threads;
    if (point->hidden) return point->hidden;
    return point->vocabulary ? point->vocabulary : point->length;
}

/* The median of a few passes over the same batches, after one that does not count. */
static Status measure(const Workload *workload, const Backend *backend, size_t threads, bool quick,
                      double *rate, Error *error)
{
    Stepper stepper;
    double rates[GROWTH_ROUNDS];
    size_t rounds = quick ? 1 : GROWTH_ROUNDS;
    PassTime time;
    Status status =
        stepper_new(&stepper, backend, &workload->config, &workload->options, threads, error);
    for (size_t i = 0; i <= rounds && !status; i++) {
        status = stepper_pass(&stepper, &workload->plan, workload->batches, workload->corpus, &time,
                              error);
        if (i > 0 && !status) rates[i - 1] = time.target_tokens / time.seconds;
    }
    if (!status) *rate = spread_of(rates, rounds).median;
    stepper_free(&stepper);
    return status;
}

static Status run_point(Bench *bench, const Point *point, json_t *kept, Error *error)
{
    const Settings *settings = bench->settings;
    Workload workload = {0};
    TrainOptions options = workload_options(settings);
    if (point->hidden) options.hidden = point->hidden;
    if (point->vocabulary) options.vocabulary_size = point->vocabulary;
    size_t threads = point->threads ? point->threads : settings->threads;
    size_t most = settings->quick ? 1 : GROWTH_BATCHES;
    size_t batches = settings->batches < most ? settings->batches : most;
    Status status = workload_draw(&workload, &options, point->length ? point->length : LENGTH_USUAL,
                                  batches, error);
    json_t *row = json_object();
    double token = workload.operations / workload.target_tokens;
    bench_keep(bench, row, "of", json_string(point->of));
    bench_keep(bench, row, "value", json_integer((json_int_t)value_of(point)));
    bench_keep(bench, row, "operations_per_target_token", json_real(token));
    writer_format(&bench->out, "  %-10s %6zu  %8.1f million operations", point->of, value_of(point),
                  token / 1e6);
    for (size_t i = 0; i < bench->trainer_count && !status; i++) {
        double rate = 0;
        status = measure(&workload, bench->backends[i], threads, settings->quick, &rate, error);
        bench_keep(bench, row, bench->backends[i]->name, json_real(rate));
        writer_format(&bench->out, "  %8.0f", rate);
    }
    bench_append(bench, kept, row);
    workload_free(&workload);
    writer_string(&bench->out, "\n");
    bar_end(&bench->bar);
    return status ? status : bench_flush(bench, error);
}

Status section_growth(Bench *bench, Error *error)
{
    json_t *kept = json_array();
    bench_keep(bench, bench->results, "growth", kept);
    if (bench->out_of_memory) return error_memory(error, 1, "the results");
    bar_begin(&bench->bar, "growth", POINT_COUNT);
    writer_string(&bench->out, "Growth, target tokens/s of training by: ");
    for (size_t i = 0; i < bench->trainer_count; i++)
        writer_format(&bench->out, "%s%s", i ? ", " : "", bench->backends[i]->title);
    writer_string(&bench->out, "\n");
    Status status = STATUS_OK;
    for (size_t i = 0; i < POINT_COUNT && !status; i++) {
        if (bench->settings->quick && !POINTS[i].quick) continue;
        bar_step(&bench->bar, POINTS[i].of);
        status = run_point(bench, &POINTS[i], kept, error);
    }
    return status;
}
