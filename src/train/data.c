#include "train/data.h"

#include "align/units.h"
#include "text/bpe_learn.h"

#include <string.h>

enum { SET_ASIDE_MOST = 1000 }; // pairs
static const double SET_ASIDE_SHARE = 0.02;

/* Learns one vocabulary from one side, or from both if `second` is set. */
static Status learn(Vocabulary **vocabulary, const TextCorpus *corpus, bool source, bool target,
                    size_t size, Error *error)
{
    BpeLearner *learner = NULL;
    Status status = bpe_learner_new(&learner, error);
    for (size_t i = 0; i < corpus->count && !status; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        if (source) status = bpe_learner_add(learner, pair.source, pair.source_length, error);
        if (target && !status)
            status = bpe_learner_add(learner, pair.target, pair.target_length, error);
    }
    if (!status) status = bpe_learner_finish(learner, size, vocabulary, error);
    bpe_learner_free(learner);
    return status;
}

static Status learn_vocabularies(TrainingData *data, const TextCorpus *text,
                                 const TrainOptions *options, Error *error)
{
    Status status = text_corpus_overlap(text, &data->overlap, error);
    if (status) return status;
    data->joint = options->vocabulary_kind == VOCABULARY_JOINT ||
                  (options->vocabulary_kind == VOCABULARY_AUTO && data->overlap > 0.5);
    size_t size = options->vocabulary_size;
    status = learn(&data->source_vocabulary, text, true, data->joint, size, error);
    if (status) return status;
    if (data->joint)
        data->target_vocabulary = data->source_vocabulary;
    else
        status = learn(&data->target_vocabulary, text, false, true, size, error);
    if (!status)
        data->vocabulary_small = vocabulary_size(data->source_vocabulary) < size ||
                                 vocabulary_size(data->target_vocabulary) < size;
    return status;
}

/* Turns texts into ids; pairs over `longest` pieces on a side are left out and counted if `too_long` is not NULL. */
static Status encode(TokenCorpus *tokens, const TextCorpus *text, const TrainingData *data,
                     size_t longest, size_t *too_long, Error *error)
{
    Pieces source = {0}, target = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < text->count && !status; i++) {
        TextPair pair = text_corpus_pair(text, i);
        status = vocabulary_encode(data->source_vocabulary, pair.source, pair.source_length,
                                   &source, error);
        if (!status)
            status = vocabulary_encode(data->target_vocabulary, pair.target, pair.target_length,
                                       &target, error);
        if (status) break;
        if (too_long && (source.count > longest || target.count > longest)) {
            ++*too_long;
            continue;
        }
        // a validation source is cut where translation would cut it
        size_t read = source.count < longest ? source.count : longest;
        size_t wanted = target.count < longest ? target.count : longest;
        status = token_corpus_add(tokens, source.ids, read, target.ids, wanted, error);
    }
    pieces_free(&source);
    pieces_free(&target);
    return status;
}

/* Whether each side is mostly Han, which decides how it is aligned and scored. */
static void look_at_scripts(TrainingData *data, const TextCorpus *text)
{
    size_t han[2] = {0, 0}, letters[2] = {0, 0};
    for (size_t i = 0; i < text->count; i++) {
        TextPair pair = text_corpus_pair(text, i);
        units_count_han(pair.source, pair.source_length, &han[0], &letters[0]);
        units_count_han(pair.target, pair.target_length, &han[1], &letters[1]);
    }
    for (int side = 0; side < 2; side++) data->characters[side] = 2 * han[side] > letters[side];
    data->bleu_tokenizer = data->characters[1] ? BLEU_ZH : BLEU_13A;
}

static Status read_texts(TrainingData *data, TextCorpus *text, const char *const *train,
                         size_t count, const char *valid, bool deduplicate, Error *error)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) status = text_corpus_read(text, train[i], error);
    if (status) return status;
    data->pairs = text->count;
    data->counts = text->counts;
    data->hash = text->hash;
    data->lengths = hygiene_lengths(text);
    status = hygiene_duplicates(text, deduplicate, &data->duplicates, error);
    if (status) return status;
    if (!valid) {
        status = text_corpus_split(text, &data->valid_text, SET_ASIDE_MOST, SET_ASIDE_SHARE, error);
        data->set_aside = data->valid_text.count;
        return status;
    }
    status = text_corpus_read(&data->valid_text, valid, error);
    data->hash = data->hash * 31 + data->valid_text.hash;
    return status;
}

Status training_data_read(TrainingData *data, const char *const *train, size_t count,
                          const char *valid, const TrainOptions *options,
                          Vocabulary *source_vocabulary, Vocabulary *target_vocabulary,
                          Error *error)
{
    TextCorpus text = {0};
    *data = (TrainingData){.source_vocabulary = source_vocabulary,
                           .target_vocabulary = target_vocabulary,
                           .joint = source_vocabulary == target_vocabulary};
    Status status = read_texts(data, &text, train, count, valid, options->deduplicate, error);
    if (!status) status = hygiene_shared(&text, &data->valid_text, &data->shared, error);
    if (!status && !source_vocabulary) status = learn_vocabularies(data, &text, options, error);
    if (!status)
        status = encode(&data->train, &text, data, options->max_length, &data->too_long, error);
    if (!status)
        status = encode(&data->valid, &data->valid_text, data, options->max_length, NULL, error);
    if (!status) look_at_scripts(data, &text);
    if (!status && data->train.count == 0)
        status = error_set(
            error, STATUS_ARGUMENT,
            "no pair is kept: each has a side longer than %zu piece%s; raise --max-length",
            options->max_length, options->max_length == 1 ? "" : "s");
    text_corpus_free(&text);
    if (status) training_data_free(data);
    return status;
}

void training_data_free(TrainingData *data)
{
    if (data->target_vocabulary != data->source_vocabulary)
        vocabulary_free(data->target_vocabulary);
    vocabulary_free(data->source_vocabulary);
    token_corpus_free(&data->train);
    token_corpus_free(&data->valid);
    text_corpus_free(&data->valid_text);
    *data = (TrainingData){0};
}
