/* Text in another encoding than UTF-8: told apart, and made UTF-8 by the C library's iconv, whose only user
 * this is. */
#pragma once

#include "base/status.h"

/* The encoding of a text that begins with these bytes: "UTF-16LE" or "UTF-16BE", by its mark of byte
 * order or its zeros, or "WINDOWS-1252", which has Latin-1 in it, if the bytes are not UTF-8 and
 * would be words of Western languages. NULL: UTF-8, or none of these. */
const char *text_encoding_guess(const char *bytes, size_t length);

// The same for bytes from the middle of a text.
const char *text_encoding_guess_later(const char *bytes, size_t length);

typedef struct TextDecoder TextDecoder;

// *decoder is NULL if the C library does not know the encoding.
Status text_decoder_open(TextDecoder **decoder, const char *encoding, Error *error);

// How much room bytes take as UTF-8; more in a few encodings, whose bytes are several characters.
static inline size_t text_decoder_room(size_t length)
{
    return 3 * length + 16;
}

/* Writes bytes as UTF-8 to `out`, and returns how many it has written. What is no character is
 * U+FFFD. The next bytes begin with the *length bytes that are left: of a character that is cut off
 * at the end, unless the bytes are the `last`, and those for which there was no room. */
size_t text_decoder_read(TextDecoder *decoder, char *out, size_t room, const char *bytes,
                         size_t *length, bool last);

void text_decoder_close(TextDecoder *decoder); // NULL is allowed
