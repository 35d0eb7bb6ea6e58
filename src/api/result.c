// Results: translations as the caller sees them.
#include "api/parts.h"

#include "base/array.h"
#include "render/pictures.h"

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
    RegardSense *senses; // (source.sense_count), with the bytes of their texts
} ShownSource;

Status result_new(RegardResult **out, size_t count, Error *error)
{
    FREED_BY(regard_result_free_at) RegardResult *result = NULL;
    TRY(array_new(&result, 1, "a result", error));
    TRY(array_new(&result->translations, count, "a result", error));
    TRY(array_new(&result->shown, count, "a result", error));
    result->count = count;
    *out = memory_take(&result);
    return STATUS_OK;
}

static RegardText text_of(const Bytes *bytes)
{
    return (RegardText){bytes_text(bytes), bytes->length};
}

// Copies a text to a place, with a NUL, and moves the place behind that.
static RegardText put_text(char **place, TextView text)
{
    const RegardText copy = {*place, text.length};
    if (text.length > 0) memcpy(*place, text.data, text.length);
    *place += text.length;
    *(*place)++ = '\0';
    return copy;
}

// The texts of a side's units in one block with their bytes.
static Status unit_texts(RegardText **out, const Bytes *text, const Spans *units, Error *error)
{
    size_t bytes = units->count * sizeof **out;
    for (size_t i = 0; i < units->count; i++) bytes += span_length(units->items[i]) + 1;
    TRY(array_new_sized(out, bytes, 1, "a result", error));
    RegardText *texts = *out;
    char *place = (char *)(texts + units->count);
    for (size_t i = 0; i < units->count; i++)
        texts[i] = put_text(&place, span_text(bytes_view(text), units->items[i]));
    return STATUS_OK;
}

static Status show_alignment(Shown *shown, const Translation *translation,
                             const Rendering *rendering, const ResultForm *form, Error *error)
{
    Alignment *alignment = &shown->alignment;
    const Spans *sources = &alignment->source_units, *targets = &alignment->target_units;
    const Links *links = &alignment->links;
    const bool weights = !form->reading.links_only;
    const SoftAlignment *matrix =
        form->reading.from == LINKS_FROM_TABLE ? &alignment->posteriors : &alignment->soft;
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
                                    .weights = weights ? matrix->weights : NULL,
                                    .links = shown->links,
                                    .link_count = links->count};
    shown->translation.alignment = &shown->view;
    return STATUS_OK;
}

static Status show_senses(ShownSource *shown, const Translation *translation,
                          const Translator *translator, Error *error)
{
    enum { MOST_BYTES = MAX_SENSE_BYTES + 2 * MAX_EXAMPLE_BYTES + 6 }; // of one
    const Senses *senses = translation->senses;
    Example examples[MAX_SENSES];
    if (!translator || !senses) return STATUS_OK;
    TRY(example_file_find(examples, translator->examples, translator->aligner,
                          bytes_view(&translation->source), senses, error));
    size_t count = senses->count, bytes = count * (sizeof *shown->senses + MOST_BYTES);
    TRY(array_new_sized(&shown->senses, bytes, 1, "a result", error));
    char *place = (char *)(shown->senses + count);
    for (size_t i = 0; i < count; i++) {
        const Sense *sense = &senses->items[i];
        RegardSense *one = &shown->senses[i];
        one->word = put_text(&place, text_view_of(sense->word));
        one->share = sense->share;
        for (size_t part = 0; part < 6; part++)
            one->example[part / 3][part % 3] =
                put_text(&place, examples[i].parts[part / 3][part % 3]);
    }
    shown->source.senses = shown->senses;
    shown->source.sense_count = count;
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
    TRY(show_senses(shown, translation, form->translator, error));
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

Status result_give(RegardResult **out, RegardResult **made, const ResultForm *form, Error *error)
{
    RegardResult *result = *made;
    for (size_t i = 0; i < result->count; i++) {
        TRY(cancel_check(form->cancel, error));
        TRY(show_source(&result->shown[i], &result->translations[i], form, error));
    }
    *out = memory_take(made);
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
        memory_free(shown->senses);
        translation_free(&result->translations[i]);
    }
    memory_free(result->translations);
    memory_free(result->shown);
    memory_free(result);
}

static Status add_labels(LabelTexts *labels, const RegardText *texts, size_t count, Error *error)
{
    for (size_t i = 0; i < count; i++)
        TRY(label_texts_add(labels, (TextView){texts[i].bytes, texts[i].length}, error));
    return STATUS_OK;
}

static Status draw(const RegardAlignment *alignment, RegardText *svg, Error *error)
{
    FREED_BY(label_texts_free) LabelTexts source = {0}, target = {0};
    FREED_BY(svg_free) Svg drawing = {0};
    FREED_BY(bytes_free) Bytes out = {0};
    TRY(text_begin(svg, error));
    if (!alignment || !alignment->weights)
        return error_set(error, STATUS_ARGUMENT,
                         "there is no matrix to draw; ask for it with options.alignment");
    TRY(add_labels(&source, alignment->sources, alignment->source_count, error));
    TRY(add_labels(&target, alignment->targets, alignment->target_count, error));
    const Picture picture = {alignment->weights, label_texts_view(&source),
                             label_texts_view(&target)};
    TRY(svg_add(&drawing, &picture, error));
    Writer writer = writer_start(&out, error);
    svg_write(&writer, &drawing, "alignment");
    TRY(writer_end(&writer));
    return text_give(svg, &out, error);
}

RegardStatus regard_alignment_svg(const RegardAlignment *alignment, RegardText *svg,
                                  RegardError *error)
{
    Error inner;
    return error_tell(error, draw(alignment, svg, &inner), &inner);
}
