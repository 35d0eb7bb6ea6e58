#include "translate/session.h"

#include "base/array.h"
#include "model/inference.h"
#include "reading/paragraph.h"
#include "reading/phrase.h"
#include "reading/placeholders.h"
#include "reading/repetition.h"
#include "reading/target_prefix.h"
#include "search/batch_search.h"
#include "text/normalise.h"
#include "translate/dictionary.h"
#include "translate/recall.h"

const char *const text_splits[] = {"none", "sentences", NULL};

struct Session {
    ReadingContext reading;
    BatchSearch search;
    Forcing forcing;
    const Translator *translator;
    ComputeType type; // of products
};

/* The translator's parameters, ready for products. OpenBLAS takes as long to load as a file of
 * 15 MB, so it is loaded only where it multiplies. */
static Status start_products(const Seq2SeqParams **params, const Translator *translator,
                             const Session *session, Error *error)
{
    Threads *threads = session->forcing.threads;
    TRY(translator_params(translator, session->type, threads, params, error));
    if (!seq2seq_needs_openblas(*params)) return STATUS_OK;
    return backends_start(threads_count(threads), error);
}

static Status start(Session *session, const Translator *translator, size_t threads,
                    Precision precision, Error *error)
{
    Forcing *forcing = &session->forcing;
    session->translator = translator;
    const Language *const languages[2] = {language_of(translator->languages[0]),
                                          language_of(translator->languages[1])};
    TRY(reading_context_set(&session->reading, translator->source_vocabulary,
                            translator->target_vocabulary, languages, error));
    session->reading.lexicon = &translator->model.lexicon;
    TRY(threads_new(&forcing->threads, threads, error));
    TRY(precision_resolve(&session->type, precision, PACKED_DECODING,
                          seq2seq_is_wide(&translator->model.params.config), error));
    TRY(start_products(&forcing->params, translator, session, error));
    return inference_batch_search(&session->search, forcing->threads, forcing->params,
                                  &translator->model.shortlist, &translator->model.lexicon, error);
}

Status session_new(Session **out, const Translator *translator, size_t threads, Precision precision,
                   Error *error)
{
    FREED_BY(session_free_at) Session *session = NULL;
    TRY(array_new(&session, 1, "translating", error));
    TRY(start(session, translator, threads, precision, error));
    *out = memory_take(&session);
    return STATUS_OK;
}

/* An ensemble of the model that a thread has and of new ones. */
static Status join_models(SearchModel **model, const Translator *const *others,
                          const Seq2SeqParams *const *params, size_t count, Error *error)
{
    FREED SearchModel **members = NULL;
    TRY(array_new(&members, count + 1, "an ensemble", error));
    Status status = STATUS_OK;
    size_t made = 1;
    for (; made <= count && !status; made += !status)
        status = inference_new(&members[made], params[made - 1], NULL,
                               &others[made - 1]->model.lexicon, error);
    if (status) {
        while (--made > 0) members[made]->free(members[made]);
    } else {
        members[0] = *model;
        *model = NULL;
        status =
            ensemble_new(model, members, count + 1, params[0]->config.target_vocabulary, error);
    }
    return status;
}

Status session_add_models(Session *session, const Translator *const *others, size_t count,
                          size_t *odd, Error *error)
{
    FREED const Seq2SeqParams **params = NULL;
    for (*odd = 0; *odd < count; ++*odd)
        if (!vocabulary_equal(session->reading.source, others[*odd]->source_vocabulary) ||
            !vocabulary_equal(session->reading.target, others[*odd]->target_vocabulary))
            return error_set(error, STATUS_FORMAT, "its vocabulary is another");
    TRY(array_new(&params, count, "an ensemble", error));
    size_t threads = threads_count(session->forcing.threads);
    for (size_t i = 0; i < count; i++) TRY(start_products(&params[i], others[i], session, error));
    for (size_t i = 0; i < threads; i++)
        TRY(join_models(&session->search.models[i], others, params, count, error));
    return STATUS_OK;
}

void session_free(Session *session)
{
    if (!session) return;
    batch_search_free(&session->search);
    reading_context_free(&session->reading);
    threads_free(session->forcing.threads);
    memory_free(session);
}

void session_cancel_by(Session *session, const Cancel *cancel)
{
    session->forcing.cancel = cancel;
}

void session_leave_out(Session *session, uint32_t steps)
{
    session->reading.left_out = steps;
}

static void free_all(Translation *translations, size_t count)
{
    for (size_t i = 0; i < count; i++) translation_free(&translations[i]);
}

