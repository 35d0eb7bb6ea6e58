#include "api/result.h"

#include "base/array.h"
#include "base/memory.h"

#include <string.h>

// A rendering as the caller sees it.
typedef struct Shown {
    RegardTranslation translation;
    RegardAlignment view; // of what follows
    Alignment alignment;
    RegardText *units[2]; // of source and target
    RegardLink *links;
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
    RegardResult *result;
    TRY(array_new(&result, 1, "a result", error));
    result->translations = memory_new(count, sizeof *result->translations);
    result->shown = memory_new(count, sizeof *result->shown);
    if (!result->translations || !result->shown) {
        regard_result_free(result);
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
    return (RegardText){bytes_text(bytes), bytes->length};
}

/* The texts of a side's units in one block with their bytes, each NUL-terminated since new memory is
 * 0. */
static Status unit_texts(RegardText **out, const Bytes *text, const Units *units, Error *error)
{
    size_t bytes = units->count * sizeof **out;
    for (size_t i = 0; i < units->count; i++) bytes += units->ends[i] - units->begins[i] + 1;
    RegardText *texts = *out = memory_new(bytes, 1);
    if (!texts) return error_memory(error, bytes, "a result");
    char *place = (char *)(texts + units->count);
    for (size_t i = 0; i < units->count; i++) {
        size_t length = units->ends[i] - units->begins[i];
        memcpy(place, text->data + units->begins[i], length);
        texts[i] = (RegardText){place, length};
        place += length + 1;
    }
    return STATUS_OK;
}

static Status show_alignment(Shown *shown, const Translation *translation,
                             const Rendering *rendering, const ResultForm *form, Error *error)
{
    Alignment *alignment = &shown->alignment;
    const Units *sources = &alignment->source_units, *targets = &alignment->target_units;
    const Links *links = &alignment->links;
    const bool weights = !form->reading.links_only;
    TRY(alignment_set(alignment, translation, rendering, form->units, &form->reading, error));
    TRY(unit_texts(&shown->units[0], &translation->source, sources, error));
    TRY(unit_texts(&shown->units[1], &rendering->text, targets, error));
    TRY(array_new(&shown->links, links->count, "a result", error));
    for (size_t i = 0; i < links->count; i++)
        shown->links[i] = (RegardLink){links->items[i].source, links->items[i].target};
    shown->view = (RegardAlignment){.sources = shown->units[0],
                                    .targets = shown->units[1],
                                    .source_count = sources->count,
                                    .target_count = targets->count,
                                    .weights = weights ? alignment->soft.weights : NULL,
                                    .links = shown->links,
                                    .link_count = links->count};
    shown->translation.alignment = &shown->view;
    return STATUS_OK;
}

static Status show_source(ShownSource *shown, const Translation *translation,
                          const ResultForm *form, Error *error)
{
    size_t count = translation->count;
    TRY(array_new(&shown->translations, count, "a result", error));
    shown->source = (RegardSource){.text = text_of(&translation->source),
                                   .translation_count = count,
                                   .invalid = translation->invalid,
                                   .cut = translation->cut || translation->prefix_cut};
    for (size_t rank = 0; rank < count; rank++) {
        const Rendering *rendering = &translation->renderings[rank];
        Shown *one = &shown->translations[rank];
        one->translation = (RegardTranslation){.text = text_of(&rendering->text),
                                               .log_probability = rendering->log_p,
                                               .score = rendering->score};
        if (form->alignments) TRY(show_alignment(one, translation, rendering, form, error));
    }
    return STATUS_OK;
}

Status result_show(RegardResult *result, const ResultForm *form, Error *error)
{
    for (size_t i = 0; i < result->count; i++)
        TRY(show_source(&result->shown[i], &result->translations[i], form, error));
    return STATUS_OK;
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

static void shown_free(Shown *shown)
{
    alignment_free(&shown->alignment);
    memory_free(shown->units[0]);
    memory_free(shown->units[1]);
    memory_free(shown->links);
}

void regard_result_free(RegardResult *result)
{
    if (!result) return;
    for (size_t i = 0; i < result->count; i++) {
        ShownSource *shown = &result->shown[i];
        for (size_t rank = 0; rank < shown->source.translation_count; rank++)
            shown_free(&shown->translations[rank]);
        memory_free(shown->translations);
        translation_free(&result->translations[i]);
    }
    memory_free(result->translations);
    memory_free(result->shown);
    memory_free(result);
}
