#include "train/data.h"

#include "align/subword_links.h"
#include "text/bpe_learn.h"

#include <string.h>

enum { MAX_SET_ASIDE = 1000 }; // pairs
static const double SET_ASIDE_SHARE = 0.02;

static size_t min_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Learns a vocabulary from the sides that are set. */
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
    Status status = text_corpus_common_letters(text, &data->overlap, error);
    if (status) return status;
    data->joint =
        options->joint_vocabulary || (!options->separate_vocabulary && data->overlap > 0.5);
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

// The subwords, units and links of one pair after another.
typedef struct PairEncoder {
    Subwords source, target;
    Units units[2];
    SubwordLinks links;
} PairEncoder;

static void pair_encoder_free(PairEncoder *encoder)
{
    subwords_free(&encoder->source);
    subwords_free(&encoder->target);
    units_free(&encoder->units[0]);
    units_free(&encoder->units[1]);
    subword_links_free(&encoder->links);
}

static Status encode_pair(PairEncoder *encoder, const TrainingData *data, const TextPair *pair,
                          Error *error)
{
    Status status = vocabulary_encode(data->source_vocabulary, pair->source, pair->source_length,
                                      &encoder->source, error);
    if (status) return status;
    return vocabulary_encode(data->target_vocabulary, pair->target, pair->target_length,
                             &encoder->target, error);
}

/* Gives the pair that was added last to data->train the links of its line. */
static Status link_pair(TrainingData *data, const Guide *guide, const TextPair *pair,
                        PairEncoder *encoder, Error *error)
{
    const Links given = guide_links(guide, pair->number);
    const Subwords *source = &encoder->source, *target = &encoder->target;
    SubwordLinks *links = &encoder->links;
    Units *units = encoder->units;
    Status status =
        units_split(&units[0], data->units[0], pair->source, pair->source_length, error);
    if (!status)
        status = units_split(&units[1], data->units[1], pair->target, pair->target_length, error);
    if (!status)
        status =
            subword_links_set(links, &given, (SoftSide){source->ends, source->count, &units[0]},
                              (SoftSide){target->ends, target->count, &units[1]}, error);
    if (!status) status = token_corpus_link(&data->train, links->items, links->count, error);
    data->guided_pairs += links->count > 0;
    return status;
}

/* Turns the training texts into ids, and the guides' links into links of subwords; leaves out and
 * counts pairs with more than `longest` subwords on a side. */
static Status encode_training(TrainingData *data, const TextCorpus *text, const Guide *guide,
                              size_t longest, Error *error)
{
    PairEncoder encoder = {0};
    const Subwords *source = &encoder.source, *target = &encoder.target;
    Status status = STATUS_OK;
    for (size_t i = 0; i < text->count && !status; i++) {
        TextPair pair = text_corpus_pair(text, i);
        status = encode_pair(&encoder, data, &pair, error);
        if (status) break;
        if (source->count > longest || target->count > longest) {
            data->too_long++;
            continue;
        }
        status = token_corpus_add(&data->train, source->ids, source->count, target->ids,
                                  target->count, error);
        if (!status && data->guided) status = link_pair(data, guide, &pair, &encoder, error);
    }
    pair_encoder_free(&encoder);
    return status;
}

/* Turns the validation texts into ids, each side cut where translation would cut it. */
static Status encode_validation(TrainingData *data, size_t longest, Error *error)
{
    PairEncoder encoder = {0};
    const Subwords *source = &encoder.source, *target = &encoder.target;
    Status status = STATUS_OK;
    for (size_t i = 0; i < data->valid_text.count && !status; i++) {
        TextPair pair = text_corpus_pair(&data->valid_text, i);
        status = encode_pair(&encoder, data, &pair, error);
        if (status) break;
        status = token_corpus_add(&data->valid, source->ids, min_of(source->count, longest),
                                  target->ids, min_of(target->count, longest), error);
    }
    pair_encoder_free(&encoder);
    return status;
}

