// What the step of variants can read.
#pragma once

#include "reading/reading.h"

// Whether a text has a character that the vocabulary lacks and that has no variant.
bool variants_lack(const ReadingContext *context, TextView text);
