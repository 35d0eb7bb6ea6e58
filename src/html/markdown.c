#include "html/markdown.h"

#ifdef REGARD_LIBCMARK

#include "base/array.h"
#include "base/ascii.h"
#include "base/utf8_sequence.h"

#include <cmark.h>

// A line, or a part of one, in a text that is one line.
typedef struct Part {
    size_t begin; // in the text
    TextView bytes;
} Part;

typedef struct MarkdownReader {
    PieceReader *pieces;
    TextView document;
    size_t *lines; // (line_count) where each begins
    size_t line_count, line_capacity;
    Bytes definitions; // of links
    Bytes text;        // of a paragraph, its lines joined by blanks
    Part *parts;       // (part_count) of it
    size_t part_count, part_capacity;
    size_t at;     // what has been added of the text
    size_t struck; // where the end of what is struck through is, in the text; 0: nothing is
} MarkdownReader;

static bool is_wordlike(char c)
{
    return ascii_is_alphanumeric(c) || (unsigned char)c >= 0x80;
}

static TextView behind(TextView text, size_t begin)
{
    return (TextView){text.data + begin, text.length - begin};
}

// A line, counted from 1, without its end; nothing if there are not as many.
static TextView line_of(const MarkdownReader *reader, size_t line)
{
    if (!reader->lines || line - 1 >= reader->line_count) return text_view_of("");
    size_t begin = reader->lines[line - 1];
    size_t end = line < reader->line_count ? reader->lines[line] : reader->document.length;
    TextView text = {reader->document.data + begin, end - begin};
    while (text.length > 0 && strchr("\r\n", text.data[text.length - 1])) text.length--;
    return text;
}

static bool is_note(TextView line)
{
    return line.length > 1 && line.data[0] == '[' && line.data[1] == '^';
}

// How long "[label]: " at the beginning of a line is; 0 if there is none.
static size_t label_length(TextView line)
{
    const char *end =
        line.length > 0 && *line.data == '[' ? memchr(line.data, ']', line.length - 1) : NULL;
    return end && end[1] == ':' ? (size_t)(end + 2 - line.data) : 0;
}

// Where the line ends that begins at `at`: behind a line feed, a carriage return, or both.
static size_t line_end(TextView text, size_t at)
{
    while (at < text.length && text.data[at] != '\n' && text.data[at] != '\r') at++;
    bool both = at + 1 < text.length && text.data[at] == '\r' && text.data[at + 1] == '\n';
    return at < text.length ? at + 1 + both : at;
}

// Finds the lines, and the definitions among them.
static Status read_lines(MarkdownReader *reader, Error *error)
{
    TextView text = reader->document;
    for (size_t at = 0; at < text.length;) {
        TRY(array_add(&reader->lines, &reader->line_count, &reader->line_capacity, "lines", error,
                      at));
        at = line_end(text, at);
        const TextView line = text_view_trimmed(line_of(reader, reader->line_count));
        size_t length = label_length(line);
        if (length == 0 || is_note(line)) continue;
        TRY(bytes_append(&reader->definitions, line.data, length, error));
        TRY(bytes_append_string(&reader->definitions, " x\n", error));
    }
    return STATUS_OK;
}

static Status add(MarkdownReader *reader, HtmlPieceKind kind, TextView bytes, Error *error)
{
    return html_pieces_add(reader->pieces, kind, bytes, (TextView){0}, error);
}

static Status add_part(MarkdownReader *reader, TextView bytes, Error *error)
{
    if (reader->part_count > 0) TRY(bytes_append_string(&reader->text, " ", error));
    TRY(array_add(&reader->parts, &reader->part_count, &reader->part_capacity, "lines", error,
                  (Part){reader->text.length, bytes}));
    return bytes_append(&reader->text, bytes.data, bytes.length, error);
}

// The end of what is no text for reasons that cmark does not know, a note, a kind of quote or a mark by
// itself, at a place; the place itself if there is none.
static size_t mark_end(const MarkdownReader *reader, size_t at, size_t end)
{
    const char *text = bytes_text(&reader->text);
    if (strchr("*~", text[at]) && at > 0 && text[at - 1] == ' ' && text[at + 1] == ' ')
        return at + 1;
    if (end - at < 3 || text[at] != '[' || !strchr("^!", text[at + 1])) return at;
    size_t close = at + 1;
    while (close < end && !strchr("[]", text[close])) close++;
    size_t behind_it = close < end && text[close] == ']' ? close + 1 : at;
    return behind_it < end && text[behind_it] == ':' ? behind_it + 1 : behind_it;
}

