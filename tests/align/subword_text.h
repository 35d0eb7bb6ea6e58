// A text cut into subwords and into units, as the alignments of units read it.
#pragma once

#include "align/soft_alignment.h"

#include "support/suite.h"

#include <string.h>

// A text with its units and the ends of its subwords, for a SoftSide.
typedef struct Text {
    const char *text;
    UnitKind kind;
    uint32_t ends[16];
    size_t subwords;
    Spans units;
} Text;

static SoftSide side(Text *text)
{
    assert_ok(units_split(&text->units, text->kind, text->text, strlen(text->text), NULL));
    return (SoftSide){.ends = text->ends, .subwords = text->subwords, .units = &text->units};
}
