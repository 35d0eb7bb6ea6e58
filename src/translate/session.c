#include "translate/session.h"

#include "base/array.h"
#include "model/inference.h"
#include "text/normalise.h"
#include "translate/dictionary.h"
#include "translate/sentence_search.h"

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

// Of texts, sentences or pairs.
typedef struct Translations {
    Translation *items; // (count)
    size_t count;
} Translations;

static void clear(Translations translations)
{
    for (size_t i = 0; i < translations.count; i++) translation_free(&translations.items[i]);
}

static void translations_free(Translations *translations)
{
    if (translations->items) clear(*translations);
    memory_free(translations->items);
}

// What the memory has of sentences.
typedef struct Recalls {
    Recall *items; // (count) NULL: there is no memory
    size_t count;
} Recalls;

static void recalls_free(Recalls *recalls)
{
    for (size_t i = 0; i < recalls->count && recalls->items; i++) recall_free(&recalls->items[i]);
    memory_free(recalls->items);
}

// Whether nothing is demanded of the translation of text i.
static bool is_free(const TranslateOptions *options, size_t i)
{
    return !options->what_if && !options->search.sampling.wanted && !options->search.with_tree &&
           !(options->prefixes && options->prefixes[i].length > 0) &&
           !(options->spans && options->spans[i].count > 0) && !translate_glossary(options, i);
}

// Reads the matches of a call's sentences, whose pairs have been decoded.
static Status read_matches(const Session *session, const Paragraphs *paragraphs, Recalls *recalls,
                           Translation *forced, Error *error)
{
    const LinkReading reading = reading_of_aligner(session->translator->aligner);
    for (size_t i = 0; i < recalls->count; i++) {
        Recall *recall = &recalls->items[i];
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

// Looks for a call's sentences in the memory.
static Status recall_all(Session *session, const Paragraphs *paragraphs,
                         const TranslateOptions *options, Recalls *recalls, Error *error)
{
    size_t count = paragraphs->count, found = 0;
    FREED TextView *sources = NULL, *targets = NULL;
    FREED_BY(translations_free) Translations forced = {.count = count};
    recalls->count = count;
    TRY(array_new(&recalls->items, count, "a memory", error));
    TRY(array_new(&sources, count, "a memory", error));
    TRY(array_new(&targets, count, "a memory", error));
    TRY(array_new(&forced.items, count, "a memory", error));
    for (size_t i = 0; i < count; i++) {
        MemoryMatch *match = &recalls->items[i].match;
        const TextView text = paragraphs->views[i].text;
        if (!is_free(options, paragraphs->pieces[i].text)) continue;
        TRY(translation_memory_find(options->memory, text, match, error));
        if (match->similarity <= 0) continue;
        bool exact = recall_is_exact(&recalls->items[i]);
        sources[found] = exact ? text : bytes_view(&match->source);
        targets[found++] = bytes_view(&match->target);
    }
    TRY(session_force_quietly(session, (const TextView *const[]){sources, targets}, found, true,
                              forced.items, error));
    return read_matches(session, paragraphs, recalls, forced.items, error);
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

/* Searches, or takes from the memory; where no translation has what is to be taken, it is searched
 * again without. */
static Status translate(Session *session, const Paragraphs *paragraphs,
                        const TranslateOptions *options, Translation *translations, Error *error)
{
    FREED_BY(recalls_free) Recalls recalls = {.items = NULL};
    if (options->memory) TRY(recall_all(session, paragraphs, options, &recalls, error));
    for (size_t i = 0; i < recalls.count; i++)
        if (recall_is_exact(&recalls.items[i]))
            take_exact(&translations[i], &recalls.items[i], options->search.length_normalization);
    SentenceSearch search = {.reading = &session->reading,
                             .search = &session->search,
                             .cancel = session->forcing.cancel,
                             .paragraphs = paragraphs,
                             .options = options,
                             .recalls = recalls.items};
    TRY(sentence_search_run(&search, translations, error));
    for (size_t i = 0; i < recalls.count; i++) search.again |= recalls.items[i].failed;
    return search.again ? sentence_search_run(&search, translations, error) : STATUS_OK;
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
    FREED_BY(translations_free) Translations pieces = {.count = paragraphs->count};
    FREED uint64_t *numbers = NULL;
    if (sampling->wanted) TRY(paragraphs_number(&numbers, paragraphs, sampling->first, error));
    sampling->numbers = numbers;
    TRY(array_new(&pieces.items, pieces.count, "sentences", error));
    TRY(translate(session, paragraphs, options, pieces.items, error));
    for (size_t i = 0; i < pieces.count; i++)
        TRY(look_up(session, &paragraphs->pieces[i], options, &pieces.items[i], error));
    return paragraphs_join(paragraphs, pieces.items, options->n_best, sampling->wanted,
                           translations, count, error);
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
    FREED_BY(paragraphs_free)
    Paragraphs paragraphs = {
        .vocabulary = session->reading.source,
        .languages = {session->reading.languages[0], session->reading.languages[1]},
        .splits =
            options->split == SPLIT_SENTENCES && !options->what_if && !options->search.with_tree,
        .placeholders =
            session->reading.left_out & READING_SPANS ? 0 : session->reading.placeholders};
    TRY(paragraphs_read(&paragraphs, &given, error));
    Status status = translate_pieces(session, &paragraphs, count, &own, translations, error);
    if (status) clear((Translations){translations, count});
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
    if (status) clear((Translations){translations, count});
    return status;
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

Status session_explain(Session *session, const ExplainedPair *pair, Explanation *explanation,
                       Error *error)
{
    return explanation_set(explanation, &session->forcing, pair, error);
}
