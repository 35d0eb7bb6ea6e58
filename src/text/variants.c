#include "text/variants.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/utf8.h"

#include <string.h>

enum { FIRST_WIDE = 0xFF01, LAST_WIDE = 0xFF5E, WIDE_TO_ASCII = 0xFEE0 };

typedef struct Reading {
    Variants *variants;
    const char *text;
    size_t length;
    const Vocabulary *vocabulary;
    Error *error;
} Reading;

static bool is_known(const Reading *reading, const char *character)
{
    return vocabulary_find(reading->vocabulary, character, strlen(character)) >= 0;
}

// The first of some characters that the vocabulary has; NULL: none.
static const char *first_known(const Reading *reading, const char *const *characters)
{
    while (*characters && !is_known(reading, *characters)) characters++;
    return *characters;
}

// Appends what the text is read as up to `end`.
static Status append(const Reading *reading, const char *read, size_t length, size_t end)
{
    Variants *variants = reading->variants;
    size_t before = variants->text.length;
    TRY(array_reserve(&variants->places, &variants->capacity, before + length + 1,
                      "a text's characters", reading->error));
    for (size_t i = 0; i < length; i++) variants->places[before + i] = (uint32_t)end;
    return bytes_append(&variants->text, read, length, reading->error);
}

static uint32_t character(const Reading *reading, size_t at)
{
    return utf8_at(reading->text, reading->length, at);
}

/* A mark between clauses, such as a dash or a semicolon: a comma or, at the end, a full stop, as
 * Chinese or others write them. `end` is behind it. */
static Status append_comma(const Reading *reading, uint32_t before, size_t end)
{
    static const char *const commas[] = {", ", "，"}, *const stops[] = {".", "。"};
    Bytes *text = &reading->variants->text;
    bool wide = utf8_is_unspaced(before), last = end == reading->length;
    const char *mark = last ? stops[wide] : commas[wide];
    if (text->length > 0 && text->data[text->length - 1] == ' ') bytes_cut(text, text->length - 1);
    bool spaced = character(reading, end) == ' ';
    return append(reading, mark, strlen(mark) - (!last && !wide && spaced), end);
}

// The variant of a character that stands for it wherever it is; NULL: none that is known.
static const char *simple_variant(const Reading *reading, uint32_t c, char wide[2])
{
    static const char *const apostrophes[] = {"'", "’", NULL}, *const quotes[] = {"\"", NULL},
                             *const opening[] = {"“", "\"", NULL},
                             *const closing[] = {"”", "\"", NULL}, *const hyphens[] = {"-", NULL};
    if (utf8_is_among(c, "\u200b\u00ad\ufeff")) return "";
    if (utf8_is_among(c, "‘’‚′")) return first_known(reading, apostrophes);
    if (utf8_is_among(c, "“”„«»″")) return first_known(reading, quotes);
    if (utf8_is_among(c, "「『")) return first_known(reading, opening);
    if (utf8_is_among(c, "」』")) return first_known(reading, closing);
    if (utf8_is_among(c, "‐‑−～〜")) return first_known(reading, hyphens);
    if (c < FIRST_WIDE || c > LAST_WIDE) return NULL;
    wide[0] = (char)(c - WIDE_TO_ASCII);
    return is_known(reading, wide) ? wide : NULL;
}

// Appends what is read of a character, unknown to the vocabulary, whose bytes end at *at; a second
// dash or ellipsis is a part of the first.
static Status append_variant(const Reading *reading, uint32_t c, size_t begin, size_t *at)
{
    uint32_t before = utf8_before(reading->text, begin);
    bool dash = utf8_is_among(c, "–—―"), ellipsis = c == 0x2026;
    if (dash || ellipsis)
        while (character(reading, *at) == c) (void)utf8_next(reading->text, reading->length, at);
    bool tight =
        utf8_is_word(before) && utf8_is_word(character(reading, *at)) && !utf8_is_unspaced(before);
    if (ellipsis && !utf8_is_unspaced(before)) return append(reading, "...", 3, *at);
    if (dash && (begin == 0 || (tight && c == 0x2013))) return append(reading, "-", 1, *at);
    if (dash || ellipsis || utf8_is_among(c, ";；")) return append_comma(reading, before, *at);
    char wide[2] = "";
    const char *variant = simple_variant(reading, c, wide);
    if (!variant) return append(reading, reading->text + begin, *at - begin, *at);
    return append(reading, variant, strlen(variant), *at);
}

Status variants_read(Variants *variants, const char *text, size_t length,
                     const Vocabulary *vocabulary, Error *error)
{
    const Reading reading = {variants, text, length, vocabulary, error};
    for (size_t at = 0, begin = 0; at < length; begin = at) {
        uint32_t c = utf8_next(text, length, &at);
        bool known = vocabulary_find(vocabulary, text + begin, at - begin) >= 0;
        TRY(known ? append(&reading, text + begin, at - begin, at)
                  : append_variant(&reading, c, begin, &at));
    }
    return STATUS_OK;
}

size_t variants_place(const Variants *variants, size_t end)
{
    size_t length = variants->text.length;
    if (length == 0) return end;
    if (end > length) return variants->places[length - 1] + (end - length);
    return variants->places[end - 1];
}

void variants_free(Variants *variants)
{
    bytes_free(&variants->text);
    memory_free(variants->places);
    *variants = (Variants){0};
}
