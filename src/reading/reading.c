#include "reading/reading.h"

#include "base/memory.h"
#include "reading/phrase.h"
#include "reading/placeholders.h"
#include "text/utf8.h"

const ReadingStep *const reading_steps[READING_STEPS] = {
    &elision_step,      &unknown_words_step, &numbers_step,  &glossary_step,
    &placeholders_step, &quotation_step,     &variants_step, &letter_case_step};

Status reading_context_set(ReadingContext *context, const Vocabulary *source,
                           const Vocabulary *target, const Language *const languages[2],
                           Error *error)
{
    *context = (ReadingContext){
        .source = source, .target = target, .languages = {languages[0], languages[1]}};
    context->placeholders = placeholders_known(source, target);
    return phrase_edges_new(&context->edges, target, languages[1], error);
}

void reading_context_free(ReadingContext *context)
{
    memory_free(context->edges);
    context->edges = NULL;
}

bool reading_has_placeholders(const Reading *reading)
{
    return reading->context->placeholders > 0;
}

Status reading_read(Reading *reading, Error *error)
{
    const NormalView *given = &reading->given;
    TRY(mapped_set(&reading->text, given->text.data, given->text.length, error));
    for (size_t i = 0; i < given->span_count; i++)
        TRY(spans_add(&reading->spans, given->spans[i], error));
    for (size_t i = 0; i < READING_STEPS; i++) {
        const ReadingStep *step = reading_steps[i];
        if (reading->context->left_out >> i & 1 || !step->applies(reading)) continue;
        if (step->read) TRY(step->read(reading, error));
        reading->applied |= UINT32_C(1) << i;
    }
    return STATUS_OK;
}

// Whether a span is translated: a list, or a number that the target writes otherwise.
static bool is_translated(const Reading *reading)
{
    bool same = true;
    for (size_t i = 0; i < reading->placed_count; i++)
        same &= text_view_equal(placeholders_span(reading, i),
                                reading_text(reading, reading->placed[i]));
    return !same;
}

bool reading_stays(const Reading *reading)
{
    const TextView text = reading->given.text;
    const Spans *spans = &reading->spans;
    if (reading->given.stays) return true;
    if (is_translated(reading)) return false;
    return (spans->count > 0 || (reading->context->placeholders > 0 && text.length > 0)) &&
           !spans_leave(spans, text, utf8_is_word);
}

Status subwords_encode(Subwords *subwords, bool *cut, const Vocabulary *vocabulary,
                       const Bytes *text, Error *error)
{
    TRY(vocabulary_encode(vocabulary, bytes_text(text), text->length, subwords, error));
    if (subwords->count <= MAX_TRANSLATION_SUBWORDS) return STATUS_OK;
    subwords->count = MAX_TRANSLATION_SUBWORDS;
    *cut = true;
    return STATUS_OK;
}

Status reading_encode(Reading *reading, Subwords *subwords, bool *cut, Error *error)
{
    TRY(subwords_encode(subwords, cut, reading->context->source, &reading->text.text, error));
    for (size_t i = 0; i < subwords->count; i++)
        subwords->ends[i] = (uint32_t)mapped_origin(&reading->text, subwords->ends[i]);
    size_t end = subwords_begin(subwords, subwords->count);
    while (reading->placed_count > 0 && reading->placed[reading->placed_count - 1].end > end)
        reading->placed_count--;
    return STATUS_OK;
}

Status reading_write(const Reading *reading, MappedText *said, Error *error)
{
    for (size_t i = READING_STEPS; i-- > 0;)
        if (reading->applied >> i & 1 && reading_steps[i]->write)
            TRY(reading_steps[i]->write(reading, said, error));
    return STATUS_OK;
}

void reading_free(Reading *reading)
{
    spans_free(&reading->spans);
    spans_free(&reading->phrases);
    spans_free(&reading->names);
    mapped_free(&reading->text);
    bytes_free(&reading->placed_text);
    bytes_free(&reading->prefix);
    *reading = (Reading){0};
}
