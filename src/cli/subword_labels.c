#include "cli/subword_labels.h"

#include "text/special_tokens.h"

static Status spell(SubwordLabels *labels, int side, const Vocabulary *vocabulary,
                    const Subwords *subwords, Error *error)
{
    Bytes *spellings = &labels->spellings[side];
    Status status = STATUS_OK;
    bytes_clear(spellings);
    units_clear(&labels->subwords[side]);
    for (size_t i = 0; i <= subwords->count && !status; i++) {
        int32_t id = i < subwords->count ? subwords->ids[i] : TOKEN_EOS;
        size_t begin = spellings->length;
        status = bytes_append_string(spellings, vocabulary_spelling(vocabulary, id), error);
        if (!status)
            status = units_append(&labels->subwords[side], begin, spellings->length, error);
    }
    return status;
}

Status subword_labels_set(SubwordLabels *labels, const Translator *translator,
                          const Subwords *source, const Subwords *target, Error *error)
{
    Status status = spell(labels, 0, translator->source_vocabulary, source, error);
    return status ? status : spell(labels, 1, translator->target_vocabulary, target, error);
}

Labels subword_labels(const SubwordLabels *labels, int side)
{
    return (Labels){labels->spellings[side].data, &labels->subwords[side]};
}

void subword_labels_free(SubwordLabels *labels)
{
    for (int side = 0; side < 2; side++) {
        bytes_free(&labels->spellings[side]);
        units_free(&labels->subwords[side]);
    }
}
