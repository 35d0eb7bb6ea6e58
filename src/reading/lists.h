/* Lists: three spans or more that stay as they are, with nothing but commas or joining words between
 * them. A list is read as one span, so that its items keep their order; what separates them is
 * translated:
 *
 *     862, 425 and 379      862, 425 et 379      862、425和379 */
#pragma once

#include "reading/reading.h"

/* Replaces `joined` by the spans of a text, of which each list is one. On STATUS_MEMORY, the only
 * failure, there are none. `languages`: of the text and its translation; NULL: not known. */
Status lists_join(Spans *joined, const Spans *spans, TextView text,
                  const Language *const languages[2], Error *error);

// Appends a span of what lists_join has made of reading->spans, as a translation has it: a list, or
// a number of reading/magnitude.h or reading/numeral.h unless it was given to stay.
Status lists_translate(Bytes *out, Span span, const Reading *reading, Error *error);
