/* Which of its two scripts a Chinese text is in, told by the commonest characters that differ
 * between them. Four of five short sentences have one of these.
 *
 * Simplified forms that Japanese has too (学, 国: those in JIS X 0208) or that are common in
 * traditional texts (户, 够) are not among them, so Japanese never passes for simplified Chinese. */
#pragma once

#include <stddef.h>

typedef enum ChineseScript {
    CHINESE_UNKNOWN,
    CHINESE_SIMPLIFIED,
    CHINESE_TRADITIONAL,
} ChineseScript;

/* The script whose characters a text has. CHINESE_UNKNOWN if it has none of either script or some
 * of both, or kana, which show that it is Japanese. */
ChineseScript chinese_script_of(const char *text, size_t length);
