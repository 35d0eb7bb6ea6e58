#include "serve/api/answer.h"

#include "base/memory.h"
#include "translate/html_translation.h"

#include <math.h>
#include <string.h>

// An alignment as it grows by the pieces of a text.
typedef struct AlignmentLists {
    json_t *source, *target, *links;
} AlignmentLists;

// Appends the units of a text.
static Status append_units(json_t *list, const Bytes *text, const Units *units, Error *error)
{
    for (size_t i = 0; i < units->count; i++) {
        const char *unit = bytes_text(text) + units->begins[i];
        if (json_array_append_new(list, json_stringn(unit, units->ends[i] - units->begins[i])))
            return error_memory(error, 0, "an alignment");
    }
    return STATUS_OK;
}

static Status append_piece(AlignmentLists *lists, const ServedModel *model,
                           const Translation *translation, Error *error)
{
    const UnitKind kinds[2] = {model->translator.source_units, model->translator.target_units};
    const Rendering *rendering = &translation->renderings[0];
    size_t first[2] = {json_array_size(lists->source), json_array_size(lists->target)};
    Alignment alignment = {0};
    Status status =
        alignment_set(&alignment, translation, rendering, kinds, &model->reading, error);
    if (!status)
        status = append_units(lists->source, &translation->source, &alignment.source_units, error);
    if (!status)
        status = append_units(lists->target, &rendering->text, &alignment.target_units, error);
    for (size_t i = 0; i < alignment.links.count && !status; i++) {
        Link link = alignment.links.items[i];
        json_t *pair = json_pack("[I, I]", (json_int_t)first[0] + link.source,
                                 (json_int_t)first[1] + link.target);
        if (json_array_append_new(lists->links, pair))
            status = error_memory(error, 0, "an alignment");
    }
    alignment_free(&alignment);
    return status;
}

// The alignment of a text whose pieces have these translations.
static Status alignment_json(json_t **json, const ServedModel *model,
                             const Translation *translations, size_t count, Error *error)
{
    AlignmentLists lists = {json_array(), json_array(), json_array()};
    *json = json_pack("{s:o, s:o, s:o}", "source", lists.source, "target", lists.target, "links",
                      lists.links);
    if (!*json) return error_memory(error, 0, "an alignment");
    for (size_t i = 0; i < count; i++)
        if (translations[i].count > 0) TRY(append_piece(&lists, model, &translations[i], error));
    return STATUS_OK;
}

// A text of a job, and how it is translated.
typedef struct TranslatedText {
    const Passage *passage;
    const Translation *translations; // of its pieces
    const Job *job;
    const TranslateOptions *options;
} TranslatedText;

// Writes the lines with each one's rendering `rank`, or its best where it has fewer.
static Status write_lines(Writer *out, const TranslatedText *text, size_t rank)
{
    const Passage *passage = text->passage;
    TextView *views = memory_new(passage->count, sizeof *views);
    if (!views) return error_memory(out->error, passage->count * sizeof *views, "an answer");
    for (size_t i = 0; i < passage->count; i++) {
        const Translation *piece = &text->translations[i];
        const Bytes *best = piece->count > 0 ? &piece->renderings[0].text : &piece->source;
        if (rank < piece->count) best = &piece->renderings[rank].text;
        views[i] = (TextView){bytes_text(best), best->length};
    }
    passage_write(out, passage, views);
    memory_free(views);
    return out->status;
}

// The text with each piece's rendering `rank`; *more tells whether any piece has that one.
static Status text_json(json_t **json, const TranslatedText *translated, size_t rank, bool *more,
                        Error *error)
{
    const Passage *passage = translated->passage;
    const Job *job = translated->job;
    const HtmlTranslation html = {.document = &passage->html,
                                  .reading = &job->model->reading,
                                  .rank = rank,
                                  .session = job->model->session,
                                  .options = translated->options,
                                  .glossary = job->glossary};
    Bytes text = {0};
    Writer out = writer_start(&text, error);
    if (passage->is_html)
        html_translation_write(&out, &html, 0, passage->count, translated->translations);
    else
        out.status = write_lines(&out, translated, rank);
    Status status = writer_end(&out);
    *more = false;
    for (size_t i = 0; i < passage->count && !*more; i++)
        *more = rank < translated->translations[i].count;
    *json = status ? NULL : json_stringn(bytes_text(&text), text.length);
    if (!status && !*json) status = error_memory(error, text.length, "an answer");
    bytes_free(&text);
    return status;
}

