#include "translate/alignment.h"

#include "base/array.h"

LinkReading reading_of_aligner(const Aligner *aligner)
{
    if (!aligner) return (LinkReading){LINKS_FROM_ATTENTION, MIN_STRENGTH, NULL, false};
    return (LinkReading){LINKS_FROM_BOTH, MIN_POSTERIOR, aligner, false};
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
    size_t length = subwords_begin(subwords, subwords->count);
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
        TRY(among_units(attended, rendering->alpha, NULL, translation, rendering, places, error));
    }
    return aligner_align(&alignment->token_posteriors, reading->aligner, &tokens[0], &tokens[1],
                         attended, error);
}

static Status check_size(size_t rows, size_t columns, Error *error)
{
    if (columns == 0 || rows <= MAX_JOINED_WEIGHTS / columns) return STATUS_OK;
    return error_set(
        error, STATUS_ARGUMENT,
        "a text's alignment would be a matrix of %zu rows and %zu columns; ask for links "
        "alone, or give shorter texts",
        rows, columns);
}

static const Rendering *chosen(const Translation *translation, const Rendering *rendering, size_t i)
{
    return &translation->sentences[i].renderings[rendering->places[i].rendering];
}

/* The units that overlap a part of the text, as units of that part. *first is where the last call
 * began, and becomes the first of them. */
static Status slice(Spans *part, const Spans *units, size_t begin, size_t end, size_t *first,
                    Error *error)
{
    size_t at = *first;
    part->count = 0;
    while (at < units->count && units->items[at].end <= begin) at++;
    *first = at;
    for (; at < units->count && units->items[at].begin < end; at++) {
        size_t from = units->items[at].begin > begin ? units->items[at].begin : begin;
        size_t to = units->items[at].end < end ? units->items[at].end : end;
        TRY(spans_append(part, (Span){from - begin, to - begin}, error));
    }
    return STATUS_OK;
}

// Adds the matrix of a part whose first row and column are given.
static void add_block(SoftAlignment *soft, const SoftAlignment *part, size_t row, size_t column)
{
    for (size_t t = 0; t < part->targets; t++)
        for (size_t s = 0; s < part->sources; s++)
            soft->weights[(row + t) * soft->sources + column + s] +=
                part->weights[t * part->sources + s];
}

// A row that two sentences have added to gets their mean.
static void limit_rows(SoftAlignment *soft)
{
    for (size_t t = 0; t < soft->targets; t++) {
        float *row = soft->weights + t * soft->sources, sum = 0;
        for (size_t s = 0; s < soft->sources; s++) sum += row[s];
        for (size_t s = 0; s < soft->sources && sum > 1.5F; s++) row[s] /= sum;
    }
}

// What joining needs from sentence to sentence.
typedef struct Joining {
    Alignment part;
    Spans slices[2];
    size_t first[2]; // units of the whole
} Joining;

static Status add_sentence(Joining *joining, Alignment *whole, const Translation *translation,
                           const Rendering *rendering, size_t i, const Spans *const units[2],
                           const LinkReading *reading, Error *error)
{
    const Translation *sentence = &translation->sentences[i];
    const Rendering *one = chosen(translation, rendering, i);
    const Spans *const slices[2] = {&joining->slices[0], &joining->slices[1]};
    const size_t begins[2] = {sentence->begin, rendering->places[i].begin};
    const size_t lengths[2] = {sentence->source.length, one->text.length};
    size_t *first = joining->first;
    for (int s = 0; s < 2; s++)
        TRY(slice(&joining->slices[s], units[s], begins[s], begins[s] + lengths[s], &first[s],
                  error));
    TRY(alignment_of_units(&joining->part, sentence, one, slices, reading, error));
    const Links *links = &joining->part.links;
    for (size_t l = 0; l < links->count; l++)
        TRY(links_append(&whole->links, first[0] + links->items[l].source,
                         first[1] + links->items[l].target, error));
    if (reading->links_only) return STATUS_OK;
    add_block(&whole->soft, &joining->part.soft, first[1], first[0]);
    if (reading->from != LINKS_FROM_ATTENTION)
        add_block(&whole->posteriors, &joining->part.posteriors, first[1], first[0]);
    return STATUS_OK;
}

