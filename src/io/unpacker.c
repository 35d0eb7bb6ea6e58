#include "io/unpacker.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

#ifdef REGARD_LIBLZMA
#include <lzma.h>
#endif
#ifdef REGARD_LIBZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

static void *open_gzip(void)
{
    z_stream *inflater = memory_new(1, sizeof *inflater);
    // 15: the largest window; + 16: only a gzip header
    bool ready = inflater && inflateInit2(inflater, 15 + 16) == Z_OK;
    if (!ready) memory_free(inflater);
    return ready ? inflater : NULL;
}

static UnpackResult step_gzip(void *state, UnpackBuffers *buffers)
{
    z_stream *inflater = state;
    uInt in = (uInt)(buffers->in_left < INT_MAX ? buffers->in_left : INT_MAX);
    uInt out = (uInt)(buffers->out_left < INT_MAX ? buffers->out_left : INT_MAX);
    inflater->next_in = (z_const Bytef *)buffers->in;
    inflater->avail_in = in;
    inflater->next_out = (Bytef *)buffers->out;
    inflater->avail_out = out;
    int result = inflate(inflater, Z_NO_FLUSH);
    buffers->in_left -= in - inflater->avail_in;
    buffers->out_left -= out - inflater->avail_out;
    buffers->ended = result == Z_STREAM_END;
    if (buffers->ended) result = inflateReset(inflater);
    if (result == Z_MEM_ERROR) return UNPACK_MEMORY;
    if (result == Z_OK || result == Z_BUF_ERROR)
        return UNPACK_OK; // the second: it needs more bytes
    buffers->detail = inflater->msg;
    return UNPACK_BROKEN;
}

static void close_gzip(void *state)
{
    inflateEnd(state);
    memory_free(state);
}

#ifdef REGARD_LIBLZMA
// For the decoder's window; `xz -9` needs 65 MiB, and a hostile file may want gigabytes.
static const uint64_t MEMORY_LIMIT = (uint64_t)256 << 20;

static void *open_xz(void)
{
    lzma_stream *decoder = memory_new(1, sizeof *decoder); // zeros are LZMA_STREAM_INIT
    bool ready = decoder && lzma_stream_decoder(decoder, MEMORY_LIMIT, 0) == LZMA_OK;
    if (!ready) memory_free(decoder);
    return ready ? decoder : NULL;
}

static const char *describe_xz(lzma_ret result)
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

static UnpackResult step_xz(void *state, UnpackBuffers *buffers)
{
    lzma_stream *decoder = state;
    decoder->next_in = buffers->in;
    decoder->avail_in = buffers->in_left;
    decoder->next_out = (uint8_t *)buffers->out;
    decoder->avail_out = buffers->out_left;
    lzma_ret result = lzma_code(decoder, LZMA_RUN);
    buffers->in_left = decoder->avail_in;
    buffers->out_left = decoder->avail_out;
    buffers->ended = result == LZMA_STREAM_END;
    if (buffers->ended) result = lzma_stream_decoder(decoder, MEMORY_LIMIT, 0);
    if (result == LZMA_MEM_ERROR) return UNPACK_MEMORY;
    if (result == LZMA_OK || result == LZMA_BUF_ERROR) return UNPACK_OK; // as Z_BUF_ERROR
    buffers->detail = describe_xz(result);
    return UNPACK_BROKEN;
}

static void close_xz(void *state)
{
    lzma_end(state);
    memory_free(state);
}

#define XZ open_xz, step_xz, close_xz
#else
#define XZ NULL, NULL, NULL
#endif

#ifdef REGARD_LIBZSTD
static void *open_zstd(void)
{
    return ZSTD_createDStream();
}

// A new frame begins by itself. The library refuses windows over 128 MiB.
static UnpackResult step_zstd(void *state, UnpackBuffers *buffers)
{
    ZSTD_inBuffer in = {buffers->in, buffers->in_left, 0};
    ZSTD_outBuffer out = {buffers->out, buffers->out_left, 0};
    size_t result = ZSTD_decompressStream(state, &out, &in);
    buffers->in_left -= in.pos;
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

#define ZSTD open_zstd, step_zstd, close_zstd
#else
#define ZSTD NULL, NULL, NULL
#endif

static const Unpacker FORMATS[] = {
    {"gzip", "gzip -dc", "zlib1g-dev", "\x1f\x8b", 2, open_gzip, step_gzip, close_gzip},
    {"xz", "xz -dc", "liblzma-dev", "\3757zXZ", 6, XZ}, // \xfd would take the 7 too
    {"zstd", "zstd -dc", "libzstd-dev", "\x28\xb5\x2f\xfd", 4, ZSTD},
    {.name = "zip", .command = "unzip", .magic = "PK\3\4", .magic_length = 4},
};

const Unpacker *unpacker_find(const unsigned char *bytes, size_t length, bool *undecided)
{
    *undecided = false;
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
        const Unpacker *format = &FORMATS[i];
        size_t known = length < format->magic_length ? length : format->magic_length;
        if (memcmp(bytes, format->magic, known) != 0) continue;
        if (known == format->magic_length) return format;
        *undecided = true;
    }
    return NULL;
}
