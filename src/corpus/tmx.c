#include "corpus/tmx.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "corpus/language.h"
#include "io/byte_stream.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <string.h>

enum {
    CHUNK_SIZE = 1 << 12,  // bytes parsed at a time; all units that end in one chunk wait in memory
    DEPTH_LIMIT = 256,     // libxml2 has this limit for trees, but none for a stream of events
    NAMES_LIMIT = 1 << 20, // bytes of different names of elements; TMX has a few dozen
    SEEN_LIMIT = 12,       // languages that a message lists
    NO_SIDE = -1
};

enum { SOURCE, TARGET };

// A unit that is complete and waits to be handed out. Its texts follow those of the one before it.
typedef struct Waiting {
    size_t line;
    size_t length[2];
} Waiting;

struct Tmx {
    ByteStream *stream;
    xmlParserCtxtPtr parser;
    char wanted[2][LANGUAGE_SIZE]; // empty as long as it is not known
    char seen[SEEN_LIMIT][LANGUAGE_SIZE];
    size_t seen_count;
    bool matched[2]; // some unit had the language

    // where the parser is
    size_t depth;
    bool in_unit;
    int side; // whose variant this is, or NO_SIDE
    bool in_segment;
    size_t code_depth; // elements of markup codes that are open

    // the unit it is in
    size_t line;
    Bytes text[2];
    LanguageMatch match[2]; // how good the variant is that `text` comes from

    Waiting *waiting;
    size_t waiting_capacity;
    size_t waiting_count;
    size_t handed_out; // of those that waited
    Bytes texts;       // of all that wait
    size_t text_start; // where the next one's begin
    size_t units;      // handed out in all
    bool begun;        // the parser has got bytes
    bool ended;
    Error failure; // once its status is set nothing more is parsed
};

/* Ends the parsing with a message that names the line. Only the first reason counts. */
static void refuse(Tmx *tmx, const char *reason)
{
    if (!tmx->failure.status)
        (void)error_set(&tmx->failure, STATUS_FORMAT, "%s:%d: %s", tmx_name(tmx),
                        xmlSAX2GetLineNumber(tmx->parser), reason);
    xmlStopParser(tmx->parser);
}

// Ends it if a function of base/ has failed and has left its message in tmx->failure.
static void stop_if(Tmx *tmx, Status status)
{
    if (status) xmlStopParser(tmx->parser);
}

static bool is_named(const xmlChar *name, const char *wanted)
{
    return strcmp((const char *)name, wanted) == 0;
}

// Elements whose text is markup of the original, not language.
static bool is_code(const xmlChar *name)
{
    static const char *const CODES[] = {"bpt", "ept", "ph", "it", "ut", "sub"};
    for (size_t i = 0; i < sizeof CODES / sizeof *CODES; i++)
        if (is_named(name, CODES[i])) return true;
    return false;
}

/* Copies the value of the attribute `prefix:name` (prefix may be NULL). libxml2 gives five pointers
 * an attribute: name, prefix, namespace, and the value's begin and end. */
static bool find_attribute(const xmlChar **attributes, int count, const char *prefix,
                           const char *name, char value[LANGUAGE_SIZE])
{
    for (int i = 0; i < count; i++, attributes += 5) {
        bool same_prefix =
            prefix ? attributes[1] && is_named(attributes[1], prefix) : attributes[1] == NULL;
        if (!same_prefix || !is_named(attributes[0], name)) continue;
        size_t length = (size_t)(attributes[4] - attributes[3]);
        if (length >= LANGUAGE_SIZE) length = LANGUAGE_SIZE - 1;
        memcpy(value, attributes[3], length);
        value[length] = '\0';
        return length > 0;
    }
    return false;
}

static void begin_unit(Tmx *tmx)
{
    tmx->in_unit = true;
    tmx->side = NO_SIDE;
    tmx->line = (size_t)xmlSAX2GetLineNumber(tmx->parser);
    for (int side = SOURCE; side <= TARGET; side++) {
        bytes_clear(&tmx->text[side]);
        tmx->match[side] = LANGUAGE_OTHER;
    }
}

static void end_unit(Tmx *tmx)
{
    tmx->in_unit = false;
    if (tmx->waiting_count == tmx->waiting_capacity) {
        size_t capacity = memory_grown(tmx->waiting_capacity, tmx->waiting_count + 1);
        Waiting *grown = memory_resize(tmx->waiting, capacity, sizeof *grown);
        if (!grown) {
            stop_if(tmx, error_memory(&tmx->failure, capacity * sizeof *grown, "TMX units"));
            return;
        }
        tmx->waiting = grown;
        tmx->waiting_capacity = capacity;
    }
    Waiting unit = {tmx->line, {tmx->text[SOURCE].length, tmx->text[TARGET].length}};
    for (int side = SOURCE; side <= TARGET; side++) {
        const Bytes *text = &tmx->text[side];
        Status status = bytes_append(&tmx->texts, text->data, text->length, &tmx->failure);
        if (status) {
            xmlStopParser(tmx->parser);
            return;
        }
    }
    tmx->waiting[tmx->waiting_count++] = unit;
}

