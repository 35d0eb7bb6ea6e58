#include "corpus/tmx.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "corpus/xml_library.h"
#include "io/byte_stream.h"

#include <string.h>

enum {
    CHUNK_SIZE = 1 << 14,            // bytes taken from the file at a time
    DEPTH_LIMIT = 256,               // elements one within the other
    NAMES_LIMIT = 1 << 20,           // bytes of different names of elements; TMX has a few dozen
    NODE_LIMIT = 8 * TMX_TEXT_LIMIT, // bytes of one text, encoded and escaped as in the file
    SEEN_LIMIT = 12,                 // languages listed in a message
    ATTRIBUTES_LIMIT = 256,          // of a tag; libxml2's time grows with their square
    NO_SIDE = -1
};

enum { SOURCE, TARGET };

static const char TOO_LONG[] =
    "has more than 1 MiB of text in one segment; a segment must be a sentence or a few: split it";

struct Tmx {
    ByteStream *stream;
    char chunk[CHUNK_SIZE];
    size_t start, length; // chunk[start … length) has not been given to the parser
    size_t node_bytes;    // given to it since the last node
    bool begun, ended;    // the file had a first byte; it has no more
    bool open;            // an element is
    char inside;          // of a tag '<', of an attribute's value its quote, else 0
    size_t attributes;    // of that tag
    const XmlLibrary *xml;
    xmlTextReaderPtr reader;

    char wanted[2][LANGUAGE_SIZE]; // empty as long as it is not known
    char seen[SEEN_LIMIT][LANGUAGE_SIZE];
    size_t seen_count;
    bool matched[2]; // some unit had the language

    // the unit that is being read
    int side; // of the variant, or NO_SIDE
    Bytes text[2];
    LanguageMatch match[2]; // how well the variant that `text` comes from matches

    size_t units;  // read in all
    size_t paired; // with text in both languages
    Error failure; // once its status is set nothing more is read
};

static int current_line(const Tmx *tmx)
{
    return tmx->xml->TextReaderGetParserLineNumber(tmx->reader);
}

// Only the first reason counts.
static void refuse(Tmx *tmx, const char *reason)
{
    if (!tmx->failure.status)
        (void)error_set(&tmx->failure, STATUS_FORMAT, "%s:%d: %s", tmx_name(tmx), current_line(tmx),
                        reason);
}

/* Counts a tag's attributes before libxml2 reads it. No attribute's value has a '<', so this is
 * right for every tag, whatever comments and text before it have looked like. */
static bool has_too_many_attributes(Tmx *tmx, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count && tmx->attributes <= ATTRIBUTES_LIMIT; i++) {
        char c = bytes[i];
        if (c == '<') {
            tmx->inside = c;
            tmx->attributes = 0;
        } else if (tmx->inside == '<' && (c == '"' || c == '\'')) {
            tmx->inside = c;
            tmx->attributes++;
        } else if (tmx->inside == '<' && (c == '>' || c == '!')) {
            tmx->inside = '\0'; // the end, or a comment
        } else if (c && tmx->inside == c) {
            tmx->inside = '<';
        }
    }
    return tmx->attributes > ATTRIBUTES_LIMIT;
}

/* Gives libxml2 the bytes up to the end of the next tag. Its parser consumes all that it is given:
 * with more it would run ahead of the node that the reader reports. This way the parser's line is
 * the node's (nodes themselves count lines only to 65,535), and every unit before an error is
 * handed out. */
static int give_bytes(void *context, char *out, int capacity)
{
    Tmx *tmx = context;
    if (tmx->start == tmx->length && !tmx->ended) {
        tmx->start = tmx->length = 0;
        if (byte_stream_read(tmx->stream, tmx->chunk, CHUNK_SIZE, true, &tmx->length,
                             &tmx->failure))
            return -1;
        tmx->ended = tmx->length == 0;
        tmx->begun = tmx->begun || !tmx->ended;
    }
    const char *bytes = tmx->chunk + tmx->start;
    size_t most = tmx->length - tmx->start;
    if (most > (size_t)capacity) most = (size_t)capacity;
    const char *end = memchr(bytes, '>', most);
    size_t given = end ? (size_t)(end - bytes) + 1 : most;
    while (given < most && bytes[given] == '\0') given++; // the rest of a '>' in UTF-16LE
    memcpy(out, bytes, given);
    tmx->start += given;
    tmx->node_bytes += given;
    if (has_too_many_attributes(tmx, bytes, given)) {
        refuse(tmx, "has a tag with more than 256 attributes; this is not TMX");
        return -1;
    }
    if (tmx->side == NO_SIDE || tmx->node_bytes <= NODE_LIMIT) return (int)given;
    refuse(tmx, TOO_LONG);
    return -1;
}

