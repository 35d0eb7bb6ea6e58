/* Texts of one word, and short ones that training has, are looked up rather than guessed: a model that
 * has learned sentences makes one of "Price" (Le riz), while its lexicon knows what the word stands for
 * elsewhere, or the text alone (reading/senses.h). */
#pragma once

#include "reading/senses.h"
#include "translate/session.h"

// Appends a sense as a text is written: as it is, with a capital, or in capitals.
Status dictionary_spell(Bytes *out, const Sense *sense, TextView text, Error *error);

// What a model has said of a word, with a probability of `p` for each subword.
typedef struct Said {
    TextView text;
    double p;
} Said;

/* Sets *best to the sense y that is the likeliest by its share s and the model,
 *
 *     s exp(log p(y | x) / |y|)          log_ps (senses->count): log p(y | x) / |y|
 *
 * of one of a word, only if the lexicon is surer of it than the model of what it has said: s of at least
 * 0.2 and more than half of said.p, and log_ps of at least -8, below which the model does not know it as a
 * translation at all, and not if what was said is that sense once, with one other word at most if said.p
 * is at least 0.5, or two if it is at least 0.6; of one in Han, that alone. Sets it to senses->count if there is none. */
Status dictionary_choose(size_t *best, const Senses *senses, const double *log_ps, Said said,
                         Error *error);

/* Sets the senses of a translation of one word or a short text, and if it is `free`, puts the sense
 * chosen before its renderings, with the probability that the model gives it. */
Status dictionary_look_up(Translation *translation, Session *session, const Translator *translator,
                          bool free, const SearchOptions *options, Error *error);
