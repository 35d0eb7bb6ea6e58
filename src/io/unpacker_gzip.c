#include "base/memory.h"
#include "io/unpacker.h"

#include <limits.h>
#include <zlib.h>

static const unsigned char magic[] = {0x1f, 0x8b};

static void *open_gzip(void)
{
    z_stream *inflater = memory_new(1, sizeof *inflater);
    // 15: the largest window; + 16: only a gzip header
    if (!inflater || inflateInit2(inflater, 15 + 16) == Z_OK) return inflater;
    memory_free(inflater);
    return NULL;
}

static UnpackResult step(void *state, UnpackBuffers *buffers)
{
    z_stream *inflater = state;
    uInt in = (uInt)(buffers->in_left < INT_MAX ? buffers->in_left : INT_MAX);
    uInt out = (uInt)(buffers->out_left < INT_MAX ? buffers->out_left : INT_MAX);
    inflater->next_in = (z_const Bytef *)buffers->in;
    inflater->avail_in = in;
    inflater->next_out = (Bytef *)buffers->out;
    inflater->avail_out = out;
    int result = inflate(inflater, Z_NO_FLUSH);
    buffers->in += in - inflater->avail_in;
    buffers->in_left -= in - inflater->avail_in;
    buffers->out += out - inflater->avail_out;
    buffers->out_left -= out - inflater->avail_out;
    buffers->ended = result == Z_STREAM_END;
    if (buffers->ended) result = inflateReset(inflater);
    if (result == Z_MEM_ERROR) return UNPACK_MEMORY;
    if (result == Z_OK || result == Z_BUF_ERROR)
        return UNPACK_OK; // the second: it needs more bytes
    buffers->detail = inflater->msg ? inflater->msg : "not deflated data";
    return UNPACK_BROKEN;
}

static void close_gzip(void *state)
{
    if (state) inflateEnd(state);
    memory_free(state);
}

const Unpacker unpacker_gzip = {.name = "gzip",
                                .command = "gzip -dc",
                                .library = "zlib1g-dev",
                                .magic = magic,
                                .magic_length = sizeof magic,
                                .open = open_gzip,
                                .step = step,
                                .close = close_gzip};
