#include "corpus/tmx.h"

#include "base/array.h"
#include "base/string_map.h"
#include "io/byte_stream.h"
#include "io/text_encoding.h"
#include "text/utf8.h"

#include <expat.h>
#include <stdlib.h>

enum {
    CHUNK_SIZE = 1 << 14,  // bytes taken from the file at a time
    DEPTH_LIMIT = 256,     // elements one within the other
    NAMES_LIMIT = 1 << 20, // bytes of different names, which expat keeps; TMX has a few dozen names
    TOKEN_LIMIT = 1 << 20, // bytes of a tag or a comment, which expat needs as a whole
    SEEN_LIMIT = 12,       // languages listed in a message
    NO_SIDE = -1
};

enum { SOURCE, TARGET };

// What the parser is in, each within the one before; code is markup of the original.
enum { OUTSIDE, IN_UNIT, IN_VARIANT, IN_SEGMENT, IN_CODE, LEVELS };

struct Tmx {
    ByteStream *stream;
    XML_Parser parser;
    size_t given;          // bytes, to the parser
    bool ended, suspended; // the file has no more; the parser stopped behind a unit
    size_t depth;          // of elements
    int level;             // OUTSIDE …
    size_t begins[LEVELS]; // the depth of the element that began each level
    StringMap names;       // of elements and attributes
    size_t names_bytes;

    char wanted[2][LANGUAGE_SIZE]; // empty as long as it is not known
    char seen[SEEN_LIMIT][LANGUAGE_SIZE];
    size_t seen_count;
    bool matched[2]; // some unit had the language

    // the unit that is being read
    size_t line;
    int side; // of the variant, or NO_SIDE
    Bytes text[2];
    LanguageMatch match[2]; // how well the variant that `text` comes from matches

    size_t units;  // read in all
    size_t paired; // with text in both languages
    Error failure; // once its status is set nothing more is read
};

static size_t current_line(const Tmx *tmx)
{
    return (size_t)XML_GetCurrentLineNumber(tmx->parser);
}

// Only the first reason counts.
static void refuse(Tmx *tmx, const char *reason)
{
    if (!tmx->failure.status)
        (void)error_set(&tmx->failure, STATUS_FORMAT, "%s:%zu: %s", tmx_name(tmx),
                        current_line(tmx), reason);
}

// Ends parsing if something has failed, and returns whether it has: a few calls may still follow.
static bool stop_if_failed(Tmx *tmx)
{
    if (tmx->failure.status) (void)XML_StopParser(tmx->parser, XML_FALSE);
    return tmx->failure.status != STATUS_OK;
}

static void note_name(Tmx *tmx, const char *name)
{
    bool added;
    size_t length = strlen(name);
    if (!string_map_put(&tmx->names, name, length, 0, &added))
        (void)error_memory(&tmx->failure, length, "XML");
    if (added) tmx->names_bytes += length;
    if (tmx->names_bytes > NAMES_LIMIT)
        refuse(tmx, "has too many different names; this is not TMX");
}

// Copies an attribute's value; false if it is missing or empty.
static bool find_attribute(const char **attributes, const char *name, char value[LANGUAGE_SIZE])
{
    while (*attributes && strcmp(attributes[0], name) != 0) attributes += 2;
    strncpy(value, *attributes ? attributes[1] : "", LANGUAGE_SIZE - 1);
    return *value != '\0';
}

static void note_language(Tmx *tmx, const char *tag)
{
    for (size_t i = 0; i < tmx->seen_count; i++)
        if (strcmp(tmx->seen[i], tag) == 0) return;
    if (tmx->seen_count < SEEN_LIMIT) memcpy(tmx->seen[tmx->seen_count++], tag, LANGUAGE_SIZE);
}

// Decides which side this variant belongs to, and the file's languages if they are not known yet.
static void begin_variant(Tmx *tmx, const char **attributes)
{
    char tag[LANGUAGE_SIZE] = {0};
    if (!find_attribute(attributes, "xml:lang", tag) && !find_attribute(attributes, "lang", tag))
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
    if (match <= tmx->match[side]) return; // another language, or no better than the one before
    tmx->side = side;
    tmx->match[side] = match;
    tmx->matched[side] = true;
    bytes_clear(&tmx->text[side]);
}

