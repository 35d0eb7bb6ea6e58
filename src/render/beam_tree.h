/* What a search tried (search/hypotheses.h, BeamTree): its hypotheses, and those that were beaten, as
 * JSON or as a drawing. */
#pragma once

#include "render/pictures.h"
#include "search/hypotheses.h"
#include "text/vocabulary.h"

#include <jansson.h>

typedef struct BeamTreeView {
    const BeamTree *tree;
    const Vocabulary *vocabulary; // of the target
} BeamTreeView;

// Its nodes, a list that docs/formats.md describes; a new reference.
json_t *beam_tree_json(const BeamTreeView *view);

/* Adds a drawing: steps from left to right, the likeliest hypothesis of a step on top, those that
 * were found strong, and faint what was beaten. Pointing at a subword shows its numbers. */
Status beam_tree_svg_add(Svg *svg, const BeamTreeView *view, Error *error);
