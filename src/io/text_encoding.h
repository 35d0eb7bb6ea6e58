/* Text in another encoding than UTF-8: told apart, and made UTF-8 by the C library's iconv, whose only user
 * this is. */
#pragma once

#include "base/bytes.h"

/* The encoding of a text that begins with these bytes: "UTF-16LE" or "UTF-16BE", by its mark of byte
 * order or its zeros, or "WINDOWS-1252", which has Latin-1 in it, if the bytes are not UTF-8 and
 * would be words of Western languages. NULL: UTF-8, or none of these. */
const char *text_encoding_guess(const char *bytes, size_t length);

// The same for bytes from the middle of a text.
const char *text_encoding_guess_later(const char *bytes, size_t length);

typedef struct TextDecoder TextDecoder;

// *decoder is NULL if the C library does not know the encoding.
Status text_decoder_open(TextDecoder **decoder, const char *encoding, Error *error);

/* Appends bytes as UTF-8, which may be those behind out->data[out->length]. What is no character is
 * U+FFFD; one that is cut off at the end waits for the next bytes, unless these are the `last`. */
Status text_decoder_append(TextDecoder *decoder, Bytes *out, const char *bytes, size_t length,
                           bool last, Error *error);

void text_decoder_close(TextDecoder *decoder); // NULL is allowed