/* Only fatal errors count: warnings and undeclared namespaces do no harm. An empty file is reported
 * by the reader of pairs. */
static void on_error(void *context, xmlErrorPtr complaint)
{
    Tmx *tmx = context;
    bool memory = complaint->code == XML_ERR_NO_MEMORY;
    bool counts = memory || (tmx->begun && complaint->level == XML_ERR_FATAL);
    if (tmx->failure.status || !counts) return;
    const char *message = complaint->message ? complaint->message : "unknown error";
    if (memory)
        (void)error_memory(&tmx->failure, CHUNK_SIZE, "XML");
    else if (tmx->ended && tmx->open) // libxml2 calls this "extra content at the end"
        refuse(tmx, "ends inside an element; the file is truncated: fetch it again");
    else
        (void)error_set(&tmx->failure, STATUS_FORMAT, "%s:%d: is not well-formed XML (%.*s)",
                        tmx_name(tmx), current_line(tmx), (int)strcspn(message, "\n"), message);
}

static void check_element(Tmx *tmx, const xmlNode *node)
{
    int depth = tmx->xml->TextReaderDepth(tmx->reader);
    tmx->open = depth > 0 || !tmx->xml->TextReaderIsEmptyElement(tmx->reader);
    if (depth == 0 && strcmp((const char *)node->name, "tmx") != 0)
        refuse(tmx, "is XML but not TMX: its first element is not <tmx>");
    else if (depth >= DEPTH_LIMIT)
        refuse(tmx, "has more than 256 nested elements; this is not TMX");
    else if (tmx->xml->DictGetUsage(node->doc->dict) >= NAMES_LIMIT)
        refuse(tmx, "has too many different element names; this is not TMX");
}

// Moves to the next node; false at the end or on failure.
static bool next_node(Tmx *tmx)
{
    tmx->node_bytes = 0;
    int result = tmx->xml->TextReaderRead(tmx->reader);
    if (result < 0 && tmx->begun) refuse(tmx, "is not well-formed XML");
    if (result != 1 || tmx->failure.status) return false;

    const xmlNode *node = tmx->xml->TextReaderCurrentNode(tmx->reader);
    switch (tmx->xml->TextReaderNodeType(tmx->reader)) {
    case XML_READER_TYPE_ELEMENT:
        check_element(tmx, node);
        break;
    case XML_READER_TYPE_END_ELEMENT:
        tmx->open = tmx->xml->TextReaderDepth(tmx->reader) > 0;
        break;
    case XML_READER_TYPE_DOCUMENT_TYPE:
        if (((const xmlDtd *)node)->entities || ((const xmlDtd *)node)->pentities)
            refuse(tmx, "declares an entity, which is not allowed; replace it with its text");
        break;
    case XML_READER_TYPE_ENTITY_REFERENCE:
        refuse(tmx,
               "uses an entity other than &amp; &lt; &gt; &quot; &apos;; replace it with its text");
        break;
    default:
        break;
    }
    return !tmx->failure.status;
}

static bool starts(const Tmx *tmx, const char *name)
{
    return tmx->xml->TextReaderNodeType(tmx->reader) == XML_READER_TYPE_ELEMENT &&
           strcmp((const char *)tmx->xml->TextReaderConstLocalName(tmx->reader), name) == 0;
}

// Visits all that is inside the element that starts here, and stops at its end.
static void visit_inside(Tmx *tmx, void (*visit)(Tmx *tmx))
{
    int depth = tmx->xml->TextReaderDepth(tmx->reader);
    if (tmx->xml->TextReaderIsEmptyElement(tmx->reader)) return;
    while (next_node(tmx) && tmx->xml->TextReaderDepth(tmx->reader) > depth) visit(tmx);
}

// Copies an attribute's value; false if it is missing or empty.
static bool find_attribute(const Tmx *tmx, const char *name, char value[LANGUAGE_SIZE])
{
    xmlChar *found = tmx->xml->TextReaderGetAttribute(tmx->reader, (const xmlChar *)name);
    strncpy(value, found ? (const char *)found : "", LANGUAGE_SIZE - 1);
    (*tmx->xml->free)(found);
    return *value != '\0';
}

