// The machine: its processor, how fast products are at best, how fast memory is.

#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"
#include "base/memory.h"
#include "bench/speed/peaks.h"
#include "math/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const INSTRUCTION_SETS[] = {"avx2",        "fma",      "avx512f", "avx512_vnni",
                                               "avx512_bf16", "amx_bf16", "asimd",   "sve"};

/* Whether a line of /proc/cpuinfo has the word. */
static bool has_word(const char *line, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = line; (at = strstr(at, word)); at += length)
        if (at > line && (at[-1] == ' ' || at[-1] == '\t') &&
            (at[length] == ' ' || at[length] == '\n' || at[length] == '\0'))
            return true;
    return false;
}

/* The processor's name and what of the list it has, as far as Linux says. */
static void describe_processor(char *name, size_t name_size, char *sets, size_t sets_size)
{
    char *line = NULL;
    size_t room = 0, used = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, name_size, "unknown");
    sets[0] = '\0';
    while (file && getline(&line, &room, file) > 0) {
        const char *colon = strchr(line, ':');
        if (colon && !strncmp(line, "model name", 10))
            snprintf(name, name_size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        bool flags = !strncmp(line, "flags", 5) || !strncmp(line, "Features", 8);
        if (!colon || !flags || used) continue;
        for (size_t i = 0; i < sizeof INSTRUCTION_SETS / sizeof *INSTRUCTION_SETS; i++)
            if (has_word(colon, INSTRUCTION_SETS[i]) && used < sets_size)
                used += (size_t)snprintf(sets + used, sets_size - used, "%s%s", used ? " " : "",
                                         INSTRUCTION_SETS[i]);
    }
    if (file) fclose(file);
    free(line); // getline's
}

// What threads do to memory: each to a part of its own.
typedef struct Stream {
    Threads *threads;
    real *to, *from;
    size_t count; // of each
    bool adds;    // to += 2 from; else to = from
} Stream;

static void stream_part(void *context, size_t worker)
{
    const Stream *stream = context;
    size_t begin, end;
    threads_range(stream->count, 4096, worker, threads_count(stream->threads), &begin, &end);
    if (stream->adds)
        kernels()->add_scaled(stream->to + begin, 2, stream->from + begin, end - begin);
    else
        memcpy(stream->to + begin, stream->from + begin, (end - begin) * sizeof(real));
}

/* Bytes a second, read and written counted, the best of several times. */
static double bandwidth(Stream *stream, bool adds)
{
    double best = 0, bytes = (double)(stream->count * sizeof(real) * (adds ? 3 : 2));
    stream->adds = adds;
    for (int i = 0; i < 6; i++) {
        double began = clock_seconds();
        threads_run(stream->threads, stream_part, stream);
        double rate = bytes / (clock_seconds() - began);
        if (rate > best) best = rate;
    }
    return best;
}

static Status measure_memory(Bench *bench, json_t *kept, Error *error)
{
    Stream stream = {.count = (size_t)1 << (bench->settings->quick ? 24 : 26)};
    Status status = threads_new(&stream.threads, bench->settings->threads, error);
    stream.to = memory_aligned(stream.count, sizeof(real));
    stream.from = memory_aligned(stream.count, sizeof(real));
    if (!status && (!stream.to || !stream.from))
        status = error_memory(error, 2 * stream.count * sizeof(real), "arrays");
    if (!status) {
        memset(stream.to, 0, stream.count * sizeof(real));
        memset(stream.from, 0, stream.count * sizeof(real));
        double copy = bandwidth(&stream, false), triad = bandwidth(&stream, true);
        bench_keep(bench, kept, "memory_copy", json_real(copy));
        bench_keep(bench, kept, "memory_triad", json_real(triad));
        writer_format(&bench->out,
                      "  memory               copy %.1f, triad %.1f GB/s, %zu threads, "
                      "arrays of %zu MB\n",
                      copy / 1e9, triad / 1e9, bench->settings->threads,
                      stream.count * sizeof(real) >> 20);
    }
    memory_free(stream.to);
    memory_free(stream.from);
    threads_free(stream.threads);
    return status;
}

static void print_peaks(Bench *bench, json_t *kept)
{
    for (size_t i = 0; i < bench->backend_count; i++) {
        json_t *row = bench_keep_object(bench, kept, bench->backends[i]->name);
        bench_keep(bench, row, "one_thread", json_real(bench->peaks_alone[i]));
        bench_keep(bench, row, "all_threads", json_real(bench->peaks[i]));
        writer_format(&bench->out, "  %-20s %6.0f GFLOP/s by one thread, %6.0f by %zu at once\n",
                      bench->backends[i]->title, bench->peaks_alone[i] / 1e9, bench->peaks[i] / 1e9,
                      bench->settings->threads);
    }
}

Status section_machine(Bench *bench, Error *error)
{
    char name[128], sets[256], products[128];
    json_t *kept = bench_keep_object(bench, bench->results, "machine");
    describe_processor(name, sizeof name, sets, sizeof sets);
    TRY(backends_start(1, error));
    backend_openblas.describe(products, sizeof products);
    TRY(bench_need_peaks(bench, error));
    bench_keep(bench, kept, "processor", json_string(name));
    bench_keep(bench, kept, "instruction_sets", json_string(sets));
    bench_keep(bench, kept, "processors", json_integer((json_int_t)threads_available()));
    bench_keep(bench, kept, "threads", json_integer((json_int_t)bench->settings->threads));
    bench_keep(bench, kept, "blas", json_string(products));
    bench_keep(bench, kept, "kernels", json_string(kernels()->name));
    writer_format(&bench->out,
                  "Machine\n  processor            %s, %zu of them: %s\n"
                  "  libraries            %s; kernels %s\n",
                  name, threads_available(), sets, products, kernels()->name);
    print_peaks(bench, bench_keep_object(bench, kept, "peaks"));
    return measure_memory(bench, kept, error);
}
