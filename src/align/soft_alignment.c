#include "align/soft_alignment.h"

#include "base/array.h"
#include "text/utf8.h"

#include <math.h>

// Whether a part of a text is marks alone, neither letters nor numbers, perhaps behind white space.
// Pieces of a character are none.
static bool is_mark(const char *text, Span part)
{
    bool marks = false;
    for (size_t at = part.begin; at < part.end;) {
        uint32_t character = utf8_next(text, part.end, &at);
        if (character == UTF8_REPLACEMENT || utf8_is_word(character)) return false;
        marks |= !utf8_is_space(character);
    }
    return marks;
}

// Whether a target subword of these units is a mark that is attached to a word, to be left out.
static bool is_left_out(const SoftSide *side, size_t subword, Span units)
{
    if (!side->text || !is_mark(side->text, soft_side_subword(side, subword))) return false;
    for (size_t i = units.begin; i < units.end; i++)
        if (!is_mark(side->text, side->units->items[i])) return true;
    return false;
}

// row_s += Σ alpha_j / (units of subword j), over the subwords j of source unit s; </s> has no unit
// and is left out.
static void add_row(float *row, const float *alpha, const SoftSide *source)
{
    size_t first = 0;
    for (size_t subword = 0; subword < source->subwords; subword++) {
        const Span units = soft_side_units(source, subword, &first);
        for (size_t s = units.begin; s < units.end; s++)
            row[s] += alpha[subword] / (float)(units.end - units.begin);
    }
}

static void normalise_row(float *row, size_t sources)
{
    float mass = 0;
    for (size_t s = 0; s < sources; s++) mass += row[s];
    bool valid = mass >= MIN_SOFT_MASS && isfinite(mass); // false for NaN
    for (size_t s = 0; s < sources; s++) row[s] = valid ? row[s] / mass : 0;
}

Status soft_alignment_clear(SoftAlignment *soft, size_t targets, size_t sources, Error *error)
{
    soft->targets = soft->sources = 0;
    size_t count;
    if (__builtin_mul_overflow(targets, sources, &count))
        return error_memory(error, SIZE_MAX, "a soft alignment");
    TRY(array_reserve(&soft->weights, &soft->capacity, count, "a soft alignment", error));
    soft->targets = targets;
    soft->sources = sources;
    if (count) memset(soft->weights, 0, count * sizeof *soft->weights);
    return STATUS_OK;
}

Status soft_alignment_set(SoftAlignment *soft, const float *alpha, SoftSide source, SoftSide target,
                          Error *error)
{
    size_t sources = source.units->count;
    TRY(soft_alignment_clear(soft, target.units->count, sources, error));

    size_t first = 0;
    for (size_t subword = 0; subword < target.subwords; subword++) {
        const float *row = alpha + subword * (source.subwords + 1);
        const Span units = soft_side_units(&target, subword, &first);
        if (is_left_out(&target, subword, units)) continue;
        for (size_t t = units.begin; t < units.end; t++)
            add_row(soft->weights + t * sources, row, &source);
    }
    for (size_t t = 0; t < soft->targets; t++) normalise_row(soft->weights + t * sources, sources);
    return STATUS_OK;
}

void soft_alignment_free(SoftAlignment *soft)
{
    memory_free(soft->weights);
    *soft = (SoftAlignment){0};
}
