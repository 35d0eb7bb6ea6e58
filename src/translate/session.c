#include "translate/session.h"

#include "base/array.h"
#include "base/memory.h"
#include "language/language.h"
#include "linalg/backend/backend.h"
#include "model/inference.h"
#include "search/batch_search.h"
#include "text/utf8.h"
#include "translate/kept_spans.h"
#include "translate/paragraph.h"
#include "translate/phrase.h"
#include "translate/placeholders.h"
#include "translate/repeating.h"
#include "translate/target_prefix.h"
#include "translate/unchanged.h"

#include <string.h>

const char *const text_splits[] = {"none", "sentences", NULL};

struct Session {
    const Vocabulary *source_vocabulary, *target_vocabulary;
    const Language *languages[2];         // of source and target; NULL: not known
    size_t placeholders;                  // that the model knows
    PlaceholderTokens placeholder_tokens; // of the target
    unsigned char *edges; // of its subwords (translate/phrase.h), once phrases need them
    BatchSearch search;
    Forcing forcing;
};

/* The translator's parameters, ready for products. OpenBLAS takes as long to load as a file of
 * 15 MB, so it is loaded only where it multiplies. */
static Status start_products(const Seq2SeqParams **params, const Translator *translator,
                             Threads *threads, ComputeType type, Error *error)
{
    TRY(translator_params(translator, type, threads, params, error));
    if (!seq2seq_needs_openblas(*params)) return STATUS_OK;
    return backends_start(threads_count(threads), error);
}

static Status start(Session *session, const Translator *translator, size_t threads,
                    ComputeType type, Error *error)
{
    Forcing *forcing = &session->forcing;
    session->placeholders =
        placeholders_known(session->source_vocabulary, session->target_vocabulary);
    if (session->placeholders > 0)
        TRY(placeholder_tokens_find(&session->placeholder_tokens, session->target_vocabulary,
                                    error));
    TRY(threads_new(&forcing->threads, threads, error));
    TRY(start_products(&forcing->params, translator, forcing->threads, type, error));
    return inference_batch_search(&session->search, forcing->threads, forcing->params,
                                  &translator->model.shortlist, error);
}

Status session_new(Session **out, const Translator *translator, size_t threads, ComputeType type,
                   Error *error)
{
    Session *session;
    TRY(array_new(&session, 1, "translating", error));
    session->source_vocabulary = translator->source_vocabulary;
    session->target_vocabulary = translator->target_vocabulary;
    for (int side = 0; side < 2; side++)
        session->languages[side] = language_of(translator->languages[side]);
    Status status = start(session, translator, threads, type, error);
    if (status)
        session_free(session);
    else
        *out = session;
    return status;
}

/* An ensemble of the model that a thread has and of new ones. */
static Status join_models(SearchModel **model, const Seq2SeqParams *const *others, size_t count,
                          Error *error)
{
    SearchModel **members;
    TRY(array_new(&members, count + 1, "an ensemble", error));
    Status status = STATUS_OK;
    size_t made = 1;
    for (; made <= count && !status; made += !status)
        status = inference_new(&members[made], others[made - 1], NULL, error);
    if (status) {
        while (--made > 0) members[made]->free(members[made]);
    } else {
        members[0] = *model;
        *model = NULL;
        status =
            ensemble_new(model, members, count + 1, others[0]->config.target_vocabulary, error);
    }
    memory_free(members);
    return status;
}

Status session_add_models(Session *session, const Translator *const *others, size_t count,
                          ComputeType type, size_t *odd, Error *error)
{
    const Seq2SeqParams **params;
    for (*odd = 0; *odd < count; ++*odd)
        if (!vocabulary_equal(session->source_vocabulary, others[*odd]->source_vocabulary) ||
            !vocabulary_equal(session->target_vocabulary, others[*odd]->target_vocabulary))
            return error_set(error, STATUS_FORMAT, "its vocabulary is another");
    TRY(array_new(&params, count, "an ensemble", error));
    Status status = STATUS_OK;
    size_t threads = threads_count(session->forcing.threads);
    for (size_t i = 0; i < count && !status; i++)
        status = start_products(&params[i], others[i], session->forcing.threads, type, error);
    for (size_t i = 0; i < threads && !status; i++)
        status = join_models(&session->search.models[i], params, count, error);
    memory_free(params);
    return status;
}

void session_free(Session *session)
{
    if (!session) return;
    batch_search_free(&session->search);
    placeholder_tokens_free(&session->placeholder_tokens);
    memory_free(session->edges);
    threads_free(session->forcing.threads);
    memory_free(session);
}

void session_cancel_by(Session *session, const Cancel *cancel)
{
    session->forcing.cancel = cancel;
}

static void free_all(Translation *translations, size_t count)
{
    for (size_t i = 0; i < count; i++) translation_free(&translations[i]);
}

