#include "serve/api/answer.h"

#include "base/array.h"
#include "html/translation.h"
#include "render/pictures.h"
#include "translate/translation_json.h"

// Appends the units of a text. That memory is short is noticed when the answer is written.
static void append_units(json_t *list, const Bytes *text, const Spans *units)
{
    for (size_t i = 0; i < units->count; i++)
        json_array_append_new(list, label_json((Labels){bytes_text(text), units}, i));
}

// Appends links between units that have so many others before them.
static void append_links(json_t *list, const Links *links, size_t sources, size_t targets)
{
    for (size_t i = 0; i < links->count; i++)
        json_array_append_new(list,
                              json_pack("[I, I]", (json_int_t)sources + links->items[i].source,
                                        (json_int_t)targets + links->items[i].target));
}

/* Appends a piece of a text to the lists of its alignment: source, target, links, and if the model
 * knows, how probable it is that each unit of the target is right. *right becomes its product with
 * that of the piece. */
static Status append_piece(json_t *const lists[4], double *right, const ServedModel *model,
                           const Translation *translation, Error *error)
{
    const Translator *translator = &model->translator;
    const UnitKind kinds[2] = {translator->source_units, translator->target_units};
    const Rendering *rendering = translation->renderings;
    FREED_BY(alignment_free) Alignment alignment = {0};
    FREED_BY(confidence_free) Confidence confidence = {.text = 1};
    TRY(alignment_set(&alignment, translation, rendering, kinds, &model->reading, error));
    if (translator->has_confidence)
        TRY(confidence_set(&confidence, &translator->confidence, translation, rendering, kinds[1],
                           error));
    append_links(lists[2], &alignment.links, json_array_size(lists[0]), json_array_size(lists[1]));
    append_units(lists[0], &translation->source, &alignment.source_units);
    append_units(lists[1], &rendering->text, &alignment.target_units);
    for (size_t i = 0; i < confidence.words.count; i++)
        json_array_append_new(lists[3], probability_json(confidence.of_words[i].right));
    *right *= confidence.text;
    return STATUS_OK;
}

/* The alignment of a text whose pieces have these translations, and the probability that it is
 * right: the product of its pieces'. */
static Status alignment_json(json_t **json, double *right, const ServedModel *model,
                             const Translation *translations, size_t count, Error *error)
{
    json_t *const lists[4] = {json_array(), json_array(), json_array(),
                              model->translator.has_confidence ? json_array() : NULL};
    *right = 1;
    FREED_BY(json_decref_at)
    json_t *made = json_pack("{s:o, s:o, s:o, s:o*}", "source", lists[0], "target", lists[1],
                             "links", lists[2], "confidence", lists[3]);
    if (!made) return error_memory(error, 0, "an alignment");
    for (size_t i = 0; i < count; i++)
        TRY(append_piece(lists, right, model, &translations[i], error));
    *json = memory_take(&made);
    return STATUS_OK;
}

// A text of a job, and how it is translated.
typedef struct TranslatedText {
    Passage *passage;
    const Translation *translations; // of its pieces
    const Job *job;
    const TranslateOptions *options;
} TranslatedText;

// Writes the lines with each one's rendering `rank`.
static void write_lines(Writer *out, const TranslatedText *text, size_t rank)
{
    const size_t count = text->passage->count;
    for (size_t i = 0; i < count; i++) {
        const Translation *piece = &text->translations[i];
        assert(piece->count > 0); // since no piece is empty
        const Bytes *best = &piece->renderings[rank < piece->count ? rank : 0].text;
        passage_write_gap(out, text->passage, i);
        writer_bytes(out, bytes_text(best), best->length);
    }
    passage_write_gap(out, text->passage, count);
}

// The text with each piece's rendering `rank`, or its best where it has fewer.
static Status text_json(json_t **json, const TranslatedText *translated, size_t rank, Error *error)
{
    Passage *passage = translated->passage;
    const Job *job = translated->job;
    const Translator *translator = &job->model->translator;
    bool marked = job->uncertain && translator->has_confidence && !job->onward.model;
    const HtmlTranslation html = {.document = &passage->html,
                                  .reading = &job->model->reading,
                                  .rank = rank,
                                  .session = job->model->sessions[job_lane(job)],
                                  .options = translated->options,
                                  .confidence = marked ? &translator->confidence : NULL,
                                  .words = translator->target_units};
    FREED_BY(bytes_free) Bytes text = {0};
    Writer out = writer_start(&text, error);
    if (passage->is_html)
        html_translation_write(&out, &html, (Span){0, passage->count}, translated->translations);
    else
        write_lines(&out, translated, rank);
    TRY(writer_end(&out));
    *json = json_stringn(bytes_text(&text), text.length);
    return *json ? STATUS_OK : error_memory(error, text.length, "an answer");
}

