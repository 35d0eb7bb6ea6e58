#include "translate/alignment.h"

#include "translate/alignment_join.h"

LinkReading reading_default(void)
{
    return (LinkReading){.from = LINKS_FROM_ATTENTION, .threshold = MIN_STRENGTH};
}

LinkReading reading_of_aligner(const Aligner *aligner)
{
    LinkReading reading = reading_default();
    if (!aligner) return reading;
    reading.from = LINKS_FROM_BOTH;
    reading.threshold = MIN_POSTERIOR;
    reading.aligner = aligner;
    return reading;
}

static SoftSide side(const Subwords *subwords, const Spans *units)
{
    return (SoftSide){.ends = subwords->ends, .subwords = subwords->count, .units = units};
}

/* Weights (target subwords + 1, source subwords + 1) among units of both texts; of NULL every row is
 * zeros. `text` is NULL, or the target's, whose attached marks are then left out. */
static Status among_units(SoftAlignment *soft, const float *weights, const char *text,
                          const Translation *translation, const Rendering *rendering,
                          const Spans *const units[2], Error *error)
{
    SoftSide source = side(&translation->source_subwords, units[0]);
    SoftSide target = side(&rendering->subwords, units[1]);
    target.text = text;
    if (!weights) target.subwords = 0;
    return soft_alignment_set(soft, weights, source, target, error);
}

static Status attention(SoftAlignment *soft, const Translation *translation,
                        const Rendering *rendering, const Spans *const units[2], Error *error)
{
    return among_units(soft, rendering->alpha, NULL, translation, rendering, units, error);
}

// Links from posterior attention, or from attention where there is none.
static Status link_attention(Alignment *alignment, const Translation *translation,
                             const Rendering *rendering, const Spans *const units[2],
                             float threshold, Error *error)
{
    const float *weights = rendering->posterior ? rendering->posterior : rendering->alpha;
    TRY(among_units(&alignment->linked, weights, bytes_text(&rendering->text), translation,
                    rendering, units, error));
    bool strongest = !rendering->posterior;
    return links_from_soft(&alignment->links, &alignment->linked, threshold, strongest, error);
}

// The tokens of what the model has read of a text.
static Status tokens_set(AlignerTokens *tokens, const Bytes *text, const Subwords *subwords,
                         Error *error)
{
    size_t length = subwords->count ? subwords->ends[subwords->count - 1] : 0;
    return aligner_tokens_set(tokens, bytes_text(text), length, error);
}

static Status align_tokens(Alignment *alignment, const Translation *translation,
                           const Rendering *rendering, const LinkReading *reading, Error *error)
{
    AlignerTokens *tokens = alignment->tokens;
    const Spans *const places[2] = {&tokens[0].places, &tokens[1].places};
    TRY(tokens_set(&tokens[0], &translation->source, &translation->source_subwords, error));
    TRY(tokens_set(&tokens[1], &rendering->text, &rendering->subwords, error));
    SoftAlignment *attended = NULL;
    if (reading->from != LINKS_FROM_TABLE) {
        attended = &alignment->token_attention;
        TRY(attention(attended, translation, rendering, places, error));
    }
    return aligner_align(&alignment->token_posteriors, reading->aligner, &tokens[0], &tokens[1],
                         attended, error);
}

Status alignment_of_units(Alignment *alignment, const Translation *translation,
                          const Rendering *rendering, const Spans *const units[2],
                          const LinkReading *reading, Error *error)
{
    float threshold = reading->threshold;
    if (translation->sentence_count)
        return alignment_join(alignment, translation, rendering, units, reading, error);
    links_clear(&alignment->links);
    TRY(attention(&alignment->soft, translation, rendering, units, error));
    if (reading->from == LINKS_FROM_ATTENTION)
        return link_attention(alignment, translation, rendering, units, threshold, error);
    TRY(align_tokens(alignment, translation, rendering, reading, error));
    TRY(aligner_soft_of_units(&alignment->posteriors, &alignment->token_posteriors, ALIGNER_MEAN,
                              alignment->tokens, units, error));
    return links_from_posteriors(&alignment->links, &alignment->posteriors, threshold, error);
}

