#include "reading/target_prefix.h"

#include "base/array.h"
#include "reading/placeholders.h"
#include "text/normalise.h"
#include "text/utf8.h"

/* No subword contains a space but at its beginning, so that only the last word of a prefix can be
 * cut in several ways. */
typedef struct PrefixBuilder {
    Prefix *prefix;
    const Vocabulary *vocabulary;
    Bytes read;        // the prefix as the model says it
    Bytes word;        // the last word, with the space before it
    int32_t *path;     // subwords of the words before it, then of a sequence that is added
    size_t head;       // of the words before it
    size_t capacity;   // of path
    Bytes text;        // scratch: the word and what may follow
    Subwords subwords; // scratch
} PrefixBuilder;

static void builder_free(PrefixBuilder *builder)
{
    bytes_free(&builder->read);
    bytes_free(&builder->word);
    bytes_free(&builder->text);
    subwords_free(&builder->subwords);
    memory_free(builder->path);
}

// Sets *node to where the words before the last and `count` more subwords lead.
static Status walk(PrefixBuilder *builder, const int32_t *ids, size_t count, uint32_t *node,
                   Error *error)
{
    size_t length = builder->head + count;
    TRY(array_reserve(&builder->path, &builder->capacity, length, "a prefix", error));
    if (count > 0) memcpy(builder->path + builder->head, ids, count * sizeof *ids);
    return prefix_walk(builder->prefix, builder->path, length, node, error);
}

/* Adds how builder->text, the word or what it may become, is cut before `follower`, if it is cut
 * there at all and its last subword is `last`, or any if that is negative. */
static Status add_sequence(PrefixBuilder *builder, const char *follower, int32_t last, Error *error)
{
    const Subwords *subwords = &builder->subwords;
    size_t length = builder->text.length, count = 0;
    uint32_t node;
    TRY(bytes_append_string(&builder->text, follower, error));
    // the space before the word is what the vocabulary puts before any text
    TRY(vocabulary_encode(builder->vocabulary, builder->text.data + 1, builder->text.length - 1,
                          &builder->subwords, error));
    bytes_cut(&builder->text, length);
    while (count < subwords->count && subwords->ends[count] + 1 < length) count++;
    if (count == subwords->count || subwords->ends[count] + 1 != length) return STATUS_OK;
    if (last >= 0 && subwords->ids[count] != last) return STATUS_OK;
    TRY(walk(builder, subwords->ids, count, &node, error));
    TRY(prefix_keep(builder->prefix, subwords->ids[count], error));
    return prefix_allow(builder->prefix, node, subwords->ids[count], error);
}

/* Adds the word's first `kept` bytes and then `bytes`, which go on with the rest of it and are the
 * subword `last`, if a text is cut so: at its end, or before a letter, where an apostrophe belongs
 * to what is before it (text/chunks.h). */
static Status add_sequences(PrefixBuilder *builder, size_t kept, const char *bytes, size_t length,
                            int32_t last, Error *error)
{
    bytes_clear(&builder->text);
    TRY(bytes_append(&builder->text, builder->word.data, kept, error));
    TRY(bytes_append(&builder->text, bytes, length, error));
    TRY(add_sequence(builder, "", last, error));
    return add_sequence(builder, "a", last, error);
}

// The last word, cut at its end or in a subword that reaches beyond it.
static Status add_open_word(PrefixBuilder *builder, Error *error)
{
    const Bytes *word = &builder->word;
    for (size_t id = 0; id < vocabulary_size(builder->vocabulary); id++) {
        size_t length;
        const char *bytes = vocabulary_bytes(builder->vocabulary, (int32_t)id, &length);
        for (size_t inside = 1; inside < length && inside <= word->length; inside++) {
            size_t kept = word->length - inside;
            if (!memcmp(bytes, word->data + kept, inside))
                TRY(add_sequences(builder, kept, bytes, length, (int32_t)id, error));
        }
    }
    return add_sequences(builder, word->length, "", 0, -1, error);
}

