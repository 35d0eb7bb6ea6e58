/* Texts of one word, and short ones that training has, are looked up rather than guessed: a model that
 * has learned sentences makes one of "Price" (Le riz), while its lexicon knows what the word stands for
 * elsewhere, or the text alone (reading/senses.h). */
#pragma once

#include "reading/senses.h"
#include "translate/session.h"

/* Appends a sense as a text is written: as training has it, with the text's capital or, unless it is of
 * the very text, capitals. */
Status dictionary_spell(Bytes *out, const Sense *sense, TextView text, Error *error);

/* The sense y of x that is the likeliest by its share s and by the model,
 *
 *     s √exp(log p(y | x) / |y|)         log_ps (senses->count): log p(y | x) / |y|
 *
 * 0 if there is none. */
size_t dictionary_choose(const Senses *senses, const double *log_ps);

/* Sets the senses of a translation of one word or a short text, and if it is `free`, puts the sense
 * chosen before its renderings, with the probability that the model gives it; not before one of a text
 * with the mark of a sentence at its end of which the model is sure: three of four for each subword. */
Status dictionary_look_up(Translation *translation, Session *session, const Translator *translator,
                          bool free, const SearchOptions *options, Error *error);
