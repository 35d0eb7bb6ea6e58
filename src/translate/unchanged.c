#include "translate/unchanged.h"

#include "base/array.h"

static uint32_t begin_of(const Subwords *subwords, size_t i)
{
    return i > 0 ? subwords->ends[i - 1] : 0;
}

// Sets a matrix (target subwords + 1, source subwords + 1): the share of a target's bytes in each
// source.
static void attend_to_itself(float *alpha, const Subwords *target, const Subwords *source)
{
    size_t columns = source->count + 1, first = 0;
    for (size_t t = 0; t < target->count; t++) {
        uint32_t begin = begin_of(target, t), end = target->ends[t];
        while (first < source->count && source->ends[first] <= begin) first++;
        if (begin == end) alpha[t * columns + first] = 1; // the space before the text
        for (size_t s = first; s < source->count && begin_of(source, s) < end; s++) {
            uint32_t from = begin_of(source, s) > begin ? begin_of(source, s) : begin;
            uint32_t to = source->ends[s] < end ? source->ends[s] : end;
            alpha[t * columns + s] = (float)(to - from) / (float)(end - begin);
        }
    }
    alpha[target->count * columns + source->count] = 1;
}

static Status add_rendering(Translation *translation, const UnchangedForm *form, Error *error)
{
    const Bytes *source = &translation->source;
    const Subwords *subwords = &translation->source_subwords;
    TRY(translation_add_given(translation, form->vocabularies[1], bytes_text(source),
                              source->length, error));
    Rendering *rendering = &translation->renderings[translation->count - 1];
    if (form->matrices == 0) return STATUS_OK;
    size_t size = (rendering->subwords.count + 1) * (subwords->count + 1);
    TRY(array_new(&rendering->alpha, form->matrices * size, "an alignment", error));
    rendering->matrices = form->matrices;
    for (size_t i = 0; i < form->matrices; i++)
        attend_to_itself(rendering->alpha + i * size, &rendering->subwords, subwords);
    return STATUS_OK;
}

Status unchanged_set(Translation *translation, TextView text, const UnchangedForm *form,
                     Error *error)
{
    TRY(translation_read_source(translation, form->vocabularies[0], text.data, text.length, error));
    for (size_t i = 0; i < form->count; i++) TRY(add_rendering(translation, form, error));
    translation->cut = false; // what the model would not read is there, too
    return STATUS_OK;
}