static const Part *part_at(const MarkdownReader *reader, size_t at)
{
    size_t next;
    array_search(next, 1, reader->part_count, reader->parts[next].begin <= at);
    return &reader->parts[next - 1];
}

// What the document has for bytes of the text; between lines, its end of the first.
static TextView view_of(const MarkdownReader *reader, size_t begin, size_t end)
{
    const Part *first = part_at(reader, begin),
               *last = part_at(reader, end > begin ? end - 1 : end);
    const char *from = first->bytes.data + (begin - first->begin);
    return (TextView){from, (size_t)(last->bytes.data + (end - last->begin) - from)};
}

static Status add_text(MarkdownReader *reader, size_t end, Error *error);

static Status add_tag(MarkdownReader *reader, const char *name, bool opens, size_t begin,
                      size_t end, Error *error)
{
    const HtmlToken token = {.kind = opens ? HTML_START : HTML_END,
                             .name = {name, strlen(name)},
                             .bytes = view_of(reader, begin, end)};
    TRY(add_text(reader, begin, error));
    if (begin < reader->at) return STATUS_OK; // in what is kept
    reader->at = end;
    return html_pieces_token(reader->pieces, &token, error);
}

static Status add_kept(MarkdownReader *reader, size_t begin, size_t end, TextView content,
                       Error *error)
{
    TRY(add_text(reader, begin, error));
    if (begin < reader->at) return STATUS_OK;
    reader->at = end;
    return html_pieces_add(reader->pieces, HTML_PIECE_KEPT, view_of(reader, begin, end), content,
                           error);
}

/* Where mathematics between $ or $$ at a place ends; the place if there is none. No blank is at its
 * edges, and no word beside it: $5 or $6 are prices. */
static size_t formula_end(const MarkdownReader *reader, size_t begin)
{
    const char *text = bytes_text(&reader->text);
    size_t from = begin + strspn(text + begin, "$"), marks = from - begin;
    size_t close = from + strcspn(text + from, "$`"), end = close + strspn(text + close, "$");
    bool tight = close > from && text[from] != ' ' && text[close - 1] != ' ';
    bool beside = (begin > 0 && is_wordlike(text[begin - 1])) || is_wordlike(text[end]);
    return marks < 3 && end - close == marks && tight && !beside ? end : begin;
}

// Adds what begins at reader->at, if it is a tag of ~~ or a formula; else *is_text.
static Status add_extension(MarkdownReader *reader, bool *is_text, Error *error)
{
    const char *text = bytes_text(&reader->text), *close;
    const size_t begin = reader->at;
    *is_text = false;
    if (strncmp(text + begin, "~~", 2) == 0) {
        if (begin == reader->struck) return add_tag(reader, "del", false, begin, begin + 2, error);
        close = strstr(text + begin + 2, "~~");
        if (begin > reader->struck && close && close > text + begin + 2) {
            reader->struck = (size_t)(close - text);
            return add_tag(reader, "del", true, begin, begin + 2, error);
        }
    }
    const size_t end = text[begin] == '$' ? formula_end(reader, begin) : begin;
    if (end > begin) return add_kept(reader, begin, end, view_of(reader, begin, end), error);
    *is_text = true;
    return STATUS_OK;
}

// Adds the text up to a place, line by line.
static Status add_text(MarkdownReader *reader, size_t end, Error *error)
{
    const char *text = bytes_text(&reader->text);
    while (reader->at < end) {
        size_t begin = reader->at, stop = mark_end(reader, begin, end);
        bool mark = stop > begin, is_text;
        TRY(add_extension(reader, &is_text, error));
        if (!is_text) continue;
        const Part *part = part_at(reader, begin);
        size_t limit = part->begin + part->bytes.length;
        if (!mark) stop++;
        while (!mark && stop < end && stop < limit && !strchr("~$", text[stop]) &&
               mark_end(reader, stop, end) == stop)
            stop++;
        TRY(add(reader, mark ? HTML_PIECE_OBJECT : HTML_PIECE_TEXT, view_of(reader, begin, stop),
                error));
        reader->at = stop;
    }
    return STATUS_OK;
}

