/* The alignment of a text that was split into sentences (reading/paragraph.h): each sentence is
 * aligned by itself, and nothing is aligned across. */
#pragma once

#include "translate/alignment.h"

/* Does for such a text what alignment_of_units says. A unit of two sentences, as a word of Chinese
 * text may be, has the links of both, and the mean of their attention. */
Status alignment_join(Alignment *alignment, const Translation *translation,
                      const Rendering *rendering, const Spans *const units[2],
                      const LinkReading *reading, Error *error);

/* What alignment_of_subwords says, for such a text. */
Status alignment_join_subwords(SoftAlignment *posteriors, const Translation *translation,
                               const Rendering *rendering, const UnitKind kinds[2],
                               const LinkReading *reading, Error *error);

/* The attention of such a rendering as Rendering.alpha has it: *alpha (matrices, subwords + 1,
 * source subwords + 1), freed by memory_free; attention to a sentence's </s> goes to that of the
 * whole, and the last sentence's </s> is the whole's. Zeros where a sentence has none. */
Status attention_join(float **alpha, const Translation *translation, const Rendering *rendering,
                      size_t matrices, Error *error);
