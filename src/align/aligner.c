#include "align/aligner.h"

/* ε of aligner_align. Of 0.02 … 0.4, and of powers 0.3 … 1.5 of the factor, this and 1 gave
 * the lowest AER on the development sets of docs/notes/alignment.md. */
static const double EVEN = 0.4;

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

static void find_translations(AlignerPosteriors *posteriors, const Aligner *aligner,
                              const AlignerTokens *source, const AlignerTokens *target,
                              double left_out)
{
    size_t sources = posteriors->sources, targets = posteriors->targets;
    for (size_t i = 0; i < sources; i++) {
        TextView x = aligner_tokens_spelling(source, i);
        AlignerQuery query = {.words[0] = posteriors->words[0][i], .left_out = left_out};
        for (size_t j = 0; j < targets; j++) {
            double t[2];
            query.words[1] = posteriors->words[1][j];
            query.alike = text_view_equal(x, aligner_tokens_spelling(target, j));
            aligner_table_translations(t, &aligner->table, &query);
            posteriors->emissions[0][j * sources + i] = t[0];
            posteriors->emissions[1][i * targets + j] = t[1];
        }
    }
}

// Sets words, null and emissions; nothing where a side is empty.
static Status look_up(AlignerPosteriors *posteriors, const Aligner *aligner,
                      const AlignerTokens *source, const AlignerTokens *target, double left_out,
                      Error *error)
{
    TRY(aligner_posteriors_begin(posteriors, source->places.count, target->places.count, error));
    if (!posteriors->sources || !posteriors->targets) return STATUS_OK;
    find_words(posteriors, aligner, 0, source);
    find_words(posteriors, aligner, 1, target);
    find_translations(posteriors, aligner, source, target, left_out);
    return STATUS_OK;
}

// Multiplies the emissions by what attention says of them.
static void attend(AlignerPosteriors *posteriors, const SoftAlignment *attention)
{
    size_t sources = posteriors->sources, targets = posteriors->targets;
    for (size_t j = 0; j < targets; j++) {
        const float *row = attention->weights + j * sources;
        float sum = 0;
        for (size_t i = 0; i < sources; i++) sum += row[i];
        for (size_t i = 0; i < sources && sum > 0; i++) {
            double factor = ((double)row[i] * (double)sources + EVEN) / (1 + EVEN);
            posteriors->emissions[0][j * sources + i] *= factor;
            posteriors->emissions[1][i * targets + j] *= factor;
        }
    }
}

Status aligner_align(AlignerPosteriors *posteriors, const Aligner *aligner,
                     const AlignerTokens *source, const AlignerTokens *target,
                     const SoftAlignment *attention, Error *error)
{
    TRY(look_up(posteriors, aligner, source, target, 0, error));
    if (!posteriors->sources || !posteriors->targets) return STATUS_OK;
    if (attention) attend(posteriors, attention);
    return aligner_posteriors_end(posteriors, aligner->jumps, true, error);
}

Status aligner_score(double *score, AlignerPosteriors *posteriors, const Aligner *aligner,
                     const AlignerTokens *source, const AlignerTokens *target, Error *error)
{
    TRY(look_up(posteriors, aligner, source, target, 1, error));
    const size_t counts[2] = {posteriors->sources, posteriors->targets};
    *score = 0;
    if (!counts[0] || !counts[1]) return STATUS_OK;
    for (int d = 0; d < 2; d++) {
        double null = aligner->jumps[d].null, state = (1 - null) / (double)counts[d];
        for (size_t j = 0; j < counts[1 - d]; j++) {
            double sum = 0;
            for (size_t i = 0; i < counts[d]; i++)
                sum += posteriors->emissions[d][j * counts[d] + i];
            *score += log(null + state * sum / posteriors->null[d][j]);
        }
    }
    *score /= (double)(counts[0] + counts[1]);
    return STATUS_OK;
}

void aligner_free(Aligner *aligner)
{
    for (int s = 0; s < 2; s++) aligner_vocabulary_free(&aligner->vocabularies[s]);
    aligner_table_free(&aligner->table);
    *aligner = (Aligner){0};
}
