#include "text/normalise.h"

#include "base/array.h"
#include "text/utf8.h"

// Characters for which memory is reserved before a text is read; of a sentence, all of them.
enum { ONCE_RESERVED = 4096 };

// A text as code points, decomposed while it is read and composed at the end.
typedef struct CodePoints {
    uint32_t *data; // (count)
    size_t count;
    size_t capacity;
} CodePoints;

static void points_free(CodePoints *points)
{
    memory_free(points->data);
}

static Status add_code_point(CodePoints *points, uint32_t code_point, bool decompose, Error *error)
{
    TRY(array_reserve(&points->data, &points->capacity, points->count + MAX_UTF8_DECOMPOSED,
                      "a text's characters", error));
    if (decompose)
        points->count += utf8_decompose(code_point, points->data + points->count);
    else
        points->data[points->count++] = code_point;
    return STATUS_OK;
}

/* Reads the text, with U+FFFD for invalid parts and one U+0020 for each inner run of white space.
 * White space neither decomposes nor composes, so it can be replaced before composition. */
static Status read_text(CodePoints *points, const char *text, size_t length, bool decompose,
                        size_t *invalid, Error *error)
{
    bool space = false;
    size_t expected = length < ONCE_RESERVED ? length : ONCE_RESERVED;
    TRY(array_reserve(&points->data, &points->capacity, expected + MAX_UTF8_DECOMPOSED,
                      "a text's characters", error));
    for (size_t at = 0; at < length;) {
        uint32_t code_point;
        bool valid;
        at += utf8_decode(text + at, length - at, &code_point, &valid);
        if (!valid) ++*invalid;
        if (utf8_is_space(code_point)) {
            space = points->count > 0;
            continue;
        }
        if (space) {
            TRY(add_code_point(points, ' ', false, error));
        }
        TRY(add_code_point(points, code_point, decompose, error));
        space = false;
    }
    return STATUS_OK;
}

/* Sorts a run of marks stably by combining class. By counting, as a run may be as long as the text:
 * exchanging neighbours, as utf8proc does, takes minutes for a megabyte of accents. */
static Status sort_run(uint32_t *run, size_t count, Error *error)
{
    bool ordered = true;
    for (size_t i = 1; i < count; i++)
        ordered = ordered && utf8_combining_class(run[i - 1]) <= utf8_combining_class(run[i]);
    if (ordered) return STATUS_OK;

    FREED uint32_t *copy = memory_new(count, sizeof *copy);
    if (!copy) return error_memory(error, count * sizeof *copy, "a run of combining marks");
    memcpy(copy, run, count * sizeof *copy);
    size_t places[257] = {0}; // places[c]: index of the next mark of class c
    for (size_t i = 0; i < count; i++) places[utf8_combining_class(copy[i]) + 1]++;
    for (size_t c = 1; c < 257; c++) places[c] += places[c - 1];
    for (size_t i = 0; i < count; i++) run[places[utf8_combining_class(copy[i])]++] = copy[i];
    return STATUS_OK;
}

// The canonical ordering (Unicode Standard, section 3.11): runs of non-starters are sorted stably.
static Status order_marks(CodePoints *points, Error *error)
{
    for (size_t begin = 0; begin < points->count;) {
        size_t end = begin;
        while (end < points->count && utf8_combining_class(points->data[end])) end++;
        if (end - begin > 1) {
            TRY(sort_run(points->data + begin, end - begin, error));
        }
        begin = end + 1;
    }
    return STATUS_OK;
}

static Status write_text(Bytes *out, const CodePoints *points, Error *error)
{
    assert(points->data || points->count == 0);
    bytes_clear(out);
    TRY(bytes_append(out, "", 0, error));
    for (size_t i = 0; i < points->count; i++) {
        TRY(utf8_append(out, points->data[i], error));
    }
    return STATUS_OK;
}

/* All characters below U+0300 are composed and none is a mark (Derived Normalization Properties,
 * NFC_QC), so a text whose lead bytes are all below 0xCC needs no composition. */
static bool is_composed(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] >= 0xCC) return false;
    return true;
}

Status normalise(Bytes *out, const char *text, size_t length, size_t *invalid, Error *error)
{
    FREED_BY(points_free) CodePoints points = {0};
    size_t replaced = 0;
    bool composed = is_composed(text, length);
    TRY(read_text(&points, text, length, !composed, &replaced, error));
    if (!composed) {
        TRY(order_marks(&points, error));
        points.count = utf8_compose(points.data, points.count);
    }
    TRY(write_text(out, &points, error));
    if (invalid) *invalid = replaced;
    return STATUS_OK;
}