// The texts of a call, and those that are searched as tokens.
typedef struct Texts {
    const NormalView *given;
    const TextView *prefixes_given; // may be NULL
    const Paragraphs *paragraphs;
    const Glossary *const *glossaries; // of the texts that were split; may be NULL
    TokenCorpus tokens;
    size_t *places;           // (tokens.count) their places among all
    Prefix *prefixes;         // (of all) NULL if there are none
    Constraints *constraints; // (of all)
    UnchangedForm unchanged;  // of those that are not searched
} Texts;

static Status add_found(const Session *session, Translation *translation, Hypotheses *found,
                        const TranslateOptions *options, Error *error)
{
    // each sample is a result, whatever it lacks
    if (!options->search.sampling.wanted) {
        TRY(placeholders_choose(found, translation, session->target_vocabulary, error));
        TRY(repeating_leave_out(found, &translation->source, session->target_vocabulary, error));
    }
    return translation_add_found(translation, session->target_vocabulary, found, options->n_best,
                                 error);
}

static Status search(Session *session, const Texts *texts, const TranslateOptions *options,
                     Translation *translations, Error *error)
{
    size_t count = texts->tokens.count;
    SearchOptions search_options = options->search;
    TokenPair *sources;
    Hypotheses *results = NULL;
    search_options.prefixes = texts->prefixes;
    search_options.constraints = options->search.sampling.wanted ? NULL : texts->constraints;
    search_options.cancel = session->forcing.cancel;
    TRY(array_new(&sources, count, "translating", error));
    for (size_t i = 0; i < count; i++) {
        sources[i] = token_corpus_pair(&texts->tokens, i);
        sources[i].number = (uint32_t)texts->places[i];
    }
    Status status = array_new(&results, count, "translating", error);
    if (!status)
        status =
            batch_search_run(&session->search, sources, count, &search_options, results, error);
    if (!status) status = backends_check(error);
    for (size_t i = 0; i < count && !status; i++)
        status = add_found(session, &translations[texts->places[i]], &results[i], options, error);
    for (size_t i = 0; i < count && results; i++) hypotheses_free(&results[i]);
    memory_free(sources);
    memory_free(results);
    return status;
}

// The glossary of piece i; NULL: none.
static const Glossary *glossary_of(const Texts *texts, size_t i)
{
    return texts->glossaries ? texts->glossaries[texts->paragraphs->pieces[i].text] : NULL;
}

/* Reads a source as the model does: in the letter case of a sentence unless its translation is
 * begun, and with placeholders for what stays as it is, if the model knows them. What is nothing
 * else, or only marks, is not translated. */
static Status read_source(const Session *session, const Texts *texts, size_t i,
                          Translation *translation, bool begun, Error *error)
{
    const NormalView *given = &texts->given[i];
    Spans spans = {0};
    const char *text = given->text.data;
    const Vocabulary *vocabulary = session->placeholders > 0 ? session->source_vocabulary : NULL;
    Status status = kept_spans_find(&spans, given, vocabulary, session->languages[0],
                                    glossary_of(texts, i), error);
    const NormalView view = {given->text, spans.items, spans.count};
    bool kept = spans_are_all(spans.items, spans.count, text, given->text.length) ||
                (session->placeholders > 0 && given->text.length > 0 &&
                 !utf8_has(text, given->text.length, utf8_is_word));
    if (!status && !begun && kept)
        status = unchanged_set(translation, given->text, &texts->unchanged, error);
    translation->varies = true;
    translation->elided = session->languages[1] ? session->languages[1]->elided : NULL;
    translation->ends = !begun && session->placeholders > 0;
    // capitals would be made of what is not read as a placeholder, too
    translation->recases = !begun && given->span_count <= session->placeholders;
    if (!status && translation->count == 0 && session->placeholders > 0)
        status = placeholders_read_source(translation, session->source_vocabulary, &view,
                                          session->placeholders, error);
    else if (!status && translation->count == 0)
        status = translation_read_source(translation, session->source_vocabulary, text,
                                         given->text.length, error);
    spans_free(&spans);
    return status;
}

// What the translation of piece i must have: what stays as it is, and terms of its text's glossary.
static Status require_phrases(const Session *session, Texts *texts, size_t i,
                              const Translation *translation, Error *error)
{
    Constraints *constraints = &texts->constraints[i];
    const Glossary *glossary = glossary_of(texts, i);
    TRY(placeholders_require(constraints, &session->placeholder_tokens, translation, error));
    constraints->edges = session->edges;
    TRY(phrases_require_spans(constraints, session->target_vocabulary, &texts->given[i],
                              translation, error));
    return glossary ? glossary_require(glossary, translation, constraints, error) : STATUS_OK;
}

