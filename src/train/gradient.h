/* The gradient of one batch by several workers, the threads of all ranks: each computes the
 * gradients of a shard, which are then summed in a fixed order (gradient_sum.h). The same batch,
 * parameters and number of workers give the same bits. */
#pragma once

#include "base/threads.h"
#include "model/pass.h"
#include "train/cluster/ranks.h"

typedef struct GradientTeam GradientTeam;

/* Gradients and activations for the threads of this rank, multiplied by the backend that `params`
 * are packed for. All but the error must outlive it; ranks NULL: alone. Freed by
 * gradient_team_free. */
Status gradient_team_new(GradientTeam **team, Threads *threads, Ranks *ranks,
                         const Seq2SeqParams *params, Error *error);

void gradient_team_free(GradientTeam *team); // NULL is allowed
FREES_POINTER(GradientTeam, gradient_team_free)

typedef struct GradientRequest {
    const TokenPair *pairs; // (count) with number = their place in the batch
    size_t count;
    real label_smoothing;
    real guide_weight;  // W of layers/alignment_loss.h, for pairs with links
    DropoutKey dropout; // probability 0: none
    real r_drop;        // α of R-Drop: every pair goes through twice; 0: once
} GradientRequest;

typedef struct GradientResult {
    double loss;          // of the words, summed over the batch's target tokens
    double guide_loss;    // of the alignment, likewise, without its weight
    double divergence;    // what R-Drop adds to the loss, likewise
    double target_tokens; // </s> counted
} GradientResult;

/* Computes each shard's gradients of the batch's mean of loss + W · guide_loss + divergence per
 * target token, where a pair that goes through twice counts with the mean of both; the sum over all
 * ranks' gradient_team_blocks is the gradient of the batch. The request and the result are those of
 * all ranks. First refills the packed forms of the parameters, which may have held others since the
 * last run. */
Status gradient_team_run(GradientTeam *team, const GradientRequest *request, GradientResult *result,
                         Error *error);

// The blocks (threads) that hold the gradients of this rank's shards, for optimiser_sum.
real *const *gradient_team_blocks(const GradientTeam *team);

// Frees the memory of activations until the next run, for others who need as much meanwhile.
void gradient_team_rest(GradientTeam *team);
