/* Decoding: what search may do with a model, and no more: encode a batch of sources, take one step
 * of every hypothesis, gather the hypotheses that go on. One Inference belongs to one thread; the
 * parameters are only read and may be shared.
 *
 * Every product is over rows rounded up to seq2seq_row_multiple(), so where seq2seq_rows_exact() holds, a
 * sentence's numbers have the same bits whatever else is in the batch.
 *
 * Rows are hypotheses. After encoding, row i belongs to source i; after a gather, row i continues
 * what was row from[i]. */
#ifndef REGARD_MODEL_INFERENCE_H
#define REGARD_MODEL_INFERENCE_H

#include "model/batch.h"
#include "model/seq2seq.h"
#include "model/shortlist.h"

typedef struct Inference Inference;

// `params` and `config` must outlive it. Freed by inference_free.
Status inference_new(Inference **inference, const Seq2SeqParams *params, const ModelConfig *config,
                     Error *error);

void inference_free(Inference *inference); // NULL is allowed

/* From the next encoding on, the rows of a source can say its candidates of a shortlist alone, which must live as long; NULL,
 * as in the beginning: all of the vocabulary. */
void inference_restrict(Inference *inference, const Shortlist *shortlist);

/* Encodes `count` ≥ 1 sources (targets are not looked at) and sets each one's first state; there
 * will never be more than max_rows ≥ count rows. */
Status inference_encode(Inference *inference, const TokenPair *sources, size_t count,
                        size_t max_rows, Error *error);

/* One step: tokens (rows) are what each row said last, <s> at first. Afterwards inference_logits
 * and inference_alpha tell about this step, and inference_gather must follow before the next. */
void inference_step(Inference *inference, const int32_t *tokens);

// The tokens it can say: V of the target side.
size_t inference_vocabulary(const Inference *inference);

// Rows there are now.
size_t inference_rows(const Inference *inference);

enum { INFERENCE_SPAN = 64 }; // tokens that have one maximum together

// What a row says.
typedef struct RowLogits {
    size_t count;          // V, or with a shortlist the candidates of its source
    const int32_t *tokens; // (count) which tokens, ascending; the special ones first. NULL: 0 … V-1
    const real *values;    // (count)
    const real *maxima; // (⌈count / INFERENCE_SPAN⌉) the largest of each INFERENCE_SPAN of them
    real log_z;         // subtracted from a logit it gives a log-probability
} RowLogits;

/* Of this step, valid until it is asked for another row. They are computed a block of rows at a time: ask
 * for the rows in order. */
RowLogits inference_logits(Inference *inference, size_t row);

/* How much a row looked at each position of its source: (S), </s> last; with several heads, their
 * mean. Valid until the next step, and until it is asked for the same row again. */
const real *inference_alpha(const Inference *inference, size_t row, size_t *positions);

/* The matrices that an alignment consists of: one, or with several heads their mean and then each
 * of them. */
size_t inference_matrices(const Inference *inference);

/* A row's weights in one of them: (S). Of the first, 0, they are inference_alpha's. */
const real *inference_matrix(const Inference *inference, size_t row, size_t matrix,
                             size_t *positions);

/* Goes on with `rows` ≤ max_rows rows, of which row i takes the state of row from[i]; rows not
 * named end. */
void inference_gather(Inference *inference, const uint32_t *from, size_t rows);

#endif