static bool contains(const json_t *list, const json_t *text)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), text)) return true;
    return false;
}

// Up to `most` texts that differ from the best and from each other.
static Status append_alternatives(json_t *list, const json_t *best, const TranslatedText *from,
                                  size_t most, Error *error)
{
    bool more = true;
    for (size_t rank = 1; rank <= most; rank++) {
        json_t *text;
        TRY(text_json(&text, from, rank, &more, error));
        bool wanted = more && !json_equal(text, best) && !contains(list, text);
        if (wanted && json_array_append(list, text)) more = false;
        json_decref(text);
        if (wanted && !more) return error_memory(error, 0, "an answer");
        if (!more) break;
    }
    return STATUS_OK;
}

// The lists of an answer, an element for each text.
typedef struct Lists {
    json_t *texts, *alternatives, *languages, *alignments;
} Lists;

static Status append_text(Lists *lists, const Job *job, size_t i, const Translation *translations,
                          const TranslateOptions *options, Error *error)
{
    const TranslatedText from = {&job->passages[i], translations, job, options};
    json_t *text = NULL, *others = json_array();
    bool more;
    Status status = text_json(&text, &from, 0, &more, error);
    if (!status) status = append_alternatives(others, text, &from, job->alternatives, error);
    if (status) {
        json_decref(text);
        json_decref(others);
        return status;
    }
    json_array_append_new(lists->texts, text);
    json_array_append_new(lists->alternatives, others);
    json_array_append_new(lists->languages, answer_language(&job->language));
    return STATUS_OK;
}

json_t *answer_language(const DetectedLanguage *language)
{
    return json_pack("{s:f, s:s}", "confidence", round(language->confidence), "language",
                     language->code.text);
}

// Sets a member of the answer to the list, or to its one element.
static void set_member(json_t *answer, const char *name, json_t *list, bool listed)
{
    json_t *value = listed ? list : json_array_get(list, 0);
    if (json_array_size(list) > 0) json_object_set(answer, name, value);
}

static Status fill_lists(Lists *lists, const Job *job, const Translation *translations,
                         const TranslateOptions *options, Error *error)
{
    const Translation *at = translations;
    for (size_t i = 0; i < job->count; i++) {
        bool aligns = job->kind == JOB_ALIGN;
        size_t pieces = aligns ? 1 : job->passages[i].count;
        json_t *alignment = NULL;
        if (!aligns) TRY(append_text(lists, job, i, at, options, error));
        if (aligns || job->alignment) {
            Status status = alignment_json(&alignment, job->model, at, pieces, error);
            json_array_append_new(lists->alignments, alignment);
            TRY(status);
        }
        at += pieces;
    }
    return STATUS_OK;
}

static void release(Lists *lists)
{
    json_decref(lists->texts);
    json_decref(lists->alternatives);
    json_decref(lists->languages);
    json_decref(lists->alignments);
}

void answer_job(Job *job, const Translation *translations, const TranslateOptions *options)
{
    Error error = {0};
    TranslateOptions again = *options;
    if (job->alternatives + 1 > again.n_best) again.n_best = job->alternatives + 1;
    json_memory_was_short(); // of a value that was given up
    Lists lists = {json_array(), json_array(), json_array(), json_array()};
    Status status = fill_lists(&lists, job, translations, &again, &error);
    json_t *answer = json_object();
    set_member(answer, "translatedText", lists.texts, job->listed);
    if (job->alternatives > 0) set_member(answer, "alternatives", lists.alternatives, job->listed);
    if (job->detected) set_member(answer, "detectedLanguage", lists.languages, job->listed);
    set_member(answer, "alignment", lists.alignments, job->listed);
    release(&lists);
    if (status) {
        json_decref(answer);
        response_failure(&job->response, &error, HTTP_FAILED);
    } else {
        response_json(&job->response, answer);
    }
}

void answer_unchanged(Response *response, json_t *texts, bool listed, bool alternatives,
                      const DetectedLanguage *detected)
{
    json_t *answer = json_object(), *languages = json_array(), *others = json_array();
    for (size_t i = 0; i < json_array_size(texts); i++) {
        if (detected) json_array_append_new(languages, answer_language(detected));
        if (alternatives) json_array_append_new(others, json_array());
    }
    set_member(answer, "translatedText", texts, listed);
    set_member(answer, "alternatives", others, listed);
    set_member(answer, "detectedLanguage", languages, listed);
    json_decref(languages);
    json_decref(others);
    response_json(response, answer);
}
