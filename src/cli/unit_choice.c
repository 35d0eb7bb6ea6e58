#include "cli/unit_choice.h"

enum { CHARACTERS_A_WORD = 3 }; // a Han side with fewer is segmented

const char *const unit_choices[] = {
    "auto", "words", "characters", "words,characters", "characters,words", NULL};

void unit_choice_kinds(UnitKind kinds[2], UnitChoice choice, UnitKind source, UnitKind target)
{
    const UnitKind chosen[][2] = {
        [UNIT_CHOICE_AUTO] = {source, target},
        [UNIT_CHOICE_WORDS] = {UNITS_WORDS, UNITS_WORDS},
        [UNIT_CHOICE_CHARACTERS] = {UNITS_CHARACTERS, UNITS_CHARACTERS},
        [UNIT_CHOICE_WORDS_CHARACTERS] = {UNITS_WORDS, UNITS_CHARACTERS},
        [UNIT_CHOICE_CHARACTERS_WORDS] = {UNITS_CHARACTERS, UNITS_WORDS},
    };
    kinds[0] = chosen[choice][0];
    kinds[1] = chosen[choice][1];
}

static Status judge_side(UnitKind *kind, const TextView *texts, size_t count, Spans *scratch,
                         Error *error)
{
    size_t han = 0, letters = 0, words = 0, characters = 0;
    for (size_t n = 0; n < count; n++) {
        const TextView text = texts[n];
        units_count_han(text.data, text.length, &han, &letters);
        TRY(units_split(scratch, UNITS_WORDS, text.data, text.length, error));
        words += scratch->count;
        TRY(units_split(scratch, UNITS_CHARACTERS, text.data, text.length, error));
        characters += scratch->count;
    }
    bool segmented = characters < CHARACTERS_A_WORD * words;
    *kind = segmented ? UNITS_WORDS : units_default(han, letters);
    return STATUS_OK;
}

Status unit_choice_judge(UnitKind kinds[2], UnitChoice choice, const TextView *const sides[2],
                         size_t count, Error *error)
{
    UnitKind judged[2] = {UNITS_WORDS, UNITS_WORDS};
    FREED_BY(spans_free) Spans scratch = {0};
    for (int s = 0; s < 2; s++) TRY(judge_side(&judged[s], sides[s], count, &scratch, error));
    unit_choice_kinds(kinds, choice, judged[0], judged[1]);
    return STATUS_OK;
}
