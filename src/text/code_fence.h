/* Blocks of code in plain text, as Markdown has them: from a line of ``` or ~~~ to one of at least as
 * many of the same marks, or to the end. */
#pragma once

#include "base/bytes.h"

// Start from {0}.
typedef struct CodeFence {
    char mark; // of the block that is open; 0: none
    size_t length;
} CodeFence;

// Whether the next line is of a block, or one of its two fences.
bool code_fence_has(CodeFence *fence, TextView line);
