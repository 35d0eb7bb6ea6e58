#include "serve/api/answer.h"

#include "base/array.h"
#include "render/beam_tree.h"
#include "translate/explanation_json.h"
#include "translate/subword_labels.h"

// The weights of each target subword, none of a text that has no attention.
static json_t *attention_json(const Rendering *rendering, size_t positions)
{
    json_t *rows = json_array();
    for (size_t t = 0; t <= rendering->subwords.count && rendering->alpha; t++)
        json_append(&rows, numbers_json(rendering->alpha + t * positions, positions));
    return rows;
}

// What stands in the text for each subword but the last, in whole characters.
static json_t *texts_json(const Rendering *rendering)
{
    const Subwords *subwords = &rendering->subwords;
    const char *text = bytes_text(&rendering->text);
    json_t *list = json_array();
    for (size_t i = 0, begin = 0; i < subwords->count; i++) {
        size_t end = subwords->ends[i];
        while ((text[end] & 0xc0) == 0x80) end++;
        json_append(&list, json_stringn(text + begin, end - begin));
        begin = end;
    }
    return list;
}

// What was asked, as what_if_read gives it, so that the step is explained with that attention.
static Status explain(json_t **json, const Job *job, const Translation *translation,
                      SubwordLabels *labels, Error *error)
{
    const Translator *translator = &job->model->translator;
    const Rendering *rendering = translation->renderings;
    const Subwords *source = &translation->source_subwords;
    const TextView text = {bytes_text(&translation->source), translation->source.length};
    FREED_BY(explanation_free) Explanation explanation = {0};
    FREED WhatIf *what_if = NULL;
    TRY(array_new(&what_if, 1, "what if", error));
    const ExplainedPair pair = {source, &rendering->subwords, job->step, what_if};
    TRY(what_if_read(what_if, job->what_if ? job->what_if : &(WhatIfRequest){0}, text, source,
                     translator->target_vocabulary, error));
    TRY(session_explain(job->model->sessions[job_lane(job)], &pair, &explanation, error));
    TRY(subword_labels_set_likeliest(labels, translator, &explanation, error));
    *json = explanation_json(&(ExplainedStep){.explanation = &explanation,
                                              .scorer = translator->model.params.decoder.scorer,
                                              .source = subword_labels(labels, LABELS_SOURCE),
                                              .target = subword_labels(labels, LABELS_TARGET),
                                              .likeliest = subword_labels(labels, LABELS_LIKELIEST),
                                              .pair = 1,
                                              .target_subword = job->step});
    return STATUS_OK;
}

Status inspection_add(json_t *answer, const Job *job, const Translation *translation, Error *error)
{
    const Translator *translator = &job->model->translator;
    const Rendering *rendering = translation->renderings;
    const BeamTreeView tree = {&translation->tree, translator->target_vocabulary};
    FREED_BY(subword_labels_free) SubwordLabels labels = {0};
    json_t *explanation = NULL;
    TRY(subword_labels_set(&labels, translator, translation, rendering, error));
    if (job->step != NO_STEP) TRY(explain(&explanation, job, translation, &labels, error));
    size_t positions = translation->source_subwords.count + 1;
    size_t steps = rendering->log_ps ? rendering->subwords.count + 1 : 0;
    FREED_BY(json_decref_at)
    json_t *json = json_pack(
        "{ss% so so so so so so so so*}", "translatedText", bytes_text(&rendering->text),
        rendering->text.length, "source", labels_json(subword_labels(&labels, LABELS_SOURCE)),
        "target", labels_json(subword_labels(&labels, LABELS_TARGET)), "texts",
        texts_json(rendering), "attention", attention_json(rendering, positions),
        "log_probabilities", numbers_json(rendering->log_ps, steps), "score",
        json_number(rendering->score), "tree", beam_tree_json(&tree), "explanation", explanation);
    if (json_object_update(answer, json)) return error_memory(error, 0, "an inspection");
    return STATUS_OK;
}
