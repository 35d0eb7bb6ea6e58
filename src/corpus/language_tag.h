/* Language tags (BCP 47), as far as needed to choose the sides of a translation memory. */
#ifndef REGARD_CORPUS_LANGUAGE_TAG_H
#define REGARD_CORPUS_LANGUAGE_TAG_H

#include <stddef.h>

enum { LANGUAGE_SIZE = 64 }; // bytes of a tag with its NUL; longer tags are cut

typedef enum LanguageMatch { LANGUAGE_OTHER, LANGUAGE_RELATED, LANGUAGE_SAME } LanguageMatch;

/* How well `tag` matches `wanted`. Case does not matter, and `_` equals `-`. Equal tags are SAME.
 * If `wanted` has no region or script, as `en`, every `en-…` is RELATED to it; `en-US` matches only
 * itself. */
LanguageMatch language_match(const char *wanted, const char *tag);

#endif
