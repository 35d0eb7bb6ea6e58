#include "html/pieces.h"

#include "base/array.h"
#include "html/element.h"
#include "text/html_reference.h"
#include "text/utf8.h"

// Adds a piece of which all is given but how many texts come before it.
static Status add(PieceReader *reader, HtmlPiece piece, Error *error)
{
    piece.texts = reader->texts;
    return array_add(&reader->pieces, &reader->count, &reader->capacity, "HTML", error, piece);
}

static Status add_object(PieceReader *reader, TextView bytes, Error *error)
{
    return add(reader, (HtmlPiece){.kind = HTML_PIECE_OBJECT, .bytes = bytes}, error);
}

// Ends the segment: start tags that still wait have no partner in it.
static Status add_limit(PieceReader *reader, TextView bytes, Error *error)
{
    while (reader->depth > 0) reader->pieces[reader->open[--reader->depth]].kind = HTML_PIECE_LIMIT;
    reader->kept = 0;
    return add(reader, (HtmlPiece){.kind = HTML_PIECE_LIMIT, .bytes = bytes}, error);
}

// A text, parted at the references that are not known.
static Status add_text(PieceReader *reader, TextView bytes, bool raw, Error *error)
{
    bool solid = false, letter = false;
    size_t begin = 0;
    for (size_t at = 0;;) {
        size_t place = at;
        uint32_t c = HTML_UNKNOWN;
        if (at < bytes.length) c = html_character(bytes.data, bytes.length, &at);
        if (c != HTML_UNKNOWN) {
            solid = solid || !utf8_is_space(c);
            letter = letter || utf8_is_letter(c);
            continue;
        }
        if (place > begin) {
            const HtmlPiece text = {.kind = HTML_PIECE_TEXT,
                                    .bytes = {bytes.data + begin, place - begin},
                                    .raw = raw,
                                    .has_text = solid,
                                    .has_letter = letter};
            TRY(add(reader, text, error));
            reader->texts += solid;
        }
        if (place == bytes.length) return STATUS_OK;
        TRY(add_object(reader, (TextView){bytes.data + place, at - place}, error));
        begin = at;
        solid = letter = false;
    }
}

/* The element that begins with `tag`, all of it: to its own end tag, those of elements of the same
 * name in it being passed over, or to the document's end. Its content, if that is text alone, else
 * nothing. */
static TextView read_kept(HtmlReader *reader, const HtmlToken *tag, TextView *content)
{
    HtmlToken token;
    TextView all = tag->bytes;
    size_t depth = 1;
    bool plain = true;
    while (depth > 0 && html_next(reader, &token)) {
        all.length += token.bytes.length;
        bool same = (token.kind == HTML_START || token.kind == HTML_END) &&
                    html_name_equal(token.name, tag->name);
        if (same && token.kind == HTML_END) depth--;
        if (same && token.kind == HTML_START && !token.self_closed) depth++;
        plain = plain && (token.kind == HTML_TEXT || depth == 0);
    }
    *content = (TextView){tag->bytes.data + tag->bytes.length, 0};
    if (plain && depth == 0) content->length = all.length - tag->bytes.length - token.bytes.length;
    return all;
}

// Whether a text can be part of its segment's: it is short, not empty, and its characters are
// known.
static bool is_readable(TextView text)
{
    enum { MAX_KEPT_TEXT = 256 };
    bool solid = false;
    if (text.length > MAX_KEPT_TEXT) return false;
    for (size_t at = 0; at < text.length;) {
        uint32_t c = html_character(text.data, text.length, &at);
        if (c == HTML_UNKNOWN || c == UTF8_REPLACEMENT) return false;
        solid = solid || (c != SOFT_HYPHEN && !utf8_is_space(c));
    }
    return solid;
}

static Status add_kept(PieceReader *reader, TextView all, TextView content, Error *error)
{
    if (reader->apart || reader->kept == MAX_HTML_KEPT || !is_readable(content))
        return add_limit(reader, all, error);
    const HtmlPiece kept = {.kind = HTML_PIECE_KEPT,
                            .bytes = all,
                            .content = content,
                            .has_text = true,
                            .has_letter = true};
    TRY(add(reader, kept, error));
    reader->texts++;
    reader->kept++;
    return STATUS_OK;
}

static Status add_kept_element(PieceReader *reader, const HtmlToken *tag, unsigned properties,
                               Error *error)
{
    TextView content, all = read_kept(&reader->html, tag, &content);
    if (properties & HTML_GRAPHIC) return add_object(reader, all, error);
    return properties & HTML_PARTS ? add_limit(reader, all, error)
                                   : add_kept(reader, all, content, error);
}

/* Whether the element may be written twice: not where it has a name that must be unique, nor so
 * much to say that the result could grow without bounds. */
static bool may_repeat(const HtmlToken *tag, unsigned properties)
{
    enum { MAX_REPEATED = 1000 };
    TextView value;
    return properties & HTML_REPEATS && tag->bytes.length <= MAX_REPEATED &&
           !html_attribute(tag, "id", &value) && !html_attribute(tag, "name", &value);
}

