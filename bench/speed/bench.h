// What the sections share, and the sections.
#pragma once

#include "bench/speed/bar.h"
#include "bench/speed/peer.h"
#include "bench/speed/settings.h"
#include "bench/speed/spread.h"
#include "bench/speed/workload.h"
#include "cli/output.h"
#include "model/seq2seq.h"

enum { MAX_PEERS = 2, MAX_BACKENDS = 8 };

typedef struct Bench {
    const Settings *settings;
    Output *output;
    Writer out; // to it
    Bar bar;
    json_t *results;    // an object, a member for each section
    bool out_of_memory; // a result could not be kept
    /* Those that this program and processor have: first the `trainer_count` that train, slowest first,
     * of which the first is always OpenBLAS in float32, then those for decoding alone. */
    const Backend *backends[MAX_BACKENDS];
    size_t trainer_count, backend_count;
    Workload workload; // read when it is first wanted
    bool workload_read;
    // operations a second, by backend; measured when they are first wanted
    double peaks[MAX_BACKENDS];       // of all threads at once
    double peaks_alone[MAX_BACKENDS]; // of one thread
    bool peaks_measured;
    // processes that differ in OMP_WAIT_POLICY; none if there is no PyTorch here
    Peer *peers[MAX_PEERS];
    size_t peer_count;
    bool peers_started;
} Bench;

// bench.c

// Puts a member into an object, of which it takes the reference.
void bench_keep(Bench *bench, json_t *object, const char *key, json_t *value);

// The same behind an array's last.
void bench_append(Bench *bench, json_t *array, json_t *value);

// A new object as a member of another, to be filled; borrowed.
json_t *bench_keep_object(Bench *bench, json_t *object, const char *key);

Status bench_need_workload(Bench *bench, Error *error);
Status bench_need_peaks(Bench *bench, Error *error); // machine.c

/* Writes batches and the first weights into the folder and starts the peers, once; says why if
 * there are none, which is no failure. */
Status bench_need_peers(Bench *bench, Error *error);

// FOLDER/name of the settings, in `path`, which is emptied first.
Status bench_path(Bytes *path, const Bench *bench, const char *name, Error *error);

// Writes text to FOLDER/name, or to a path.
Status bench_write(const Bench *bench, const char *name, const Bytes *text, Error *error);
Status bench_write_file(const char *path, const Bytes *text, Error *error);

// Writes out what has been printed.
Status bench_flush(Bench *bench, Error *error);

// Saves a model that `regard translate` can use too.
Status bench_save_model(const Bench *bench, const char *name, const Seq2SeqParams *params,
                        Error *error);

/* Runs a program with words (NULL behind the last) and `input`, a line or two, on its standard
 * input. Its output is thrown away. launch.c */
typedef struct Launch {
    double first_line; // seconds from its start to the end of the first line it printed
    size_t memory;     // bytes it held at most, as far as Linux says; looked at only if asked for
} Launch;
Status launch(Launch *launched, char *const *words, const char *input, bool with_memory,
              Error *error);

// The sections: each prints its part of the table and keeps its results.
Status section_machine(Bench *bench, Error *error);
Status section_training(Bench *bench, Error *error);
Status section_decoding(Bench *bench, Error *error);
Status section_growth(Bench *bench, Error *error);
Status section_memory(Bench *bench, Error *error);
