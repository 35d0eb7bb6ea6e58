/* `regard serve` in simulations: as many seeds as SEEDS says, or the one that SEED does, which is then
 * shown. Each runs twice, and what happens must be the same. */

#define _GNU_SOURCE
#include "base/memory.h"
#include "cli/verbs.h"
#include "simulation/scenario.h"

#include "support/scratch.h"
#include "support/suite.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char *file_in(const Scenario *scenario, const char *name)
{
    return scratch_path_in(scenario->folder, name);
}

// Puts another file in a model's place, as a program that saves one does.
static void replace_model(const Scenario *scenario, size_t model, const char *with)
{
    static const char *const names[MODELS] = {"0.safetensors", "1.safetensors"};
    const char *path = file_in(scenario, names[model]), *fresh = file_in(scenario, "fresh");
    if (!with) {
        scratch_write(fresh, "no model", strlen("no model"));
        (void)rename(fresh, path);
        return;
    }
    (void)unlink(path);
    (void)link(with, path);
}

static bool signals_handled(void *context)
{
    return ((Scenario *)context)->ending > 0 || simulation_signals_handled();
}

static bool has_ended(void *context)
{
    return ((Scenario *)context)->ended;
}

static void reload(Scenario *scenario, size_t version)
{
    bool good = version < VERSIONS;
    replace_model(scenario, 0, good ? queries_model(0, version) : NULL);
    if (good) scenario_add_version(scenario, version);
    simulation_signal(SIGHUP);
    if (!simulation_await((Awaited){"SIGHUP", signals_handled, scenario}, 1000))
        simulation_fail("no end of SIGHUP");
    if (good && !scenario->pace.short_memory && scenario->ending == 0)
        scenario->versions = 1u << version;
}

// Sends signals.
static void direct(void *context)
{
    Scenario *scenario = context;
    for (size_t i = 0; i < scenario->reload_count; i++) {
        double wait = scenario->reloads[i].when - simulation_now();
        if (wait > 0) simulation_sleep(wait);
        reload(scenario, scenario->reloads[i].version);
    }
}

static bool clients_have_ended(void *context)
{
    const Scenario *scenario = context;
    return scenario->clients_ended == scenario->client_count;
}

static void end_it(void *context)
{
    Scenario *scenario = context;
    double wait = scenario->ends > 0 ? fmax(scenario->ends - simulation_now(), 0) : INFINITY;
    if (simulation_await((Awaited){"clients", clients_have_ended, scenario}, wait)) {
        simulation_sleep(scenario->timeout + 1); // whoever has left has been noticed
        scenario->counted = client_count_requests();
        simulation_sleep(1);
    }
    double idle = simulation_now() - simulation_worked();
    scenario->ending = simulation_now();
    simulation_signal(simulation_chance(0.5) ? SIGTERM : SIGINT);
    (void)simulation_await((Awaited){"the end", has_ended, scenario}, INFINITY);
    idle = simulation_now() - simulation_worked() - idle;
    if (idle > scenario->timeout + 1) simulation_fail("it took %g s to end", idle);
}

static void read_log(void *context)
{
    Scenario *scenario = context;
    char piece[512];
    for (;;) {
        if (scenario->log_pause > 0) simulation_sleep(scenario->log_pause);
        (void)simulation_poll(scenario->log[0], POLLIN, INFINITY);
        ssize_t got = read(scenario->log[0], piece, sizeof piece);
        if (got <= 0) return;
        assert_ok(bytes_append(&scenario->logged, piece, (size_t)got, NULL));
    }
}

static Status serve(Scenario *scenario, Error *error)
{
    // in the order of the words
    const double limits[] = {scenario->timeout,
                             (double)scenario->max_queue,
                             (double)scenario->max_connections,
                             (double)scenario->threads,
                             MAX_CHARACTERS,
                             BEAM,
                             (double)scenario->per_minute};
    char texts[7][32];
    const char *words[] = {"--model",        file_in(scenario, "0.safetensors"),
                           "--model",        file_in(scenario, "1.safetensors"),
                           "--corrections",  file_in(scenario, "corrections"),
                           "--precision",    "float32",
                           "--behind-proxy", "--timeout",
                           texts[0],         "--max-queue",
                           texts[1],         "--max-connections",
                           texts[2],         "--threads",
                           texts[3],         "--max-characters",
                           texts[4],         "--beam",
                           texts[5],         "--requests-per-minute",
                           texts[6]};
    size_t count = sizeof words / sizeof *words - (scenario->per_minute ? 0 : 2);
    Arguments arguments;
    Output output = {.descriptor = scenario->log[1]};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        (void)snprintf(texts[i], sizeof texts[i], "%g", limits[i]);
    void *values = memory_new(1, verb_serve.values_size);
    Status status = options_parse(&arguments, &verb_serve, count, words, values, error);
    simulation_set_pace(&scenario->pace);
    if (!status) status = verb_serve.run(&arguments, &output, error);
    memory_free(values);
    return status;
}

static size_t open_files(void)
{
    size_t count = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (readdir(directory)) count++;
    closedir(directory);
    return count;
}

static void set_up(Scenario *scenario)
{
    scenario->folder = scratch_folder();
    for (size_t model = 0; model < MODELS; model++)
        replace_model(scenario, model, queries_model(model, 0));
    ck_assert_int_eq(pipe2(scenario->log, O_CLOEXEC | O_NONBLOCK), 0);
}

