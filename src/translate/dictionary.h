/* Texts of one word, and short ones that training has, are looked up rather than guessed: a model that
 * has learned sentences makes one of "Price" (Le riz), while its lexicon knows what the word stands for
 * elsewhere, or the text alone (reading/senses.h). */
#pragma once

#include "reading/senses.h"
#include "translate/session.h"

/* Appends a sense as a text is written: as training has it or, unless that is of the very text, with its
 * capital or capitals. */
Status dictionary_spell(Bytes *out, const Sense *sense, TextView text, Error *error);

// What a model has said of a word, with a probability of `p` for each subword.
typedef struct Said {
    TextView text;
    double p;
} Said;

/* Sets *best to the sense y that is the likeliest by its share s and the model,
 *
 *     s √exp(log p(y | x) / |y|)         log_ps (senses->count): log p(y | x) / |y|
 *
 * A sense of the whole text needs no more. One of a word is taken only if s is at least 0.2 and log_ps at
 * least -8, below which the model does not know it as a translation at all; s is more than half of
 * said.p; and what was said is not that sense already: once, alone or with one other word (said.p of at
 * least 0.5) or two (0.6), of one in Han alone. Else sets *best to senses->count. */
Status dictionary_choose(size_t *best, const Senses *senses, const double *log_ps, Said said,
                         Error *error);

/* Sets the senses of a translation of one word or a short text, and if it is `free`, puts the sense
 * chosen before its renderings, with the probability that the model gives it. */
Status dictionary_look_up(Translation *translation, Session *session, const Translator *translator,
                          bool free, const SearchOptions *options, Error *error);
