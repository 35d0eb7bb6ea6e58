#include "translate/translation_json.h"

#include <stdio.h>

json_t *probability_json(double probability)
{
    return json_number(round(probability * 1000) / 1000);
}

// The words of a text as "words" has them; NULL if out of memory.
static json_t *words_json(const Confidence *confidence, const Bytes *text)
{
    json_t *words = json_array();
    for (size_t i = 0; i < confidence->words.count; i++) {
        const TextView word = span_text(bytes_view(text), confidence->words.items[i]);
        json_t *right = probability_json(confidence->of_words[i].right);
        json_append(&words,
                    json_pack("{s:s%, s:o}", "text", word.data, word.length, "confidence", right));
    }
    return words;
}

json_t *memory_json(double similarity)
{
    char text[32];
    if (similarity <= 0) return NULL;
    (void)snprintf(text, sizeof text, "fuzzy %.2f", similarity);
    return json_string(similarity < 1 ? text : "exact");
}

static void add_memory(json_t *json, double similarity)
{
    json_t *memory = memory_json(similarity);
    if (memory) json_object_set_new(json, "memory", memory);
}

// The sides of an example; NULL if there is none, or memory is short.
static json_t *example_json(const Example *example)
{
    json_t *sides[2] = {json_array(), json_array()};
    for (size_t i = 0; i < 6; i++) {
        const TextView part = example->parts[i / 3][i % 3];
        json_append(&sides[i / 3], json_stringn(part.data ? part.data : "", part.length));
    }
    return json_pack("{s:o, s:o}", "source", sides[0], "target", sides[1]);
}

Status senses_json(json_t **list, const Translation *translation, const Translator *translator,
                   Error *error)
{
    const Senses *senses = translation->senses;
    Example examples[MAX_SENSES] = {0};
    *list = NULL;
    if (!senses) return STATUS_OK;
    if (translator)
        TRY(example_file_find(examples, translator->examples, translator->aligner,
                              bytes_view(&translation->source), senses, error));
    *list = json_array();
    for (size_t i = 0; i < senses->count; i++) {
        bool found = example_is_found(&examples[i]);
        json_append(list, json_pack("{s:s, s:o, s:o*}", "word", senses->items[i].word, "share",
                                    probability_json(senses->items[i].share), "example",
                                    found ? example_json(&examples[i]) : NULL));
    }
    return STATUS_OK;
}

// What is written of one rendering.
typedef struct RenderingJson {
    const TranslationParts *parts;
    Alignment alignment;
    Confidence confidence;
    Bytes links;
} RenderingJson;

// "source" unless it is NULL, "text", "score", "log_probability"; NULL if out of memory.
static json_t *start(const Bytes *source, const Rendering *rendering)
{
    json_t *json = json_pack("{s:s%, s:o, s:o}", "text", bytes_text(&rendering->text),
                             rendering->text.length, "score", json_number(rendering->score),
                             "log_probability", json_number(rendering->log_p));
    if (!source) return json;
    json_t *whole = json_pack("{s:s%}", "source", bytes_text(source), source->length);
    json_object_update(whole, json);
    json_decref(json);
    return whole;
}

// Adds the probability that a rendering is right, and leaves its words' in `state`; false if the model
// does not know them.
static bool add_confidence(json_t *json, Writer *out, RenderingJson *state,
                           const Translation *translation, const Rendering *rendering)
{
    const Translator *translator = state->parts->translator;
    if (!translator || !translator->has_confidence || out->status) return false;
    out->status = confidence_set(&state->confidence, &translator->confidence, translation,
                                 rendering, state->parts->words, out->error);
    json_object_set_new(json, "confidence", probability_json(state->confidence.text));
    return true;
}

// The sentences of a rendering; NULL if out of memory.
static json_t *sentences_json(Writer *out, RenderingJson *state, const Translation *translation,
                              const Rendering *rendering)
{
    json_t *list = json_array();
    for (size_t i = 0; i < translation->sentence_count && !out->status; i++) {
        const Translation *sentence = &translation->sentences[i];
        const Rendering *one = &sentence->renderings[rendering->places[i].rendering];
        json_t *json = start(&sentence->source, one);
        (void)add_confidence(json, out, state, sentence, one);
        add_memory(json, sentence->similarity);
        json_append(&list, json);
    }
    return list;
}

/* One translation; NULL if out of memory. */
static json_t *rendering_json(Writer *out, RenderingJson *state, const Translation *translation,
                              const Rendering *rendering)
{
    const TranslationParts *parts = state->parts;
    json_t *json = start(NULL, rendering);
    if (add_confidence(json, out, state, translation, rendering))
        json_object_set_new(json, "words", words_json(&state->confidence, &rendering->text));
    if (parts->units && !out->status) {
        bytes_clear(&state->links);
        Writer links = writer_start(&state->links, out->error);
        links.status = alignment_set(&state->alignment, translation, rendering, parts->units,
                                     parts->reading, out->error);
        links_write(&links, &state->alignment.links);
        out->status = writer_end(&links);
        json_object_set_new(json, "alignment", json_string(bytes_text(&state->links)));
    }
    if (translation->sentence_count > 0 && !out->status)
        json_object_set_new(json, "sentences", sentences_json(out, state, translation, rendering));
    return json;
}

void translation_json_write(Writer *out, const Translation *translation, size_t line,
                            const TranslationParts *parts)
{
    const Bytes *source = &translation->source;
    RenderingJson state = {.parts = parts};
    json_t *list = json_array();
    for (size_t i = 0; i < translation->count && !out->status; i++)
        json_append(&list, rendering_json(out, &state, translation, &translation->renderings[i]));
    json_t *json = json_pack("{s:I, s:s%, s:o}", "line", (json_int_t)line, "source",
                             bytes_text(source), source->length, "translations", list);
    add_memory(json, translation->similarity);
    json_t *senses = NULL;
    if (!out->status)
        out->status = senses_json(&senses, translation, parts->translator, out->error);
    if (senses) json_object_set_new(json, "senses", senses);
    json_write(out, json, JSON_COMPACT | JSON_REAL_PRECISION(9));
    alignment_free(&state.alignment);
    confidence_free(&state.confidence);
    bytes_free(&state.links);
}
