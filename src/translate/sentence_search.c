#include "translate/sentence_search.h"

#include "base/array.h"
#include "reading/phrase.h"
#include "reading/placeholders.h"
#include "reading/repetition.h"
#include "reading/target_prefix.h"

// The sentences as they are read, and those that are searched as tokens.
typedef struct Sentences {
    size_t count;
    Reading *readings; // (count)
    TokenCorpus tokens;
    size_t *places;           // (tokens.count) their places among all
    Prefix *prefixes;         // (count) NULL if none are given
    Constraints *constraints; // (count)
    WhatIf *what_ifs;         // (count) NULL if nothing is asked
} Sentences;

static void sentences_free(Sentences *sentences)
{
    for (size_t i = 0; i < sentences->count; i++) {
        if (sentences->prefixes) prefix_free(&sentences->prefixes[i]);
        if (sentences->constraints) constraints_free(&sentences->constraints[i]);
        if (sentences->readings) reading_free(&sentences->readings[i]);
    }
    token_corpus_free(&sentences->tokens);
    memory_free(sentences->readings);
    memory_free(sentences->constraints);
    memory_free(sentences->what_ifs);
    memory_free(sentences->prefixes);
    memory_free(sentences->places);
}

// What a sentence takes from the memory; NULL: nothing.
static Recall *recall_of(const SentenceSearch *call, size_t i)
{
    Recall *recall = call->recalls ? &call->recalls[i] : NULL;
    return recall && recall->match.similarity > 0 && !recall->failed ? recall : NULL;
}

static Status add_found(const Reading *reading, Translation *translation, Hypotheses *found,
                        const TranslateOptions *options, Recall *recall, Error *error)
{
    translation->tree = found->tree;
    found->tree = (BeamTree){0};
    // each sample is a result, whatever it lacks
    if (!options->search.sampling.wanted)
        TRY(repetition_leave_out(found, reading->given.text, reading->context->target, error));
    TRY(translation_add_found(translation, reading, found, recall ? found->count : options->n_best,
                              !options->search.sampling.wanted, error));
    if (!recall) return STATUS_OK;
    recall->failed = !recall_choose(translation, recall, options->n_best);
    translation->similarity = recall->match.similarity;
    if (recall->failed) translation_free(translation);
    return STATUS_OK;
}

// Searches again for what is wished for, where it is not in what was found.
static Status search_wishes(const BatchSearch *search, const Sentences *sentences,
                            TokenPair *sources, const SearchOptions *options, Hypotheses *results,
                            Error *error)
{
    size_t count = 0, all = sentences->tokens.count;
    FREED size_t *numbers = NULL;
    FREED Hypotheses *others = NULL;
    TRY(array_new(&numbers, all, "translating", error));
    TRY(array_new(&others, all, "translating", error));
    for (size_t i = 0; i < all; i++) {
        const Hypothesis *best = results[i].items;
        Constraints *constraints = &sentences->constraints[sources[i].number];
        if (!constraints_demand(constraints, best->tokens, best->length)) continue;
        numbers[count] = i;
        sources[count++] = sources[i];
    }
    if (count == 0) return STATUS_OK;
    TRY(batch_search_run(search, sources, count, options, others, error));
    for (size_t i = 0; i < count; i++) {
        const Hypotheses found = results[numbers[i]];
        if (others[i].items[0].incomplete) continue;
        results[numbers[i]] = others[i];
        others[i] = found;
    }
    for (size_t i = 0; i < count; i++) hypotheses_free(&others[i]);
    return STATUS_OK;
}

static Status search(const SentenceSearch *call, const Sentences *sentences,
                     Translation *translations, Error *error)
{
    const TranslateOptions *options = call->options;
    size_t count = sentences->tokens.count;
    SearchOptions search_options = options->search;
    BatchSearch quiet = *call->search;
    FREED TokenPair *sources = NULL;
    FREED Hypotheses *results = NULL;
    search_options.prefixes = sentences->prefixes;
    search_options.constraints = options->search.sampling.wanted ? NULL : sentences->constraints;
    search_options.cancel = call->cancel;
    if (search_options.with_tree) search_options.batch = 1;
    quiet.listener = (WorkListener){0}; // it has heard of these
    TRY(array_new(&sources, count, "translating", error));
    TRY(array_new(&results, count, "translating", error));
    for (size_t i = 0; i < count; i++) {
        sources[i] = token_corpus_pair(&sentences->tokens, i);
        sources[i].number = (uint32_t)sentences->places[i];
        if (sentences->what_ifs) sources[i].what_if = &sentences->what_ifs[sentences->places[i]];
    }
    Status status = batch_search_run(call->again ? &quiet : call->search, sources, count,
                                     &search_options, results, error);
    if (!status && search_options.constraints && !sentences->what_ifs)
        status = search_wishes(&quiet, sentences, sources, &search_options, results, error);
    if (!status) status = backends_check(error);
    for (size_t i = 0; i < count && !status; i++) {
        size_t place = sentences->places[i];
        const Hypothesis *best = results[i].items;
        if (options->what_if)
            status = what_if_check_steps(options->what_if, best->length - best->ended, error);
        if (!status)
            status = add_found(&sentences->readings[place], &translations[place], &results[i],
                               options, recall_of(call, place), error);
    }
    for (size_t i = 0; i < count; i++) hypotheses_free(&results[i]);
    return status;
}