static void note_language(Tmx *tmx, const char *tag)
{
    for (size_t i = 0; i < tmx->seen_count; i++)
        if (strcmp(tmx->seen[i], tag) == 0) return;
    if (tmx->seen_count < SEEN_LIMIT) memcpy(tmx->seen[tmx->seen_count++], tag, LANGUAGE_SIZE);
}

/* Decides whose text this variant is, and what the file's languages are if that is still open. */
static void begin_variant(Tmx *tmx, const xmlChar **attributes, int count)
{
    char tag[LANGUAGE_SIZE] = {0};
    tmx->side = NO_SIDE;
    if (!find_attribute(attributes, count, "xml", "lang", tag) &&
        !find_attribute(attributes, count, NULL, "lang", tag))
        return;
    note_language(tmx, tag);
    if (!*tmx->wanted[SOURCE]) memcpy(tmx->wanted[SOURCE], tag, LANGUAGE_SIZE);
    LanguageMatch source = language_match(tmx->wanted[SOURCE], tag);
    if (!*tmx->wanted[TARGET] && source == LANGUAGE_OTHER)
        memcpy(tmx->wanted[TARGET], tag, LANGUAGE_SIZE);
    LanguageMatch target =
        *tmx->wanted[TARGET] ? language_match(tmx->wanted[TARGET], tag) : LANGUAGE_OTHER;
    int side = target > source ? TARGET : SOURCE;
    LanguageMatch match = target > source ? target : source;
    if (match <= tmx->match[side]) return; // another language, or not better than what is there
    tmx->side = side;
    tmx->match[side] = match;
    tmx->matched[side] = true;
    bytes_clear(&tmx->text[side]);
}

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int namespace_count, const xmlChar **namespaces, int attribute_count,
                     int defaulted_count, const xmlChar **attributes)
{
    (void)prefix, (void)uri, (void)namespace_count, (void)namespaces, (void)defaulted_count;
    Tmx *tmx = context;
    if (tmx->depth == 0 && !is_named(name, "tmx")) {
        refuse(tmx, "is XML but not TMX: its first element is not <tmx>");
    } else if (++tmx->depth > DEPTH_LIMIT) {
        refuse(tmx, "has more than 256 elements one within the other: this is no TMX");
    } else if (tmx->code_depth > 0) {
        tmx->code_depth++;
    } else if (tmx->in_segment) {
        tmx->code_depth = is_code(name);
    } else if (is_named(name, "header")) {
        if (*tmx->wanted[SOURCE] == '\0' &&
            find_attribute(attributes, attribute_count, NULL, "srclang", tmx->wanted[SOURCE]) &&
            strcmp(tmx->wanted[SOURCE], "*all*") == 0)
            *tmx->wanted[SOURCE] = '\0';
    } else if (is_named(name, "tu")) {
        begin_unit(tmx);
    } else if (is_named(name, "tuv") && tmx->in_unit) {
        begin_variant(tmx, attributes, attribute_count);
    } else if (is_named(name, "seg")) {
        tmx->in_segment = true;
    }
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    (void)prefix, (void)uri;
    Tmx *tmx = context;
    tmx->depth--;
    if (tmx->code_depth > 0)
        tmx->code_depth--;
    else if (tmx->in_segment)
        tmx->in_segment = !is_named(name, "seg");
    else if (is_named(name, "tuv"))
        tmx->side = NO_SIDE;
    else if (is_named(name, "tu") && tmx->in_unit)
        end_unit(tmx);
}

static void on_text(void *context, const xmlChar *text, int length)
{
    Tmx *tmx = context;
    if (!tmx->in_segment || tmx->code_depth > 0 || tmx->side == NO_SIDE) return;
    Bytes *side = &tmx->text[tmx->side];
    if (side->length + (size_t)length > TMX_TEXT_LIMIT)
        refuse(tmx, "has more than 1 MiB of text in one segment; a unit holds one sentence or a "
                    "few: divide it");
    else
        stop_if(tmx, bytes_append(side, (const char *)text, (size_t)length, &tmx->failure));
}

static void on_entity(void *context, const xmlChar *name, int type, const xmlChar *public_id,
                      const xmlChar *system_id, xmlChar *content)
{
    (void)name, (void)type, (void)public_id, (void)system_id, (void)content;
    refuse(context, "declares an entity, which is refused; write the text itself in its place");
}

static void on_reference(void *context, const xmlChar *name)
{
    (void)name;
    refuse(context, "uses an entity other than &amp; &lt; &gt; &quot; &apos;; write the text "
                    "itself in its place");
}

