#include "io/text_encoding.h"

#include "base/array.h"
#include "base/ascii.h"
#include "base/memory.h"
#include "base/utf8_sequence.h"

#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <string.h>

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
    size_t unit; // bytes of what is no character
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
        **decoder = (TextDecoder){converter, strncmp(encoding, "UTF-16", 6) == 0 ? 2 : 1};
    return status;
}

size_t text_decoder_read(TextDecoder *decoder, char *out, size_t room, const char *bytes,
                         size_t *length, bool last)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    char *in = (char *)(uintptr_t)bytes, *to = out; // iconv's type has no const
    while (*length > 0 && iconv(decoder->converter, &in, length, &to, &room) == (size_t)-1) {
        if (errno == E2BIG || room < sizeof replacement || (errno == EINVAL && !last)) break;
        size_t wrong = *length < decoder->unit ? *length : decoder->unit;
        memcpy(to, replacement, sizeof replacement - 1);
        to += sizeof replacement - 1;
        room -= sizeof replacement - 1;
        in += wrong;
        *length -= wrong;
    }
    // a character that waits for an accent
    if (last && *length == 0) (void)iconv(decoder->converter, NULL, NULL, &to, &room);
    return (size_t)(to - out);
}

void text_decoder_close(TextDecoder *decoder)
{
    if (decoder) (void)iconv_close(decoder->converter);
    memory_free(decoder);
}
