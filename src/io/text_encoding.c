#include "io/text_encoding.h"

#include "base/array.h"
#include "base/ascii.h"
#include "base/utf8_sequence.h"

#include <errno.h>
#include <iconv.h>

// The bytes of a valid character of UTF-8 that is not ASCII, which may be cut off; 0 if there is none.
static size_t sequence_length(const unsigned char *bytes, size_t length)
{
    uint32_t code_point;
    bool valid;
    size_t taken = utf8_decode((const char *)bytes, length, &code_point, &valid);
    bool cut = taken == length && bytes[0] >= 0xC2 && bytes[0] <= 0xF4;
    return valid || cut ? taken : 0;
}

/* What a byte would be in Windows-1252, with those beside it: 1 a letter of a word; -1 unlikely, a
 * letter alone or no character; 0 a sign, or a word of one letter. */
static int judge(unsigned char before, unsigned char byte, unsigned char behind)
{
    static const char undefined[] = "\x81\x8D\x8F\x90\x9D\xFF",
                      words[] = "\xC0\xC9\xE0\xE8\xE9\xF3\xF4";
    if (strchr(undefined, byte)) return -1;
    if (byte < 0xC0 || byte == 0xD7 || byte == 0xF7) return 0;
    if (ascii_is_letter((char)before) || ascii_is_letter((char)behind)) return 1;
    return strchr(words, byte) && before < 0x80 && behind < 0x80 ? 0 : -1;
}

const char *text_encoding_guess_later(const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t characters = 0, others = 0, likely = 0, unlikely = 0;
    for (size_t i = 0, step = 1; i < length; i += step, step = 1) {
        if (bytes[i] < 0x80) continue;
        step = sequence_length(bytes + i, length - i);
        characters += step > 1; // one byte at the end says nothing
        if (step > 0) continue;
        int judged =
            judge(i > 0 ? bytes[i - 1] : ' ', bytes[i], i + 1 < length ? bytes[i + 1] : ' ');
        others++;
        likely += judged > 0 || (bytes[i] >= 0x91 && bytes[i] <= 0x97); // quotation marks, dashes
        unlikely += judged < 0;
        step = 1;
    }
    return characters < others && likely > 10 * unlikely ? "WINDOWS-1252" : NULL;
}

const char *text_encoding_guess(const char *bytes, size_t length)
{
    size_t zeros[2] = {0, 0};
    for (size_t i = 0; i < length; i++) zeros[i % 2] += bytes[i] == 0;
    if (length >= 2 && memcmp(bytes, "\xFF\xFE", 2) == 0) return "UTF-16LE";
    if (length >= 2 && memcmp(bytes, "\xFE\xFF", 2) == 0) return "UTF-16BE";
    if (zeros[0] == 0 && 4 * zeros[1] > length) return "UTF-16LE";
    if (zeros[1] == 0 && 4 * zeros[0] > length) return "UTF-16BE";
    return text_encoding_guess_later(bytes, length);
}

struct TextDecoder {
    iconv_t converter;
    size_t unit;   // bytes of what is no character
    Bytes waiting; // bytes that have not become characters
};

Status text_decoder_open(TextDecoder **decoder, const char *encoding, Error *error)
{
    iconv_t converter = iconv_open("UTF-8", encoding);
    *decoder = NULL;
    if (converter == (iconv_t)-1) return STATUS_OK;
    Status status = array_new(decoder, 1, "an encoding", error);
    if (status)
        (void)iconv_close(converter);
    else
        **decoder = (TextDecoder){converter, strncmp(encoding, "UTF-16", 6) == 0 ? 2 : 1, {0}};
    return status;
}

/* Lets iconv go on until it fails, which errno tells, or until nothing is left; without `in` it gives
 * out a character that waits for an accent. */
static Status convert(TextDecoder *decoder, Bytes *out, char **in, size_t *left, bool *failed,
                      Error *error)
{
    // a byte is at most three bytes of UTF-8, but in a few encodings, for which errno is E2BIG
    TRY(bytes_reserve(out, out->length + 3 * *left + 16, error));
    char *to = out->data + out->length;
    size_t room = out->capacity - out->length - 1;
    *failed = iconv(decoder->converter, in, left, &to, &room) == (size_t)-1;
    out->length = (size_t)(to - out->data);
    out->data[out->length] = '\0';
    return STATUS_OK;
}

Status text_decoder_append(TextDecoder *decoder, Bytes *out, const char *bytes, size_t length,
                           bool last, Error *error)
{
    bool failed;
    TRY(bytes_append(&decoder->waiting, bytes, length, error));
    char *in = decoder->waiting.data;
    size_t left = decoder->waiting.length;
    while (left > 0) {
        TRY(convert(decoder, out, &in, &left, &failed, error));
        if (!failed || errno == E2BIG) continue;
        if (errno == EINVAL && !last) break;
        size_t wrong = left < decoder->unit ? left : decoder->unit;
        TRY(bytes_append_string(out, "\xEF\xBF\xBD", error)); // U+FFFD
        in += wrong;
        left -= wrong;
    }
    memmove(decoder->waiting.data, in, left);
    bytes_cut(&decoder->waiting, left);
    return last ? convert(decoder, out, NULL, &left, &failed, error) : STATUS_OK;
}

void text_decoder_close(TextDecoder *decoder)
{
    if (!decoder) return;
    (void)iconv_close(decoder->converter);
    bytes_free(&decoder->waiting);
    memory_free(decoder);
}