// Before the text there is this, so that it is a paragraph, whatever it begins with.
static const char lead[] = "x ";

static size_t node_begin(cmark_node *node)
{
    return (size_t)cmark_node_get_start_column(node) - sizeof lead;
}

static size_t node_end(cmark_node *node)
{
    return (size_t)cmark_node_get_end_column(node) - (sizeof lead - 1);
}

static bool is_emphasis(cmark_node *node)
{
    cmark_node_type type = cmark_node_get_type(node); // none of NULL
    return type == CMARK_NODE_EMPH || type == CMARK_NODE_STRONG;
}

static size_t marks_of(cmark_node *node)
{
    return cmark_node_get_type(node) == CMARK_NODE_EMPH ? 1 : 2;
}

/* Of emphasis cmark says where the runs of marks begin and end in which its own marks are: these are
 * beside its text, those of inner emphasis being nearer. */
static Status add_emphasis(MarkdownReader *reader, cmark_node *node, bool opens, Error *error)
{
    const char *text = bytes_text(&reader->text), *name = marks_of(node) == 1 ? "em" : "strong";
    size_t place = node_begin(node), end = place, marks = marks_of(node);
    if (opens) {
        while (text[end] == text[place]) end++;
        cmark_node *inner = cmark_node_first_child(node);
        for (; is_emphasis(inner) && node_begin(inner) == place;
             inner = cmark_node_first_child(inner))
            end -= marks_of(inner);
        return add_tag(reader, name, true, end - marks, end, error);
    }
    size_t begin = node_end(node);
    char mark = text[begin - 1];
    while (begin > reader->at && text[begin - 1] == mark) begin--;
    if (begin > reader->at && text[begin - 1] == '\\') begin++;
    return add_tag(reader, name, false, begin, begin + marks, error);
}

/* Where "](" or "][" behind the text of a link is; 0 if its text is its label, which must stay, or it
 * has none. */
static size_t link_close(const MarkdownReader *reader, cmark_node *node)
{
    const char *text = bytes_text(&reader->text);
    cmark_node *last = cmark_node_last_child(node);
    size_t end = node_end(node);
    size_t begin = node_begin(node);
    if (!last || text[text[begin] == '!' ? begin + 1 : begin] != '[') return 0;
    size_t at = node_end(last);
    while (at + 1 < end && !(text[at] == ']' && strchr("([", text[at + 1]))) at++;
    return at + 1 >= end || strncmp(text + at, "][]", 3) == 0 ? 0 : at;
}

static Status add_code(MarkdownReader *reader, cmark_node *node, Error *error)
{
    const char *text = bytes_text(&reader->text);
    size_t begin = node_begin(node), end = node_end(node), marks = 0;
    while (marks < begin && text[begin - marks - 1] == '`') marks++;
    return add_kept(reader, begin - marks, end + marks, view_of(reader, begin, end), error);
}

// A tag of HTML, and all of an element that is kept, in its line.
static Status add_html(MarkdownReader *reader, size_t begin, Error *error)
{
    HtmlToken token;
    const Part *line = part_at(reader, begin);
    HtmlReader *html = &reader->pieces->html;
    TRY(add_text(reader, begin, error));
    if (begin < reader->at) return STATUS_OK;
    *html = (HtmlReader){.text = line->bytes, .at = begin - line->begin};
    Status status =
        html_next(html, &token) ? html_pieces_token(reader->pieces, &token, error) : STATUS_OK;
    reader->at = line->begin + html->at;
    return status;
}

// Adds what is between two places as an attribute, if it is as it is read.
static Status add_value(const MarkdownReader *reader, size_t begin, size_t end, Error *error)
{
    const char *text = bytes_text(&reader->text);
    HtmlAttributes *attributes = reader->pieces->attributes;
    if (!attributes || begin < reader->at || begin + strcspn(text + begin, "[]\\") < end)
        return STATUS_OK;
    return html_attributes_add_value(attributes, view_of(reader, begin, end), error);
}

