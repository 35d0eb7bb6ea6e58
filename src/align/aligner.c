#include "align/aligner.h"

#include "base/array.h"
#include "base/memory.h"

#include <string.h>

static bool alike(TextView left, TextView right)
{
    return left.length == right.length && !memcmp(left.data, right.data, left.length);
}

static void look_up(AlignerPosteriors *posteriors, const Aligner *aligner,
                    const AlignerTokens *source, const AlignerTokens *target)
{
    size_t sources = posteriors->sources, targets = posteriors->targets;
    for (size_t i = 0; i < sources; i++) {
        TextView x = aligner_tokens_spelling(source, i);
        AlignerWord from = posteriors->words[0][i];
        for (size_t j = 0; j < targets; j++) {
            double t[2];
            aligner_table_translations(t, &aligner->table, from, posteriors->words[1][j],
                                       alike(x, aligner_tokens_spelling(target, j)));
            posteriors->emissions[0][j * sources + i] = t[0];
            posteriors->emissions[1][i * targets + j] = t[1];
        }
    }
}

static void find_words(AlignerPosteriors *posteriors, const Aligner *aligner, int side,
                       const AlignerTokens *tokens)
{
    const AlignerVocabulary *vocabulary = &aligner->vocabularies[side];
    for (size_t i = 0; i < tokens->places.count; i++) {
        AlignerWord word = aligner_vocabulary_find(vocabulary, aligner_tokens_spelling(tokens, i));
        posteriors->words[side][i] = word;
        posteriors->null[1 - side][i] = aligner_table_null(&aligner->table, vocabulary, side, word);
    }
}

Status aligner_align(AlignerPosteriors *posteriors, const Aligner *aligner,
                     const AlignerTokens *source, const AlignerTokens *target, Error *error)
{
    TRY(aligner_posteriors_begin(posteriors, source->places.count, target->places.count, error));
    if (!posteriors->sources || !posteriors->targets) return STATUS_OK;
    find_words(posteriors, aligner, 0, source);
    find_words(posteriors, aligner, 1, target);
    look_up(posteriors, aligner, source, target);
    return aligner_posteriors_end(posteriors, aligner->jumps, true, error);
}

void aligner_free(Aligner *aligner)
{
    for (int s = 0; s < 2; s++) aligner_vocabulary_free(&aligner->vocabularies[s]);
    aligner_table_free(&aligner->table);
    *aligner = (Aligner){0};
}
