#include "html/document.h"

#include "base/array.h"
#include "base/ascii.h"
#include "text/html_reference.h"
#include "text/mapped_text.h"
#include "text/utf8.h"

// A segment while it is put together.
typedef struct SegmentBuilder {
    HtmlDocument *document;
    const HtmlPiece *pieces;
    Bytes characters;  // of the segment so far, as they are written
    MappedText normal; // and in normal form
    size_t first;      // of the segment's inlines in the document
    size_t parent;     // the element that is open
    size_t object;     // the last one, if no text has come since; NO_INLINE: none
    bool space;        // white space has come since the last text or object
} SegmentBuilder;

static void see_space(SegmentBuilder *builder)
{
    builder->space = true;
    if (builder->object != NO_INLINE)
        builder->document->inlines[builder->first + builder->object].space_after = true;
}

// Appends the characters of a text without soft hyphens, which say nothing of the words of a
// translation.
static Status decode(Bytes *characters, TextView text, bool escapes, Error *error)
{
    for (size_t at = 0; at < text.length;) {
        if (escapes && text.data[at] == '\\' && at + 1 < text.length && text.data[at + 1] > ' ' &&
            !ascii_is_alphanumeric(text.data[at + 1])) {
            TRY(bytes_append(characters, text.data + at + 1, 1, error));
            at += 2;
            continue;
        }
        size_t begin = at;
        uint32_t c = html_character(text.data, text.length, &at);
        if (c == SOFT_HYPHEN) continue;
        if (text.data[begin] == '&')
            TRY(utf8_append(characters, c, error));
        else
            TRY(bytes_append(characters, text.data + begin, at - begin, error));
    }
    return STATUS_OK;
}

static Status add_text(SegmentBuilder *builder, TextView text, Error *error)
{
    Bytes *characters = &builder->characters;
    size_t begin = characters->length, at = begin;
    TRY(decode(characters, text, builder->document->syntax->escapes, error));
    if (characters->length == begin) return STATUS_OK;
    if (utf8_is_space(utf8_next(characters->data, characters->length, &at))) see_space(builder);
    for (at = begin; at < characters->length;) {
        if (utf8_is_space(utf8_next(characters->data, characters->length, &at))) continue;
        builder->object = NO_INLINE;
        builder->space = utf8_is_space(utf8_before(characters->data, characters->length));
        break;
    }
    return STATUS_OK;
}

static Status add_inline(SegmentBuilder *builder, HtmlInline added, Error *error)
{
    HtmlDocument *document = builder->document;
    added.begin = added.end = builder->characters.length;
    added.parent = builder->parent;
    return array_add(&document->inlines, &document->inline_count, &document->inline_capacity,
                     "HTML", error, added);
}

static Status add_object(SegmentBuilder *builder, TextView bytes, Error *error)
{
    HtmlInline object = {.open = bytes, .space_before = builder->space};
    builder->object = builder->document->inline_count - builder->first;
    builder->space = false;
    return add_inline(builder, object, error);
}

static Status open_element(SegmentBuilder *builder, const HtmlPiece *piece, Error *error)
{
    size_t place = builder->document->inline_count - builder->first;
    HtmlInline element = {.open = piece->bytes,
                          .close = builder->pieces[piece->partner].bytes,
                          .repeats = piece->repeats,
                          .formats = piece->formats};
    if (!piece->has_text) {
        element.space_before = builder->space;
        builder->space = false;
        builder->object = place;
    }
    TRY(add_inline(builder, element, error));
    builder->parent = place;
    return STATUS_OK;
}

static void close_element(SegmentBuilder *builder, const HtmlPiece *piece)
{
    HtmlInline *element = &builder->document->inlines[builder->first + builder->parent];
    element->end = builder->characters.length;
    if (!piece->has_text) {
        element->space_after = element->space_after || builder->space;
        builder->object = builder->parent;
    }
    builder->parent = element->parent;
}

// An element that stays as it is, and so does its text.
static Status add_kept(SegmentBuilder *builder, const HtmlPiece *piece, Error *error)
{
    HtmlDocument *document = builder->document;
    TRY(array_reserve(&document->kept, &document->kept_capacity, document->kept_count + 1, "HTML",
                      error));
    TRY(add_inline(builder, (HtmlInline){.open = piece->bytes, .kept = true}, error));
    HtmlInline *added = &document->inlines[document->inline_count - 1];
    TRY(add_text(builder, piece->content, error));
    added->end = builder->characters.length;
    document->kept[document->kept_count++] = (Span){added->begin, added->end};
    return STATUS_OK;
}

