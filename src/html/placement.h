/* A translation with the inline elements of its source in place (html/labels.h says
 * which words each is around): HTML, well-formed, whose text is the translation.
 *
 * An element whose words are gone is, too, where it may be (labels.h). An object, or an element that
 * must not go, stands at the beginning or end of the
 * element it is in if it did so in the source; else behind the words that the token before it is
 * linked with, or before those of the next one; never within an element it was not in. White space
 * is that of the translation; at an object it is on the sides where it was in the source. */
#pragma once

#include "html/labels.h"

// `target` is the text of pair->target.
void inline_placement_write(Writer *out, const MarkedPair *pair, const InlineLabels *labels,
                            TextView target);