// The title of a link or image, which is behind its text.
static Status add_title(const MarkdownReader *reader, cmark_node *node, size_t close, Error *error)
{
    const char *text = bytes_text(&reader->text), *title = cmark_node_get_title(node);
    size_t length = title ? strlen(title) : 0, end = node_end(node);
    if (close == 0 || length == 0) return STATUS_OK;
    for (size_t at = close; at + length < end; at++)
        if (strchr("\"'(", text[at - 1]) && memcmp(text + at, title, length) == 0)
            return add_value(reader, at, at + length, error);
    return STATUS_OK;
}

static Status add_image(MarkdownReader *reader, cmark_node *node, Error *error)
{
    const size_t begin = node_begin(node), end = node_end(node), close = link_close(reader, node);
    TRY(add_text(reader, begin, error));
    if (begin < reader->at) return STATUS_OK;
    if (close > 0) TRY(add_value(reader, begin + 2, close, error));
    TRY(add_title(reader, node, close, error));
    reader->at = end;
    return add(reader, HTML_PIECE_OBJECT, view_of(reader, begin, end), error);
}

static Status add_node(MarkdownReader *reader, cmark_node *node, bool enters, Error *error)
{
    cmark_node_type type = cmark_node_get_type(node);
    if (is_emphasis(node)) return add_emphasis(reader, node, enters, error);
    if (type == CMARK_NODE_LINK) {
        size_t close = link_close(reader, node), begin = node_begin(node), end = node_end(node);
        if (close > 0 && enters) return add_tag(reader, "a", true, begin, begin + 1, error);
        if (close > 0) {
            TRY(add_title(reader, node, close, error));
            return add_tag(reader, "a", false, close, end, error);
        }
        cmark_node *last = cmark_node_last_child(node);
        size_t said = last && node_end(last) < end ? node_end(last) : end - 1;
        return enters ? add_kept(reader, begin, end, view_of(reader, begin + 1, said), error)
                      : STATUS_OK;
    }
    if (!enters) return STATUS_OK;
    if (type == CMARK_NODE_CODE) return add_code(reader, node, error);
    if (type == CMARK_NODE_HTML_INLINE) return add_html(reader, node_begin(node), error);
    return type == CMARK_NODE_IMAGE ? add_image(reader, node, error) : STATUS_OK;
}

// Adds what the text consists of, as a text of its own.
static Status add_inlines(MarkdownReader *reader, cmark_node *root, Error *error)
{
    cmark_iter *iterator = cmark_iter_new(root);
    Status status = STATUS_OK;
    cmark_event_type event;
    while (!status && (event = cmark_iter_next(iterator)) != CMARK_EVENT_DONE) {
        cmark_node *node = cmark_iter_get_node(iterator);
        // neither a definition nor within what has been added as a whole
        if (cmark_node_get_start_line(node) == 1 && node_end(node) > reader->at &&
            node_end(node) <= reader->text.length)
            status = add_node(reader, node, event == CMARK_EVENT_ENTER, error);
    }
    cmark_iter_free(iterator);
    return status ? status : add_text(reader, reader->text.length, error);
}

// Ends the text.
static Status end_text(MarkdownReader *reader, Error *error)
{
    FREED_BY(bytes_free) Bytes all = {0};
    if (reader->text.length > 0) {
        Writer out = writer_start(&all, error);
        writer_string(&out, lead);
        writer_bytes(&out, reader->text.data, reader->text.length);
        writer_string(&out, "\n\n");
        if (strchr(reader->text.data, '['))
            writer_bytes(&out, bytes_text(&reader->definitions), reader->definitions.length);
        TRY(writer_end(&out));
        cmark_node *root = cmark_parse_document(all.data, all.length, CMARK_OPT_SOURCEPOS);
        Status status = add_inlines(reader, root, error);
        cmark_node_free(root);
        TRY(status);
        TRY(add(reader, HTML_PIECE_LIMIT, (TextView){0}, error));
    }
    bytes_clear(&reader->text);
    reader->part_count = reader->at = reader->struck = 0;
    return STATUS_OK;
}