static Status add_piece(SegmentBuilder *builder, const HtmlPiece *piece, Error *error)
{
    if (piece->kind == HTML_PIECE_TEXT) return add_text(builder, piece->bytes, error);
    if (piece->kind == HTML_PIECE_KEPT) return add_kept(builder, piece, error);
    if (piece->kind == HTML_PIECE_OBJECT) return add_object(builder, piece->bytes, error);
    if (piece->kind == HTML_PIECE_OPEN) return open_element(builder, piece, error);
    close_element(builder, piece);
    return STATUS_OK;
}

/* Brings the characters into normal form, white space and composition going on across tags, and
 * places all that has a place among them. */
static Status add_characters(SegmentBuilder *builder, HtmlSegment *segment, Error *error)
{
    HtmlDocument *document = builder->document;
    MappedText *normal = &builder->normal;
    size_t invalid;
    TRY(mapped_normalise(normal, bytes_text(&builder->characters), builder->characters.length,
                         &invalid, error));
    document->invalid += invalid;
    segment->length = normal->text.length;
    segment->inline_count = document->inline_count - segment->first;
    for (size_t i = segment->first; i < document->inline_count; i++) {
        HtmlInline *one = &document->inlines[i];
        Span place = mapped_span(normal, (Span){one->begin, one->end});
        one->begin = place.begin;
        one->end = place.end;
    }
    size_t end = 0;
    for (size_t i = segment->first_kept; i < document->kept_count; i++) {
        Span *kept = &document->kept[i];
        *kept = mapped_span(normal, *kept);
        // an accent has joined it with what is beside it: it has no place of its own
        if (kept->begin < end || kept->begin == kept->end)
            document->kept_count = segment->first_kept;
        end = kept->end;
    }
    segment->kept_count = document->kept_count - segment->first_kept;
    return bytes_append(&document->texts, bytes_text(&normal->text), normal->text.length, error);
}

TextView html_segment_bytes(const HtmlDocument *document, const HtmlSegment *segment)
{
    return span_text(document->html, (Span){segment->begin, segment->end});
}

TextView html_segment_text(const HtmlDocument *document, const HtmlSegment *segment)
{
    return (TextView){bytes_text(&document->texts) + segment->text, segment->length};
}

Spans html_segment_kept(const HtmlDocument *document, const HtmlSegment *segment)
{
    Span *kept = segment->kept_count > 0 ? document->kept + segment->first_kept : NULL;
    return (Spans){.items = kept, .count = segment->kept_count};
}

/* Narrows the pieces *begin … *end to those from the first to the last that have text; there must be
 * one. */
static void narrow(const HtmlPiece *pieces, size_t *begin, size_t *end)
{
    for (; !pieces[*begin].has_text; ++*begin)
        if (pieces[*begin].kind == HTML_PIECE_OPEN) *begin = pieces[*begin].partner;
    for (; !pieces[*end - 1].has_text; --*end)
        if (pieces[*end - 1].kind == HTML_PIECE_CLOSE) *end = pieces[*end - 1].partner + 1;
}

// Whether an element around the first text among the pieces, or the last one, has white space there.
static bool is_spaced(const HtmlPiece *pieces, size_t begin, size_t end, bool first)
{
    size_t edge = first ? begin : end - 1;
    bool spaced = false;
    if (pieces[edge].kind == HTML_PIECE_TEXT) return false;
    for (size_t i = edge;; i += first ? 1 : (size_t)-1) {
        TextView text = pieces[i].bytes;
        if (pieces[i].kind == HTML_PIECE_OBJECT || pieces[i].kind == HTML_PIECE_KEPT) return spaced;
        if (pieces[i].kind != HTML_PIECE_TEXT) continue;
        if (!pieces[i].has_text) {
            spaced = true;
            continue;
        }
        TextView solid = utf8_trimmed(text, html_character);
        return spaced || (first ? solid.data > text.data
                                : solid.data + solid.length < text.data + text.length);
    }
}

// Sets the segment's text, inline elements and what is kept.
static Status fill_segment(SegmentBuilder *builder, HtmlSegment *segment, size_t begin, size_t end,
                           Error *error)
{
    bytes_clear(&builder->characters);
    builder->first = segment->first;
    builder->parent = builder->object = NO_INLINE;
    builder->space = false;
    for (size_t at = begin; at < end; at++) TRY(add_piece(builder, &builder->pieces[at], error));
    return add_characters(builder, segment, error);
}