/* Chooses how the sides are aligned and scored by their scripts. */
static void choose_units(TrainingData *data, const TextCorpus *text)
{
    size_t han[2] = {0, 0}, letters[2] = {0, 0};
    for (size_t i = 0; i < text->count; i++) {
        TextPair pair = text_corpus_pair(text, i);
        units_count_han(pair.source, pair.source_length, &han[0], &letters[0]);
        units_count_han(pair.target, pair.target_length, &han[1], &letters[1]);
    }
    for (int side = 0; side < 2; side++)
        data->units[side] = units_default(han[side], letters[side]);
    data->bleu_tokenizer = data->units[1] == UNITS_CHARACTERS ? BLEU_ZH : BLEU_13A;
}

/* Reads the training files, each with its guide. */
static Status read_training(TrainingData *data, TextCorpus *text, Guide *guide,
                            const TrainingFiles *files, Error *error)
{
    Status status = STATUS_OK;
    data->guided = files->guides != NULL;
    for (size_t i = 0; i < files->count && !status; i++) {
        size_t before = text->counts.lines;
        status = text_corpus_read(text, files->train[i], error);
        if (!status && data->guided)
            status = guide_read(guide, files->guides[i], files->train[i],
                                text->counts.lines - before, error);
    }
    data->pairs = text->count;
    data->counts = text->counts;
    data->hash = text->hash;
    if (data->guided && !status) data->hash = data->hash * 31 + guide_hash(guide);
    return status;
}

static Status read_texts(TrainingData *data, TextCorpus *text, Guide *guide,
                         const TrainingFiles *files, bool deduplicate, Error *error)
{
    Status status = read_training(data, text, guide, files, error);
    if (status) return status;
    data->lengths = corpus_check_lengths(text);
    status = corpus_check_duplicates(text, deduplicate, &data->duplicates, error);
    if (status) return status;
    if (!files->valid) {
        status = text_corpus_split(text, &data->valid_text, MAX_SET_ASIDE, SET_ASIDE_SHARE, error);
        data->set_aside = data->valid_text.count;
        return status;
    }
    status = text_corpus_read(&data->valid_text, files->valid, error);
    data->hash = data->hash * 31 + data->valid_text.hash;
    return status;
}

/* Checks the links of all pairs, including those set aside: whether a fault in the file is found
 * must not depend on the split. */
static Status check_guide(const TrainingData *data, const TextCorpus *text, const Guide *guide,
                          Error *error)
{
    if (!data->guided) return STATUS_OK;
    Status status = guide_check(guide, text, data->units, error);
    if (!status && data->set_aside)
        status = guide_check(guide, &data->valid_text, data->units, error);
    return status;
}

Status training_data_read(TrainingData *data, const TrainingFiles *files,
                          const TrainOptions *options, Vocabulary *source_vocabulary,
                          Vocabulary *target_vocabulary, Error *error)
{
    TextCorpus text = {0};
    Guide guide = {0};
    *data = (TrainingData){.source_vocabulary = source_vocabulary,
                           .target_vocabulary = target_vocabulary,
                           .joint = source_vocabulary == target_vocabulary};
    Status status = read_texts(data, &text, &guide, files, options->deduplicate, error);
    if (!status) choose_units(data, &text);
    if (!status) status = check_guide(data, &text, &guide, error);
    if (!status) status = corpus_check_overlap(&text, &data->valid_text, &data->shared, error);
    if (!status && !source_vocabulary) status = learn_vocabularies(data, &text, options, error);
    if (!status) status = encode_training(data, &text, &guide, options->max_length, error);
    if (!status) status = encode_validation(data, options->max_length, error);
    if (!status && data->train.count == 0)
        status = error_set(
            error, STATUS_ARGUMENT,
            "no pairs remain: each has a side longer than %zu subword%s; raise --max-length",
            options->max_length, options->max_length == 1 ? "" : "s");
    text_corpus_free(&text);
    guide_free(&guide);
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