static void note_language(Tmx *tmx, const char *tag)
{
    for (size_t i = 0; i < tmx->seen_count; i++)
        if (strcmp(tmx->seen[i], tag) == 0) return;
    if (tmx->seen_count < SEEN_LIMIT) memcpy(tmx->seen[tmx->seen_count++], tag, LANGUAGE_SIZE);
}

// Decides which side this variant belongs to, and the file's languages if they are not known yet.
static void begin_variant(Tmx *tmx)
{
    char tag[LANGUAGE_SIZE] = {0};
    tmx->side = NO_SIDE;
    if (!find_attribute(tmx, "xml:lang", tag) && !find_attribute(tmx, "lang", tag)) return;
    note_language(tmx, tag);
    if (!*tmx->wanted[SOURCE]) memcpy(tmx->wanted[SOURCE], tag, LANGUAGE_SIZE);
    LanguageMatch source = language_match(tmx->wanted[SOURCE], tag);
    if (!*tmx->wanted[TARGET] && source == LANGUAGE_OTHER)
        memcpy(tmx->wanted[TARGET], tag, LANGUAGE_SIZE);
    LanguageMatch target =
        *tmx->wanted[TARGET] ? language_match(tmx->wanted[TARGET], tag) : LANGUAGE_OTHER;
    int side = target > source ? TARGET : SOURCE;
    LanguageMatch match = target > source ? target : source;
    if (match <= tmx->match[side]) return; // another language, or no better than the one before
    tmx->side = side;
    tmx->match[side] = match;
    tmx->matched[side] = true;
    bytes_clear(&tmx->text[side]);
}

/* Errors that belong to no parser, such as those of a character conversion or of an attribute's
 * copy, go to the thread's own handler, which by default prints them: so that handler is on_error
 * while libxml2 runs. */
typedef struct Handler {
    xmlStructuredErrorFunc function;
    void *context;
} Handler;

static Handler handle_errors(const Tmx *tmx, Handler handler)
{
    const XmlLibrary *xml = tmx->xml;
    Handler before = {*xml->structured_error(), *xml->structured_error_context()};
    tmx->xml->SetStructuredErrorFunc(handler.context, handler.function);
    return before;
}

static void skip(Tmx *tmx)
{
    (void)tmx;
}

// Takes the text, except that of elements which hold markup of the original.
static void visit_segment(Tmx *tmx)
{
    static const char *const CODES[] = {"bpt", "ept", "ph", "it", "ut", "sub"};
    for (size_t i = 0; i < sizeof CODES / sizeof *CODES; i++)
        if (starts(tmx, CODES[i])) {
            visit_inside(tmx, skip);
            return;
        }
    xmlElementType type = tmx->xml->TextReaderCurrentNode(tmx->reader)->type;
    if (tmx->side == NO_SIDE || (type != XML_TEXT_NODE && type != XML_CDATA_SECTION_NODE)) return;
    Bytes *side = &tmx->text[tmx->side];
    const char *text = (const char *)tmx->xml->TextReaderConstValue(tmx->reader);
    size_t length = strlen(text);
    if (side->length + length > TMX_TEXT_LIMIT)
        refuse(tmx, TOO_LONG);
    else
        (void)bytes_append(side, text, length, &tmx->failure);
}

static void visit_variant(Tmx *tmx)
{
    if (starts(tmx, "seg")) visit_inside(tmx, visit_segment);
}

static void visit_unit(Tmx *tmx)
{
    if (!starts(tmx, "tuv")) return;
    begin_variant(tmx);
    visit_inside(tmx, visit_variant);
    tmx->side = NO_SIDE;
}

static void read_unit(Tmx *tmx, TmxUnit *unit)
{
    size_t line = (size_t)current_line(tmx);
    for (int side = SOURCE; side <= TARGET; side++) {
        bytes_clear(&tmx->text[side]);
        tmx->match[side] = LANGUAGE_OTHER;
    }
    visit_inside(tmx, visit_unit);
    const Bytes *source = &tmx->text[SOURCE], *target = &tmx->text[TARGET];
    *unit = (TmxUnit){bytes_text(source), source->length, bytes_text(target), target->length, line};
    tmx->units++;
    tmx->paired += source->length && target->length;
}

