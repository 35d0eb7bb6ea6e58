/* Language tags (BCP 47) as far as choosing one side of a translation memory needs them. */
#ifndef REGARD_CORPUS_LANGUAGE_TAG_H
#define REGARD_CORPUS_LANGUAGE_TAG_H

#include <stddef.h>

enum { LANGUAGE_SIZE = 64 }; // of a tag with its NUL; longer ones are cut

typedef enum LanguageMatch { LANGUAGE_OTHER, LANGUAGE_RELATED, LANGUAGE_SAME } LanguageMatch;

/* How well `tag` answers to `wanted`. Case does not matter, and `_` is as good as `-`. The same tag
 * is SAME. A wanted tag without a region or script, `en`, has every `en-…` RELATED to it; a wanted
 * `en-US` only itself. */
LanguageMatch language_match(const char *wanted, const char *tag);

#endif
