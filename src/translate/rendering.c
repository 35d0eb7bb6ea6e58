#include "translate/rendering.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/elision.h"
#include "text/end_mark.h"
#include "text/letter_case.h"
#include "text/normalise.h"
#include "text/special_tokens.h"
#include "text/variants.h"
#include "translate/placeholders.h"

#include <string.h>

/* Encodes a normalised text and keeps at most the subwords that the model reads. */
static Status read_subwords(Subwords *subwords, bool *cut, const Vocabulary *vocabulary,
                            const Bytes *text, Error *error)
{
    TRY(vocabulary_encode(vocabulary, bytes_text(text), text->length, subwords, error));
    if (subwords->count <= MAX_TRANSLATION_SUBWORDS) return STATUS_OK;
    subwords->count = MAX_TRANSLATION_SUBWORDS;
    *cut = true;
    return STATUS_OK;
}

// In the letter case of a sentence, and with a mark at its end, where the translation says so.
static Status read_sentence(Translation *translation, const Vocabulary *vocabulary,
                            const Bytes *text, Error *error)
{
    Bytes sentence = {0};
    const char *bytes = bytes_text(text);
    Status status = STATUS_OK;
    if (translation->recases) translation->letter_case = letter_case_of(bytes, text->length);
    if (translation->letter_case != CASE_SENTENCE) {
        status = letter_case_to_sentence(&sentence, bytes, text->length, vocabulary, error);
        text = &sentence;
    }
    const char *mark = translation->ends ? end_mark_missing(bytes, text->length) : NULL;
    translation->ended = mark != NULL;
    if (!status && mark && text != &sentence)
        status = bytes_append(&sentence, bytes, text->length, error);
    if (!status && mark) status = bytes_append_string(&sentence, mark, error);
    if (!status)
        status = read_subwords(&translation->source_subwords, &translation->cut, vocabulary,
                               mark ? &sentence : text, error);
    bytes_free(&sentence);
    return status;
}

Status translation_read_subwords(Translation *translation, const Vocabulary *vocabulary,
                                 const Bytes *text, Error *error)
{
    Variants variants = {0};
    Subwords *subwords = &translation->source_subwords;
    Status status = STATUS_OK;
    if (translation->varies)
        status = variants_read(&variants, bytes_text(text), text->length, vocabulary, error);
    bool varied = variants.text.length > 0;
    if (!status)
        status = read_sentence(translation, vocabulary, varied ? &variants.text : text, error);
    for (size_t i = 0; i < subwords->count && !status && varied; i++)
        if (subwords->ends[i] > 0)
            subwords->ends[i] = (uint32_t)variants_place(&variants, subwords->ends[i]);
    variants_free(&variants);
    return status;
}

// Leaves out what is behind `length` of a text; its subwords have no bytes there.
static void cut_subwords(Subwords *subwords, size_t length)
{
    for (size_t i = subwords->count; i-- > 0 && subwords->ends[i] > length;)
        subwords->ends[i] = (uint32_t)length;
}

void translation_cut_mark(Translation *translation)
{
    cut_subwords(&translation->source_subwords, translation->source.length);
}