static bool contains(const json_t *list, const json_t *text)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), text)) return true;
    return false;
}

// Appends to a list, which has the best text, as many others as are wanted that differ from it and
// from each other.
static Status append_alternatives(json_t *list, const TranslatedText *from, Error *error)
{
    for (size_t rank = 1; rank <= from->job->alternatives; rank++) {
        FREED_BY(json_decref_at) json_t *text = NULL;
        TRY(text_json(&text, from, rank, error));
        if (!contains(list, text)) json_array_append(list, text);
    }
    return STATUS_OK;
}

// Sets a member of the answer to a value, or appends it to the member's where texts are listed.
static void add(json_t *answer, const Job *job, const char *name, json_t *value)
{
    if (!job->listed) {
        json_object_set_new(answer, name, value);
        return;
    }
    if (!json_object_get(answer, name)) json_object_set_new(answer, name, json_array());
    json_array_append_new(json_object_get(answer, name), value);
}

json_t *answer_language(const DetectedLanguage *language)
{
    return json_pack("{s:f, s:s}", "confidence", round(language->confidence), "language",
                     language->code.text);
}

/* Adds the senses of a word or short text, if any. Of one that came by way of a third language they
 * have no examples, which would be in that. */
static Status add_senses(json_t *answer, const TranslatedText *from, Error *error)
{
    const Job *job = from->job;
    const Translator *translator = job->onward.answer ? NULL : &job->model->translator;
    json_t *senses = NULL;
    if (from->passage->count == 1) TRY(senses_json(&senses, from->translations, translator, error));
    add(answer, job, "senses", senses ? senses : json_array());
    return STATUS_OK;
}

// What a text comes from in the memory: as much of it as of its pieces' least.
static json_t *memory_of(const TranslatedText *from)
{
    double least = from->passage->count > 0 ? 1 : 0;
    for (size_t i = 0; i < from->passage->count; i++)
        least = fmin(least, translation_similarity(&from->translations[i]));
    json_t *memory = memory_json(least);
    return memory ? memory : json_null();
}

static Status add_text(json_t *answer, const TranslatedText *from, Error *error)
{
    const Job *job = from->job;
    json_t *text;
    FREED_BY(json_decref_at) json_t *texts = json_array();
    FREED_BY(json_decref_at) json_t *alignment = NULL;
    double right;
    TRY(text_json(&text, from, 0, error));
    json_array_append_new(texts, text);
    TRY(append_alternatives(texts, from, error));
    if (job->alignment)
        TRY(alignment_json(&alignment, &right, job->model, from->translations, from->passage->count,
                           error));
    if (alignment && job->model->translator.has_confidence)
        add(answer, job, "confidence", probability_json(right));
    add(answer, job, "translatedText", json_incref(json_array_get(texts, 0)));
    json_array_remove(texts, 0);
    if (job->alternatives > 0) add(answer, job, "alternatives", json_incref(texts));
    if (job->detected) add(answer, job, "detectedLanguage", answer_language(&job->language));
    if (alignment) TRY(add_senses(answer, from, error));
    if (job->model->memory) add(answer, job, "memory", memory_of(from));
    if (alignment) add(answer, job, "alignment", json_incref(alignment));
    return STATUS_OK;
}

static Status add_all(json_t *answer, const Job *job, const Translation *translations,
                      const TranslateOptions *options, Error *error)
{
    const Translation *at = translations;
    double right;
    for (size_t i = 0; i < job->count; i++) {
        json_t *alignment;
        if (job->translations) {
            TRY(alignment_json(&alignment, &right, job->model, at++, 1, error));
            add(answer, job, "alignment", alignment);
        } else {
            TRY(add_text(answer, &(TranslatedText){&job->passages[i], at, job, options}, error));
            at += job->passages[i].count;
        }
    }
    return STATUS_OK;
}

// Where each unit of a list ends in all of them together.
static Status unit_ends(size_t **ends, const json_t *units, Error *error)
{
    size_t count = json_array_size(units), end = 0;
    TRY(array_new(ends, count, "an alignment", error));
    for (size_t i = 0; i < count; i++)
        (*ends)[i] = end += json_string_length(json_array_get(units, i));
    return STATUS_OK;
}