static Status clear_matrices(Alignment *alignment, const Spans *const units[2],
                             const LinkReading *reading, Error *error)
{
    size_t sources = units[0]->count, targets = units[1]->count;
    if (reading->links_only) return STATUS_OK;
    TRY(check_size(targets, sources, error));
    TRY(soft_alignment_clear(&alignment->soft, targets, sources, error));
    if (reading->from == LINKS_FROM_ATTENTION) return STATUS_OK;
    return soft_alignment_clear(&alignment->posteriors, targets, sources, error);
}

static void joining_free(Joining *joining)
{
    alignment_free(&joining->part);
    spans_free(&joining->slices[0]);
    spans_free(&joining->slices[1]);
}

static Status join(Alignment *alignment, const Translation *translation, const Rendering *rendering,
                   const Spans *const units[2], const LinkReading *reading, Error *error)
{
    FREED_BY(joining_free) Joining joining = {0};
    links_clear(&alignment->links);
    TRY(clear_matrices(alignment, units, reading, error));
    for (size_t i = 0; i < translation->sentence_count; i++)
        TRY(add_sentence(&joining, alignment, translation, rendering, i, units, reading, error));
    links_sort(&alignment->links);
    if (!reading->links_only) limit_rows(&alignment->soft);
    return STATUS_OK;
}

Status alignment_of_units(Alignment *alignment, const Translation *translation,
                          const Rendering *rendering, const Spans *const units[2],
                          const LinkReading *reading, Error *error)
{
    float threshold = reading->threshold;
    if (translation->sentence_count)
        return join(alignment, translation, rendering, units, reading, error);
    links_clear(&alignment->links);
    TRY(among_units(&alignment->soft, rendering->alpha, NULL, translation, rendering, units,
                    error));
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

Status alignment_join_subwords(SoftAlignment *posteriors, const Translation *translation,
                               const Rendering *rendering, const UnitKind kinds[2],
                               const LinkReading *reading, Error *error)
{
    size_t rows = rendering->subwords.count + 1, columns = translation->source_subwords.count + 1;
    size_t row = 0, column = 0;
    FREED_BY(alignment_free) Alignment one = {0};
    FREED_BY(soft_alignment_free) SoftAlignment block = {0};
    TRY(check_size(rows, columns, error));
    TRY(soft_alignment_clear(posteriors, rows, columns, error));
    for (size_t i = 0; i < translation->sentence_count; i++) {
        const Translation *sentence = &translation->sentences[i];
        const Rendering *part = chosen(translation, rendering, i);
        TRY(alignment_set(&one, sentence, part, kinds, reading, error));
        TRY(alignment_of_subwords(&block, &one, sentence, part, error));
        // </s> has zeros: where the next sentence follows it adds nothing
        add_block(posteriors, &block, row, column);
        row += part->subwords.count;
        column += sentence->source_subwords.count;
    }
    return STATUS_OK;
}

// Where a sentence's matrices stand among those of the whole, which have `columns`.
typedef struct MatrixPlace {
    size_t row, column, columns;
} MatrixPlace;

static void place_attention(float *alpha, MatrixPlace block, const Translation *sentence,
                            const Rendering *rendering, size_t matrix, bool last)
{
    size_t sources = sentence->source_subwords.count, targets = rendering->subwords.count;
    const float *from = rendering->alpha + matrix * (targets + 1) * (sources + 1);
    for (size_t t = 0; t < targets + last; t++) {
        float *to = alpha + (block.row + t) * block.columns;
        for (size_t s = 0; s < sources; s++) to[block.column + s] = from[t * (sources + 1) + s];
        to[block.columns - 1] = from[t * (sources + 1) + sources];
    }
}

Status attention_join(float **alpha, const Translation *translation, const Rendering *rendering,
                      size_t matrices, Error *error)
{
    MatrixPlace block = {.columns = translation->source_subwords.count + 1};
    size_t rows = rendering->subwords.count + 1, size = rows * block.columns;
    TRY(check_size(matrices * rows, block.columns, error));
    TRY(array_new(alpha, matrices * size, "an alignment", error));
    for (size_t i = 0; i < translation->sentence_count; i++) {
        const Translation *sentence = &translation->sentences[i];
        const Rendering *one = chosen(translation, rendering, i);
        bool last = i + 1 == translation->sentence_count;
        for (size_t matrix = 0; matrix < matrices && one->alpha; matrix++)
            place_attention(*alpha + matrix * size, block, sentence, one, matrix, last);
        block.row += one->subwords.count;
        block.column += sentence->source_subwords.count;
    }
    return STATUS_OK;
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