// Whether an element of this name begins the level after this one.
static bool begins_level(int level, const char *name)
{
    static const char *const ELEMENTS[LEVELS][7] = {
        [OUTSIDE] = {"tu"},
        [IN_UNIT] = {"tuv"},
        [IN_VARIANT] = {"seg"},
        [IN_SEGMENT] = {"bpt", "ept", "ph", "it", "ut", "sub"},
    };
    for (size_t i = 0; ELEMENTS[level][i]; i++)
        if (!strcmp(name, ELEMENTS[level][i])) return true;
    return false;
}

static void XMLCALL begin_element(void *context, const char *qualified, const char **attributes)
{
    Tmx *tmx = context;
    const char *colon = strrchr(qualified, ':'), *name = colon ? colon + 1 : qualified;
    char *source = tmx->wanted[SOURCE]; // the header's language, if none is wanted
    tmx->depth++;
    note_name(tmx, qualified);
    for (size_t i = 0; attributes[i]; i += 2) note_name(tmx, attributes[i]);
    if (tmx->depth == 1 && strcmp(name, "tmx") != 0)
        refuse(tmx, "is XML but not TMX: its first element is not <tmx>");
    if (tmx->depth > DEPTH_LIMIT) refuse(tmx, "has more than 256 nested elements; this is not TMX");
    if (stop_if_failed(tmx)) return;
    if (begins_level(tmx->level, name)) {
        tmx->begins[++tmx->level] = tmx->depth;
        if (tmx->level == IN_UNIT) tmx->line = current_line(tmx);
        for (int side = SOURCE; side <= TARGET && tmx->level == IN_UNIT; side++) {
            bytes_clear(&tmx->text[side]);
            tmx->match[side] = LANGUAGE_OTHER;
        }
        if (tmx->level == IN_VARIANT) begin_variant(tmx, attributes);
    } else if (tmx->level == OUTSIDE && !strcmp(name, "header") && !*source) {
        bool any = find_attribute(attributes, "srclang", source) && !strcmp(source, "*all*");
        if (any) *source = '\0';
    }
}

// Behind a unit the parser stops, for tmx_next to return it.
static void XMLCALL end_element(void *context, const char *name)
{
    Tmx *tmx = context;
    (void)name;
    if (stop_if_failed(tmx)) return;
    if (tmx->level != OUTSIDE && tmx->begins[tmx->level] == tmx->depth) {
        if (tmx->level == IN_VARIANT) tmx->side = NO_SIDE;
        if (tmx->level == IN_UNIT) (void)XML_StopParser(tmx->parser, XML_TRUE);
        tmx->level--;
    }
    tmx->depth--;
}

static void XMLCALL take_text(void *context, const char *text, int length)
{
    Tmx *tmx = context;
    if (tmx->level != IN_SEGMENT || tmx->side == NO_SIDE) return;
    Bytes *side = &tmx->text[tmx->side];
    if (side->length + (size_t)length > TMX_TEXT_LIMIT)
        refuse(tmx, "has more than 1 MiB of text in one segment; a segment must be a sentence or a "
                    "few: split it");
    else
        (void)bytes_append(side, text, (size_t)length, &tmx->failure);
    (void)stop_if_failed(tmx);
}

/* What a file declares is refused before it is read: with entities a few lines could stand for
 * gigabytes, and so could default attributes. */
static void XMLCALL begin_doctype(void *context, const char *name, const char *system,
                                  const char *public, int has_declarations)
{
    Tmx *tmx = context;
    (void)name, (void)system, (void)public;
    if (has_declarations)
        refuse(tmx, "declares an entity or an element in its DOCTYPE, which is not allowed; remove "
                    "it, and replace an entity with its text");
    (void)stop_if_failed(tmx);
}

