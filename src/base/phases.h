/* Where a thread's time goes: one phase after another, as the code tells it. Owned by whoever measures, one for each
 * thread; a NULL pointer measures nothing and costs one branch. */
#ifndef REGARD_BASE_PHASES_H
#define REGARD_BASE_PHASES_H

#include <stddef.h>

typedef enum Phase {
    PHASE_WAITING,   // for the other threads, or outside of all that is told
    PHASE_BATCHING,  // putting pairs in order, laying out memory
    PHASE_MASKS,     // drawing dropout's masks
    PHASE_ENCODER,   // source embedding, both GRUs, self-attention
    PHASE_ATTENTION, // its memory, its steps, guided alignment
    PHASE_DECODER,   // bridge, target embedding, input projections, GRU
    PHASE_READOUT,   // readout, output layer, softmax and loss
    PHASE_PACKING,   // of weights
    PHASE_REDUCTION, // gradients cleared and summed
    PHASE_OPTIMISER,
    PHASE_COUNT
} Phase;

// Start from {0}, which is waiting.
typedef struct Phases {
    double seconds[PHASE_COUNT]; // of the phases that have ended
    Phase now;
    double since; // clock_seconds; 0 before the first phase
} Phases;

// Ends the phase that was and begins another, also the same one.
void phases_begin(Phases *phases, Phase phase);

// The same where nothing may be measured.
static inline void phases_enter(Phases *phases, Phase phase)
{
    if (phases) phases_begin(phases, phase);
}

// As people read it: "encoder".
const char *phase_name(Phase phase);

#endif
