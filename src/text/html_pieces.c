#include "text/html_pieces.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/html_element.h"
#include "text/html_reference.h"
#include "text/html_token.h"
#include "text/utf8.h"

#include <string.h>

// Reading a document.
typedef struct Reading {
    HtmlPieces *pieces;
    HtmlReader reader;
    size_t open[MAX_HTML_DEPTH]; // start tags of the segment that wait for their end tags
    TextView names[MAX_HTML_DEPTH];
    size_t depth;
    size_t texts; // pieces with text
    size_t kept;  // elements of the segment that are kept
    bool apart;   // those end it
} Reading;

static Status add(Reading *reading, HtmlPieceKind kind, TextView bytes, Error *error)
{
    HtmlPieces *pieces = reading->pieces;
    TRY(array_reserve(&pieces->items, &pieces->capacity, pieces->count + 1, "HTML", error));
    pieces->items[pieces->count++] =
        (HtmlPiece){.kind = kind, .bytes = bytes, .texts = reading->texts};
    return STATUS_OK;
}

// Ends the segment: start tags that still wait have no partner in it.
static Status add_limit(Reading *reading, TextView bytes, Error *error)
{
    while (reading->depth > 0)
        reading->pieces->items[reading->open[--reading->depth]].kind = HTML_PIECE_LIMIT;
    reading->kept = 0;
    return add(reading, HTML_PIECE_LIMIT, bytes, error);
}

// A text, parted at the references that are not known.
static Status add_text(Reading *reading, TextView bytes, Error *error)
{
    bool solid = false, letter = false;
    size_t begin = 0;
    for (size_t at = 0; at <= bytes.length;) {
        size_t place = at;
        uint32_t c = HTML_UNKNOWN;
        if (at < bytes.length) c = html_character(bytes.data, bytes.length, &at);
        if (c != HTML_UNKNOWN) {
            solid = solid || !utf8_is_space(c);
            letter = letter || utf8_is_letter(c);
            continue;
        }
        if (place > begin) {
            TextView text = {bytes.data + begin, place - begin};
            TRY(add(reading, HTML_PIECE_TEXT, text, error));
            HtmlPiece *piece = &reading->pieces->items[reading->pieces->count - 1];
            piece->has_text = solid;
            piece->has_letter = letter;
            reading->texts += solid;
        }
        if (place == bytes.length) break;
        TRY(add(reading, HTML_PIECE_OBJECT, (TextView){bytes.data + place, at - place}, error));
        begin = at;
        solid = letter = false;
    }
    return STATUS_OK;
}

static bool is_word_of(TextView list, const char *word)
{
    size_t length = strlen(word);
    for (size_t at = 0; at < list.length;) {
        size_t begin = at;
        while (at < list.length && !strchr(" \t\n\f\r", list.data[at])) at++;
        if (at - begin == length && memcmp(list.data + begin, word, length) == 0) return true;
        at++;
    }
    return false;
}

static bool is_kept(const HtmlToken *tag, unsigned properties)
{
    TextView value;
    if (properties & HTML_VOID || tag->self_closed) return false;
    if (properties & HTML_KEPT) return true;
    if (html_attribute(tag, "translate", &value) && html_name_equal(value, (TextView){"no", 2}))
        return true;
    return html_attribute(tag, "class", &value) && is_word_of(value, "notranslate");
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
    enum { MAX_KEPT_TEXT = 256, REPLACEMENT = 0xFFFD };
    bool solid = false;
    if (text.length > MAX_KEPT_TEXT) return false;
    for (size_t at = 0; at < text.length;) {
        uint32_t c = html_character(text.data, text.length, &at);
        if (c == HTML_UNKNOWN || c == REPLACEMENT) return false;
        solid = solid || (c != SOFT_HYPHEN && !utf8_is_space(c));
    }
    return solid;
}

static Status add_kept(Reading *reading, const HtmlToken *tag, unsigned properties, Error *error)
{
    TextView content, all = read_kept(&reading->reader, tag, &content);
    if (properties & HTML_GRAPHIC) return add(reading, HTML_PIECE_OBJECT, all, error);
    if (properties & HTML_PARTS || reading->apart || reading->kept == MAX_HTML_KEPT ||
        !is_readable(content))
        return add_limit(reading, all, error);
    TRY(add(reading, HTML_PIECE_KEPT, all, error));
    HtmlPiece *piece = &reading->pieces->items[reading->pieces->count - 1];
    piece->content = content;
    piece->has_text = piece->has_letter = true;
    reading->texts++;
    reading->kept++;
    return STATUS_OK;
}