static size_t link_end(const json_t *link, size_t side)
{
    return (size_t)json_integer_value(json_array_get(link, side));
}

// Appends the pairs of units that are both linked to units of the third language that overlap.
static Status cross(Links *found, const json_t *from, const json_t *to, size_t *const ends[2],
                    Error *error)
{
    for (size_t i = 0; i < json_array_size(from); i++) {
        const json_t *a = json_array_get(from, i);
        size_t unit = link_end(a, 1), begin = unit > 0 ? ends[0][unit - 1] : 0;
        for (size_t j = 0; j < json_array_size(to); j++) {
            const json_t *b = json_array_get(to, j);
            size_t other = link_end(b, 0), other_begin = other > 0 ? ends[1][other - 1] : 0;
            if (other_begin < ends[0][unit] && begin < ends[1][other])
                TRY(links_append(found, link_end(a, 0), link_end(b, 1), error));
        }
    }
    return STATUS_OK;
}

// Appends the links of two alignments one after another.
static Status compose(json_t *links, const json_t *first, const json_t *second, Error *error)
{
    FREED size_t *before = NULL, *behind = NULL;
    FREED_BY(links_free) Links found = {0};
    TRY(unit_ends(&before, json_object_get(first, "target"), error));
    TRY(unit_ends(&behind, json_object_get(second, "source"), error));
    size_t *const ends[2] = {before, behind};
    TRY(cross(&found, json_object_get(first, "links"), json_object_get(second, "links"), ends,
              error));
    links_sort(&found);
    append_links(links, &found, 0, 0);
    return STATUS_OK;
}

// A member of an answer, or of it that of text i.
static json_t *member(const json_t *answer, const Job *job, const char *name, size_t i)
{
    json_t *value = json_object_get(answer, name);
    return job->listed ? json_array_get(value, i) : value;
}

// Makes the alignment and the confidence of texts that came by way of a third language those of both
// ways.
static Status join_answers(json_t *answer, const Job *job, Error *error)
{
    const json_t *before = job->onward.answer;
    for (size_t i = 0; i < job->count && job->alignment; i++) {
        const json_t *first = member(before, job, "alignment", i);
        const json_t *sure = member(before, job, "confidence", i);
        json_t *alignment = member(answer, job, "alignment", i), *links = json_array();
        Status status = compose(links, first, alignment, error);
        json_object_set(alignment, "source", json_object_get(first, "source"));
        json_object_set_new(alignment, "links", links);
        TRY(status);
        const json_t *value = member(answer, job, "confidence", i);
        if (!sure || !value) continue;
        json_t *product = probability_json(json_number_value(sure) * json_number_value(value));
        if (job->listed)
            json_array_set_new(json_object_get(answer, "confidence"), i, product);
        else
            json_object_set_new(answer, "confidence", product);
    }
    return STATUS_OK;
}

void answer_job(Job *job, const Translation *translations, const TranslateOptions *options)
{
    Error error = {0};
    TranslateOptions again = *options;
    again.glossary = job->glossary;
    if (job->alternatives + 1 > again.n_best) again.n_best = job->alternatives + 1;
    json_memory_was_short(); // of a value that was given up
    json_t *answer = json_object();
    Status status = job->inspects ? inspection_add(answer, job, translations, &error)
                                  : add_all(answer, job, translations, &again, &error);
    if (!status && job->onward.model && json_memory_was_short()) // writing it would tell
        status = error_memory(&error, 0, "an answer");
    if (!status && job->onward.model) {
        if (!job_go_on(job, answer, &error)) return;
        response_failure(&job->response, &error, HTTP_FAILED);
        return;
    }
    if (!status && job->onward.answer) status = join_answers(answer, job, &error);
    if (!status) {
        response_json(&job->response, answer);
        return;
    }
    json_decref(answer);
    // a step to inspect cannot be known to be there before
    response_failure(&job->response, &error,
                     status == STATUS_ARGUMENT ? HTTP_BAD_REQUEST : HTTP_FAILED);
}

void answer_unchanged(Job *job)
{
    json_t *answer = json_object();
    for (size_t i = 0; i < json_array_size(job->texts); i++) {
        add(answer, job, "translatedText", json_incref(json_array_get(job->texts, i)));
        if (job->alternatives > 0) add(answer, job, "alternatives", json_array());
        if (job->detected) add(answer, job, "detectedLanguage", answer_language(&job->language));
    }
    response_json(&job->response, answer);
}