static const char UNKNOWN_ENTITY[] =
    "uses an entity other than &amp; &lt; &gt; &quot; &apos;; replace it with its text";

// An entity that the DTD may declare, which is not read.
static void XMLCALL skip_entity(void *context, const char *name, int is_parameter)
{
    Tmx *tmx = context;
    (void)name, (void)is_parameter; // of those only a DTD makes use, and none with them is read
    refuse(tmx, UNKNOWN_ENTITY);
    (void)stop_if_failed(tmx);
}

// The characters of an encoding that expat does not know: only one with a byte for each.
static int XMLCALL look_up_encoding(void *context, const char *name, XML_Encoding *encoding)
{
    Tmx *tmx = context;
    TextDecoder *decoder;
    Bytes text = {0};
    bool goes_on = false; // a byte is only a part of a character
    if (text_decoder_open(&decoder, name, &tmx->failure) || !decoder) return XML_STATUS_ERROR;
    for (int i = 0; i < 256 && !goes_on; i++) {
        char byte = (char)i;
        uint32_t character = 0;
        bytes_clear(&text);
        if (text_decoder_append(decoder, &text, &byte, 1, false, &tmx->failure)) break;
        bool waits = text.length == 0; // perhaps a letter for its accent
        if (text_decoder_append(decoder, &text, "", 0, true, &tmx->failure)) break;
        size_t taken = text.length ? utf8_decode(text.data, text.length, &character, NULL) : 0;
        bool single = taken && taken == text.length && character != UTF8_REPLACEMENT;
        encoding->map[i] = single ? (int)character : -1;
        goes_on = waits && character == UTF8_REPLACEMENT;
    }
    bytes_free(&text);
    text_decoder_close(decoder);
    return goes_on || tmx->failure.status ? XML_STATUS_ERROR : XML_STATUS_OK;
}

static Status start(Tmx *tmx, const char *path, Error *error)
{
    static const XML_Memory_Handling_Suite memory = {malloc, realloc, free}; // tests let them fail
    TRY(byte_stream_open(&tmx->stream, path, error));
    tmx->parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    if (!tmx->parser) return error_memory(error, CHUNK_SIZE, "XML");
    XML_SetUserData(tmx->parser, tmx);
    XML_SetElementHandler(tmx->parser, begin_element, end_element);
    XML_SetCharacterDataHandler(tmx->parser, take_text);
    XML_SetStartDoctypeDeclHandler(tmx->parser, begin_doctype);
    XML_SetSkippedEntityHandler(tmx->parser, skip_entity);
    XML_SetUnknownEncodingHandler(tmx->parser, look_up_encoding, tmx);
    return STATUS_OK;
}

