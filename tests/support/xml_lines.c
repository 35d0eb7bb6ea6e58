#include "support/xml_lines.h"

#include "support/suite.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

typedef struct Flattening {
    Bytes lines, text;  // of the document so far
    size_t begins[100]; // (depth) where the text of each open element begins
    size_t depth;
} Flattening;

static void begin_element(void *context, const char *name, const char **attributes)
{
    Flattening *flat = context;
    ck_assert_uint_lt(flat->depth, sizeof flat->begins / sizeof *flat->begins);
    flat->begins[flat->depth++] = flat->text.length;
    for (; *attributes; attributes += 2)
        assert_ok(bytes_append_format(&flat->lines, NULL, "%s@%s=%s\n", name, attributes[0],
                                      attributes[1]));
}

static void end_element(void *context, const char *name)
{
    Flattening *flat = context;
    const char *text = bytes_text(&flat->text) + flat->begins[--flat->depth];
    assert_ok(bytes_append_format(&flat->lines, NULL, "%s=%s\n", name, text));
}

static void take_text(void *context, const char *text, int length)
{
    Flattening *flat = context;
    assert_ok(bytes_append(&flat->text, text, (size_t)length, NULL));
}

Bytes xml_lines(const Bytes *document)
{
    Flattening flat = {.depth = 0};
    XML_Parser parser = XML_ParserCreate(NULL);
    ck_assert_ptr_nonnull(parser);
    assert_ok(bytes_append(&flat.lines, "\n", 1, NULL));
    XML_SetUserData(parser, &flat);
    XML_SetElementHandler(parser, begin_element, end_element);
    XML_SetCharacterDataHandler(parser, take_text);
    if (XML_Parse(parser, document->data, (int)document->length, XML_TRUE) != XML_STATUS_OK)
        ck_abort_msg("%s", XML_ErrorString(XML_GetErrorCode(parser)));
    XML_ParserFree(parser);
    bytes_free(&flat.text);
    return flat.lines;
}

size_t xml_lines_count(const Bytes *lines, const char *element)
{
    char wanted[64];
    size_t count = 0, length = (size_t)snprintf(wanted, sizeof wanted, "\n%s=", element);
    for (const char *at = lines->data; (at = strstr(at, wanted)); at += length) count++;
    return count;
}

bool xml_lines_have(const Bytes *lines, const char *name, const char *text)
{
    char wanted[256];
    (void)snprintf(wanted, sizeof wanted, "\n%s=%s\n", name, text);
    return strstr(lines->data, wanted) != NULL;
}
