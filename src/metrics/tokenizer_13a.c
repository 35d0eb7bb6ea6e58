#include "metrics/tokenizer_13a.h"

#include "metrics/western_punctuation.h"
#include "metrics/white_space.h"

#include <string.h>

// Replaces every `from` by `to`, which is not longer, from left to right.
static void replace_all(Bytes *line, const char *from, const char *to)
{
    size_t from_length = strlen(from), to_length = strlen(to), read = 0, written = 0;
    if (!memchr(line->data, from[0], line->length)) return;
    while (read < line->length) {
        if (line->length - read >= from_length && !memcmp(line->data + read, from, from_length)) {
            memcpy(line->data + written, to, to_length);
            read += from_length;
            written += to_length;
        } else {
            line->data[written++] = line->data[read++];
        }
    }
    line->length = written;
    line->data[written] = '\0';
}

static void resolve_markup(Bytes *line)
{
    static const char *const replacements[][2] = {
        {"<skipped>", ""}, {"-\n", ""},   {"\n", " "},   {"&quot;", "\""},
        {"&amp;", "&"},    {"&lt;", "<"}, {"&gt;", ">"},
    };
    for (size_t i = 0; i < sizeof replacements / sizeof *replacements; i++)
        replace_all(line, replacements[i][0], replacements[i][1]);
}

Status tokenizer_13a(const char *text, size_t length, Bytes *line, Error *error)
{
    white_space_strip(&text, &length); // so a hyphen before a final newline stays
    // spaces at both ends, so that punctuation there has a neighbour
    Bytes padded = {0};
    Status status = bytes_append(&padded, " ", 1, error);
    if (!status) status = bytes_append(&padded, text, length, error);
    if (!status) status = bytes_append(&padded, " ", 1, error);
    if (!status) {
        resolve_markup(&padded);
        status = western_punctuation_split(&padded, error);
    }
    if (!status) status = white_space_words(padded.data, padded.length, line, error);
    bytes_free(&padded);
    return status;
}
