// What links count on each side of a pair, words or characters: --units.
#pragma once

#include "align/units.h"
#include "cli/args/options.h"

// On both sides, or of source and target.
typedef enum UnitChoice {
    UNIT_CHOICE_AUTO,
    UNIT_CHOICE_WORDS,
    UNIT_CHOICE_CHARACTERS,
    UNIT_CHOICE_WORDS_CHARACTERS,
    UNIT_CHOICE_CHARACTERS_WORDS,
} UnitChoice;

extern const char *const unit_choices[];

// The row of a verb's table.
#define UNITS_OPTION(values, automatic, ...)                                                       \
    OPTION_CHOICE(values, units, "units", unit_choices,                                            \
                  "what links count, on both sides or of source,target; auto: " automatic,         \
                  __VA_ARGS__)

// The units chosen, or else those of a model, source and target.
void unit_choice_kinds(UnitKind kinds[2], UnitChoice choice, UnitKind source, UnitKind target);

/* The units chosen, or else those of each side judged by the texts of some pairs: characters if most
 * letters are Han and there are at least three characters per word between white space, else
 * words. */
Status unit_choice_judge(UnitKind kinds[2], UnitChoice choice, const TextView *const sides[2],
                         size_t count, Error *error);
