#include "layers/phases.h"

#include "base/clock.h"

void phases_begin(Phases *phases, Phase phase)
{
    double now = clock_seconds();
    if (phases->since > 0) phases->seconds[phases->now] += now - phases->since;
    phases->now = phase;
    phases->since = now;
}

const char *phase_name(Phase phase)
{
    static const char *const names[PHASE_COUNT] = {
        [PHASE_WAITING] = "waiting",
        [PHASE_BATCHING] = "batching",
        [PHASE_MASKS] = "dropout masks",
        [PHASE_ENCODER] = "encoder",
        [PHASE_ATTENTION] = "attention",
        [PHASE_DECODER] = "decoder",
        [PHASE_READOUT] = "readout and softmax",
        [PHASE_PACKING] = "packing",
        [PHASE_REDUCTION] = "reduction",
        [PHASE_OPTIMISER] = "optimiser",
    };
    return names[phase];
}
