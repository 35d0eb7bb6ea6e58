#include "translate/kept_spans.h"

#include "translate/unknown_words.h"

Status kept_spans_find(Spans *spans, const NormalView *given, const Vocabulary *vocabulary,
                       const Language *language, const Glossary *glossary, Error *error)
{
    TextView text = given->text;
    for (size_t i = 0; i < given->span_count; i++) TRY(spans_add(spans, given->spans[i], error));
    if (!vocabulary) return STATUS_OK;
    TRY(unknown_words_add(spans, text.data, text.length, language, vocabulary, error));
    if (!glossary) return STATUS_OK;
    return glossary_spare_terms(glossary, spans, text, given->spans, given->span_count, error);
}
