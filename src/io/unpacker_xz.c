#include "base/memory.h"
#include "io/unpacker.h"

static const unsigned char magic[] = {0xfd, '7', 'z', 'X', 'Z', 0};

#ifdef REGARD_LIBLZMA

#include <lzma.h>

// For the decoder's window; `xz -9` needs 65 MiB, and a hostile file may want gigabytes.
static const uint64_t MEMORY_LIMIT = (uint64_t)256 << 20;

static void *open_xz(void)
{
    static const lzma_stream fresh = LZMA_STREAM_INIT;
    lzma_stream *decoder = memory_new(1, sizeof *decoder);
    if (!decoder) return NULL;
    *decoder = fresh;
    if (lzma_stream_decoder(decoder, MEMORY_LIMIT, 0) == LZMA_OK) return decoder;
    memory_free(decoder);
    return NULL;
}

static const char *describe(lzma_ret result)
{
    switch (result) {
    case LZMA_FORMAT_ERROR:
        return "not xz data";
    case LZMA_OPTIONS_ERROR:
        return "unknown options";
    case LZMA_MEMLIMIT_ERROR:
        return "it needs more than 256 MiB of memory";
    default:
        return "damaged data";
    }
}

static UnpackResult step(void *state, UnpackBuffers *buffers)
{
    lzma_stream *decoder = state;
    decoder->next_in = buffers->in;
    decoder->avail_in = buffers->in_left;
    decoder->next_out = (uint8_t *)buffers->out;
    decoder->avail_out = buffers->out_left;
    lzma_ret result = lzma_code(decoder, LZMA_RUN);
    buffers->in = decoder->next_in;
    buffers->in_left = decoder->avail_in;
    buffers->out = (char *)decoder->next_out;
    buffers->out_left = decoder->avail_out;
    buffers->ended = result == LZMA_STREAM_END;
    if (buffers->ended) result = lzma_stream_decoder(decoder, MEMORY_LIMIT, 0);
    if (result == LZMA_MEM_ERROR) return UNPACK_MEMORY;
    if (result == LZMA_OK || result == LZMA_BUF_ERROR) return UNPACK_OK; // as Z_BUF_ERROR
    buffers->detail = describe(result);
    return UNPACK_BROKEN;
}

static void close_xz(void *state)
{
    if (state) lzma_end(state);
    memory_free(state);
}

#define FUNCTIONS .open = open_xz, .step = step, .close = close_xz
#else
#define FUNCTIONS .open = NULL
#endif

const Unpacker unpacker_xz = {.name = "xz",
                              .command = "xz -dc",
                              .library = "liblzma-dev",
                              .magic = magic,
                              .magic_length = sizeof magic,
                              FUNCTIONS};
