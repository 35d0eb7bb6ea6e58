/* sacreBLEU's tokenizer "13a": NIST's mteval-v13a.pl, for languages in Western scripts. */
#ifndef REGARD_METRICS_TOKENIZER_13A_H
#define REGARD_METRICS_TOKENIZER_13A_H

#include "base/bytes.h"

#include <stddef.h>

/* Appends the tokens of `text`, separated by single spaces. Removes <skipped>, joins lines that end
 * in a hyphen, resolves &quot; &amp; &lt; &gt; in this order (so &amp;lt; becomes <, but &amp;quot;
 * becomes &quot;), and splits off Western punctuation. Invalid UTF-8 becomes U+FFFD. */
Status tokenizer_13a(const char *text, size_t length, Bytes *line, Error *error);

#endif