Status translation_read_source(Translation *translation, const Vocabulary *vocabulary,
                               const char *text, size_t length, Error *error)
{
    TRY(normalise(&translation->source, text, length, &translation->invalid, error));
    TRY(translation_read_subwords(translation, vocabulary, &translation->source, error));
    translation_cut_mark(translation);
    return STATUS_OK;
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

Status translation_add_given(Translation *translation, const Vocabulary *vocabulary,
                             const char *text, size_t length, Error *error)
{
    Rendering *rendering;
    size_t invalid;
    TRY(add_rendering(translation, &rendering, error));
    TRY(normalise(&rendering->text, text, length, &invalid, error));
    translation->invalid += invalid;
    return read_subwords(&rendering->subwords, &translation->cut, vocabulary, &rendering->text,
                         error);
}

/* The length of the normal form of the first subwords' text: where in the whole text the last of
 * them ends. */
static Status prefix_length(const Vocabulary *vocabulary, const int32_t *ids, size_t count,
                            Bytes scratch[2], size_t *length, Error *error)
{
    bytes_clear(&scratch[0]);
    TRY(vocabulary_decode(vocabulary, ids, count, &scratch[0], error));
    TRY(normalise(&scratch[1], bytes_text(&scratch[0]), scratch[0].length, NULL, error));
    *length = scratch[1].length;
    return STATUS_OK;
}

/* Ends of subwords whose text is not their plain concatenation (bytes that are no character, spaces
 * that normalisation removed): measured subword by subword, ascending and within the text.
 * Quadratic, but rare. */
static Status measure_ends(Rendering *rendering, const Vocabulary *vocabulary, Error *error)
{
    Bytes scratch[2] = {{0}, {0}};
    Status status = STATUS_OK;
    size_t before = 0;
    for (size_t i = 0; i < rendering->subwords.count && !status; i++) {
        size_t end = 0;
        status = prefix_length(vocabulary, rendering->subwords.ids, i + 1, scratch, &end, error);
        if (end < before) end = before;
        if (end > rendering->text.length || i + 1 == rendering->subwords.count)
            end = rendering->text.length;
        rendering->subwords.ends[i] = (uint32_t)end;
        before = end;
    }
    bytes_free(&scratch[0]);
    bytes_free(&scratch[1]);
    return status;
}

/* The text of a hypothesis, and where in it each subword ends. */
static Status read_text(Rendering *rendering, const Vocabulary *vocabulary,
                        const Hypothesis *hypothesis, Error *error)
{
    Subwords *subwords = &rendering->subwords;
    size_t count = hypothesis->length - (hypothesis->ended ? 1 : 0), plain = 0;
    TRY(array_new(&subwords->ids, count, "a translation", error));
    TRY(array_new(&subwords->ends, count, "a translation", error));
    subwords->count = subwords->capacity = count;
    for (size_t i = 0; i < count; i++) {
        size_t length;
        subwords->ids[i] = hypothesis->tokens[i];
        const char *bytes = vocabulary_bytes(vocabulary, subwords->ids[i], &length);
        // the text's own beginning has no space before it
        plain += length - (i == 0 && length > 0 && bytes[0] == ' ');
        subwords->ends[i] = (uint32_t)plain;
    }
    Bytes said = {0};
    Status status = vocabulary_decode(vocabulary, subwords->ids, count, &said, error);
    if (!status) status = normalise(&rendering->text, bytes_text(&said), said.length, NULL, error);
    bool same = !status && plain == said.length && said.length == rendering->text.length &&
                !memcmp(bytes_text(&said), bytes_text(&rendering->text), said.length);
    bytes_free(&said);
    return status || same ? status : measure_ends(rendering, vocabulary, error);
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

static void rendering_free(Rendering *rendering)
{
    bytes_free(&rendering->text);
    subwords_free(&rendering->subwords);
    memory_free(rendering->alpha);
    memory_free(rendering->posterior);
    memory_free(rendering->log_ps);
    memory_free(rendering->places);
}

static bool begins_with(const Bytes *text, const Bytes *prefix)
{
    return text->length >= prefix->length &&
           memcmp(bytes_text(text), bytes_text(prefix), prefix->length) == 0;
}

static void strip_mark(Rendering *rendering)
{
    bytes_cut(&rendering->text,
              end_mark_strip(bytes_text(&rendering->text), rendering->text.length));
    cut_subwords(&rendering->subwords, rendering->text.length);
}

// Whether an earlier rendering is the same but for the mark at its end.
static bool is_repeated(const Translation *translation, const Rendering *rendering)
{
    for (size_t i = 0; translation->ended && i + 1 < translation->count; i++) {
        const Bytes *text = &translation->renderings[i].text;
        if (text->length == rendering->text.length && begins_with(text, &rendering->text))
            return true;
    }
    return false;
}

Status translation_add_found(Translation *translation, const Vocabulary *vocabulary,
                             Hypotheses *hypotheses, size_t n_best, Error *error)
{
    Rendering *rendering;
    for (size_t i = 0; i < hypotheses->count && translation->count < n_best; i++) {
        Hypothesis *hypothesis = &hypotheses->items[i];
        TRY(add_rendering(translation, &rendering, error));
        TRY(read_text(rendering, vocabulary, hypothesis, error));
        if (translation->ended) strip_mark(rendering);
        if (translation->letter_case == CASE_CAPITALS)
            letter_case_to_capitals(rendering->text.data, rendering->text.length);
        if (translation->letter_case == CASE_TITLE)
            letter_case_begin(rendering->text.data, rendering->text.length);
        TRY(placeholders_restore(rendering, translation, error));
        if (translation->elided)
            TRY(elision_mend(&rendering->text, &rendering->subwords, translation->prefix.length,
                             translation->elided, error));
        TRY(take_alpha(rendering, hypothesis, error));
        rendering->log_p = hypothesis->log_p;
        rendering->score = hypothesis->score;
        rendering->incomplete = hypothesis->incomplete;
        if (rendering->text.length > 0 && begins_with(&rendering->text, &translation->prefix) &&
            !is_repeated(translation, rendering))
            continue;
        rendering_free(rendering);
        translation->count--;
    }
    if (translation->count > 0) return STATUS_OK;
    TRY(add_rendering(translation, &rendering, error));
    rendering->log_p = hypotheses->items[0].log_p;
    rendering->score = hypotheses->items[0].score;
    rendering->incomplete = hypotheses->items[0].incomplete;
    const Bytes *text = translation->prefix.length ? &translation->prefix : &translation->source;
    return bytes_append(&rendering->text, text->data, text->length, error);
}

void translation_free(Translation *translation)
{
    for (size_t i = 0; i < translation->sentence_count; i++)
        translation_free(&translation->sentences[i]);
    memory_free(translation->sentences);
    for (size_t i = 0; i < translation->count; i++) rendering_free(&translation->renderings[i]);
    memory_free(translation->renderings);
    bytes_free(&translation->source);
    bytes_free(&translation->prefix);
    subwords_free(&translation->source_subwords);
    *translation = (Translation){0};
}