static bool has_placeholder(const Bytes *text, size_t number)
{
    for (size_t at = 0; at < text->length;)
        if (placeholder_next(text->data, text->length, &at) == number) return true;
    return false;
}

// A span of the source that begins with the last word of the prefix can be what it becomes, unless
// the prefix has it already.
static Status add_begun_spans(PrefixBuilder *builder, const Reading *reading, Error *error)
{
    TextView word = {builder->word.data + 1, builder->word.length - 1};
    for (size_t number = 0; number < reading->placed_count && word.length > 0; number++) {
        const TextView span = placeholders_span(reading, number);
        if (!text_view_has_at(span, 0, word) || has_placeholder(&builder->read, number)) continue;
        bytes_clear(&builder->text);
        TRY(bytes_append(&builder->text, " ", 1, error));
        TRY(placeholder_append(&builder->text, number, error));
        TRY(add_sequence(builder, "", -1, error));
    }
    return STATUS_OK;
}

// The last word as it is, and then the space of another, or the end.
static Status add_complete_word(PrefixBuilder *builder, Error *error)
{
    uint32_t node;
    const Bytes *word = &builder->word;
    TRY(vocabulary_encode(builder->vocabulary, word->data + 1, word->length - 1, &builder->subwords,
                          error));
    TRY(walk(builder, builder->subwords.ids, builder->subwords.count, &node, error));
    for (size_t id = 0; id < vocabulary_size(builder->vocabulary); id++) {
        size_t length;
        const char *bytes = vocabulary_bytes(builder->vocabulary, (int32_t)id, &length);
        if (length > 0 && bytes[0] == ' ')
            TRY(prefix_allow(builder->prefix, node, (int32_t)id, error));
    }
    return prefix_allow(builder->prefix, node, TOKEN_EOS, error);
}

// Cuts the prefix to the subwords that are read of it, and sets what comes before its last word.
static Status begin(PrefixBuilder *builder, Reading *reading, bool *cut, Error *error)
{
    Bytes *text = &builder->read;
    Subwords *subwords = &builder->subwords;
    TRY(placeholders_in_prefix(text, reading, error));
    TRY(vocabulary_encode(builder->vocabulary, text->data, text->length, subwords, error));
    *cut = subwords->count > MAX_TRANSLATION_SUBWORDS;
    if (*cut) {
        bytes_cut(text, subwords->ends[MAX_TRANSLATION_SUBWORDS - 1]);
        TRY(placeholders_write_spans(&reading->prefix, text, reading, error));
    }
    size_t space = text->length;
    while (space > 0 && text->data[space - 1] != ' ') space--;
    if (space > 0) space--; // it belongs to the last word
    while (space > 0 && subwords->ends[builder->head] <= space) builder->head++;
    TRY(array_reserve(&builder->path, &builder->capacity, builder->head, "a prefix", error));
    if (builder->head > 0)
        memcpy(builder->path, subwords->ids, builder->head * sizeof *builder->path);
    if (space == 0) TRY(bytes_append_string(&builder->word, " ", error));
    return bytes_append(&builder->word, text->data + space, text->length - space, error);
}

Status target_prefix_read(Prefix *prefix, Reading *reading, TextView given, size_t *invalid,
                          bool *cut, Error *error)
{
    TRY(normalise(&reading->prefix, given.data, given.length, invalid, error));
    *cut = false;
    if (reading->prefix.length == 0) return STATUS_OK;
    FREED_BY(builder_free)
    PrefixBuilder builder = {.prefix = prefix, .vocabulary = reading->context->target};
    TRY(begin(&builder, reading, cut, error));
    bool spaced = utf8_is_space(utf8_before(given.data, given.length));
    bool complete = spaced && !*cut;
    TRY(complete ? add_complete_word(&builder, error) : add_open_word(&builder, error));
    if (!complete) TRY(add_begun_spans(&builder, reading, error));
    prefix_finish(prefix);
    return STATUS_OK;
}