static uint64_t simulate(uint64_t seed, bool shown)
{
    static Scenario scenario;
    Error error = {0};
    simulation_begin(seed, shown);
    scenario_draw(&scenario, seed);
    set_up(&scenario);
    simulation_note("timeout %g, %zu clients, pace: stays %g, step %g, pause %g, short memory %zu",
                    scenario.timeout, scenario.client_count, scenario.pace.stays,
                    scenario.pace.step, scenario.pace.pause, scenario.pace.short_memory);
    simulation_start("log", read_log, &scenario);
    simulation_start("signals", direct, &scenario);
    simulation_start("end", end_it, &scenario);
    for (size_t i = 0; i < scenario.client_count; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "client-%zu", i);
        simulation_start(name, client_run, &scenario.clients[i]);
    }
    Status status = serve(&scenario, &error);
    scenario.ended = true;
    close(scenario.log[1]);
    if (status && !scenario.pace.short_memory) simulation_fail("it failed: %s", error.text);
    uint64_t hash = simulation_end();
    verdict_on_all(&scenario);
    close(scenario.log[0]);
    bytes_free(&scenario.logged);
    return hash;
}

// One run of a seed, in a process of its own, whose hash comes through a pipe.
typedef struct Run {
    pid_t child;
    int end;
} Run;

/* Stays on one processor, which makes its threads, that run one at a time, wake each other several
 * times faster. */
static void stay_on_processor(size_t number)
{
    cpu_set_t all, one;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof all, &all)) return;
    size_t left = number % (size_t)CPU_COUNT(&all), at = 0;
    while (!CPU_ISSET(at, &all) || left-- > 0) at++;
    CPU_SET(at, &one);
    (void)sched_setaffinity(0, sizeof one, &one);
}

static void run_seed(uint64_t seed, bool shown, int end)
{
    alarm(100);
    signal(SIGPIPE, SIG_IGN);
    if (!shown) ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
    size_t files = open_files();
    uint64_t hash = simulate(seed, shown);
    if (open_files() != files) {
        printf("seed %" PRIu64 ": %zu files were open, now %zu are\n", seed, files, open_files());
        exit(1);
    }
    scratch_remove();
    ck_assert_int_eq(write(end, &hash, sizeof hash), sizeof hash);
    exit(0);
}

static Run start_run(uint64_t seed, bool shown, size_t processor)
{
    int ends[2];
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    fflush(stdout);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        close(ends[0]);
        stay_on_processor(processor);
        run_seed(seed, shown, ends[1]);
    }
    close(ends[1]);
    return (Run){child, ends[0]};
}

// Whether nothing was wrong.
static bool finish_run(const Run *run, uint64_t seed, uint64_t *hash)
{
    int status;
    bool whole = read(run->end, hash, sizeof *hash) == sizeof *hash;
    close(run->end);
    ck_assert_int_eq(waitpid(run->child, &status, 0), run->child);
    if (status == 0 && whole) return true;
    printf("seed %" PRIu64 " ended with status %x: make simulation SEED=%" PRIu64 "\n", seed,
           (unsigned)status, seed);
    return false;
}

static bool try_twice(uint64_t seed, bool shown)
{
    uint64_t hashes[2];
    const Run runs[2] = {start_run(seed, shown, 0), start_run(seed, false, 1)};
    bool good = finish_run(&runs[0], seed, &hashes[0]);
    if (!finish_run(&runs[1], seed, &hashes[1]) || !good) return false;
    if (shown) printf("seed %" PRIu64 ": %016" PRIx64 "\n", seed, hashes[0]);
    if (hashes[0] == hashes[1]) return true;
    printf("seed %" PRIu64 ": what happens is not the same the second time\n", seed);
    return false;
}

static unsigned long number_of(const char *name, unsigned long otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoul(text, NULL, 10) : otherwise;
}

TESTS_SHARE(queries_prepare, .seconds = 60)

enum { CORRECTIONS = 60, RELOADS = 4 };
static Service *corrected;

static void ask(const char *target, const char *format, size_t number, char *answer)
{
    char body[200];
    (void)snprintf(body, sizeof body, format, number, number);
    queries_ask(corrected, &(Query){"POST", target, NULL, body, 200, BODY_SAME}, answer);
}

static void correct(void *context)
{
    static char answer[MAX_ANSWER];
    for (size_t *i = context; *i < CORRECTIONS; ++*i)
        ask("/suggest", "q=Haus+%zu&s=house+%zu&source=de&target=en", *i, answer);
}

static bool all_taken(void *count)
{
    return *(size_t *)count == CORRECTIONS;
}

// No correction is lost that is taken while what it belongs to is loaded again.
TEST(corrections_beside_reload, .times = 5)
{
    static char answer[MAX_ANSWER];
    char expected[64];
    Error error = {0};
    size_t count = 0;
    const char *file = scratch_path("corrections");
    simulation_begin((uint64_t)_i, false);
    corrected = queries_service(0, file);
    simulation_start("corrects", correct, &count);
    for (size_t i = 0; i < RELOADS; i++)
        ck_assert_msg(!service_reload(corrected, &error), "%s", error.text);
    (void)simulation_await((Awaited){"corrections", all_taken, &count}, INFINITY);
    for (size_t i = 0; i < CORRECTIONS; i++) {
        ask("/translate", "q=Haus+%zu&source=de&target=en", i, answer);
        (void)snprintf(expected, sizeof expected, "\"translatedText\":\"house %zu\"", i);
        assert_contains(answer, expected);
    }
    service_free(corrected);
    (void)simulation_end();
}

TEST(seeds, .seconds = 3600)
{
    const char *one = getenv("SEED");
    size_t failed = 0;
    if (one && *one) {
        ck_assert(try_twice(strtoul(one, NULL, 10), true));
        return;
    }
    unsigned long count = number_of("SEEDS", 20);
    for (unsigned long seed = 1; seed <= count; seed++) failed += !try_twice(seed, false);
    ck_assert_msg(failed == 0, "%zu of %lu seeds failed", failed, count);
}
