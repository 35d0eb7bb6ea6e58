/* Texts of one word are looked up rather than guessed: a model that has learned sentences makes one of
 * "Price" (Le riz), while its aligner knows what the word stands for elsewhere (align/senses.h).
 *
 * Into Chinese, the aligner knows only what characters the word is linked with. Words are made of
 * them, the commonest first: of the character that has most links left, alone, twice, or with others
 * that have nearly as many, the one that the model holds for the likeliest; its links are taken from
 * all. */
#pragma once

#include "align/senses.h"
#include "translate/session.h"

// Sets log_ps (count): how likely words are as the translation of what is looked up.
typedef Status ScoreWords(void *context, double *log_ps, const TextView *words, size_t count,
                          Error *error);

// Adds to the senses the words that their characters make.
Status dictionary_make_words(Senses *senses, ScoreWords *score, void *context, Error *error);

/* Appends what a word is translated by if the aligner is surer of it than the model, which has said
 * `said` with a probability of `said_p` for each subword: the sense that it has most, of a share of at
 * least 0.2 and more than half of said_p, in the case of the word's letters; nothing if `said` is that
 * word, with one other at most, or two if said_p is at least 0.6. */
Status dictionary_choose(Bytes *answer, const Senses *senses, TextView word, TextView said,
                         double said_p, Error *error);

/* Sets the senses of a translation of one word, and if it is `free`, puts the word found before its
 * renderings, with the probability that the model gives it. */
Status dictionary_look_up(Translation *translation, Session *session, const Aligner *aligner,
                          bool free, const SearchOptions *options, Error *error);