// libxml2's own complaints; its warnings, and namespaces that are not declared, do no harm.
static void on_error(void *context, xmlErrorPtr complaint)
{
    Tmx *tmx = context;
    if (tmx->failure.status || complaint->level != XML_ERR_FATAL) return;
    if (complaint->code == XML_ERR_NO_MEMORY) {
        if (xmlDictGetUsage(tmx->parser->dict) >= NAMES_LIMIT)
            refuse(tmx, "has far too many names of elements: this is no TMX");
        else
            (void)error_memory(&tmx->failure, CHUNK_SIZE, "XML");
        return;
    }
    if (tmx->ended && tmx->depth > 0) { // libxml2 calls this "extra content at the end"
        refuse(tmx, "ends while an element is open; the file was cut off: get it again");
        return;
    }
    const char *message = complaint->message ? complaint->message : "unknown error";
    (void)error_set(&tmx->failure, STATUS_FORMAT, "%s:%d: is not well-formed XML (%.*s)",
                    tmx_name(tmx), xmlSAX2GetLineNumber(tmx->parser), (int)strcspn(message, "\n"),
                    message);
}

/* Gives the parser `length` bytes, or 0 for the end. libxml2 prints what it has no other place for
 * (such as characters that cannot be converted); so while it runs, this thread's complaints come to
 * on_error. */
static void parse(Tmx *tmx, const char *bytes, size_t length)
{
    xmlStructuredErrorFunc handler = xmlStructuredError;
    void *context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(tmx, on_error);
    int result = xmlParseChunk(tmx->parser, bytes, (int)length, length == 0);
    xmlSetStructuredErrorFunc(context, handler);
    if (result && !tmx->parser->wellFormed) refuse(tmx, "is not well-formed XML");
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
    xmlSAXHandler handler = {.startElementNs = on_start,
                             .endElementNs = on_end,
                             .characters = on_text,
                             .ignorableWhitespace = on_text,
                             .entityDecl = on_entity,
                             .reference = on_reference,
                             .initialized = XML_SAX2_MAGIC};
    if (!status) {
        tmx->parser = xmlCreatePushParserCtxt(&handler, tmx, NULL, 0, NULL);
        if (!tmx->parser || xmlCtxtUseOptions(tmx->parser, XML_PARSE_NONET) != 0)
            status = error_memory(error, sizeof *tmx->parser, "XML");
        else
            xmlDictSetLimit(tmx->parser->dict, NAMES_LIMIT);
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

void tmx_close(Tmx *tmx)
{
    if (!tmx) return;
    if (tmx->parser) {
        xmlFreeDoc(tmx->parser->myDoc); // made by some declarations, and not freed with the parser
        xmlFreeParserCtxt(tmx->parser);
    }
    byte_stream_close(tmx->stream);
    memory_free(tmx->waiting);
    bytes_free(&tmx->text[SOURCE]);
    bytes_free(&tmx->text[TARGET]);
    bytes_free(&tmx->texts);
    memory_free(tmx);
}

/* At the end of a file with units: did they have the languages that were wanted? */
static void check_languages(Tmx *tmx)
{
    if (tmx->matched[SOURCE] && tmx->matched[TARGET]) return;
    Bytes seen = {0};
    Status status = bytes_append_string(&seen, tmx->seen_count ? "" : "none", &tmx->failure);
    for (size_t i = 0; i < tmx->seen_count && !status; i++)
        status = bytes_append_format(&seen, &tmx->failure, "%s%s", i ? ", " : "", tmx->seen[i]);
    const char *missing = tmx->wanted[tmx->matched[SOURCE] ? TARGET : SOURCE];
    if (!status)
        (void)error_set(&tmx->failure, STATUS_FORMAT,
                        "%s: has no text in %s%s; the languages in it: %s; choose as "
                        "FILE.tmx:SOURCE:TARGET",
                        tmx_name(tmx), *missing ? "the language " : "a second language", missing,
                        seen.data);
    bytes_free(&seen);
}

/* Parses on until a unit waits or there is no more. */
static void fill(Tmx *tmx)
{
    tmx->waiting_count = tmx->handed_out = tmx->text_start = 0;
    bytes_clear(&tmx->texts);
    while (tmx->waiting_count == 0 && !tmx->failure.status && !tmx->ended) {
        char chunk[CHUNK_SIZE];
        size_t length;
        if (byte_stream_read(tmx->stream, chunk, sizeof chunk, true, &length, &tmx->failure))
            return;
        tmx->ended = length == 0;
        if (length > 0 || tmx->begun) parse(tmx, chunk, length);
        tmx->begun = true;
    }
}

Status tmx_next(Tmx *tmx, TmxUnit *unit, bool *more, Error *error)
{
    *more = false;
    if (tmx->handed_out == tmx->waiting_count) fill(tmx);
    if (tmx->handed_out < tmx->waiting_count) {
        const Waiting *next = &tmx->waiting[tmx->handed_out++];
        const char *source = tmx->texts.data + tmx->text_start;
        const char *target = source + next->length[SOURCE];
        *unit = (TmxUnit){source, next->length[SOURCE], target, next->length[TARGET], next->line};
        tmx->text_start += next->length[SOURCE] + next->length[TARGET];
        tmx->units++;
        *more = true;
        return STATUS_OK;
    }
    if (!tmx->failure.status && tmx->units > 0) check_languages(tmx);
    if (tmx->failure.status && error) *error = tmx->failure;
    return tmx->failure.status;
}
