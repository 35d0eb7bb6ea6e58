#include "cli/align/unit_guess.h"

enum { CHARACTERS_A_WORD = 3 }; // a Han side with fewer is segmented

Status unit_guess_add(UnitGuess *guess, TextView text, Error *error)
{
    units_count_han(text.data, text.length, &guess->han, &guess->letters);
    TRY(units_split(&guess->scratch, UNITS_WORDS, text.data, text.length, error));
    guess->words += guess->scratch.count;
    TRY(units_split(&guess->scratch, UNITS_CHARACTERS, text.data, text.length, error));
    guess->characters += guess->scratch.count;
    return STATUS_OK;
}

UnitKind unit_guess_kind(const UnitGuess *guess)
{
    bool segmented = guess->characters < CHARACTERS_A_WORD * guess->words;
    return segmented ? UNITS_WORDS : units_default(guess->han, guess->letters);
}

void unit_guess_free(UnitGuess *guess)
{
    units_free(&guess->scratch);
}

Status unit_guess_kinds(UnitKind kinds[2], const UnitChoice choices[2],
                        const TextView *const sides[2], size_t count, Error *error)
{
    for (int s = 0; s < 2; s++) {
        UnitGuess guess = {0};
        Status status = STATUS_OK;
        for (size_t n = 0; n < count && !status; n++)
            status = unit_guess_add(&guess, sides[s][n], error);
        kinds[s] = unit_choice_kind(choices[s], unit_guess_kind(&guess));
        unit_guess_free(&guess);
        TRY(status);
    }
    return STATUS_OK;
}
