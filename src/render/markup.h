/* Text inside SVG, XML and HTML, as an element's content or between quotes.
 *
 *     & < > " '             become references
 *     U+0000 … U+001F       which XML cannot hold, become U+FFFD; tab and newline become spaces
 *     bytes that are no UTF-8, U+FFFE and U+FFFF   become U+FFFD */
#ifndef REGARD_RENDER_MARKUP_H
#define REGARD_RENDER_MARKUP_H

#include "base/writer.h"

void markup_write(Writer *out, const char *text, size_t length);

#endif
