/* What can multiply, as `make bench` compares it: a list that is gone through by every section. To add one: a row in
 * backends.c. */
#ifndef REGARD_BENCH_SPEED_BACKENDS_H
#define REGARD_BENCH_SPEED_BACKENDS_H

#include "model/seq2seq.h"

enum { MAX_BACKENDS = 8 };

typedef struct Backend {
    const char *key;  // in JSON: "onednn_float32"
    const char *name; // for people: "oneDNN float32"
    bool packed; // weights are packed (linalg/packed.h); else OpenBLAS multiplies them as they are
    GemmPrecision precision;
} Backend;

// Those that this program and processor have, slowest first; the first is always OpenBLAS in float32. Returns their number.
size_t backends_here(const Backend *here[MAX_BACKENDS]);

// Lets products with these parameters be computed by the backend.
Status backend_pack(const Backend *backend, Seq2SeqParams *params, const ModelConfig *config,
                    PackedPurpose purpose, Error *error);

#endif
