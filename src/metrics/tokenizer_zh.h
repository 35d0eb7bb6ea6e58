/* sacreBLEU's tokenizer "zh": every Chinese character is a token; the rest is split as Western text
 * is. */
#ifndef REGARD_METRICS_TOKENIZER_ZH_H
#define REGARD_METRICS_TOKENIZER_ZH_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Appends the tokens of `text`, one space between two. Invalid UTF-8 becomes U+FFFD.
Status tokenizer_zh(const char *text, size_t length, Bytes *line, Error *error);

// Whether sacreBLEU makes a token of this character alone.
bool tokenizer_zh_is_chinese(uint32_t code_point);

#endif
