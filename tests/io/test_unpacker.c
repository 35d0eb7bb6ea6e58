// gzip, xz and zstd as files of lines: members, padding, damage; zip is refused.

#include "io/byte_stream.h"
#include "io/line_reader_case.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"

#include <string.h>

#ifdef REGARD_LIBLZMA
#include <lzma.h>
#endif
#ifdef REGARD_LIBZSTD
#include <zstd.h>
#endif

static const char TEXT[] = "the first line\nthe second, line\nno more\n";

// All text of a file up to the end or the error.
static Bytes text_of(const char *path, Error *error)
{
    LineReader *reader = open_reader(path);
    Line line;
    bool more = true;
    Bytes out = {0};
    *error = (Error){0};
    assert_ok(bytes_append_string(&out, "", NULL));
    while (line_reader_next(reader, &line, &more, error) == STATUS_OK && more) {
        assert_ok(bytes_append(&out, line.text, line.length, NULL));
        assert_ok(bytes_append(&out, "\n", 1, NULL));
    }
    line_reader_close(reader);
    return out;
}

// Checks a file's text, and the error at its end (NULL: none).
static void expect_text(const char *path, const char *text, const char *message)
{
    Error error;
    Bytes out = text_of(path, &error);
    ck_assert_str_eq(out.data, text);
    if (message)
        ck_assert_msg(error.status && strstr(error.text, message), "not \"%s\": %s", message,
                      error.text);
    else
        ck_assert_msg(!error.status, "%s", error.text);
    bytes_free(&out);
}

typedef Bytes Pack(const char *text, size_t length);

// Members one after the other, which are one text, padding, and what may not follow. No name tells.
static void check_members(Pack *pack, const char *broken)
{
    const char *path = scratch_path("members.txt");
    Bytes all = pack("a\nb", 3), second = pack("c\n", 2), none = pack("", 0);
    assert_ok(bytes_append(&all, none.data, none.length, NULL));
    assert_ok(bytes_append(&all, second.data, second.length, NULL));
    scratch_write(path, all.data, all.length);
    expect_text(path, "a\nbc\n", NULL);
    assert_ok(bytes_append(&all, "\0\0\0\0", 4, NULL));
    scratch_write(path, all.data, all.length);
    expect_text(path, "a\nbc\n", NULL);
    assert_ok(bytes_append(&all, "the rest of it all", 18, NULL));
    scratch_write(path, all.data, all.length);
    expect_text(path, "a\nbc\n", broken);
    bytes_free(&all);
    bytes_free(&second);
    bytes_free(&none);
}

// Cut anywhere or with any byte changed, a file is never other text with a good end.
static void check_damage(Pack *pack, size_t magic)
{
    const char *path = scratch_path("damaged");
    Bytes packed = pack(TEXT, sizeof TEXT - 1);
    Error error;
    for (size_t cut = magic; cut < packed.length; cut++) {
        scratch_write(path, packed.data, cut);
        Bytes out = text_of(path, &error);
        ck_assert_int_eq(error.status, STATUS_FORMAT);
        assert_contains(error.text, "cut off");
        bytes_free(&out);
    }
    for (size_t place = magic; place < packed.length; place++) {
        packed.data[place] ^= 0x55;
        scratch_write(path, packed.data, packed.length);
        packed.data[place] ^= 0x55;
        Bytes out = text_of(path, &error);
        if (!error.status) ck_assert_str_eq(out.data, TEXT);
        if (error.status) assert_contains(error.text, path);
        bytes_free(&out);
    }
    bytes_free(&packed);
}

// What would fill the memory.
static void check_bomb(Pack *pack, const char *message)
{
    enum { SIZE = 1 << 25 };
    const char *path = scratch_path("bomb");
    Bytes zeros = {0};
    assert_ok(bytes_reserve(&zeros, SIZE, NULL));
    memset(zeros.data, 'a', SIZE);
    Bytes packed = pack(zeros.data, SIZE);
    scratch_write(path, packed.data, packed.length);
    Error error;
    Bytes out = text_of(path, &error);
    ck_assert_msg(error.status && strstr(error.text, message), "%s", error.text);
    bytes_free(&out);
    bytes_free(&packed);
    bytes_free(&zeros);
}

TEST(gzip)
{
    check_members(gzip_of, "broken gzip (");
    check_damage(gzip_of, 2);
    check_bomb(gzip_of, "is gzip that unpacks to more than 200 times its size");
}