static Status add_start(PieceReader *reader, const HtmlToken *tag, Error *error)
{
    unsigned properties = html_element(tag->name);
    if (reader->attributes && !html_is_protected(tag, reader->language))
        TRY(html_attributes_add(reader->attributes, tag, error));
    if (html_stays(tag, reader->language)) return add_kept_element(reader, tag, properties, error);
    if (properties & HTML_PARTS) return add_limit(reader, tag->bytes, error);
    if (properties & HTML_VOID || tag->self_closed) return add_object(reader, tag->bytes, error);
    if (reader->depth == MAX_HTML_DEPTH) return add_limit(reader, tag->bytes, error);
    reader->names[reader->depth] = tag->name;
    reader->open[reader->depth++] = reader->count;
    const bool repeats = may_repeat(tag, properties);
    const HtmlPiece open = {.kind = HTML_PIECE_OPEN,
                            .bytes = tag->bytes,
                            .repeats = repeats,
                            .formats = repeats && html_is_plain(tag),
                            .is_link = html_is_called(tag->name, "a")};
    return add(reader, open, error);
}

/* Makes one object of <sup> with its content if that has no letter: the number of a note, which a
 * model that has never seen any may leave out, or an exponent. */
static void take_note(PieceReader *reader, size_t open)
{
    const HtmlPiece *last = &reader->pieces[reader->count - 1];
    HtmlPiece *first = &reader->pieces[open];
    for (const HtmlPiece *piece = first; piece <= last; piece++)
        if (piece->has_letter) return;
    first->kind = HTML_PIECE_OBJECT;
    first->has_text = false;
    first->bytes.length = (size_t)(last->bytes.data + last->bytes.length - first->bytes.data);
    reader->texts = first->texts;
    reader->count = open + 1;
}

static Status add_end(PieceReader *reader, const HtmlToken *tag, Error *error)
{
    size_t depth = reader->depth;
    if (depth == 0 || !html_name_equal(reader->names[depth - 1], tag->name))
        return add_limit(reader, tag->bytes, error);
    size_t place = reader->open[--reader->depth];
    bool has_text = reader->texts > reader->pieces[place].texts;
    const HtmlPiece close = {
        .kind = HTML_PIECE_CLOSE, .bytes = tag->bytes, .partner = place, .has_text = has_text};
    reader->pieces[place].partner = reader->count;
    reader->pieces[place].has_text = has_text;
    TRY(add(reader, close, error));
    if (html_is_called(tag->name, "sup")) take_note(reader, place);
    return STATUS_OK;
}

Status html_pieces_token(PieceReader *reader, const HtmlToken *token, Error *error)
{
    bool comment = token->bytes.length > 1 && strchr("!?", token->bytes.data[1]);
    if (token->kind == HTML_TEXT) return add_text(reader, token->bytes, token->raw, error);
    if (token->kind == HTML_START) return add_start(reader, token, error);
    if (token->kind == HTML_END) return add_end(reader, token, error);
    return comment ? add_object(reader, token->bytes, error)
                   : add_limit(reader, token->bytes, error);
}

Status html_pieces_add(PieceReader *reader, HtmlPieceKind kind, TextView bytes, TextView content,
                       Error *error)
{
    if (kind == HTML_PIECE_TEXT) return add_text(reader, bytes, false, error);
    if (kind == HTML_PIECE_LIMIT) return add_limit(reader, bytes, error);
    return kind == HTML_PIECE_KEPT ? add_kept(reader, bytes, content, error)
                                   : add_object(reader, bytes, error);
}

Status html_pieces_read(PieceReader *reader, TextView html, Error *error)
{
    HtmlToken token;
    const size_t mark = utf8_mark_length(html.data, html.length); // no part of the text
    if (mark > 0) TRY(add_limit(reader, (TextView){html.data, mark}, error));
    reader->html = (HtmlReader){.text = html, .at = mark};
    while (html_next(&reader->html, &token)) TRY(html_pieces_token(reader, &token, error));
    return add_limit(reader, (TextView){html.data + html.length, 0}, error);
}

static void write_text(Writer *out, TextView text, Span part)
{
    writer_markup(out, text.data + part.begin, part.end - part.begin, false);
}

void html_write_marked(Writer *out, const HtmlSyntax *syntax, const Spans *marked, TextView text,
                       Span part)
{
    for (size_t i = 0; i < marked->count; i++) {
        Span one = marked->items[i];
        if (one.begin >= part.end) break;
        if (one.begin < part.begin) one.begin = part.begin;
        if (one.end > part.end) one.end = part.end;
        if (one.begin >= one.end) continue;
        syntax->write(out, text, (Span){part.begin, one.begin});
        writer_string(out, "<span class=\"uncertain\">");
        syntax->write(out, text, one);
        writer_string(out, "</span>");
        part.begin = one.end;
    }
    syntax->write(out, text, part);
}

const HtmlSyntax html_syntax = {.read = html_pieces_read, .write = write_text};
