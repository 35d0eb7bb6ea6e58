#include "api/result.h"

#include "base/arena.h"
#include "base/memory.h"

#include <string.h>

// A rendering as the caller sees it; `alignment` points into `memory`.
typedef struct Shown {
    RegardTranslation translation;
    RegardAlignment alignment;
    Arena memory;
} Shown;

typedef struct ShownSource {
    RegardSource source;
    Shown *translations; // (source.translation_count)
} ShownSource;

struct RegardResult {
    size_t count;
    Translation *translations; // (count)
    ShownSource *shown;        // (count)
};

Status result_new(RegardResult **out, size_t count, Error *error)
{
    RegardResult *result = memory_new(1, sizeof *result);
    if (!result) return error_memory(error, sizeof *result, "a result");
    result->translations = memory_new(count, sizeof *result->translations);
    result->shown = memory_new(count, sizeof *result->shown);
    if (!result->translations || !result->shown) {
        memory_free(result->translations);
        memory_free(result->shown);
        memory_free(result);
        return error_set(error, STATUS_MEMORY,
                         "out of memory: a result of %zu texts; pass fewer at once", count);
    }
    result->count = count;
    *out = result;
    return STATUS_OK;
}

Translation *result_translations(RegardResult *result)
{
    return result->translations;
}

static RegardText text_of(const Bytes *bytes)
{
    return (RegardText){bytes->data ? bytes->data : "", bytes->length};
}

/* The texts of a side's units, each NUL-terminated; only measured if the arena measures. */
static RegardText *unit_texts(Arena *arena, const Bytes *text, const Units *units)
{
    size_t bytes = 0;
    for (size_t i = 0; i < units->count; i++) bytes += units->ends[i] - units->begins[i] + 1;
    RegardText *texts = arena_take(arena, units->count, sizeof *texts);
    char *place = arena_take(arena, bytes, 1);
    for (size_t i = 0; i < units->count && !arena->measuring; i++) {
        size_t length = units->ends[i] - units->begins[i];
        memcpy(place, text->data + units->begins[i], length);
        place[length] = '\0';
        texts[i] = (RegardText){place, length};
        place += length + 1;
    }
    return texts;
}

/* Run twice, as base/arena.h says. Without attention every weight is 0. */
static void lay_out(RegardAlignment *view, Arena *arena, const Alignment *alignment,
                    const Bytes *source, const Rendering *rendering)
{
    size_t sources = alignment->source_units.count, targets = alignment->target_units.count;
    size_t link_count = alignment->links.count;
    float *weights = arena_take(arena, sources * targets, sizeof *weights);
    RegardLink *links = arena_take(arena, link_count, sizeof *links);
    *view =
        (RegardAlignment){.sources = unit_texts(arena, source, &alignment->source_units),
                          .targets = unit_texts(arena, &rendering->text, &alignment->target_units),
                          .source_count = sources,
                          .target_count = targets,
                          .weights = weights,
                          .links = links,
                          .link_count = link_count};
    if (arena->measuring) return;
    for (size_t i = 0; i < sources * targets; i++)
        weights[i] = rendering->alpha ? alignment->soft.weights[i] : 0;
    for (size_t i = 0; i < link_count; i++)
        links[i] = (RegardLink){alignment->links.items[i].source, alignment->links.items[i].target};
}

static Status show_alignment(Shown *shown, Alignment *scratch, const Translation *translation,
                             const Rendering *rendering, const ResultForm *form, Error *error)
{
    Status status =
        alignment_set(scratch, translation, rendering, form->units, linking_default(), error);
    if (status) return status;
    Arena measure = arena_measuring();
    lay_out(&shown->alignment, &measure, scratch, &translation->source, rendering);
    status = arena_reserve(&shown->memory, measure.high, error);
    if (status) return status;
    lay_out(&shown->alignment, &shown->memory, scratch, &translation->source, rendering);
    shown->translation.alignment = &shown->alignment;
    return STATUS_OK;
}

static Status show_source(ShownSource *shown, Alignment *scratch, const Translation *translation,
                          const ResultForm *form, Error *error)
{
    size_t count = translation->count;
    shown->translations = memory_new(count, sizeof *shown->translations);
    if (!shown->translations)
        return error_memory(error, count * sizeof *shown->translations, "a result");
    shown->source = (RegardSource){.text = text_of(&translation->source),
                                   .translation_count = count,
                                   .invalid = translation->invalid,
                                   .cut = translation->cut};
    Status status = STATUS_OK;
    for (size_t rank = 0; rank < count && !status; rank++) {
        const Rendering *rendering = &translation->renderings[rank];
        Shown *one = &shown->translations[rank];
        one->translation = (RegardTranslation){.text = text_of(&rendering->text),
                                               .log_probability = rendering->log_p,
                                               .score = rendering->score};
        if (form->alignment)
            status = show_alignment(one, scratch, translation, rendering, form, error);
    }
    return status;
}

Status result_show(RegardResult *result, const ResultForm *form, Error *error)
{
    Alignment scratch = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < result->count && !status; i++)
        status = show_source(&result->shown[i], &scratch, &result->translations[i], form, error);
    alignment_free(&scratch);
    return status;
}

size_t regard_result_count(const RegardResult *result)
{
    return result ? result->count : 0;
}

const RegardSource *regard_result_source(const RegardResult *result, size_t i)
{
    return result && i < result->count ? &result->shown[i].source : NULL;
}

const RegardTranslation *regard_result_translation(const RegardResult *result, size_t i,
                                                   size_t rank)
{
    if (!result || i >= result->count) return NULL;
    const ShownSource *shown = &result->shown[i];
    return rank < shown->source.translation_count ? &shown->translations[rank].translation : NULL;
}

void regard_result_free(RegardResult *result)
{
    if (!result) return;
    for (size_t i = 0; i < result->count; i++) {
        ShownSource *shown = &result->shown[i];
        for (size_t rank = 0; rank < shown->source.translation_count; rank++)
            arena_free(&shown->translations[rank].memory);
        memory_free(shown->translations);
        translation_free(&result->translations[i]);
    }
    memory_free(result->translations);
    memory_free(result->shown);
    memory_free(result);
}
