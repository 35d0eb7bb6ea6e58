/* The whole network's parameters: encoder, self-attention (if any), bridge, attention, decoder and
 * output, over one block of memory. */
#ifndef REGARD_MODEL_SEQ2SEQ_H
#define REGARD_MODEL_SEQ2SEQ_H

#include "attention/self_attention.h"
#include "base/threads.h"
#include "decoder/decoder.h"
#include "encoder/encoder.h"
#include "linalg/packed.h"
#include "model/config.h"

/* Views of every tensor in one block, and also the type of its gradients. With a joint vocabulary
 * both embeddings are the same view; with a tied output so is output.weight. Gradients accumulate,
 * so shared tensors need no special case. */
typedef struct Seq2SeqParams {
    ParamList list;
    GemmPrecision precision; // of `packed`
    real *block;             // (list.block_size), owned; NULL if its tensors were placed
    real
        *places[MAX_PARAM_TENSORS]; // (list.count) each tensor, in the block or where it was placed
    PackedWeights *packed;          // NULL: products are OpenBLAS's
    bool packed_shared;             // `packed` is another's; else owned
    bool *untouched;         // (list.count) of gradients, owned: see gradients_clear; else NULL
    Matrix source_embedding; // (V_s, E)
    Matrix target_embedding; // (V_t, E)
    EncoderParams encoder;
    SelfAttentionParams self_attention; // heads is 0 if the model has none
    LinearParams bridge;                // (D, 2H)
    DecoderParams decoder;
    LinearParams output; // (V_t, E)
} Seq2SeqParams;

/* Allocates a block for a checked config and points the views into it; all values are 0. Freed by
 * seq2seq_params_free. */
Status seq2seq_params_new(Seq2SeqParams *params, const ModelConfig *config, Error *error);

/* The same for gradients, which gradients_clear must clear before the first backward pass and then
 * before each. */
Status seq2seq_gradients_new(Seq2SeqParams *grads, const ModelConfig *config, Error *error);

/* Clears gradients: vectors become 0, a matrix is marked untouched, so that the first product that
 * is added to it sets it. After the backward pass gradients_complete clears what is still untouched. */
void seq2seq_gradients_clear(Seq2SeqParams *grads);
void seq2seq_gradients_complete(Seq2SeqParams *grads);

/* Lets products with these parameters, or of these gradients, be computed in that precision by packed
 * forms (linalg/packed.h), which seq2seq_params_fill_packed must fill before the first product and
 * after every change. STATUS_ARGUMENT if this program or processor cannot. */
Status seq2seq_params_pack(Seq2SeqParams *params, const ModelConfig *config,
                           GemmPrecision precision, PackedPurpose purpose, Error *error);

/* The same by the packed forms of other parameters of that config, if they have any. What they hold is whoever was filled
 * last: each must be filled anew before its products when the other was filled since. `owner` must outlive it. */
void seq2seq_params_share_packed(Seq2SeqParams *params, const ModelConfig *config,
                                 const Seq2SeqParams *owner);

// This worker's share of the packed forms, if there are any; every worker 0 … workers-1 calls it.
void seq2seq_params_fill_packed(const Seq2SeqParams *params, size_t worker, size_t workers);

// All of them, by all threads of a team.
void seq2seq_params_fill_all(const Seq2SeqParams *params, Threads *threads);

/* Whether a model of that config gains by packing in that precision, and this program and processor
 * can. */
bool seq2seq_packs(const ModelConfig *config, GemmPrecision precision);

/* What rows of products are rounded up to in decoding, and whether a row then has the same bits
 * whatever the others are (linalg/gemm.h, linalg/packed.h). The second is for a whole pass (model/pass.h). */
size_t seq2seq_row_multiple(const Seq2SeqParams *params);
size_t seq2seq_pass_row_multiple(const Seq2SeqParams *params);
bool seq2seq_rows_exact(const Seq2SeqParams *params);

// Names the tensors of a checked config in params->list, without any memory.
void seq2seq_params_list(Seq2SeqParams *params, const ModelConfig *config);

// Points the views to places (list.count) that the caller owns; after seq2seq_params_list.
void seq2seq_params_place(Seq2SeqParams *params, const ModelConfig *config, real *const *places);

void seq2seq_params_free(Seq2SeqParams *params);

// The decoder's sizes and its attention's scorer.
DecoderSizes seq2seq_decoder_sizes(const ModelConfig *config);

/* A decoder's first state from the annotations (2H) of one sentence: s_0 = tanh(W_b · mean_j h_j +
 * b_b), the mean over all positions, </s> included. means (rows of products, 2H) holds the means,
 * in any order of sentences. */
void bridge_forward(Matrix s, Matrix means, size_t product_rows, const LinearParams *bridge);

// From ds (n, D), which it overwrites: sets dmeans (n, 2H) and adds to dbridge.
void bridge_backward(Matrix dmeans, LinearParams *dbridge, Matrix ds, Matrix s, Matrix means,
                     const LinearParams *bridge);

// means (n, 2H): row i is the mean annotation of sentence sentences[i]
void annotation_means(Matrix means, Matrix annotations, const size_t *begin,
                      const uint32_t *sentences);

// dannotations += dmeans spread evenly over each sentence's positions
void annotation_means_backward(Matrix dannotations, Matrix dmeans, const size_t *begin,
                               const uint32_t *sentences);

#endif