/* Whether the element may be written twice: not where it has a name that must be unique, nor so
 * much to say that the result could grow without bounds. */
static bool may_repeat(const HtmlToken *tag, unsigned properties)
{
    enum { MAX_REPEATED = 1000 };
    TextView value;
    return properties & HTML_REPEATS && tag->bytes.length <= MAX_REPEATED &&
           !html_attribute(tag, "id", &value);
}

static Status add_start(Reading *reading, const HtmlToken *tag, Error *error)
{
    unsigned properties = html_element(tag->name);
    if (is_kept(tag, properties)) return add_kept(reading, tag, properties, error);
    if (properties & HTML_PARTS) return add_limit(reading, tag->bytes, error);
    if (properties & HTML_VOID || tag->self_closed)
        return add(reading, HTML_PIECE_OBJECT, tag->bytes, error);
    if (reading->depth == MAX_HTML_DEPTH) return add_limit(reading, tag->bytes, error);
    reading->names[reading->depth] = tag->name;
    reading->open[reading->depth++] = reading->pieces->count;
    TRY(add(reading, HTML_PIECE_OPEN, tag->bytes, error));
    HtmlPiece *piece = &reading->pieces->items[reading->pieces->count - 1];
    piece->repeats = may_repeat(tag, properties);
    piece->is_link = html_name_equal(tag->name, (TextView){"a", 1});
    return STATUS_OK;
}

/* Makes one object of <sup> with its content if that has no letter: the number of a note, which a
 * model that has never seen any may leave out, or an exponent. */
static void take_note(Reading *reading, size_t open)
{
    HtmlPieces *pieces = reading->pieces;
    const HtmlPiece *last = &pieces->items[pieces->count - 1];
    HtmlPiece *first = &pieces->items[open];
    for (size_t i = open; i < pieces->count; i++)
        if (pieces->items[i].has_letter) return;
    first->kind = HTML_PIECE_OBJECT;
    first->bytes.length = (size_t)(last->bytes.data + last->bytes.length - first->bytes.data);
    reading->texts = first->texts;
    pieces->count = open + 1;
}

static Status add_end(Reading *reading, const HtmlToken *tag, Error *error)
{
    HtmlPieces *pieces = reading->pieces;
    size_t depth = reading->depth;
    if (depth == 0 || !html_name_equal(reading->names[depth - 1], tag->name))
        return add_limit(reading, tag->bytes, error);
    size_t open = reading->open[--reading->depth], close = pieces->count;
    TRY(add(reading, HTML_PIECE_CLOSE, tag->bytes, error));
    pieces->items[open].partner = close;
    pieces->items[close].partner = open;
    if (html_name_equal(tag->name, (TextView){"sup", 3})) take_note(reading, open);
    return STATUS_OK;
}

static Status add_token(Reading *reading, const HtmlToken *token, Error *error)
{
    bool comment = token->bytes.length > 1 && strchr("!?", token->bytes.data[1]);
    if (token->kind == HTML_TEXT) return add_text(reading, token->bytes, error);
    if (token->kind == HTML_START) return add_start(reading, token, error);
    if (token->kind == HTML_END) return add_end(reading, token, error);
    return comment ? add(reading, HTML_PIECE_OBJECT, token->bytes, error)
                   : add_limit(reading, token->bytes, error);
}

Status html_pieces_read(HtmlPieces *pieces, TextView html, bool apart, Error *error)
{
    static const char mark[] = "\xEF\xBB\xBF"; // of byte order, no part of the text
    Reading reading = {.pieces = pieces, .reader = {.text = html}, .apart = apart};
    HtmlToken token;
    if (html.length >= 3 && memcmp(html.data, mark, 3) == 0) {
        TRY(add_limit(&reading, (TextView){html.data, 3}, error));
        reading.reader.at = 3;
    }
    while (html_next(&reading.reader, &token)) TRY(add_token(&reading, &token, error));
    return add_limit(&reading, (TextView){html.data + html.length, 0}, error);
}

void html_pieces_free(HtmlPieces *pieces)
{
    memory_free(pieces->items);
    *pieces = (HtmlPieces){0};
}
