#include "reading/translation.h"

#include "base/array.h"
#include "text/normalise.h"
#include "text/utf8.h"

#include <math.h>

Status translation_set_source(Translation *translation, Reading *reading, Error *error)
{
    TextView text = reading->given.text;
    TRY(bytes_append_view(&translation->source, text, error));
    return reading_encode(reading, &translation->source_subwords, &translation->cut, error);
}

Status translation_set_given_source(Translation *translation, const Vocabulary *vocabulary,
                                    TextView text, Error *error)
{
    TRY(normalise(&translation->source, text.data, text.length, &translation->invalid, error));
    return subwords_encode(&translation->source_subwords, &translation->cut, vocabulary,
                           &translation->source, error);
}

/* Room for one more rendering. */
static Status add_rendering(Translation *translation, Rendering **rendering, Error *error)
{
    size_t count = translation->count + 1;
    Rendering *grown = memory_resize(translation->renderings, count, sizeof *grown);
    if (!grown) return error_memory(error, count * sizeof *grown, "translations");
    translation->renderings = grown;
    translation->count = count;
    *rendering = &grown[count - 1];
    **rendering = (Rendering){0};
    return STATUS_OK;
}

Status translation_add_given(Translation *translation, const Vocabulary *vocabulary, TextView text,
                             Error *error)
{
    Rendering *rendering;
    size_t invalid;
    TRY(add_rendering(translation, &rendering, error));
    TRY(normalise(&rendering->text, text.data, text.length, &invalid, error));
    translation->invalid += invalid;
    return subwords_encode(&rendering->subwords, &translation->cut, vocabulary, &rendering->text,
                           error);
}

// Leaves out what a model has said in bytes that are no character.
static Status leave_out_invalid(MappedText *said, Error *error)
{
    const Bytes *text = &said->text;
    for (size_t at = 0, begin = 0; at < text->length; begin = at)
        if (utf8_next(text->data, text->length, &at) == UTF8_REPLACEMENT)
            TRY(mapped_replace(said, begin, at, "", 0, error));
    return mapped_finish(said, error);
}

/* The text of a hypothesis, as it is shown, and where in it each subword ends. */
static Status read_text(Rendering *rendering, const Reading *reading, const Hypothesis *hypothesis,
                        Error *error)
{
    Subwords *subwords = &rendering->subwords;
    size_t count = hypothesis->length - (hypothesis->ended ? 1 : 0), invalid;
    TRY(subwords_reserve(subwords, count, error));
    subwords->count = count;
    FREED_BY(bytes_free) Bytes bytes = {0};
    FREED_BY(mapped_free) MappedText said = {0};
    for (size_t i = 0; i < count; i++) {
        size_t length;
        subwords->ids[i] = hypothesis->tokens[i];
        const char *subword = vocabulary_bytes(reading->context->target, subwords->ids[i], &length);
        // the text's own beginning has no space before it
        bool space = i == 0 && length > 0 && subword[0] == ' ';
        TRY(bytes_append(&bytes, subword + space, length - space, error));
        subwords->ends[i] = (uint32_t)bytes.length;
    }
    TRY(mapped_normalise(&said, bytes_text(&bytes), bytes.length, &invalid, error));
    if (invalid > 0 && reading->prefix.length == 0) TRY(leave_out_invalid(&said, error));
    TRY(reading_write(reading, &said, error));
    for (size_t i = 0; i < count; i++)
        subwords->ends[i] = (uint32_t)mapped_place(&said, subwords->ends[i]);
    return bytes_append_view(&rendering->text, bytes_view(&said.text), error);
}

static void take_scores(Rendering *rendering, const Hypothesis *hypothesis)
{
    rendering->log_p = hypothesis->log_p;
    rendering->score = hypothesis->score;
    rendering->incomplete = hypothesis->incomplete;
}