Status alignment_set(Alignment *alignment, const Translation *translation,
                     const Rendering *rendering, const UnitKind kinds[2],
                     const LinkReading *reading, Error *error)
{
    links_clear(&alignment->links);
    const Bytes *source = &translation->source, *target = &rendering->text;
    TRY(units_split(&alignment->source_units, kinds[0], bytes_text(source), source->length, error));
    TRY(units_split(&alignment->target_units, kinds[1], bytes_text(target), target->length, error));
    const Spans *const units[2] = {&alignment->source_units, &alignment->target_units};
    return alignment_of_units(alignment, translation, rendering, units, reading, error);
}

void alignment_free(Alignment *alignment)
{
    spans_free(&alignment->source_units);
    spans_free(&alignment->target_units);
    soft_alignment_free(&alignment->soft);
    soft_alignment_free(&alignment->posteriors);
    soft_alignment_free(&alignment->token_attention);
    soft_alignment_free(&alignment->linked);
    links_free(&alignment->links);
    for (int s = 0; s < 2; s++) aligner_tokens_free(&alignment->tokens[s]);
    aligner_posteriors_free(&alignment->token_posteriors);
    *alignment = (Alignment){0};
}

// The place of each subword, and of </s> one byte behind the text.
static Status places_set(Spans *places, const Subwords *subwords, Error *error)
{
    uint32_t begin = 0;
    places->count = 0;
    for (size_t i = 0; i < subwords->count; begin = subwords->ends[i++])
        TRY(spans_append(places, (Span){begin, subwords->ends[i]}, error));
    return spans_append(places, (Span){begin, begin + 1}, error);
}

Status alignment_of_subwords(SoftAlignment *posteriors, const Alignment *alignment,
                             const Translation *translation, const Rendering *rendering,
                             Error *error)
{
    FREED_BY(spans_free) Spans sources = {0}, targets = {0};
    const Spans *const units[2] = {&sources, &targets};
    TRY(places_set(&sources, &translation->source_subwords, error));
    TRY(places_set(&targets, &rendering->subwords, error));
    return aligner_soft_of_units(posteriors, &alignment->token_posteriors, ALIGNER_MEAN,
                                 alignment->tokens, units, error);
}

// Whether `links` has one of this target unit that `others` has not.
static bool has_own(const Links *links, const Links *others, uint32_t target)
{
    for (size_t i = 0; i < links->count; i++)
        if (links->items[i].target == target && !links_contain(others, links->items[i]))
            return true;
    return false;
}

// Sets `only` to the links of `links` in whose place `others` has another source unit.
static Status subtract(Links *only, const Links *links, const Links *others, Error *error)
{
    links_clear(only);
    for (size_t i = 0; i < links->count; i++)
        if (!links_contain(others, links->items[i]) &&
            has_own(others, links, links->items[i].target))
            TRY(links_append(only, links->items[i].source, links->items[i].target, error));
    return STATUS_OK;
}

Status differences_set(Differences *differences, const Translation *translation,
                       const Rendering *rendering, const UnitKind kinds[2], const Aligner *aligner,
                       Error *error)
{
    const LinkReading attention = {LINKS_FROM_ATTENTION, SURE_STRENGTH, NULL, true};
    const LinkReading table = {LINKS_FROM_TABLE, SURE_POSTERIOR, aligner, true};
    const Links *attended = &differences->attention.links, *aligned = &differences->aligner.links;
    TRY(alignment_set(&differences->attention, translation, rendering, kinds, &attention, error));
    TRY(alignment_set(&differences->aligner, translation, rendering, kinds, &table, error));
    TRY(subtract(&differences->only_attention, attended, aligned, error));
    return subtract(&differences->only_aligner, aligned, attended, error);
}

void differences_free(Differences *differences)
{
    links_free(&differences->only_attention);
    links_free(&differences->only_aligner);
    alignment_free(&differences->attention);
    alignment_free(&differences->aligner);
}
