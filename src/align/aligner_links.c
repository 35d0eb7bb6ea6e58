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

static void raise(SoftAlignment *soft, UnitSpan from, UnitSpan to, float p)
{
    for (size_t t = to.first; t < (size_t)to.first + to.count; t++)
        for (size_t s = from.first; s < (size_t)from.first + from.count; s++) {
            float *weight = &soft->weights[t * soft->sources + s];
            if (p > *weight) *weight = p;
        }
}

Status aligner_unit_soft(SoftAlignment *soft, const AlignerPosteriors *posteriors,
                         const AlignerText *texts, Error *error)
{
    TRY(soft_alignment_clear(soft, texts[1].units.count, texts[0].units.count, error));
    for (size_t i = 0; i < posteriors->sources; i++)
        for (size_t j = 0; j < posteriors->targets; j++)
            raise(soft, texts[0].spans[i], texts[1].spans[j],
                  (float)aligner_posteriors_read(posteriors, i, j, ALIGNER_MEAN));
    return STATUS_OK;
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
