/* The units of a side, judged by its text: characters if most letters are Han and there are at
 * least three characters per word between white space, else words. */
#ifndef REGARD_CLI_ALIGN_UNIT_GUESS_H
#define REGARD_CLI_ALIGN_UNIT_GUESS_H

#include "align/units.h"
#include "cli/model_options.h"

// Start from {0}, end with unit_guess_free.
typedef struct UnitGuess {
    size_t han, letters, words, characters;
    Units scratch;
} UnitGuess;

Status unit_guess_add(UnitGuess *guess, TextView text, Error *error);

UnitKind unit_guess_kind(const UnitGuess *guess);

void unit_guess_free(UnitGuess *guess);

// The units of both sides: those chosen, or else judged by the texts of some pairs.
Status unit_guess_kinds(UnitKind kinds[2], const UnitChoice choices[2],
                        const TextView *const sides[2], size_t count, Error *error);

#endif