// Adds a line of a text, which a break at its end ends.
static Status add_line(MarkdownReader *reader, TextView line, Error *error)
{
    size_t length = line.length;
    bool breaks = length > 0 && line.data[length - 1] == '\\';
    if (breaks) line.length--;
    breaks = breaks || (length > 1 && line.data[length - 1] == ' ' && line.data[length - 2] == ' ');
    if (length > 0 && memchr(line.data, 0, length))
        return end_text(reader, error); // of which cmark changes
    TRY(add_part(reader, text_view_trimmed(line), error));
    return breaks ? end_text(reader, error) : STATUS_OK;
}

// Whether a line has nothing but these characters, and the first of them.
static bool consists_of(TextView line, const char *characters)
{
    for (size_t i = 0; i < line.length; i++)
        if (!strchr(characters, line.data[i])) return false;
    return line.length > 0 && memchr(line.data, *characters, line.length);
}

// Each cell of a row of a table as a text.
static Status add_row(MarkdownReader *reader, TextView row, Error *error)
{
    for (size_t begin = 0, at = 0; at <= row.length; at++) {
        bool escapes = at + 1 < row.length && row.data[at] == '\\';
        if (escapes) at++;
        if (escapes || (at < row.length && row.data[at] != '|')) continue;
        TextView cell = {row.data + begin, (at < row.length ? at : row.length) - begin};
        TRY(add_line(reader, text_view_trimmed(cell), error));
        TRY(end_text(reader, error));
        begin = at + 1;
    }
    return STATUS_OK;
}

// A line of a block without the marks of the quotes around that.
static TextView content_of(const MarkdownReader *reader, cmark_node *block, int line)
{
    TextView text = line_of(reader, (size_t)line);
    size_t column = (size_t)cmark_node_get_start_column(block) - 1;
    if (line == cmark_node_get_start_line(block))
        return behind(text, column < text.length ? column : text.length);
    for (cmark_node *node = block; node; node = cmark_node_parent(node)) {
        if (cmark_node_get_type(node) != CMARK_NODE_BLOCK_QUOTE) continue;
        while (text.length > 0 && ascii_is_blank(*text.data)) text = behind(text, 1);
        if (text.length > 0 && *text.data == '>') text = behind(text, 1);
    }
    return text;
}

// A heading without its marks.
static TextView heading_of(TextView line)
{
    TextView text = text_view_trimmed(line);
    while (text.length > 0 && *text.data == '#') text = behind(text, 1);
    size_t end = text.length;
    for (; end > 0 && text.data[end - 1] == '#';) end--;
    if (end == 0 || ascii_is_blank(text.data[end - 1])) text.length = end;
    return text_view_trimmed(text);
}

// How long the mark is by which a line begins a text: a note, or the definition of a term; 0: none.
static size_t opening_length(TextView line)
{
    if (is_note(line)) return label_length(line);
    return line.length > 1 && line.data[0] == ':' && ascii_is_blank(line.data[1]);
}

// Without the box of a task, or such a mark.
static TextView paragraph_of(TextView line)
{
    bool box =
        line.length > 3 && *line.data == '[' && strchr(" xX", line.data[1]) && line.data[2] == ']';
    return behind(line, box ? 3 : opening_length(line));
}

static Status add_block(MarkdownReader *reader, cmark_node *block, Error *error)
{
    int first = cmark_node_get_start_line(block), last = cmark_node_get_end_line(block);
    bool heading = cmark_node_get_type(block) == CMARK_NODE_HEADING, table = false;
    TextView line = content_of(reader, block, first);
    if (last > (int)reader->line_count) last = (int)reader->line_count;
    if (heading && line.length > 0 && *line.data == '#') {
        TRY(add_line(reader, heading_of(line), error));
        return end_text(reader, error);
    }
    if (!heading && last > first && line.length > 0 && memchr(line.data, '|', line.length))
        table = consists_of(text_view_trimmed(content_of(reader, block, first + 1)), "-|: \t");
    for (int number = first; number <= last; number++) {
        line = content_of(reader, block, number);
        if (heading && number > first &&
            (consists_of(text_view_trimmed(line), "=") ||
             consists_of(text_view_trimmed(line), "-")))
            break;
        if (table && number != first + 1) TRY(add_row(reader, line, error));
        if (table) continue;
        while (line.length > 0 && ascii_is_blank(*line.data)) line = behind(line, 1);
        if (opening_length(line) > 0) TRY(end_text(reader, error));
        if (reader->part_count == 0) line = paragraph_of(line);
        if (reader->part_count > 0 || label_length(line) == 0) TRY(add_line(reader, line, error));
    }
    return end_text(reader, error);
}

