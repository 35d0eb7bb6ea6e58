/* The whole network's parameters: encoder, self-attention (if any), bridge, attention, decoder and
 * output, over one block of memory. */
#pragma once

#include "attention/self_attention.h"
#include "base/threads.h"
#include "decoder/decoder.h"
#include "encoder/encoder.h"
#include "linalg/backend/backend.h"
#include "model/config.h"

/* Views of every tensor, in one block of memory or wherever they were placed. With a joint
 * vocabulary both embeddings are the same view; with a tied output so is output.weight. Start
 * from {0}, end with seq2seq_params_free. */
typedef struct Seq2SeqParams {
    ModelConfig config; // all zeros until the list is made
    ParamList list;
    real *block;             // (list.block_size), owned; NULL if all tensors were placed
    real **places;           // (list.count) where each tensor is
    PackedWeights *packed;   // NULL: products are OpenBLAS's
    bool packed_shared;      // `packed` belongs to other parameters
    Weight source_embedding; // (V_s, E)
    Weight target_embedding; // (V_t, E)
    EncoderParams encoder;
    SelfAttentionParams self_attention; // heads is 0 if the model has none
    LinearParams bridge;                // (D, C)
    DecoderParams decoder;
    LinearParams output; // (V_t, E)
} Seq2SeqParams;

/* The gradients of parameters, in one block with the offsets of their list. Gradients
 * accumulate, so shared tensors need no special case. */
typedef struct Seq2SeqGrads {
    const ParamList *list; // the parameters'
    real *block;           // (list->block_size), owned
    real **places;         // (list->count)
    bool *unset;           // (list->count) linalg/gradient.h
    Gradient source_embedding, target_embedding;
    EncoderGrads encoder;
    SelfAttentionGrads self_attention;
    LinearGrads bridge;
    DecoderGrads decoder;
    LinearGrads output;
} Seq2SeqGrads;

/* Allocates a block for a checked config and points the views into it; all values are 0. Freed
 * by seq2seq_params_free, after a failure too. */
Status seq2seq_params_new(Seq2SeqParams *params, const ModelConfig *config, Error *error);

/* The same in two steps, for tensors elsewhere: names the tensors of a checked config in
 * params->list; then points the views to places (list.count), which may be params->places. The
 * caller owns them. */
Status seq2seq_params_list(Seq2SeqParams *params, const ModelConfig *config, Error *error);
void seq2seq_params_place(Seq2SeqParams *params, real *const *places);

/* Draws the values of a block's tensors from `seed`, each from a stream of its own: embeddings from
 * N(0, 1/√E), everything else uniform in ±1/√fan as in PyTorch's nn.Linear and nn.GRU, where fan is
 * the input's width for a linear layer and its bias, H for a GRU. Layer norms start with weights of
 * 1 and biases of 0, cosine attention's temperature at 10. */
void seq2seq_initialise(Seq2SeqParams *params, uint64_t seed);

void seq2seq_params_free(Seq2SeqParams *params);

/* Lets `backend` multiply the parameters. If it packs, seq2seq_params_fill_all must run
 * before the first product and after every change of the parameters. */
Status seq2seq_params_pack(Seq2SeqParams *params, const Backend *backend, PackedPurpose purpose,
                           Error *error);

/* Lets them be multiplied in the packed forms of other parameters of that config, if those have
 * any. The forms hold whichever were filled last: each must be filled again before its products
 * if the other was filled since. `owner` must outlive it. */
static inline void seq2seq_params_share_packed(Seq2SeqParams *params, const Seq2SeqParams *owner)
{
    params->packed = owner->packed;
    params->packed_shared = true;
    seq2seq_params_place(params, params->places);
}

// Fills the packed forms, if there are any, by all threads of a team.
void seq2seq_params_fill_all(const Seq2SeqParams *params, Threads *threads);

/* Whether translating and scoring with the parameters multiply by OpenBLAS, once their packed forms
 * are filled. Self-attention does: it multiplies states with each other. */
bool seq2seq_needs_openblas(const Seq2SeqParams *params);

// Whether all layers of such a model are so wide that packing gains something.
bool seq2seq_is_wide(const ModelConfig *config);

/* Gradients of `params`, multiplied by the backend those are packed for; params must outlive
 * them. They are unset: seq2seq_grads_begin must run before each backward pass. Freed by
 * seq2seq_grads_free, after a failure too. */
Status seq2seq_grads_new(Seq2SeqGrads *grads, const Seq2SeqParams *params, Error *error);

void seq2seq_grads_free(Seq2SeqGrads *grads);

/* Before a backward pass: vectors become 0, matrices unset, so that their first product sets
 * them. After it: matrices that are still unset become 0. */
void seq2seq_grads_begin(Seq2SeqGrads *grads);
void seq2seq_grads_end(Seq2SeqGrads *grads);

// The decoder's sizes and its attention's scorer.
DecoderSizes seq2seq_decoder_sizes(const ModelConfig *config);
