/* One shard through the whole network with known targets: forward alone (validation, scores,
 * alignments), or forward and backward (training). N_s, N_t tokens of either side, B sentences. */
#pragma once

#include "decoder/teacher_forcing.h"
#include "layers/alignment_loss.h"
#include "layers/dropout.h"
#include "layers/loss.h"
#include "model/source.h"

// Everything forward leaves for backward and for its caller, and backward's scratch. In an arena.
typedef struct PassActs {
    SourceActs source;
    TeacherForcingActs decoder;
    LossActs loss;
    // Dropout masks, time-major; values NULL without dropout.
    Matrix embedding_mask;        // (N_t, E) of the target embeddings
    Matrix readout_mask;          // (N_t, E)
    TeacherForcingGrads ddecoder; // backward only; its dr holds the dropped r first
    /* Guided alignment (layers/alignment_loss.h), if pairs have links: the weight of its loss, 0
     * until the caller sets it, and the loss without that weight, a sum over the shard's target
     * tokens that pass_forward_backward sets. */
    real guide_weight;
    double guide_loss;
    /* R-Drop's α (layers/loss.h), 0 until the caller sets it, for a batch in which each pair is followed by
     * itself with another number; and what it adds to the loss. */
    real r_drop;
    double divergence;
} PassActs;

// What needs memory beside a forward pass.
typedef struct PassNeeds {
    bool backward;
    bool masks; // else their values are NULL
} PassNeeds;

/* Lays out a pass over `batch` in `arena`, which is resized first. Valid until the arena is used
 * again. */
Status pass_begin(PassActs *acts, Arena *arena, const Batch *batch, const Seq2SeqParams *params,
                  PassNeeds needs, Error *error);

// Draws all masks, which pass_begin took, for the pairs' numbers.
void pass_draw_masks(PassActs *acts, const Batch *batch, const DropoutKey *key);

// Forward without the output layer, which is most of the work: for the attention weights in
// acts->decoder.
void pass_forward_attention(PassActs *acts, const Batch *batch, const Seq2SeqParams *params);

/* The sum of the losses over the shard's target tokens. acts->loss.log_p (N_t) time-major then
 * holds each token's log-probability and acts->decoder the attention weights. Never with masks. */
double pass_forward(PassActs *acts, const Batch *batch, const Seq2SeqParams *params,
                    real smoothing);

/* The same sum, and the gradients of scale · (sum + divergence + guide_weight · guide_loss), added to grads.
 * Of acts->loss only log_p is then left. */
double pass_forward_backward(PassActs *acts, Seq2SeqGrads *grads, const Batch *batch,
                             const Seq2SeqParams *params, real smoothing, real scale);