/* A hypothesis cut short has no </s>, which gets probability 1. */
static Status take_log_ps(Rendering *rendering, Hypothesis *hypothesis, Error *error)
{
    size_t count = rendering->subwords.count + 1;
    float *log_ps = memory_resize(hypothesis->log_ps, count, sizeof *log_ps);
    if (!log_ps) return error_memory(error, count * sizeof *log_ps, "a translation");
    hypothesis->log_ps = NULL;
    rendering->log_ps = log_ps;
    if (!hypothesis->ended) log_ps[count - 1] = 0;
    return STATUS_OK;
}

/* A hypothesis cut short has no </s>: each matrix gets a row of zeros for it, so that every matrix
 * has the same shape. */
static Status take_alpha(Rendering *rendering, Hypothesis *hypothesis, Error *error)
{
    if (!hypothesis->alpha) return STATUS_OK;
    size_t rows = rendering->subwords.count + 1, columns = hypothesis->positions;
    size_t size = rows * columns, given = hypothesis->length * columns;
    float *alpha =
        memory_resize(hypothesis->alpha, hypothesis->matrices * size, sizeof *hypothesis->alpha);
    if (!alpha)
        return error_memory(error, hypothesis->matrices * size * sizeof *alpha, "an alignment");
    hypothesis->alpha = NULL;
    rendering->alpha = alpha;
    rendering->matrices = hypothesis->matrices;
    if (hypothesis->ended) return STATUS_OK;
    for (size_t matrix = hypothesis->matrices; matrix-- > 0;) { // last first: they move apart
        memmove(alpha + matrix * size, alpha + matrix * given, given * sizeof *alpha);
        memset(alpha + matrix * size + given, 0, columns * sizeof *alpha);
    }
    return STATUS_OK;
}

// How far the other hypotheses say the same as hypothesis i.
static Status set_agreements(Rendering *rendering, const Hypotheses *hypotheses, size_t i,
                             Error *error)
{
    const Hypothesis *own = &hypotheses->items[i];
    if (hypotheses->count < 2) return STATUS_OK;
    TRY(array_new(&rendering->agreements, rendering->subwords.count, "a translation", error));
    for (size_t t = 0; t < rendering->subwords.count; t++) {
        size_t have = 0;
        for (size_t k = 0; k < hypotheses->count; k++) {
            const Hypothesis *other = &hypotheses->items[k];
            size_t at = 0;
            while (at < other->length && other->tokens[at] != own->tokens[t]) at++;
            have += k != i && at < other->length;
        }
        rendering->agreements[t] = (float)have / (float)(hypotheses->count - 1);
    }
    return STATUS_OK;
}

void rendering_free(Rendering *rendering)
{
    bytes_free(&rendering->text);
    subwords_free(&rendering->subwords);
    memory_free(rendering->alpha);
    memory_free(rendering->posterior);
    memory_free(rendering->log_ps);
    memory_free(rendering->agreements);
    memory_free(rendering->places);
}

// Whether an earlier rendering has the same text: of other subwords.
static bool is_repeated(const Translation *translation, const Rendering *rendering)
{
    for (size_t i = 0; i + 1 < translation->count; i++)
        if (text_view_equal(bytes_view(&translation->renderings[i].text),
                            bytes_view(&rendering->text)))
            return true;
    return false;
}

Status translation_add_found(Translation *translation, const Reading *reading,
                             Hypotheses *hypotheses, size_t n_best, bool distinct, Error *error)
{
    Rendering *rendering;
    for (size_t i = 0; i < hypotheses->count && translation->count < n_best; i++) {
        Hypothesis *hypothesis = &hypotheses->items[i];
        TRY(add_rendering(translation, &rendering, error));
        TRY(read_text(rendering, reading, hypothesis, error));
        TRY(take_log_ps(rendering, hypothesis, error));
        TRY(take_alpha(rendering, hypothesis, error));
        TRY(set_agreements(rendering, hypotheses, i, error));
        take_scores(rendering, hypothesis);
        if (rendering->text.length > 0 &&
            text_view_has_at(bytes_view(&rendering->text), 0, bytes_view(&reading->prefix)) &&
            !(distinct && is_repeated(translation, rendering)))
            continue;
        rendering_free(rendering);
        translation->count--;
    }
    if (translation->count > 0) return STATUS_OK;
    TRY(add_rendering(translation, &rendering, error));
    take_scores(rendering, &hypotheses->items[0]);
    const Bytes *text = reading->prefix.length ? &reading->prefix : &translation->source;
    return bytes_append_view(&rendering->text, bytes_view(text), error);
}

