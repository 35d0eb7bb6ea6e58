#include "cli/piece_labels.h"

#include "base/special_tokens.h"

static Status spell(PieceLabels *labels, int side, const Vocabulary *vocabulary,
                    const Pieces *pieces, Error *error)
{
    Bytes *spellings = &labels->spellings[side];
    Status status = STATUS_OK;
    bytes_clear(spellings);
    units_clear(&labels->pieces[side]);
    for (size_t i = 0; i <= pieces->count && !status; i++) {
        int32_t id = i < pieces->count ? pieces->ids[i] : TOKEN_EOS;
        size_t begin = spellings->length;
        status = bytes_append_string(spellings, vocabulary_spelling(vocabulary, id), error);
        if (!status) status = units_append(&labels->pieces[side], begin, spellings->length, error);
    }
    return status;
}

Status piece_labels_set(PieceLabels *labels, const Translator *translator, const Pieces *source,
                        const Pieces *target, Error *error)
{
    Status status = spell(labels, 0, translator->source_vocabulary, source, error);
    return status ? status : spell(labels, 1, translator->target_vocabulary, target, error);
}

Labels piece_labels(const PieceLabels *labels, int side)
{
    return (Labels){labels->spellings[side].data, &labels->pieces[side]};
}

void piece_labels_free(PieceLabels *labels)
{
    for (int side = 0; side < 2; side++) {
        bytes_free(&labels->spellings[side]);
        units_free(&labels->pieces[side]);
    }
}
