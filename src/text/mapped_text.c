#include "text/mapped_text.h"

#include "base/array.h"
#include "text/normalise.h"
#include "text/utf8.h"

enum { FIRST_HANGUL_VOWEL = 0x1160, LAST_HANGUL_FINAL = 0x11FF };

static Status reserve_origins(MappedText *mapped, size_t length, Error *error)
{
    return array_reserve(&mapped->origins, &mapped->capacity, length + 1, "a text's bytes", error);
}

// Begins with a text of which no origin is known yet.
static void begin(MappedText *mapped, size_t original)
{
    mapped->original = original;
    mapped->read = 0;
    bytes_clear(&mapped->text);
    bytes_clear(&mapped->written);
}

Status mapped_set(MappedText *mapped, const char *text, size_t length, Error *error)
{
    begin(mapped, length);
    TRY(reserve_origins(mapped, length, error));
    for (size_t i = 0; i < length; i++) mapped->origins[i] = (uint32_t)i + 1;
    return bytes_append(&mapped->text, text, length, error);
}

// A text and its normal form, both read as far as they have been matched.
typedef struct Matching {
    const char *text;
    size_t length, at;
    const Bytes *normal;
    size_t place;
    uint32_t *origins; // (normal) of the normal form
    Bytes *cluster;    // scratch
} Matching;

// Where the character at `at` ends with the marks, or vowels and finals of Hangul, that may compose
// with it.
static size_t cluster_end(const Matching *matching)
{
    size_t end = matching->at;
    (void)utf8_next(matching->text, matching->length, &end);
    for (size_t next = end; next < matching->length; end = next) {
        uint32_t c = utf8_next(matching->text, matching->length, &next);
        if (!utf8_extends(c) && (c < FIRST_HANGUL_VOWEL || c > LAST_HANGUL_FINAL)) break;
    }
    return end;
}

// Matches white space; one that is a single U+0020 is as it was.
static void match_space(Matching *matching)
{
    size_t end = matching->at, last = end;
    while (end < matching->length &&
           utf8_is_space(utf8_next(matching->text, matching->length, &end)))
        last = end;
    bool kept = last == matching->at + 1 && matching->text[matching->at] == ' ';
    matching->at = last;
    if (matching->place == 0 || matching->place == matching->normal->length) return;
    matching->origins[matching->place++] = (uint32_t)(kept ? last : last + 1);
}

static Status match_cluster(Matching *matching, Error *error)
{
    const Bytes *normal = matching->normal;
    const char *cluster = matching->text + matching->at;
    size_t end = cluster_end(matching), length = end - matching->at;
    size_t left = normal->length - matching->place;
    const char *place = normal->data + matching->place;
    // a NUL follows the normal form; an invalid part may be what U+FFFD begins with, and is no character
    if (length <= left && !memcmp(place, cluster, length) && (place[length] & 0xC0) != 0x80) {
        for (; matching->at < end; matching->place++)
            matching->origins[matching->place] = (uint32_t)++matching->at;
        return STATUS_OK;
    }
    TRY(normalise(matching->cluster, cluster, length, NULL, error));
    size_t count = matching->cluster->length < left ? matching->cluster->length : left;
    for (size_t i = 0; i < count; i++) matching->origins[matching->place++] = (uint32_t)end;
    matching->at = end;
    return STATUS_OK;
}

// Finds out where the bytes of a normal form come from.
static Status match(MappedText *mapped, const char *text, size_t length, Error *error)
{
    FREED_BY(bytes_free) Bytes cluster = {0};
    Matching matching = {text, length, 0, &mapped->text, 0, mapped->origins, &cluster};
    // for what no cluster gives, should one ever compose with another
    for (size_t i = 0; i < mapped->text.length; i++) mapped->origins[i] = (uint32_t)length;
    while (matching.at < length) {
        size_t next = matching.at;
        if (utf8_is_space(utf8_next(text, length, &next)))
            match_space(&matching);
        else
            TRY(match_cluster(&matching, error));
    }
    return STATUS_OK;
}

Status mapped_normalise(MappedText *mapped, const char *text, size_t length, size_t *invalid,
                        Error *error)
{
    begin(mapped, length);
    TRY(normalise(&mapped->text, text, length, invalid, error));
    TRY(reserve_origins(mapped, mapped->text.length, error));
    return match(mapped, text, length, error);
}

// Writes bytes whose origins are those given, or all the same.
static Status write(MappedText *mapped, const char *bytes, size_t length, const uint32_t *origins,
                    uint32_t origin, Error *error)
{
    size_t at = mapped->written.length;
    TRY(array_reserve(&mapped->written_origins, &mapped->written_capacity, at + length + 1,
                      "a text's bytes", error));
    for (size_t i = 0; i < length; i++)
        mapped->written_origins[at + i] = origins ? origins[i] : origin;
    return bytes_append(&mapped->written, bytes, length, error);
}

Status mapped_keep(MappedText *mapped, size_t end, Error *error)
{
    size_t from = mapped->read;
    assert(end <= mapped->text.length);
    if (end <= from) return STATUS_OK;
    mapped->read = end;
    return write(mapped, mapped->text.data + from, end - from, mapped->origins + from, 0, error);
}

Status mapped_replace(MappedText *mapped, size_t begin, size_t end, const char *with, size_t length,
                      Error *error)
{
    assert(mapped->read <= begin && begin <= end && end <= mapped->text.length);
    TRY(mapped_keep(mapped, begin, error));
    mapped->read = end;
    size_t last = begin < end ? end - 1 : end;
    size_t origin = last < mapped->text.length ? mapped->origins[last] : mapped->original + 1;
    return write(mapped, with, length, NULL, (uint32_t)origin, error);
}

Status mapped_finish(MappedText *mapped, Error *error)
{
    if (mapped->read == 0 && mapped->written.length == 0) return STATUS_OK;
    TRY(mapped_keep(mapped, mapped->text.length, error));
    const MappedText pass = *mapped;
    mapped->text = pass.written;
    mapped->origins = pass.written_origins;
    mapped->capacity = pass.written_capacity;
    mapped->written = pass.text;
    mapped->written_origins = pass.origins;
    mapped->written_capacity = pass.capacity;
    mapped->read = 0;
    bytes_clear(&mapped->written);
    return STATUS_OK;
}

size_t mapped_place(const MappedText *mapped, size_t end)
{
    size_t place;
    array_search(place, 0, mapped->text.length, mapped->origins[place] <= end);
    return place;
}

Span mapped_span(const MappedText *mapped, Span original)
{
    const char *text = bytes_text(&mapped->text);
    Span span = {mapped_place(mapped, original.begin), mapped_place(mapped, original.end)};
    span.begin += span.begin < span.end && text[span.begin] == ' ';
    span.end -= span.begin < span.end && text[span.end - 1] == ' ';
    return span;
}

void mapped_free(MappedText *mapped)
{
    bytes_free(&mapped->text);
    bytes_free(&mapped->written);
    memory_free(mapped->origins);
    memory_free(mapped->written_origins);
    *mapped = (MappedText){0};
}
