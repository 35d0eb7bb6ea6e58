#include "bench/speed/bench.h"
Status section_memory(Bench *bench, Error *error)
{
    (void)bench;
    (void)error;
    return STATUS_OK;
}