// Sets a matrix (target subwords + 1, source subwords + 1): the share of a target's bytes in each
// source.
static void attend_to_itself(float *alpha, const Subwords *target, const Subwords *source)
{
    size_t columns = source->count + 1, first = 0;
    for (size_t t = 0; t < target->count; t++) {
        uint32_t begin = subwords_begin(target, t), end = target->ends[t];
        while (first < source->count && source->ends[first] <= begin) first++;
        if (begin == end) alpha[t * columns + first] = 1; // the space before the text
        for (size_t s = first; s < source->count && subwords_begin(source, s) < end; s++) {
            uint32_t from = subwords_begin(source, s) > begin ? subwords_begin(source, s) : begin;
            uint32_t to = source->ends[s] < end ? source->ends[s] : end;
            alpha[t * columns + s] = (float)(to - from) / (float)(end - begin);
        }
    }
    alpha[target->count * columns + source->count] = 1;
}

// What stays, as the target writes it: the mark of a line that ends with 、 has a full stop instead.
static Status append_unchanged(Bytes *out, TextView text, const Language *target, Error *error)
{
    static const char comma[] = "、";
    const size_t length = sizeof comma - 1;
    bool spaced = target && target->letters_per_word == 0;
    bool ends = text.length > length && !memcmp(text.data + text.length - length, comma, length);
    if (!spaced || !ends) return bytes_append_view(out, text, error);
    TRY(bytes_append(out, text.data, text.length - length, error));
    return bytes_append_string(out, ".", error);
}

Status translation_set_unchanged(Translation *translation, const ReadingContext *context,
                                 TextView text, size_t count, size_t matrices, Error *error)
{
    TRY(translation_set_given_source(translation, context->source, text, error));
    const Subwords *subwords = &translation->source_subwords;
    FREED_BY(bytes_free) Bytes same = {0};
    TRY(append_unchanged(&same, text, context->languages[1], error));
    for (size_t i = 0; i < count; i++) {
        TRY(translation_add_given(translation, context->target, bytes_view(&same), error));
        Rendering *rendering = &translation->renderings[i];
        size_t size = (rendering->subwords.count + 1) * (subwords->count + 1);
        if (matrices == 0) continue;
        TRY(array_new(&rendering->alpha, matrices * size, "an alignment", error));
        rendering->matrices = matrices;
        for (size_t m = 0; m < matrices; m++)
            attend_to_itself(rendering->alpha + m * size, &rendering->subwords, subwords);
    }
    translation->cut = false; // what the model would not read is there, too
    return STATUS_OK;
}

void rendering_set_score(Rendering *rendering, double length_normalization)
{
    double length = (double)rendering->subwords.count + 1;
    rendering->score = rendering->log_p / pow(length, length_normalization);
}

double translation_similarity(const Translation *translation)
{
    double least = translation->sentence_count > 0 ? 1 : translation->similarity;
    for (size_t i = 0; i < translation->sentence_count; i++)
        least = fmin(least, translation->sentences[i].similarity);
    return least;
}

void translation_free(Translation *translation)
{
    for (size_t i = 0; i < translation->sentence_count; i++)
        translation_free(&translation->sentences[i]);
    memory_free(translation->sentences);
    for (size_t i = 0; i < translation->count; i++) rendering_free(&translation->renderings[i]);
    memory_free(translation->renderings);
    bytes_free(&translation->source);
    subwords_free(&translation->source_subwords);
    memory_free(translation->tree.nodes);
    memory_free(translation->senses);
    *translation = (Translation){0};
}
