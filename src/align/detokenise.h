/* Detokenisation: running text for a line of tokens, and where in it each token is.
 *
 * Manually aligned files hold tokenised text ("Shell 's chairman , 新 华 社"); a model has learned
 * from running text ("Shell's chairman, 新华社") and should read the same. So the spaces that a
 * tokeniser put in are removed again. The rules know no language and no corpus; where two languages
 * disagree (the space before ? ! : ; and within « » is French, but not English) the text stays as
 * it is.
 *
 *     Han          no space beside a Han character or East Asian punctuation (。「，)
 *     elision      none after a letter and an apostrophe, before a letter or digit: l' homme,
 *                  aujourd' hui; but a word of two letters or more that ends in s' is an English
 *                  possessive
 *     contraction  none before an apostrophe and letters (it 's), before n't (do n't), nor before a
 *                  lone apostrophe after a word that ends in s (troops ')
 *     hyphen       none on either side of a lone - between words: peace - keeping, lui - même
 *     closing      none before . , … % ) ] } ” nor several of them (...)
 *     opening      none after ( [ { “ $
 *     quotes       the first straight or PTB quote of a line opens, the next closes: `` a '' and
 *                  '' a '' are "a"
 *     PTB          -LRB- -RRB- -LSB- -RSB- -LCB- -RCB- are the brackets that they spell, `` and ''
 *                  are " */
#pragma once

#include "align/units.h"
#include "base/bytes.h"

// Start from {0}, reuse freely, end with detokenised_text_free.
typedef struct DetokenisedText {
    Bytes text;  // in normal form (text/normalise.h) if the line was
    Spans units; // a unit for each token, its place in `text`
} DetokenisedText;

// What a token of the Penn Treebank for a bracket or quote spells; NULL for any other.
const char *treebank_unescaped(TextView token);

/* Sets the text of `line`, whose tokens are separated by white space and shorter than 2^32 bytes in
 * all. On failure it is empty and still valid. */
Status detokenise(DetokenisedText *out, const char *line, size_t length, Error *error);

static inline void detokenised_text_free(DetokenisedText *out)
{
    bytes_free(&out->text);
    spans_free(&out->units);
}
