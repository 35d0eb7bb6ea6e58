#include "align/aligner_soft.h"

// Whether a token is a mark in units, of these numbers, that have a word as well.
static bool is_attached(const AlignerTokens *tokens, size_t token, const Spans *units, Span numbers)
{
    const Spans *places = &tokens->places;
    if (numbers.begin == numbers.end || !aligner_tokens_is_mark(tokens, token)) return false;
    size_t begin = units->items[numbers.begin].begin, end = units->items[numbers.end - 1].end;
    for (size_t k = token; k > 0 && places->items[k - 1].end > begin; k--)
        if (!aligner_tokens_is_mark(tokens, k - 1)) return true;
    for (size_t k = token + 1; k < places->count && places->items[k].begin < end; k++)
        if (!aligner_tokens_is_mark(tokens, k)) return true;
    return false;
}

// Of source token i and target token j.
static double read_posterior(const AlignerPosteriors *posteriors, size_t i, size_t j,
                             AlignerReading reading)
{
    double p = posteriors->forward[j * posteriors->sources + i];
    double r = posteriors->reverse[i * posteriors->targets + j];
    if (reading == ALIGNER_MEAN) return (p + r) / 2;
    return fmax(reading == ALIGNER_FORWARD ? p : r, aligner_posteriors_link(posteriors, i, j));
}

Status aligner_soft(SoftAlignment *soft, const AlignerPosteriors *posteriors, Error *error)
{
    size_t sources = posteriors->sources, targets = posteriors->targets;
    TRY(soft_alignment_clear(soft, targets, sources, error));
    for (size_t j = 0; j < targets; j++)
        for (size_t i = 0; i < sources; i++)
            soft->weights[j * sources + i] = (float)read_posterior(posteriors, i, j, ALIGNER_MEAN);
    return STATUS_OK;
}

static void raise(SoftAlignment *soft, float weight, Span source, Span target)
{
    for (size_t t = target.begin; t < target.end; t++)
        for (size_t s = source.begin; s < source.end; s++) {
            float *cell = &soft->weights[t * soft->sources + s];
            if (weight > *cell) *cell = weight;
        }
}

Status aligner_soft_of_units(SoftAlignment *soft, const AlignerPosteriors *posteriors,
                             AlignerReading reading, const AlignerTokens tokens[2],
                             const Spans *const units[2], Error *error)
{
    size_t first[2] = {0, 0};
    TRY(soft_alignment_clear(soft, units[1]->count, units[0]->count, error));
    for (size_t j = 0; j < posteriors->targets; j++) {
        const Span target = units_of_subword(units[1], tokens[1].places.items[j], &first[1]);
        bool attached = is_attached(&tokens[1], j, units[1], target);
        first[0] = 0;
        for (size_t i = 0; i < posteriors->sources; i++) {
            const Span source = units_of_subword(units[0], tokens[0].places.items[i], &first[0]);
            if (attached && is_attached(&tokens[0], i, units[0], source)) continue;
            raise(soft, (float)read_posterior(posteriors, i, j, reading), source, target);
        }
    }
    return STATUS_OK;
}
