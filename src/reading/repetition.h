/* Words that a text says twice in a row, as models with little to say do: "at home at home",
 * 什么时候什么时候. */
#pragma once

#include "base/bytes.h"
#include "search/hypotheses.h"
#include "text/vocabulary.h"

/* Sets *repeats to whether the same words, or characters of Han, stand twice in a row with nothing
 * but spaces between: at least 5 letters or 2 characters, since "nous nous", "had had" and 爸爸 are
 * right, and at most 12 words or characters. In linear time. */
Status repetition_find(bool *repeats, const char *text, size_t length, Error *error);

/* Leaves out the hypotheses before the first, best first, that does not repeat itself. None if all
 * do, or the source does. */
Status repetition_leave_out(Hypotheses *hypotheses, TextView source, const Vocabulary *vocabulary,
                            Error *error);