Status tmx_open(Tmx **out, const char *path, const char *source, const char *target, Error *error)
{
    Tmx *tmx = memory_new(1, sizeof *tmx);
    if (!tmx) return error_memory(error, sizeof *tmx, "a TMX file");
    const char *wanted[2] = {source, target};
    for (int side = SOURCE; side <= TARGET; side++)
        if (wanted[side]) strncpy(tmx->wanted[side], wanted[side], LANGUAGE_SIZE - 1);
    tmx->side = NO_SIDE;
    Status status = byte_stream_open(&tmx->stream, path, error);
    if (!status) status = xml_library(&tmx->xml, error);
    if (!status) {
        // COMPACT keeps short texts out of the dictionary, whose size NAMES_LIMIT bounds
        Handler before = handle_errors(tmx, (Handler){on_error, tmx});
        tmx->reader = tmx->xml->ReaderForIO(give_bytes, NULL, tmx, NULL, NULL,
                                            XML_PARSE_NONET | XML_PARSE_COMPACT);
        (void)handle_errors(tmx, before);
        if (!tmx->reader || tmx->failure.status) status = error_memory(error, CHUNK_SIZE, "XML");
    }
    if (status)
        tmx_close(tmx);
    else
        *out = tmx;
    return status;
}

const char *tmx_name(const Tmx *tmx)
{
    return byte_stream_name(tmx->stream);
}

void tmx_languages(const Tmx *tmx, char tags[2][LANGUAGE_SIZE])
{
    memcpy(tags, tmx->wanted, sizeof tmx->wanted);
}

double tmx_share(const Tmx *tmx)
{
    return byte_stream_share(tmx->stream);
}

Status tmx_describe(const Tmx *tmx, Bytes *out, Error *error)
{
    TRY(bytes_append_format(
        out, error, "%s: from %s to %s, in %zu of %zu units; its languages: ", tmx_name(tmx),
        tmx->wanted[0], tmx->wanted[1], tmx->paired, tmx->units));
    for (size_t i = 0; i < tmx->seen_count; i++)
        TRY(bytes_append_format(out, error, "%s%s", i ? ", " : "", tmx->seen[i]));
    return STATUS_OK;
}

void tmx_close(Tmx *tmx)
{
    if (!tmx) return;
    if (tmx->reader) tmx->xml->FreeTextReader(tmx->reader);
    byte_stream_close(tmx->stream);
    bytes_free(&tmx->text[SOURCE]);
    bytes_free(&tmx->text[TARGET]);
    memory_free(tmx);
}

// At the end of a file with units: whether some had the languages that were wanted.
static void check_languages(Tmx *tmx)
{
    if (tmx->matched[SOURCE] && tmx->matched[TARGET]) return;
    Bytes seen = {0};
    Status status = bytes_append_string(&seen, tmx->seen_count ? "" : "none", &tmx->failure);
    for (size_t i = 0; i < tmx->seen_count && !status; i++)
        status = bytes_append_format(&seen, &tmx->failure, "%s%s", i ? ", " : "", tmx->seen[i]);
    const char *missing = tmx->wanted[tmx->matched[SOURCE] ? TARGET : SOURCE];
    if (!status)
        (void)error_set(
            &tmx->failure, STATUS_FORMAT,
            "%s: has no text in %s%s; its languages: %s; choose with FILE.tmx:SOURCE:TARGET",
            tmx_name(tmx), *missing ? "the language " : "a second language", missing, seen.data);
    bytes_free(&seen);
}

Status tmx_next(Tmx *tmx, TmxUnit *unit, bool *more, Error *error)
{
    bool found = false;
    Handler before = handle_errors(tmx, (Handler){on_error, tmx});
    while (!found && !tmx->failure.status && next_node(tmx)) {
        char *source = tmx->wanted[SOURCE];
        found = starts(tmx, "tu");
        if (found)
            read_unit(tmx, unit);
        else if (starts(tmx, "header") && !*source && find_attribute(tmx, "srclang", source) &&
                 strcmp(source, "*all*") == 0)
            *source = '\0';
    }
    (void)handle_errors(tmx, before);
    if (!found && !tmx->failure.status && tmx->units > 0) check_languages(tmx);
    *more = !tmx->failure.status && found;
    if (tmx->failure.status && error) *error = tmx->failure;
    return tmx->failure.status;
}
