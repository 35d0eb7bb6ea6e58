/* The running text that a line of tokens stands for, and where in it each token is.
 *
 * Files aligned by hand hold text cut into tokens with a space between any two ("Shell 's chairman , 新 华 社"); a model has
 * learned from running text ("Shell's chairman, 新华社"), and what it reads should look like that. So the spaces that a
 * tokeniser put in are taken out again. The rules know no language and no set; where two languages disagree (the space
 * before ? ! : ; and within « » is French, but not English) the text stays as it is.
 *
 *     Han          no space beside a Han character or East Asian punctuation (。「，)
 *     elision      none after a letter and an apostrophe, before a letter or digit: l' homme, aujourd' hui; but a word
 *                  of two letters or more that ends in s' is an English possessive
 *     contraction  none before an apostrophe and letters (it 's), before n't (do n't), nor before a lone apostrophe
 *                  after a word that ends in s (troops ')
 *     hyphen       none on either side of a lone - between words: peace - keeping, lui - même
 *     closing      none before . , … % ) ] } ” nor several of them (...)
 *     opening      none after ( [ { “ $
 *     quotes       the first straight or PTB quote of a line opens, the next closes: `` a '' and '' a '' are "a"
 *     PTB          -LRB- -RRB- -LSB- -RSB- -LCB- -RCB- are the brackets that they spell, `` and '' are "
 */
#ifndef REGARD_ALIGN_TOKEN_TEXT_H
#define REGARD_ALIGN_TOKEN_TEXT_H

#include "align/units.h"
#include "base/bytes.h"

// Start from {0}, reuse freely, end with token_text_free.
typedef struct TokenText {
    Bytes text;  // in normal form (text/normalise.h) if the line was
    Units units; // a unit for each token, its place in `text`
} TokenText;

/* Replaces what is in `out` by the text of `line`, whose tokens are parted by any white space and are of less than 2^32
 * bytes in all. On failure it is empty and still valid. */
Status token_text_set(TokenText *out, const char *line, size_t length, Error *error);

void token_text_free(TokenText *out);

#endif
