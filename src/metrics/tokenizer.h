/* The tokenizers of sacreBLEU's BLEU:
 *
 *     13a     NIST's mteval-v13a.pl, for languages in Western scripts
 *     zh      every Chinese character is a token, the rest is split as Western text
 *     none    white space alone, for text that is already tokenised */
#pragma once

#include "base/bytes.h"

typedef enum BleuTokenizer { BLEU_13A, BLEU_ZH, BLEU_NONE } BleuTokenizer;

// Their names, in this order, then NULL.
extern const char *const bleu_tokenizer_names[];

/* Appends the tokens of `text`, separated by single spaces. Invalid UTF-8 becomes U+FFFD.
 *
 * 13a removes <skipped>, joins lines that end in a hyphen, resolves &quot; &amp; &lt; &gt; in this
 * order (so &amp;lt; becomes <, but &amp;quot; becomes &quot;), and splits off Western punctuation. */
Status bleu_tokenize(BleuTokenizer tokenizer, const char *text, size_t length, Bytes *line,
                     Error *error);

/* The language-dependent half of NIST's mteval-v13a, shared by "13a" and "zh": puts spaces around
 * Western punctuation in `line`, by four rules, each applied to the whole line before the next:
 *
 *   1. around every ASCII sign except ' , - and .
 *   2. around . and , that follow anything but a digit
 *   3. around . and , that come before anything but a digit
 *   4. around - that follows a digit
 *
 * Rules 2 to 4 look at pairs of characters from left to right; a character belongs to at most one
 * pair. The ends of the line form no pair: whether "5." is one token or two depends on a space
 * after it. The result may have several spaces in a row. */
Status western_punctuation_split(Bytes *line, Error *error);

// White space as in Python's str.isspace(), str.strip() and str.split(), which sacreBLEU uses:
// Unicode's White_Space, and the four separators U+001C … U+001F.
bool white_space_is(uint32_t code_point);

// Removes white space at both ends.
void white_space_strip(const char **text, size_t *length);

/* Appends the words of `text`, separated by single spaces. Invalid UTF-8 becomes U+FFFD. This is
 * also the tokenizer "none". */
Status white_space_words(const char *text, size_t length, Bytes *line, Error *error);
