/* Texts of one word are looked up rather than guessed: a model that has learned sentences makes one of
 * "Price" (Le riz), while its lexicon knows what the word stands for elsewhere (reading/senses.h). */
#pragma once

#include "reading/senses.h"
#include "translate/session.h"

// Appends a sense as a word is written: as it is, with a capital, or in capitals.
Status dictionary_spell(Bytes *out, const Sense *sense, TextView word, Error *error);

// What a model has said of a word, with a probability of `p` for each subword.
typedef struct Said {
    TextView text;
    double p;
} Said;

/* Sets *best to the sense y that is the likeliest by its share s and the model,
 *
 *     s exp(log p(y | x) / |y|)          log_ps (senses->count): log p(y | x) / |y|
 *
 * if the lexicon is surer of it than the model of what it has said: s of at least 0.2 and more than half of
 * said.p, and log_ps of at least -8, below which the model does not know it as a translation at all. Sets
 * it to senses->count if there is none, or if what was said is that sense once, with one other word at
 * most, or two if said.p is at least 0.6; of one in Han, that alone. */
Status dictionary_choose(size_t *best, const Senses *senses, const double *log_ps, Said said,
                         Error *error);

/* Sets the senses of a translation of one word, and if it is `free`, puts the sense chosen before its
 * renderings, with the probability that the model gives it. */
Status dictionary_look_up(Translation *translation, Session *session, const Translator *translator,
                          bool free, const SearchOptions *options, Error *error);