#ifndef REGARD_LIBLZMA
TEST(xz)
{
    const char *path = scratch_path("a.xz");
    scratch_write(path,
                  "\xfd"
                  "7zXZ\0",
                  6);
    expect_text(path, "",
                "is xz, and this regard was built without its library; install liblzma-dev");
}
#else
static Bytes xz_of(const char *text, size_t length)
{
    Bytes out = {0};
    assert_ok(bytes_reserve(&out, lzma_stream_buffer_bound(length), NULL));
    ck_assert_int_eq(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text,
                                             length, (uint8_t *)out.data, &out.length,
                                             out.capacity),
                     LZMA_OK);
    return out;
}

TEST(xz)
{
    check_members(xz_of, "broken xz (not xz data); get the file again, or rescue");
    check_damage(xz_of, 6);
    check_bomb(xz_of, "is xz that unpacks to more than 200 times its size");
}

// Writes an xz whose header or first block's header is changed, with the checksum that it should have.
static void write_forged(const char *path, size_t begin, size_t end, size_t at, char byte)
{
    Bytes packed = xz_of(TEXT, sizeof TEXT - 1);
    packed.data[at] = byte;
    uint32_t sum = lzma_crc32((const uint8_t *)packed.data + begin, end - begin, 0);
    memcpy(packed.data + end, &sum, sizeof sum);
    scratch_write(path, packed.data, packed.length);
    bytes_free(&packed);
}

// What a hostile file asks for: features that there are not, and a window of 4 GiB.
TEST(xz_headers)
{
    enum { FLAGS = 6, BLOCK = 12 };
    const char *path = scratch_path("forged.xz");
    Bytes packed = xz_of(TEXT, sizeof TEXT - 1);
    size_t block_end = BLOCK + 4 * (size_t)(unsigned char)packed.data[BLOCK]; // its CRC is there
    size_t window =
        BLOCK + 2; // behind the filter's number, LZMA2, and the length of what it is told
    while (memcmp(packed.data + window - 2, "\x21\1", 2) != 0) window++;
    bytes_free(&packed);
    write_forged(path, FLAGS, FLAGS + 2, FLAGS, 1);
    expect_text(path, "", "is broken xz (unknown options); get the file again");
    write_forged(path, BLOCK, block_end, window, 40);
    expect_text(path, "", "is broken xz (it needs more than 256 MiB of memory); get the file");
}

// Its decoder lacks memory: the library's own allocations are not seen here.
TEST(xz_out_of_memory)
{
    const char *path = scratch_path("a.xz");
    Bytes packed = xz_of(TEXT, sizeof TEXT - 1);
    scratch_write(path, packed.data, packed.length);
    bytes_free(&packed);
    while (failing_malloc_next()) {
        ByteStream *stream = NULL;
        char out[64];
        size_t length;
        Status status = byte_stream_open(&stream, path, NULL);
        if (!status) status = byte_stream_read(stream, out, sizeof out, true, &length, NULL);
        (void)failing_malloc_expect(status);
        byte_stream_close(stream);
    }
}
#endif

#ifndef REGARD_LIBZSTD
TEST(zstd)
{
    const char *path = scratch_text("a.zst", "\x28\xb5\x2f\xfd");
    expect_text(path, "",
                "is zstd, and this regard was built without its library; install libzstd");
}
#else
static Bytes zstd_of(const char *text, size_t length)
{
    Bytes out = {0};
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ck_assert(!ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)));
    assert_ok(bytes_reserve(&out, ZSTD_compressBound(length), NULL));
    out.length = ZSTD_compress2(context, out.data, out.capacity, text, length);
    ck_assert(!ZSTD_isError(out.length));
    ZSTD_freeCCtx(context);
    return out;
}

TEST(zstd)
{
    check_members(zstd_of, "broken zstd (");
    check_damage(zstd_of, 4);
    check_bomb(zstd_of, "is zstd that unpacks to more than 200 times its size");
}
#endif

TEST(zip)
{
    const char *path = scratch_text("a.zip", "PK\3\4");
    expect_text(path, "", "is zip, an archive of files; unpack it with unzip and name one of them");
    static const char *const first[] = {"mimetypeapplication/vnd.oasis", "[Content_Types].xml",
                                        "xl/workbook.xml"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        char file[80] = "PK\3\4";
        memcpy(file + 30, first[i], strlen(first[i]));
        scratch_write(path, file, sizeof file);
        expect_text(path, "",
                    "is a document of an office program, not text; save a spreadsheet as CSV");
    }
    scratch_write(path, "PK is text too\n", 15);
    expect_text(path, "PK is text too\n", NULL);
}
