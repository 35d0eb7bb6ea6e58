#include "translate/subword_labels.h"

#include "reading/placeholders.h"

#define SPELT_SPACE "▁" // U+2581, as in text/vocabulary.h

// Whether a subword has a placeholder, in whose place the text has something else.
static bool has_placeholder(const char *spelling)
{
    for (size_t at = 0, length = strlen(spelling); at < length;)
        if (placeholder_next(spelling, length, &at) < MAX_PLACEHOLDERS) return true;
    return false;
}

// Appends the text that a subword stands for, as subwords are spelt.
static Status spell_text(Bytes *spellings, const char *spelling, TextView text, Error *error)
{
    bool spaced = text.data[0] == ' ';
    if (!spaced && !strncmp(spelling, SPELT_SPACE, strlen(SPELT_SPACE)))
        TRY(bytes_append_string(spellings, SPELT_SPACE, error));
    for (size_t i = 0; i < text.length; i++) {
        bool space = text.data[i] == ' ';
        TRY(bytes_append(spellings, space ? SPELT_SPACE : &text.data[i],
                         space ? strlen(SPELT_SPACE) : 1, error));
    }
    return STATUS_OK;
}

static Status spell(SubwordLabels *labels, int side, const Vocabulary *vocabulary,
                    const Bytes *text, const Subwords *subwords, Error *error)
{
    Bytes *spellings = &labels->spellings[side];
    bytes_clear(spellings);
    labels->subwords[side].count = 0;
    for (size_t i = 0; i <= subwords->count; i++) {
        bool ends = i == subwords->count;
        const char *spelling = vocabulary_spelling(vocabulary, ends ? TOKEN_EOS : subwords->ids[i]);
        size_t begin = spellings->length, from = subwords_begin(subwords, i);
        const TextView part = {bytes_text(text) + from, ends ? 0 : subwords->ends[i] - from};
        if (part.length > 0 && has_placeholder(spelling))
            TRY(spell_text(spellings, spelling, part, error));
        else
            TRY(bytes_append_string(spellings, spelling, error));
        TRY(spans_append(&labels->subwords[side], (Span){begin, spellings->length}, error));
    }
    return STATUS_OK;
}

Status subword_labels_set(SubwordLabels *labels, const Translator *translator,
                          const Translation *translation, const Rendering *rendering, Error *error)
{
    TRY(spell(labels, 0, translator->source_vocabulary, &translation->source,
              &translation->source_subwords, error));
    return spell(labels, 1, translator->target_vocabulary, &rendering->text, &rendering->subwords,
                 error);
}

Status subword_labels_set_likeliest(SubwordLabels *labels, const Translator *translator,
                                    const Explanation *explanation, Error *error)
{
    Bytes *spellings = &labels->spellings[LABELS_LIKELIEST];
    Spans *places = &labels->subwords[LABELS_LIKELIEST];
    bytes_clear(spellings);
    places->count = 0;
    for (size_t i = 0; i < explanation->likeliest_count; i++) {
        size_t begin = spellings->length;
        const char *spelling =
            vocabulary_spelling(translator->target_vocabulary, explanation->likeliest[i].token);
        TRY(bytes_append_string(spellings, spelling, error));
        TRY(spans_append(places, (Span){begin, spellings->length}, error));
    }
    return STATUS_OK;
}

Labels subword_labels(const SubwordLabels *labels, int list)
{
    return (Labels){bytes_text(&labels->spellings[list]), &labels->subwords[list]};
}

void subword_labels_free(SubwordLabels *labels)
{
    for (int list = 0; list < LABEL_LISTS; list++) {
        bytes_free(&labels->spellings[list]);
        spans_free(&labels->subwords[list]);
    }
}
