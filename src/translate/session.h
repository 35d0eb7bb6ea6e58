/* A translator at work: a team of threads with a model each. One session belongs to one thread of
 * the caller; several sessions may share a translator. */
#pragma once

#include "reading/glossary.h"
#include "reading/translation.h"
#include "reading/what_if_request.h"
#include "translate/explanation.h"
#include "translate/translation_memory.h"
#include "translate/translator.h"

typedef struct Session Session;

/* Products are computed in that precision; auto is the fastest for the model. `translator` must
 * outlive it. Freed by session_free. STATUS_ARGUMENT if this program or processor does not have it. */
Status session_new(Session **session, const Translator *translator, size_t threads,
                   Precision precision, Error *error);

/* From now on session_translate averages the probabilities and the attention of the session's model
 * and of `others` (count), which must outlive it (search/search_model.h); no shortlist is used.
 * STATUS_FORMAT, with the place of the first in *odd, if one has another vocabulary. Forced
 * decoding stays the first model's. */
Status session_add_models(Session *session, const Translator *const *others, size_t count,
                          size_t *odd, Error *error);

void session_free(Session *session); // NULL is allowed
FREES_POINTER(Session, session_free)

/* From now on work asks `cancel` (base/cancel.h), before each text, step and batch, and fails if it
 * is wanted; NULL: never. The session can be used again. */
void session_cancel_by(Session *session, const Cancel *cancel);

/* From now on session_translate does without these steps of reading: bits by their row in
 * reading_steps, or READING_SPANS. For measurements (tools/ablate-reading). */
void session_leave_out(Session *session, uint32_t steps);

// Whether a text of several sentences is translated as a whole or by sentences
// (reading/paragraph.h).
typedef enum TextSplit { SPLIT_NONE, SPLIT_SENTENCES } TextSplit;
extern const char *const text_splits[]; // "none", "sentences", NULL

typedef struct TranslateOptions {
    SearchOptions search; // its prefixes, constraints and cancel are the session's
    size_t n_best;        // 1 … beam
    // (count) any bytes, what each translation must begin with (reading/target_prefix.h), an
    // empty one: anything; NULL: none.
    const TextView *prefixes;
    // (count) of each text, spans that stay as they are (reading/placeholders.h); NULL: none are
    // given
    const Spans *spans;
    // of all texts, or (count) each text's; NULL: none. Not with sampling
    const Glossary *glossary, *const *glossaries;
    TextSplit split;
    // of each text, which then is not split, nor is it with search.with_tree; NULL: nothing is asked
    const WhatIfRequest *what_if;
    // for texts of which nothing else is demanded; NULL: none. Not with sampling
    TranslationMemory *memory;
} TranslateOptions;

// The glossary of a text; NULL: none.
static inline const Glossary *translate_glossary(const TranslateOptions *options, size_t text)
{
    return options->glossaries ? options->glossaries[text] : options->glossary;
}

// A search.length_normalization below 0: that of the translator, of an ensemble the first one's.
#define MODELS_NORMALIZATION (-1.0)

// The options of whoever translates, unless they are given.
#define TRANSLATE_OPTIONS_DEFAULT                                                                  \
    {                                                                                              \
        .search = {.beam = 5,                                                                      \
                   .batch = 64,                                                                    \
                   .length_normalization = MODELS_NORMALIZATION,                                   \
                   .scoring = {.lexicon = LEXICON_SHARE},                                          \
                   .sampling = {.temperature = 1}},                                                \
        .n_best = 1                                                                                \
    }

/* Translates `count` texts: sets translations (count), each freed by translation_free. An empty
 * text has no rendering, any other at least one. What stays as it is, once each in every rendering:
 * if the model knows placeholders, the spans of reading/untranslated_spans.h; and spans given. Those
 * that are not read as placeholders are phrases that search must say (reading/phrase.h), at least
 * once. A text that is nothing else, and has no prefix, is its own translation. A sentence of one word,
 * or a short one that training has, is looked up (translate/dictionary.h) if the model has a lexicon and
 * it has neither prefix, spans nor glossary: what is found comes first, with the probability that the
 * model gives it. A text that the memory has, or one of its sentences, has its translation there as its
 * only rendering; one that is like a source there takes what it can of it (translate/recall.h), if
 * search finds a translation that has it. With
 * search.sampling the renderings are the samples in the order drawn, and the number of a text is
 * its place among all `count`; where it is split, its sentences have numbers of their own, which
 * depend on it and their place alone. On failure they are empty. */
Status session_translate(Session *session, const TextView *texts, size_t count,
                         const TranslateOptions *options, Translation *translations, Error *error);

/* From now on forced decoding shows the attention of one head, from 1, instead of the heads' mean;
 * STATUS_FORMAT if the model has no such head. */
Status session_show_head(Session *session, size_t head, Error *error);

/* From now on forced decoding with attention weights also computes posterior attention
 * (Rendering.posterior): for each target subword a step of the decoder and its output layer for
 * every source subword. */
void session_infer_attention(Session *session, bool wanted);

/* Forced decoding of pairs, sides[0] being the sources (count) and sides[1] the targets: the
 * probability of each target and, if wanted, the attention weights. Each translation has one
 * rendering, the target, even if a side is empty. */
Status session_force(Session *session, const TextView *const sides[2], size_t count,
                     bool with_alpha, Translation *translations, Error *error);

// The same; the listener does not hear of it.
Status session_force_quietly(Session *session, const TextView *const sides[2], size_t count,
                             bool with_alpha, Translation *translations, Error *error);

/* From now on the listener hears of each text, sentence of a text that is split, or pair that is
 * translated or decoded. An empty text does not count, nor one that stays as it is. */
void session_set_listener(Session *session, WorkListener listener);

// One step of forced decoding taken apart (translate/explanation.h).
Status session_explain(Session *session, const ExplainedPair *pair, Explanation *explanation,
                       Error *error);