Status tmx_open(Tmx **out, const char *path, const char *source, const char *target, Error *error)
{
    FREED_BY(tmx_close_at) Tmx *tmx = NULL;
    TRY(array_new(&tmx, 1, "a TMX file", error));
    const char *wanted[2] = {source, target};
    for (int side = SOURCE; side <= TARGET; side++)
        if (wanted[side]) strncpy(tmx->wanted[side], wanted[side], LANGUAGE_SIZE - 1);
    tmx->side = NO_SIDE;
    TRY(start(tmx, path, error));
    *out = memory_take(&tmx);
    return STATUS_OK;
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

static Status append_seen(const Tmx *tmx, Bytes *out, Error *error)
{
    if (!tmx->seen_count) return bytes_append_string(out, "none", error);
    for (size_t i = 0; i < tmx->seen_count; i++)
        TRY(bytes_append_format(out, error, "%s%s", i ? ", " : "", tmx->seen[i]));
    return STATUS_OK;
}

Status tmx_describe(const Tmx *tmx, Bytes *out, Error *error)
{
    TRY(bytes_append_format(
        out, error, "%s: from %s to %s, in %zu of %zu units; its languages: ", tmx_name(tmx),
        tmx->wanted[0], tmx->wanted[1], tmx->paired, tmx->units));
    TRY(append_seen(tmx, out, error));
    return bytes_append_string(out, "\n", error);
}

void tmx_close(Tmx *tmx)
{
    if (!tmx) return;
    if (tmx->parser) XML_ParserFree(tmx->parser);
    byte_stream_close(tmx->stream);
    string_map_free(&tmx->names);
    bytes_free(&tmx->text[SOURCE]);
    bytes_free(&tmx->text[TARGET]);
    memory_free(tmx);
}

// At the end of a file with units: whether some had the languages that were wanted.
static void check_languages(Tmx *tmx)
{
    if (tmx->matched[SOURCE] && tmx->matched[TARGET]) return;
    FREED_BY(bytes_free) Bytes seen = {0};
    Status status = append_seen(tmx, &seen, &tmx->failure);
    const char *missing = tmx->wanted[tmx->matched[SOURCE] ? TARGET : SOURCE];
    if (!status)
        (void)error_set(
            &tmx->failure, STATUS_FORMAT,
            "%s: has no text in %s%s; its languages: %s; choose with FILE.tmx:SOURCE:TARGET",
            tmx_name(tmx), *missing ? "the language " : "a second language", missing, seen.data);
}

// Says why expat stopped. An empty file is reported by the reader of pairs.
static void explain(Tmx *tmx)
{
    enum XML_Error code = XML_GetErrorCode(tmx->parser);
    if (tmx->failure.status) return;
    if (code == XML_ERROR_NO_MEMORY)
        (void)error_memory(&tmx->failure, CHUNK_SIZE, "XML");
    else if (code == XML_ERROR_UNKNOWN_ENCODING)
        refuse(tmx, "is in an encoding that cannot be read; convert it with iconv -t UTF-8, and "
                    "correct its first line");
    else if (code == XML_ERROR_UNDEFINED_ENTITY)
        refuse(tmx, UNKNOWN_ENTITY);
    else if (tmx->ended && tmx->depth > 0)
        refuse(tmx, "ends inside an element; the file is truncated: fetch it again");
    else if (tmx->given > 0)
        (void)error_set(&tmx->failure, STATUS_FORMAT, "%s:%zu: is not well-formed XML (%s)",
                        tmx_name(tmx), current_line(tmx), XML_ErrorString(code));
}

// Gives expat the next bytes of the file.
static enum XML_Status parse_chunk(Tmx *tmx)
{
    size_t length = 0;
    char *chunk = XML_GetBuffer(tmx->parser, CHUNK_SIZE);
    if (!chunk || byte_stream_read(tmx->stream, chunk, CHUNK_SIZE, true, &length, &tmx->failure))
        return XML_STATUS_ERROR;
    tmx->given += length;
    tmx->ended = length == 0;
    enum XML_Status status = XML_ParseBuffer(tmx->parser, (int)length, tmx->ended);
    // it reads what it has not the end of again with each chunk
    if (status == XML_STATUS_OK &&
        tmx->given > TOKEN_LIMIT + (size_t)XML_GetCurrentByteIndex(tmx->parser))
        refuse(tmx, "has a tag or a comment of more than 1 MiB; this is not TMX");
    return status;
}

Status tmx_next(Tmx *tmx, TmxUnit *unit, bool *more, Error *error)
{
    enum XML_Status status = XML_STATUS_OK;
    if (tmx->suspended) status = XML_ResumeParser(tmx->parser);
    while (status == XML_STATUS_OK && !tmx->ended && !tmx->failure.status)
        status = parse_chunk(tmx);
    tmx->suspended = status == XML_STATUS_SUSPENDED;
    if (status == XML_STATUS_ERROR) explain(tmx);
    *more = tmx->suspended && !tmx->failure.status;
    if (*more) {
        *unit = (TmxUnit){.source = bytes_view(&tmx->text[SOURCE]),
                          .target = bytes_view(&tmx->text[TARGET]),
                          .line = tmx->line};
        tmx->units++;
        tmx->paired += unit->source.length && unit->target.length;
    } else if (!tmx->failure.status && tmx->units > 0) {
        check_languages(tmx);
    }
    if (tmx->failure.status && error) *error = tmx->failure;
    return tmx->failure.status;
}