/* What the translation of a sentence must have: what stays as it is, terms of its glossary, or what
 * it takes from the memory. */
static Status require_phrases(const Reading *reading, const Subwords *subwords,
                              const Recall *recall, Constraints *constraints, Error *error)
{
    TRY(placeholders_require(constraints, reading, subwords, error));
    constraints->edges = reading->context->edges;
    TRY(phrases_require_spans(constraints, reading, subwords, error));
    if (recall) return recall_require(constraints, recall, reading, subwords, error);
    if (reading->context->placeholders > 0)
        TRY(phrases_bind(constraints, reading, subwords, error));
    if (reading->glossary)
        TRY(glossary_require(reading->glossary, reading, subwords, constraints, error));
    return phrases_wish(constraints, reading, subwords, error);
}

// Reads sentence i, its prefix, and its terms of the glossary.
static Status read_sentence(const SentenceSearch *call, Sentences *sentences, size_t i,
                            Translation *translation, Error *error)
{
    const ReadingContext *context = call->reading;
    const Paragraphs *paragraphs = call->paragraphs;
    const TranslateOptions *options = call->options;
    Constraints *constraints = &sentences->constraints[i];
    Reading *reading = &sentences->readings[i];
    bool begun = paragraphs->prefixes && paragraphs->prefixes[i].length > 0;
    size_t invalid = 0;
    TRY(cancel_check(call->cancel, error));
    *reading = (Reading){.context = context,
                         .given = paragraphs->views[i],
                         .begun = begun,
                         .glossary = translate_glossary(options, paragraphs->pieces[i].text)};
    TRY(reading_read(reading, error));
    if (!begun && reading_stays(reading))
        return translation_set_unchanged(
            translation, context, reading->given.text,
            options->search.sampling.wanted ? options->n_best : 1,
            options->search.with_alpha ? call->search->models[0]->matrices : 0, error);
    TRY(translation_set_source(translation, reading, error));
    if (translation->source.length == 0) return STATUS_OK;
    if (begun)
        TRY(target_prefix_read(&sentences->prefixes[i], reading, paragraphs->prefixes[i], &invalid,
                               &translation->prefix_cut, error));
    translation->invalid += invalid;
    const Subwords *subwords = &translation->source_subwords;
    TRY(require_phrases(reading, subwords, recall_of(call, i), constraints, error));
    if (sentences->what_ifs) {
        constraints->bound = 0; // words that are forced may be any
        const TextView source = bytes_view(&translation->source);
        TRY(what_if_read(&sentences->what_ifs[i], options->what_if, source, subwords,
                         context->target, error));
        sentences->what_ifs[i].edges = context->edges;
    }
    sentences->places[sentences->tokens.count] = i;
    return token_corpus_add(&sentences->tokens, subwords->ids, subwords->count, NULL, 0, error);
}

// Whether a sentence is still to be read and searched.
static bool is_left(const SentenceSearch *call, size_t i)
{
    const Recall *recall = call->recalls ? &call->recalls[i] : NULL;
    return call->again ? recall && recall->failed : !recall_of(call, i) || !recall_is_exact(recall);
}

Status sentence_search_run(const SentenceSearch *call, Translation *translations, Error *error)
{
    const size_t count = call->paragraphs->count;
    FREED_BY(sentences_free) Sentences sentences = {.count = count};
    TRY(array_new(&sentences.places, count, "translating", error));
    TRY(array_new(&sentences.readings, count, "translating", error));
    TRY(array_new(&sentences.constraints, count, "translating", error));
    if (call->paragraphs->prefixes) TRY(array_new(&sentences.prefixes, count, "prefixes", error));
    if (call->options->what_if) TRY(array_new(&sentences.what_ifs, count, "what if", error));
    for (size_t i = 0; i < count; i++)
        if (is_left(call, i)) TRY(read_sentence(call, &sentences, i, &translations[i], error));
    if (sentences.tokens.count == 0) return STATUS_OK;
    return search(call, &sentences, translations, error);
}
