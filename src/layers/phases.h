/* Where a thread's time goes in a training step. One for each thread, owned by whoever measures;
 * code on the way only says which phase begins, and a NULL pointer measures nothing and costs
 * one branch. */
#ifndef REGARD_LAYERS_PHASES_H
#define REGARD_LAYERS_PHASES_H

#include <stddef.h>

typedef enum Phase {
    PHASE_WAITING,   // for other threads, or for work
    PHASE_BATCHING,  // ordering pairs, laying out memory
    PHASE_MASKS,     // drawing dropout masks
    PHASE_ENCODER,   // source embedding, both GRUs, self-attention
    PHASE_ATTENTION, // its memory, its steps, guided alignment
    PHASE_DECODER,   // bridge, target embedding, input projections, GRU
    PHASE_READOUT,   // readout, output layer, softmax and loss
    PHASE_PACKING,   // of weights
    PHASE_REDUCTION, // clearing and summing gradients
    PHASE_OPTIMISER,
    PHASE_COUNT
} Phase;

// Start from {0}, which is waiting.
typedef struct Phases {
    double seconds[PHASE_COUNT]; // of the phases that have ended
    Phase now;
    double since; // clock_seconds; 0 before the first phase
} Phases;

// Ends the current phase and begins another, or the same again.
void phases_begin(Phases *phases, Phase phase);

// The same if `phases` is not NULL.
static inline void phases_enter(Phases *phases, Phase phase)
{
    if (phases) phases_begin(phases, phase);
}

// For tables: "encoder".
const char *phase_name(Phase phase);

#endif
