#include "translate/alignment.h"

Status alignment_of_units(Alignment *alignment, const Translation *translation,
                          const Rendering *rendering, const Units *const units[2], Linking linking,
                          Error *error)
{
    links_clear(&alignment->links);
    SoftSide source_side = {.ends = translation->source_subwords.ends,
                            .subwords = translation->source_subwords.count,
                            .units = units[0]};
    // without attention there are no subwords to look at, so every row is zeros
    SoftSide target_side = {.ends = rendering->subwords.ends,
                            .subwords = rendering->alpha ? rendering->subwords.count : 0,
                            .units = units[1]};
    TRY(soft_alignment_set(&alignment->soft, rendering->alpha, source_side, target_side,
                           linking.shift, error));
    return links_from_soft(&alignment->links, &alignment->soft, linking.threshold, error);
}

Status alignment_set(Alignment *alignment, const Translation *translation,
                     const Rendering *rendering, const UnitKind kinds[2], Linking linking,
                     Error *error)
{
    links_clear(&alignment->links);
    const Bytes *source = &translation->source, *target = &rendering->text;
    TRY(units_split(&alignment->source_units, kinds[0], bytes_text(source), source->length, error));
    TRY(units_split(&alignment->target_units, kinds[1], bytes_text(target), target->length, error));
    const Units *const units[2] = {&alignment->source_units, &alignment->target_units};
    return alignment_of_units(alignment, translation, rendering, units, linking, error);
}

void alignment_free(Alignment *alignment)
{
    units_free(&alignment->source_units);
    units_free(&alignment->target_units);
    soft_alignment_free(&alignment->soft);
    links_free(&alignment->links);
    *alignment = (Alignment){0};
}
