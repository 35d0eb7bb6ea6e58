#include "translate/session.h"

#include "base/memory.h"
#include "model/inference.h"
#include "text/special_tokens.h"

#include <string.h>

struct Session {
    const Translator *translator;
    Threads *threads;
    BatchSearch search;
    Forcing forcing;
};

Status session_new(Session **out, const Translator *translator, size_t threads, ComputeType type,
                   Error *error)
{
    Session *session = memory_new(1, sizeof *session);
    if (!session) return error_memory(error, sizeof *session, "translating");
    const Model *model = &translator->model;
    session->translator = translator;
    session->forcing.config = &model->config;
    Status status = threads_new(&session->threads, threads, error);
    if (!status)
        status = parameters_get(translator->parameters, model, type, session->threads,
                                &session->forcing.params, error);
    session->forcing.threads = session->threads;
    if (!status)
        status = inference_batch_search(&session->search, session->threads, session->forcing.params,
                                        &model->config, &model->shortlist, error);
    if (status)
        session_free(session);
    else
        *out = session;
    return status;
}

void session_free(Session *session)
{
    if (!session) return;
    batch_search_free(&session->search);
    threads_free(session->threads);
    memory_free(session);
}

static void free_all(Translation *translations, size_t count)
{
    for (size_t i = 0; i < count; i++) translation_free(&translations[i]);
}

/* Searches the texts that are not empty; `places` (count) are their indices. */
static Status search(Session *session, const TokenCorpus *tokens, const size_t *places,
                     const TranslateOptions *options, Translation *translations, Error *error)
{
    size_t count = tokens->count;
    TokenPair *sources = memory_new(count, sizeof *sources);
    Hypotheses *results = memory_new(count, sizeof *results);
    Status status = sources && results ? STATUS_OK : error_memory(error, count, "translating");
    if (!status) {
        for (size_t i = 0; i < count; i++) sources[i] = token_corpus_pair(tokens, i);
        status =
            batch_search_run(&session->search, sources, count, &options->search, results, error);
    }
    for (size_t i = 0; i < count && !status; i++)
        status =
            translation_add_found(&translations[places[i]], session->translator->target_vocabulary,
                                  &results[i], options->n_best, error);
    for (size_t i = 0; i < count && results; i++) hypotheses_free(&results[i]);
    memory_free(sources);
    memory_free(results);
    return status;
}

Status session_translate(Session *session, const TextView *texts, size_t count,
                         const TranslateOptions *options, Translation *translations, Error *error)
{
    memset(translations, 0, count * sizeof *translations);
    TokenCorpus tokens = {0};
    size_t *places = memory_new(count, sizeof *places);
    Status status = places ? STATUS_OK : error_memory(error, count * sizeof *places, "translating");
    for (size_t i = 0; i < count && !status; i++) {
        Translation *translation = &translations[i];
        status = translation_read_source(translation, session->translator->source_vocabulary,
                                         texts[i].data, texts[i].length, error);
        if (status || translation->source.length == 0) continue;
        places[tokens.count] = i;
        const Subwords *subwords = &translation->source_subwords;
        status = token_corpus_add(&tokens, subwords->ids, subwords->count, NULL, 0, error);
    }
    if (!status && tokens.count > 0)
        status = search(session, &tokens, places, options, translations, error);
    if (status) free_all(translations, count);
    token_corpus_free(&tokens);
    memory_free(places);
    return status;
}

Status session_show_head(Session *session, size_t head, Error *error)
{
    const AttentionParams *attention = &session->translator->model.params.decoder.attention;
    if (head > attention->heads)
        return error_set(error, STATUS_FORMAT,
                         "there is no head %zu: the model's attention, %s, has %zu", head,
                         session->translator->model.config.attention, attention->heads);
    session->forcing.head = head;
    return STATUS_OK;
}

Status session_force(Session *session, const TextView *const sides[2], size_t count,
                     bool with_alpha, Translation *translations, Error *error)
{
    memset(translations, 0, count * sizeof *translations);
    const Translator *translator = session->translator;
    TokenCorpus tokens = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        Translation *translation = &translations[i];
        const TextView *source = &sides[0][i], *target = &sides[1][i];
        status = translation_read_source(translation, translator->source_vocabulary, source->data,
                                         source->length, error);
        if (!status)
            status = translation_add_given(translation, translator->target_vocabulary, target->data,
                                           target->length, error);
        if (status) break;
        const Subwords *from = &translation->source_subwords;
        const Subwords *to = &translation->renderings[0].subwords;
        status = token_corpus_add(&tokens, from->ids, from->count, to->ids, to->count, error);
    }
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