// The last line of the metadata between "---" before a document; 0 if there is none.
static size_t metadata_end(const MarkdownReader *reader)
{
    for (size_t line = 1; line <= reader->line_count; line++) {
        TextView text = text_view_trimmed(line_of(reader, line));
        bool marks = text.length == 3 && memcmp(text.data, "---", 3) == 0;
        if (line == 1 && !marks) return 0;
        if (line > 1 && marks) return line;
    }
    return 0;
}

static Status add_blocks(MarkdownReader *reader, Error *error)
{
    TextView text = reader->document;
    cmark_node *root = cmark_parse_document(text.data, text.length, CMARK_OPT_SOURCEPOS);
    cmark_iter *iterator = cmark_iter_new(root);
    const int metadata = (int)metadata_end(reader);
    Status status = STATUS_OK;
    cmark_event_type event;
    while (!status && (event = cmark_iter_next(iterator)) != CMARK_EVENT_DONE) {
        cmark_node *node = cmark_iter_get_node(iterator);
        cmark_node_type type = cmark_node_get_type(node);
        if (event == CMARK_EVENT_ENTER && cmark_node_get_start_line(node) > metadata &&
            (type == CMARK_NODE_PARAGRAPH || type == CMARK_NODE_HEADING))
            status = add_block(reader, node, error);
    }
    cmark_iter_free(iterator);
    cmark_node_free(root);
    return status ? status : add(reader, HTML_PIECE_LIMIT, (TextView){0}, error);
}

static Status read_markdown(PieceReader *pieces, TextView document, Error *error)
{
    const size_t mark = utf8_mark_length(document.data, document.length);
    MarkdownReader reader = {.pieces = pieces, .document = behind(document, mark)};
    Status status = read_lines(&reader, error);
    if (!status) status = add_blocks(&reader, error);
    memory_free(reader.lines);
    memory_free(reader.parts);
    bytes_free(&reader.text);
    bytes_free(&reader.definitions);
    return status;
}

// Whether a character would mean something between these two.
static bool is_markup(char before, char c, char after)
{
    if (c == '`' || c == '|') return true;
    if (c == '*') return !ascii_is_blank(before) || !ascii_is_blank(after);
    if (c == '_') return is_wordlike(before) != is_wordlike(after);
    if (c == '\\') return after > ' ' && !is_wordlike(after);
    if (c == '<') return ascii_is_letter(after) || (after && strchr("/!?", after));
    if (c == '&') return ascii_is_letter(after) || after == '#';
    if (c == ']') return after == '(' || after == '[';
    return c == '~' && (before == '~' || after == '~');
}

// Marks that would make something else of a text at its beginning are escaped there.
static void write_markdown(Writer *out, TextView text, Span part)
{
    size_t digits = 0;
    while (digits < text.length && ascii_is_digit(text.data[digits])) digits++;
    for (size_t i = part.begin; i < part.end; i++) {
        char c = text.data[i], before = i > 0 ? text.data[i - 1] : ' ';
        char after = i + 1 < text.length ? text.data[i + 1] : ' ';
        bool begins = (i == 0 && strchr("#>-+=", c)) ||
                      (i > 0 && i == digits && strchr(".)", c) && ascii_is_blank(after));
        if (begins || is_markup(before, c, after)) writer_string(out, "\\");
        writer_bytes(out, &c, 1);
    }
}

// "_" says nothing within words, or beside those of Chinese, which may come to stand beside it.
static bool write_emphasis(Writer *out, TextView bytes)
{
    for (size_t i = 0; *bytes.data == '_' && i < bytes.length; i++) writer_string(out, "*");
    return *bytes.data == '_';
}

static const HtmlSyntax syntax = {
    .read = read_markdown, .escapes = true, .write = write_markdown, .write_tag = write_emphasis};
const HtmlSyntax *const markdown_syntax = &syntax;

#else
const HtmlSyntax *const markdown_syntax = NULL;
#endif
