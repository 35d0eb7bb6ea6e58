/* Emoji as people see them (Unicode Technical Standard 51): a picture with what changes it, such as
 * a skin tone or U+FE0F; several joined by U+200D; a flag of two letters or of tags; a keycap. */
#ifndef REGARD_TEXT_EMOJI_H
#define REGARD_TEXT_EMOJI_H

#include <stddef.h>

// Where the emoji that begins at `begin` < `length` ends; `begin` if there is none.
size_t emoji_end(const char *text, size_t length, size_t begin);

#endif