static Status add_segment(SegmentBuilder *builder, size_t begin, size_t end, Error *error)
{
    HtmlDocument *document = builder->document;
    const HtmlPiece *pieces = builder->pieces;
    narrow(pieces, &begin, &end);
    const TextView first = utf8_trimmed(pieces[begin].bytes, html_character);
    const TextView last = utf8_trimmed(pieces[end - 1].bytes, html_character);
    HtmlSegment segment = {.begin = (size_t)(first.data - document->html.data),
                           .end = (size_t)(last.data - document->html.data) + last.length,
                           .text = document->texts.length,
                           .first = document->inline_count,
                           .first_kept = document->kept_count,
                           .space_before = is_spaced(pieces, begin, end, true),
                           .space_after = is_spaced(pieces, begin, end, false),
                           .raw = pieces[begin].raw};
    size_t invalid = document->invalid;
    TRY(fill_segment(builder, &segment, begin, end, error));
    const Spans kept = html_segment_kept(document, &segment);
    if (!spans_leave(&kept, html_segment_text(document, &segment), utf8_is_letter)) {
        bytes_cut(&document->texts, segment.text);
        document->inline_count = segment.first;
        document->kept_count = segment.first_kept;
        document->invalid = invalid;
        return STATUS_OK;
    }
    return array_add(&document->segments, &document->count, &document->capacity, "HTML", error,
                     segment);
}

// Whether the pieces are two or more links, and no other text.
static bool is_menu(const HtmlPiece *pieces, size_t begin, size_t end)
{
    size_t links = 0;
    for (size_t i = begin; i < end; i++) {
        const HtmlPiece *piece = &pieces[i];
        if (piece->has_letter) return false;
        if (piece->kind != HTML_PIECE_OPEN) continue;
        if (!piece->is_link && piece->has_text) return false;
        links += piece->has_text;
        i = piece->partner;
    }
    return links > 1;
}

// The segments of the pieces between two limits.
static Status add_segments(SegmentBuilder *builder, size_t begin, size_t end, Error *error)
{
    const HtmlPiece *pieces = builder->pieces;
    if (!is_menu(pieces, begin, end)) return add_segment(builder, begin, end, error);
    for (size_t i = begin; i < end; i++) {
        if (pieces[i].kind != HTML_PIECE_OPEN) continue;
        if (pieces[i].has_text) TRY(add_segment(builder, i, pieces[i].partner + 1, error));
        i = pieces[i].partner;
    }
    return STATUS_OK;
}

// The segments of values of attributes.
static Status add_values(SegmentBuilder *builder, Error *error)
{
    const HtmlAttributes *attributes = &builder->document->attributes;
    const HtmlPiece *pieces = builder->pieces;
    Status status = STATUS_OK;
    for (size_t i = 0; i < attributes->count && !status; i++) {
        const HtmlPiece value = {
            .kind = HTML_PIECE_TEXT, .bytes = attributes->items[i].bytes, .has_text = true};
        builder->pieces = &value;
        if (attributes->items[i].text.end == 0) status = add_segment(builder, 0, 1, error);
    }
    builder->pieces = pieces;
    builder->document->values = builder->document->count;
    return status;
}

Status html_document_read(HtmlDocument *document, TextView html, Error *error)
{
    PieceReader reader = {.language = document->language,
                          .apart = document->apart,
                          .attributes = document->attributes_stay ? NULL : &document->attributes};
    document->html = html;
    if (!document->syntax) document->syntax = &html_syntax;
    Status status = document->syntax->read(&reader, html, error);
    SegmentBuilder builder = {.document = document, .pieces = reader.pieces};
    if (!status) status = add_values(&builder, error);
    for (size_t begin = 0, end = 0; !status && end < reader.count; end++) {
        if (reader.pieces[end].kind != HTML_PIECE_LIMIT) continue;
        if (reader.pieces[end].texts > reader.pieces[begin].texts)
            status = add_segments(&builder, begin, end, error);
        begin = end + 1;
    }
    bytes_free(&builder.characters);
    mapped_free(&builder.normal);
    memory_free(reader.pieces);
    return status;
}

void html_document_free(HtmlDocument *document)
{
    memory_free(document->segments);
    memory_free(document->inlines);
    memory_free(document->kept);
    bytes_free(&document->texts);
    html_attributes_free(&document->attributes);
    *document = (HtmlDocument){0};
}
