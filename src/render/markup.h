/* Text escaped for SVG, XML and HTML, as an element's content or within quotes.
 *
 *     & < > " '                        become references
 *     tab, newline, carriage return    become spaces
 *     other U+0000 … U+001F, U+FFFE and U+FFFF, invalid UTF-8    become U+FFFD */
#ifndef REGARD_RENDER_MARKUP_H
#define REGARD_RENDER_MARKUP_H

#include "base/writer.h"

void markup_write(Writer *out, const char *text, size_t length);

#endif
