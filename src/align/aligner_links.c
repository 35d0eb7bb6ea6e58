#include "align/aligner_links.h"

#include "base/array.h"
#include "base/memory.h"

#include <math.h>

Status aligner_text_set(AlignerText *out, UnitKind kind, const char *text, size_t length,
                        Error *error)
{
    TRY(aligner_tokens_set(&out->tokens, text, length, error));
    TRY(units_split(&out->units, kind, text, length, error));
    const Units *places = &out->tokens.places;
    TRY(array_reserve(&out->spans, &out->capacity, places->count, "tokens", error));
    size_t first = 0;
    for (size_t i = 0; i < places->count; i++) {
        size_t count = units_of_subword(&out->units, places->begins[i], places->ends[i], &first);
        out->spans[i] = (UnitSpan){(uint32_t)first, (uint32_t)count};
    }
    return STATUS_OK;
}

void aligner_text_free(AlignerText *text)
{
    aligner_tokens_free(&text->tokens);
    units_free(&text->units);
    memory_free(text->spans);
    *text = (AlignerText){0};
}

static Status link_tokens(Links *links, const AlignerText *source, size_t i,
                          const AlignerText *target, size_t j, Error *error)
{
    UnitSpan from = source->spans[i], to = target->spans[j];
    for (size_t s = 0; s < from.count; s++)
        for (size_t t = 0; t < to.count; t++) {
            TRY(links_append(links, from.first + s, to.first + t, error));
        }
    return STATUS_OK;
}

double aligner_posteriors_read(const AlignerPosteriors *posteriors, size_t i, size_t j,
                               AlignerReading reading)
{
    double p = posteriors->forward[j * posteriors->sources + i];
    double r = posteriors->reverse[i * posteriors->targets + j];
    if (reading == ALIGNER_MEAN) return (p + r) / 2;
    return fmax(reading == ALIGNER_FORWARD ? p : r, aligner_posteriors_link(posteriors, i, j));
}

Status aligner_links(Links *links, const AlignerPosteriors *posteriors, const AlignerText *texts,
                     AlignerReading reading, double threshold, Error *error)
{
    const AlignerText *source = &texts[0], *target = &texts[1];
    links_clear(links);
    for (size_t i = 0; i < posteriors->sources; i++)
        for (size_t j = 0; j < posteriors->targets; j++)
            if (aligner_posteriors_read(posteriors, i, j, reading) >= threshold)
                TRY(link_tokens(links, source, i, target, j, error));
    links_sort(links);
    return STATUS_OK;
}

Status aligner_soft(SoftAlignment *soft, const AlignerPosteriors *posteriors, Error *error)
{
    size_t sources = posteriors->sources, targets = posteriors->targets;
    TRY(soft_alignment_clear(soft, targets, sources, error));
    for (size_t j = 0; j < targets; j++)
        for (size_t i = 0; i < sources; i++)
            soft->weights[j * sources + i] =
                (float)aligner_posteriors_read(posteriors, i, j, ALIGNER_MEAN);
    return STATUS_OK;
}

static void raise(SoftAlignment *soft, float weight, const size_t first[2], const size_t count[2])
{
    for (size_t t = first[1]; t < first[1] + count[1]; t++)
        for (size_t s = first[0]; s < first[0] + count[0]; s++) {
            float *cell = &soft->weights[t * soft->sources + s];
            if (weight > *cell) *cell = weight;
        }
}

Status aligner_soft_of_units(SoftAlignment *soft, const AlignerPosteriors *posteriors,
                             const Units *const tokens[2], const Units *const units[2],
                             Error *error)
{
    size_t first[2] = {0, 0}, count[2];
    TRY(soft_alignment_clear(soft, units[1]->count, units[0]->count, error));
    for (size_t j = 0; j < posteriors->targets; j++) {
        count[1] = units_of_subword(units[1], tokens[1]->begins[j], tokens[1]->ends[j], &first[1]);
        first[0] = 0;
        for (size_t i = 0; i < posteriors->sources; i++) {
            double weight = aligner_posteriors_read(posteriors, i, j, ALIGNER_MEAN);
            count[0] =
                units_of_subword(units[0], tokens[0]->begins[i], tokens[0]->ends[i], &first[0]);
            raise(soft, (float)weight, first, count);
        }
    }
    return STATUS_OK;
}

Status aligner_unit_soft(SoftAlignment *soft, const AlignerPosteriors *posteriors,
                         const AlignerText *texts, Error *error)
{
    const Units *const tokens[2] = {&texts[0].tokens.places, &texts[1].tokens.places};
    const Units *const units[2] = {&texts[0].units, &texts[1].units};
    return aligner_soft_of_units(soft, posteriors, tokens, units, error);
}
