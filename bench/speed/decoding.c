#include "bench/speed/bench.h"
Status section_decoding(Bench *bench, Error *error)
{
    (void)bench;
    (void)error;
    return STATUS_OK;
}
