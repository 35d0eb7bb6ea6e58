#include "io/unpacker.h"

static const unsigned char magic[] = {0x28, 0xb5, 0x2f, 0xfd};

#ifdef REGARD_LIBZSTD

#include <zstd.h>
#include <zstd_errors.h>

static void *open_zstd(void)
{
    return ZSTD_createDStream();
}

// A new frame begins by itself. The library refuses windows over 128 MiB.
static UnpackResult step(void *state, UnpackBuffers *buffers)
{
    ZSTD_inBuffer in = {buffers->in, buffers->in_left, 0};
    ZSTD_outBuffer out = {buffers->out, buffers->out_left, 0};
    size_t result = ZSTD_decompressStream(state, &out, &in);
    buffers->in += in.pos;
    buffers->in_left -= in.pos;
    buffers->out += out.pos;
    buffers->out_left -= out.pos;
    buffers->ended = result == 0;
    if (!ZSTD_isError(result)) return UNPACK_OK;
    if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) return UNPACK_MEMORY;
    buffers->detail = ZSTD_getErrorName(result);
    return UNPACK_BROKEN;
}

static void close_zstd(void *state)
{
    (void)ZSTD_freeDStream(state);
}

#define FUNCTIONS .open = open_zstd, .step = step, .close = close_zstd
#else
#define FUNCTIONS .open = NULL
#endif

const Unpacker unpacker_zstd = {.name = "zstd",
                                .command = "zstd -dc",
                                .library = "libzstd-dev",
                                .magic = magic,
                                .magic_length = sizeof magic,
                                FUNCTIONS};
