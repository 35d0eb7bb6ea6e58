#include "api/alignment.h"

static Status split(Units *units, UnitKind kind, const Bytes *text, Error *error)
{
    return units_split(units, kind, text->data ? text->data : "", text->length, error);
}

Status alignment_set(Alignment *alignment, const Translation *translation,
                     const Rendering *rendering, UnitKind source_units, UnitKind target_units,
                     int shift, Error *error)
{
    links_clear(&alignment->links);
    Status status = split(&alignment->source_units, source_units, &translation->source, error);
    if (!status) status = split(&alignment->target_units, target_units, &rendering->text, error);
    if (status) return status;
    SoftSide source = {.ends = translation->source_pieces.ends,
                       .pieces = translation->source_pieces.count,
                       .units = &alignment->source_units};
    // without attention no piece is looked at, so that every row is zeros
    SoftSide target = {.ends = rendering->pieces.ends,
                       .pieces = rendering->alpha ? rendering->pieces.count : 0,
                       .units = &alignment->target_units};
    status = soft_alignment_set(&alignment->soft, rendering->alpha, source, target, shift, error);
    if (!status) status = links_from_best(&alignment->links, &alignment->soft, error);
    return status;
}

void alignment_free(Alignment *alignment)
{
    units_free(&alignment->source_units);
    units_free(&alignment->target_units);
    soft_alignment_free(&alignment->soft);
    links_free(&alignment->links);
    *alignment = (Alignment){0};
}
