/* The characters of HTML text: character references (HTML Living Standard, section 13.2.5.72)
 * decoded, and written where a character would be markup. */
#pragma once

#include "base/writer.h"

// A name that is not in the table of names.
#define HTML_UNKNOWN UINT32_MAX

/* The character at *at < length of a text, be it a reference or not; *at moves behind it. An
 * invalid part of UTF-8 is U+FFFD, as is a number without a character. A reference "&name;" that is
 * not known gives HTML_UNKNOWN; a & that begins none is itself. */
uint32_t html_character(const char *text, size_t length, size_t *at);

/* The names of character references: those of HTML 4, of letters of the Latin alphabet and of
 * common signs; HTML has 1,800 more, nearly all for formulas. */
typedef struct HtmlName {
    const char *name;
    uint16_t character;
    uint16_t open; // it needs no semicolon
} HtmlName;

extern const HtmlName html_names[]; // in the order of strcmp
extern const size_t html_name_count;

enum { MAX_HTML_NAME = 8 };
