// The spans of a source that stay as they are in its translation.
#ifndef REGARD_TRANSLATE_KEPT_SPANS_H
#define REGARD_TRANSLATE_KEPT_SPANS_H

#include "language/language.h"
#include "translate/glossary.h"
#include "translate/normal_text.h"

/* Sets `spans`, which are {0}, to those given and, unless `vocabulary` is NULL, the words of that
 * language that it does not know and that are no terms of the glossary, which may be NULL. To be
 * freed by spans_free, even after a failure. */
Status kept_spans_find(Spans *spans, const NormalView *given, const Vocabulary *vocabulary,
                       const Language *language, const Glossary *glossary, Error *error);

#endif
