/* The tokenizers of sacreBLEU's BLEU:
 *
 *     13a     NIST's mteval-v13a.pl, for languages in Western scripts
 *     zh      every Chinese character is a token, the rest is split as Western text
 *     none    white space alone, for text that is already tokenised */
#ifndef REGARD_METRICS_TOKENIZER_H
#define REGARD_METRICS_TOKENIZER_H

#include "base/bytes.h"

#include <stdbool.h>

typedef enum BleuTokenizer { BLEU_13A, BLEU_ZH, BLEU_NONE } BleuTokenizer;

// Their names, in this order, then NULL.
extern const char *const bleu_tokenizer_names[];

/* Appends the tokens of `text`, separated by single spaces. Invalid UTF-8 becomes U+FFFD.
 *
 * 13a removes <skipped>, joins lines that end in a hyphen, resolves &quot; &amp; &lt; &gt; in this
 * order (so &amp;lt; becomes <, but &amp;quot; becomes &quot;), and splits off Western punctuation
 * (western_punctuation.h). */
Status bleu_tokenize(BleuTokenizer tokenizer, const char *text, size_t length, Bytes *line,
                     Error *error);

#endif
