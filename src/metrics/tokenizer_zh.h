/* sacreBLEU's tokenizer "zh": every Chinese character is a token, the rest is split as Western
 * text. */
#ifndef REGARD_METRICS_TOKENIZER_ZH_H
#define REGARD_METRICS_TOKENIZER_ZH_H

#include "base/bytes.h"

#include <stddef.h>

// Appends the tokens of `text`, separated by single spaces. Invalid UTF-8 becomes U+FFFD.
Status tokenizer_zh(const char *text, size_t length, Bytes *line, Error *error);

#endif