// Reads text i of a call, its prefix, and its terms of the glossary.
static Status read_text(const Session *session, Texts *texts, size_t i, Translation *translation,
                        Error *error)
{
    const Subwords *subwords = &translation->source_subwords;
    bool begun = texts->prefixes_given && texts->prefixes_given[i].length > 0;
    TRY(cancel_check(session->forcing.cancel, error));
    TRY(read_source(session, texts, i, translation, begun, error));
    if (translation->count > 0 || translation->source.length == 0) return STATUS_OK;
    if (begun)
        TRY(target_prefix_read(&texts->prefixes[i], translation, session->target_vocabulary,
                               texts->prefixes_given[i], error));
    TRY(require_phrases(session, texts, i, translation, error));
    texts->places[texts->tokens.count] = i;
    return token_corpus_add(&texts->tokens, subwords->ids, subwords->count, NULL, 0, error);
}

static Status translate(Session *session, const Paragraphs *paragraphs,
                        const TranslateOptions *options, Translation *translations, Error *error)
{
    size_t count = paragraphs->count;
    Texts texts = {.given = paragraphs->views,
                   .prefixes_given = paragraphs->prefixes,
                   .paragraphs = paragraphs,
                   .glossaries = options->glossaries};
    const SearchOptions *search_options = &options->search;
    memset(translations, 0, count * sizeof *translations);
    texts.unchanged = (UnchangedForm){
        .vocabularies = {session->source_vocabulary, session->target_vocabulary},
        .count = search_options->sampling.wanted ? options->n_best : 1,
        .matrices = search_options->with_alpha ? session->search.models[0]->matrices : 0};
    Status status = array_new(&texts.places, count, "translating", error);
    if (!status) status = array_new(&texts.constraints, count, "translating", error);
    if (!status && texts.prefixes_given)
        status = array_new(&texts.prefixes, count, "prefixes", error);
    for (size_t i = 0; i < count && !status; i++)
        status = read_text(session, &texts, i, &translations[i], error);
    if (!status && texts.tokens.count > 0)
        status = search(session, &texts, options, translations, error);
    if (status) free_all(translations, count);
    for (size_t i = 0; i < count && texts.prefixes; i++) prefix_free(&texts.prefixes[i]);
    for (size_t i = 0; i < count && texts.constraints; i++) constraints_free(&texts.constraints[i]);
    token_corpus_free(&texts.tokens);
    memory_free(texts.constraints);
    memory_free(texts.prefixes);
    memory_free(texts.places);
    return status;
}

static Status translate_pieces(Session *session, const Paragraphs *paragraphs, size_t count,
                               const TranslateOptions *options, Translation *translations,
                               Error *error)
{
    TranslateOptions numbered = *options;
    Sampling *sampling = &numbered.search.sampling;
    Translation *pieces;
    uint64_t *numbers = NULL;
    if (sampling->wanted) TRY(paragraphs_number(&numbers, paragraphs, sampling->first, error));
    sampling->numbers = numbers;
    Status status = array_new(&pieces, paragraphs->count, "sentences", error);
    if (!status) status = translate(session, paragraphs, &numbered, pieces, error);
    if (!status)
        status = paragraphs_join(paragraphs, pieces, options->n_best, sampling->wanted,
                                 translations, count, error);
    if (status) free_all(translations, count);
    memory_free(pieces);
    memory_free(numbers);
    return status;
}

Status session_translate(Session *session, const TextView *texts, size_t count,
                         const TranslateOptions *options, Translation *translations, Error *error)
{
    memset(translations, 0, count * sizeof *translations);
    if (!session->edges && (session->placeholders > 0 || options->spans))
        TRY(phrase_edges_new(&session->edges, session->target_vocabulary, error));
    const GivenTexts given = {texts, options->prefixes, options->spans, count};
    Paragraphs paragraphs = {.vocabulary = session->source_vocabulary,
                             .languages = {session->languages[0], session->languages[1]},
                             .splits = options->split == SPLIT_SENTENCES,
                             .finds = session->placeholders > 0};
    Status status = paragraphs_read(&paragraphs, &given, error);
    if (!status)
        status = translate_pieces(session, &paragraphs, count, options, translations, error);
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
    TRY(translation_read_source(translation, session->source_vocabulary, source.data, source.length,
                                error));
    TRY(translation_add_given(translation, session->target_vocabulary, target.data, target.length,
                              error));
    const Subwords *from = &translation->source_subwords;
    const Subwords *to = &translation->renderings[0].subwords;
    return token_corpus_add(tokens, from->ids, from->count, to->ids, to->count, error);
}

Status session_force(Session *session, const TextView *const sides[2], size_t count,
                     bool with_alpha, Translation *translations, Error *error)
{
    memset(translations, 0, count * sizeof *translations);
    TokenCorpus tokens = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = read_pair(session, &tokens, &translations[i], sides[0][i], sides[1][i], error);
    session->forcing.with_alpha = with_alpha;
    if (!status) status = forced_decode(&session->forcing, &tokens, translations, error);
    if (status) free_all(translations, count);
    token_corpus_free(&tokens);
    return status;
}

Status session_explain(Session *session, const Subwords *source, const Subwords *target,
                       size_t step, Explanation *explanation, Error *error)
{
    return explanation_set(explanation, &session->forcing, source, target, step, error);
}