// The sentences of a call, and those that are searched as tokens.
typedef struct Texts {
    const Paragraphs *paragraphs;
    const TranslateOptions *options;
    Reading *readings; // (count)
    TokenCorpus tokens;
    size_t *places;           // (tokens.count) their places among all
    Prefix *prefixes;         // (count) NULL if none are given
    Constraints *constraints; // (count)
    WhatIf *what_ifs;         // (count) NULL if nothing is asked
    Recall *recalls;          // (count) NULL if there is no memory
    bool again;               // only those whose recall has failed
} Texts;

// What a sentence takes from the memory; NULL: nothing.
static Recall *recall_of(const Texts *texts, size_t i)
{
    Recall *recall = texts->recalls ? &texts->recalls[i] : NULL;
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
static Status search_wishes(const BatchSearch *search, const Texts *texts, TokenPair *sources,
                            const SearchOptions *options, Hypotheses *results, Error *error)
{
    size_t count = 0, all = texts->tokens.count;
    FREED size_t *numbers = NULL;
    FREED Hypotheses *others = NULL;
    TRY(array_new(&numbers, all, "translating", error));
    TRY(array_new(&others, all, "translating", error));
    for (size_t i = 0; i < all; i++) {
        const Hypothesis *best = results[i].items;
        Constraints *constraints = &texts->constraints[sources[i].number];
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

static Status search(Session *session, const Texts *texts, Translation *translations, Error *error)
{
    const TranslateOptions *options = texts->options;
    size_t count = texts->tokens.count;
    SearchOptions search_options = options->search;
    BatchSearch quiet = session->search;
    FREED TokenPair *sources = NULL;
    FREED Hypotheses *results = NULL;
    search_options.prefixes = texts->prefixes;
    search_options.constraints = options->search.sampling.wanted ? NULL : texts->constraints;
    search_options.cancel = session->forcing.cancel;
    if (search_options.with_tree) search_options.batch = 1;
    quiet.listener = (WorkListener){0}; // it has heard of these
    TRY(array_new(&sources, count, "translating", error));
    TRY(array_new(&results, count, "translating", error));
    for (size_t i = 0; i < count; i++) {
        sources[i] = token_corpus_pair(&texts->tokens, i);
        sources[i].number = (uint32_t)texts->places[i];
        if (texts->what_ifs) sources[i].what_if = &texts->what_ifs[texts->places[i]];
    }
    Status status = batch_search_run(texts->again ? &quiet : &session->search, sources, count,
                                     &search_options, results, error);
    if (!status && search_options.constraints && !texts->what_ifs)
        status = search_wishes(&quiet, texts, sources, &search_options, results, error);
    if (!status) status = backends_check(error);
    for (size_t i = 0; i < count && !status; i++) {
        size_t place = texts->places[i];
        const Hypothesis *best = results[i].items;
        if (options->what_if)
            status = what_if_check_steps(options->what_if, best->length - best->ended, error);
        if (!status)
            status = add_found(&texts->readings[place], &translations[place], &results[i], options,
                               recall_of(texts, place), error);
    }
    for (size_t i = 0; i < count; i++) hypotheses_free(&results[i]);
    return status;
}

/* What the translation of a sentence must have: what stays as it is, terms of its glossary, or what
 * it takes from the memory. */
static Status require_phrases(const Session *session, const Reading *reading,
                              const Subwords *subwords, const Recall *recall,
                              Constraints *constraints, Error *error)
{
    TRY(placeholders_require(constraints, reading, subwords, error));
    constraints->edges = session->reading.edges;
    TRY(phrases_require_spans(constraints, reading, subwords, error));
    if (recall) return recall_require(constraints, recall, reading, subwords, error);
    if (session->reading.placeholders > 0) TRY(phrases_bind(constraints, reading, subwords, error));
    if (reading->glossary)
        TRY(glossary_require(reading->glossary, reading, subwords, constraints, error));
    return phrases_wish(constraints, reading, subwords, error);
}

static Status read_prefix(Texts *texts, size_t i, Translation *translation, Error *error)
{
    size_t invalid = 0;
    TRY(target_prefix_read(&texts->prefixes[i], &texts->readings[i], texts->paragraphs->prefixes[i],
                           &invalid, &translation->prefix_cut, error));
    translation->invalid += invalid;
    return STATUS_OK;
}

static const Glossary *glossary_of(const TranslateOptions *options, size_t text)
{
    return options->glossaries ? options->glossaries[text] : options->glossary;
}

// Reads sentence i of a call, its prefix, and its terms of the glossary.
static Status read_text(const Session *session, Texts *texts, size_t i, Translation *translation,
                        Error *error)
{
    const Paragraphs *paragraphs = texts->paragraphs;
    const TranslateOptions *options = texts->options;
    Reading *reading = &texts->readings[i];
    bool begun = paragraphs->prefixes && paragraphs->prefixes[i].length > 0;
    TRY(cancel_check(session->forcing.cancel, error));
    *reading =
        (Reading){.context = &session->reading, .given = paragraphs->views[i], .begun = begun};
    reading->glossary = glossary_of(options, paragraphs->pieces[i].text);
    TRY(reading_read(reading, error));
    if (!begun && reading_stays(reading))
        return translation_set_unchanged(
            translation, &session->reading, reading->given.text,
            options->search.sampling.wanted ? options->n_best : 1,
            options->search.with_alpha ? session->search.models[0]->matrices : 0, error);
    TRY(translation_set_source(translation, reading, error));
    if (translation->source.length == 0) return STATUS_OK;
    if (begun) TRY(read_prefix(texts, i, translation, error));
    const Subwords *subwords = &translation->source_subwords;
    TRY(require_phrases(session, reading, subwords, recall_of(texts, i), &texts->constraints[i],
                        error));
    if (texts->what_ifs) {
        texts->constraints[i].bound = 0; // words that are forced may be any
        const TextView source = bytes_view(&translation->source);
        TRY(what_if_read(&texts->what_ifs[i], options->what_if, source, subwords,
                         session->reading.target, error));
        texts->what_ifs[i].edges = session->reading.edges;
    }
    texts->places[texts->tokens.count] = i;
    return token_corpus_add(&texts->tokens, subwords->ids, subwords->count, NULL, 0, error);
}

// Whether nothing is demanded of the translation of text i.
static bool is_free(const TranslateOptions *options, size_t i)
{
    return !options->what_if && !options->search.sampling.wanted && !options->search.with_tree &&
           !(options->prefixes && options->prefixes[i].length > 0) &&
           !(options->spans && options->spans[i].count > 0) && !glossary_of(options, i);
}

Status session_force_quietly(Session *session, const TextView *const sides[2], size_t count,
                             bool with_alpha, Translation *translations, Error *error)
{
    const WorkListener listener = session->forcing.listener;
    session->forcing.listener = (WorkListener){0};
    Status status = session_force(session, sides, count, with_alpha, translations, error);
    session->forcing.listener = listener;
    return status;
}

// Reads the matches of a call's sentences, whose pairs have been decoded.
static Status read_matches(const Session *session, const Paragraphs *paragraphs, Recall *recalls,
                           Translation *forced, Error *error)
{
    const Translator *translator = session->translator;
    const LinkReading reading = reading_of_aligner(translator->aligner);
    for (size_t i = 0; i < paragraphs->count; i++) {
        Recall *recall = &recalls[i];
        if (recall->match.similarity <= 0) continue;
        recall->forced = *forced;
        *forced++ = (Translation){0};
        if (recall->forced.cut || recall->forced.count == 0) recall->match.similarity = 0;
        if (recall->match.similarity <= 0 || recall_is_exact(recall)) continue;
        TRY(recall_read(recall, paragraphs->views[i].text, &reading, session->reading.languages[1],
                        error));
        if (recall->count == 0) recall->match.similarity = 0;
    }
    return STATUS_OK;
}

// Looks for a call's sentences in the memory: sets *recalls (paragraphs->count).
static Status recall_all(Session *session, const Paragraphs *paragraphs,
                         const TranslateOptions *options, Recall **recalls, Error *error)
{
    size_t count = paragraphs->count, found = 0;
    TextView *sides[2] = {NULL, NULL};
    Translation *forced = NULL;
    Status status = array_new(recalls, count, "a memory", error);
    for (size_t side = 0; side < 2 && !status; side++)
        status = array_new(&sides[side], count, "a memory", error);
    if (!status) status = array_new(&forced, count, "a memory", error);
    for (size_t i = 0; i < count && !status; i++) {
        MemoryMatch *match = &(*recalls)[i].match;
        const TextView text = paragraphs->views[i].text;
        if (!is_free(options, paragraphs->pieces[i].text)) continue;
        status = translation_memory_find(options->memory, text, match, error);
        if (match->similarity <= 0) continue;
        bool exact = recall_is_exact(&(*recalls)[i]);
        sides[0][found] = exact ? text : bytes_view(&match->source);
        sides[1][found++] = bytes_view(&match->target);
    }
    if (!status)
        status = session_force_quietly(session, (const TextView *const[]){sides[0], sides[1]},
                                       found, true, forced, error);
    if (!status) status = read_matches(session, paragraphs, *recalls, forced, error);
    for (size_t i = 0; i < found && forced; i++) translation_free(&forced[i]);
    memory_free(forced);
    memory_free(sides[0]);
    memory_free(sides[1]);
    return status;
}

// Takes the translation that the memory has of a text.
static void take_exact(Translation *translation, Recall *recall, double length_normalization)
{
    *translation = recall->forced;
    recall->forced = (Translation){0};
    translation->similarity = recall->match.similarity;
    rendering_set_score(translation->renderings, length_normalization);
    translation->renderings->known = 1;
}

// Whether a sentence is still to be read and searched.
static bool is_left(const Texts *texts, size_t i)
{
    const Recall *recall = texts->recalls ? &texts->recalls[i] : NULL;
    return texts->again ? recall && recall->failed
                        : !recall_of(texts, i) || !recall_is_exact(recall);
}

static Status translate_left(Session *session, const Paragraphs *paragraphs,
                             const TranslateOptions *options, Recall *recalls, bool again,
                             Translation *translations, Error *error)
{
    size_t count = paragraphs->count;
    Texts texts = {
        .paragraphs = paragraphs, .options = options, .recalls = recalls, .again = again};
    Status status = array_new(&texts.places, count, "translating", error);
    if (!status) status = array_new(&texts.readings, count, "translating", error);
    if (!status) status = array_new(&texts.constraints, count, "translating", error);
    if (!status && paragraphs->prefixes)
        status = array_new(&texts.prefixes, count, "prefixes", error);
    if (!status && options->what_if) status = array_new(&texts.what_ifs, count, "what if", error);
    for (size_t i = 0; i < count && !status; i++)
        if (is_left(&texts, i)) status = read_text(session, &texts, i, &translations[i], error);
    if (!status && texts.tokens.count > 0) status = search(session, &texts, translations, error);
    for (size_t i = 0; i < count && texts.prefixes; i++) prefix_free(&texts.prefixes[i]);
    for (size_t i = 0; i < count && texts.constraints; i++) constraints_free(&texts.constraints[i]);
    for (size_t i = 0; i < count && texts.readings; i++) reading_free(&texts.readings[i]);
    token_corpus_free(&texts.tokens);
    memory_free(texts.readings);
    memory_free(texts.constraints);
    memory_free(texts.what_ifs);
    memory_free(texts.prefixes);
    memory_free(texts.places);
    return status;
}

/* Searches, or takes from the memory; where no translation has what is to be taken, it is searched
 * again without. */
static Status translate(Session *session, const Paragraphs *paragraphs,
                        const TranslateOptions *options, Translation *translations, Error *error)
{
    size_t count = paragraphs->count;
    FREED Recall *recalls = NULL;
    bool failed = false;
    memset(translations, 0, count * sizeof *translations);
    Status status =
        options->memory ? recall_all(session, paragraphs, options, &recalls, error) : STATUS_OK;
    for (size_t i = 0; i < count && recalls && !status; i++)
        if (recall_is_exact(&recalls[i]))
            take_exact(&translations[i], &recalls[i], options->search.length_normalization);
    if (!status)
        status = translate_left(session, paragraphs, options, recalls, false, translations, error);
    for (size_t i = 0; i < count && recalls; i++) failed |= recalls[i].failed;
    if (!status && failed)
        status = translate_left(session, paragraphs, options, recalls, true, translations, error);
    if (status) free_all(translations, count);
    for (size_t i = 0; i < count && recalls; i++) recall_free(&recalls[i]);
    return status;
}

/* Looks a sentence up. What is found need not be the likeliest by the model; of several sentences it is
 * the only one, so that no combination is without it. */
static Status look_up(Session *session, const Piece *piece, const TranslateOptions *options,
                      Translation *translation, Error *error)
{
    if (translation->similarity > 0) return STATUS_OK;
    TRY(dictionary_look_up(translation, session, session->translator, is_free(options, piece->text),
                           &options->search, error));
    bool found = translation->count > 0 && translation->renderings->known > 0;
    while (found && !piece->whole && translation->count > 1)
        rendering_free(&translation->renderings[--translation->count]);
    return STATUS_OK;
}

static Status translate_pieces(Session *session, const Paragraphs *paragraphs, size_t count,
                               TranslateOptions *options, Translation *translations, Error *error)
{
    Sampling *sampling = &options->search.sampling;
    FREED Translation *pieces = NULL;
    FREED uint64_t *numbers = NULL;
    if (sampling->wanted) TRY(paragraphs_number(&numbers, paragraphs, sampling->first, error));
    sampling->numbers = numbers;
    Status status = array_new(&pieces, paragraphs->count, "sentences", error);
    if (!status) status = translate(session, paragraphs, options, pieces, error);
    for (size_t i = 0; i < paragraphs->count && !status; i++)
        status = look_up(session, &paragraphs->pieces[i], options, &pieces[i], error);
    if (!status)
        status = paragraphs_join(paragraphs, pieces, options->n_best, sampling->wanted,
                                 translations, count, error);
    if (status && pieces) free_all(pieces, paragraphs->count);
    if (status) free_all(translations, count);
    return status;
}

// Sets *whole (count) to which texts the memory has as they are, of however many sentences.
static Status find_whole(bool **whole, const TextView *texts, size_t count,
                         const TranslateOptions *options, Error *error)
{
    FREED_BY(recall_free) Recall recall = {.count = 0};
    FREED_BY(bytes_free) Bytes normal = {0};
    TRY(array_new(whole, count, "a memory", error));
    for (size_t i = 0; i < count; i++) {
        TRY(normalise(&normal, texts[i].data, texts[i].length, NULL, error));
        TRY(translation_memory_find(options->memory, bytes_view(&normal), &recall.match, error));
        (*whole)[i] = recall_is_exact(&recall) && is_free(options, i);
    }
    return STATUS_OK;
}

Status session_translate(Session *session, const TextView *texts, size_t count,
                         const TranslateOptions *options, Translation *translations, Error *error)
{
    FREED bool *whole = NULL;
    TranslateOptions own = *options;
    if (own.search.length_normalization < 0)
        own.search.length_normalization = session->translator->length_normalization;
    memset(translations, 0, count * sizeof *translations);
    if (options->memory) TRY(find_whole(&whole, texts, count, options, error));
    const GivenTexts given = {texts, options->prefixes, options->spans, count, whole};
    Paragraphs paragraphs = {
        .vocabulary = session->reading.source,
        .languages = {session->reading.languages[0], session->reading.languages[1]},
        .splits =
            options->split == SPLIT_SENTENCES && !options->what_if && !options->search.with_tree,
        .placeholders =
            session->reading.left_out & READING_SPANS ? 0 : session->reading.placeholders};
    Status status = paragraphs_read(&paragraphs, &given, error);
    if (!status) status = translate_pieces(session, &paragraphs, count, &own, translations, error);
    paragraphs_free(&paragraphs);
    return status;
}

Status session_show_head(Session *session, size_t head, Error *error)
{
    const Seq2SeqParams *params = session->forcing.params;
    size_t heads = params->decoder.attention.widths.heads;
    if (head > heads)
        return error_set(error, STATUS_FORMAT,
                         "there is no head %zu: the model's attention, %s, has %zu", head,
                         params->config.attention, heads);
    session->forcing.head = head;
    return STATUS_OK;
}

void session_infer_attention(Session *session, bool wanted)
{
    session->forcing.with_posterior = wanted;
}

void session_set_listener(Session *session, WorkListener listener)
{
    session->search.listener = session->forcing.listener = listener;
}

// Sets a translation from a pair of texts, and appends its tokens.
static Status read_pair(const Session *session, TokenCorpus *tokens, Translation *translation,
                        TextView source, TextView target, Error *error)
{
    TRY(cancel_check(session->forcing.cancel, error));
    TRY(translation_set_given_source(translation, session->reading.source, source, error));
    TRY(translation_add_given(translation, session->reading.target, target, error));
    const Subwords *from = &translation->source_subwords;
    const Subwords *to = &translation->renderings[0].subwords;
    return token_corpus_add(tokens, from->ids, from->count, to->ids, to->count, error);
}

Status session_force(Session *session, const TextView *const sides[2], size_t count,
                     bool with_alpha, Translation *translations, Error *error)
{
    memset(translations, 0, count * sizeof *translations);
    FREED_BY(token_corpus_free) TokenCorpus tokens = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = read_pair(session, &tokens, &translations[i], sides[0][i], sides[1][i], error);
    session->forcing.with_alpha = with_alpha;
    if (!status) status = forced_decode(&session->forcing, &tokens, translations, error);
    if (status) free_all(translations, count);
    return status;
}

Status session_explain(Session *session, const ExplainedPair *pair, Explanation *explanation,
                       Error *error)
{
    return explanation_set(explanation, &session->forcing, pair, error);
}
