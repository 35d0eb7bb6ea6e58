/* How words of a language are spelt: a model of letters, learned from a list of its words, that tells
 * languages apart where a text is too short for language_evidence.h.
 *
 *     P(c | context) = (n(context c) + λ P(c | shorter context)) / (n(context) + λ)
 *
 * with up to four letters before c as its context, the beginning and the end of a word being
 * letters. */
#pragma once

#include "base/bytes.h"

// Starts from {0}: all words are as likely; 4 MiB.
typedef struct Spelling {
    float counts[1 << 20]; // of contexts, alone and with a letter, by a hash
    float words;           // weights of all
} Spelling;

// Adds a word in lower case, `weight` times.
void spelling_add(Spelling *spelling, TextView word, float weight);

// The logarithm of the probability of the words of a text, in lower case; 0 where it has none.
double spelling_log_p(const Spelling *spelling, TextView text);
