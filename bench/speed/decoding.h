// What the section of decoding measures, and its part of the table.
#pragma once

#include "bench/speed/bench.h"

// Longer rounds tell no more: decoding is repeated less often than training.
enum { MAX_DECODING_ROUNDS = 5 };

// What one party, a backend or PyTorch, did in one way.
typedef struct Outcome {
    double rates[MAX_DECODING_ROUNDS]; // sentences a second
    double alone;                      // seconds for one sentence, the median; 0: not measured
    size_t tokens;                     // said, </s> not counted
    size_t same;                       // sentences that the first backend translates so too
} Outcome;

// A way to decode, and what all did in it.
typedef struct Way {
    size_t beam, batch;
    size_t sources;
    size_t rounds;
    double reference; // tokens of a reference, on average
    bool with_peer;
    Outcome outcomes[MAX_BACKENDS]; // (backend_count)
    Outcome peer;
} Way;

// Prints a way's lines and keeps its results.
void decoding_print(Bench *bench, json_t *kept, const Way *way);
