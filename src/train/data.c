#include "train/data.h"

#include "base/array.h"
#include "text/bpe_learn.h"
#include "text/normalise.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MAX_SET_ASIDE = 1000 }; // pairs
static const double SET_ASIDE_SHARE = 0.02;

// `hash` is of what was read up to the file's end.
static Status add_file(DataFiles *files, const char *name, uint64_t hash, Error *error)
{
    return array_add(&files->items, &files->count, &files->capacity, "the list of files", error,
                     (struct DataFile){name, hash});
}

json_t *data_files_to_json(const DataFiles *files)
{
    json_t *json = json_array();
    for (size_t i = 0; i < files->count; i++)
        json_append(&json, json_sprintf("%016" PRIx64, files->items[i].hash));
    return json;
}

const char *data_files_changed(const DataFiles *files, const json_t *before)
{
    if (json_array_size(before) != files->count) return NULL;
    for (size_t i = 0; i < files->count; i++) {
        const char *then = json_string_value(json_array_get(before, i));
        if (!then || strtoull(then, NULL, 16) != files->items[i].hash) return files->items[i].name;
    }
    return NULL;
}

/* Learns a vocabulary from the sides `first` to `last`. */
static Status learn(Vocabulary **vocabulary, const TextCorpus *corpus, int first, int last,
                    size_t size, Error *error)
{
    FREED_BY(bpe_learner_free_at) BpeLearner *learner = NULL;
    TRY(bpe_learner_new(&learner, error));
    for (size_t i = 0; i < corpus->count; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        for (int s = first; s <= last; s++)
            TRY(bpe_learner_add(learner, pair.sides[s].data, pair.sides[s].length, error));
    }
    return bpe_learner_finish(learner, size, vocabulary, error);
}

static Status learn_vocabularies(TrainingData *data, const TextCorpus *text,
                                 const TrainOptions *options, Error *error)
{
    double common;
    TRY(text_corpus_common_letters(text, &common, error));
    data->joint = options->joint_vocabulary || (!options->separate_vocabulary && common > 0.5);
    size_t size = options->vocabulary_size;
    TRY(learn(&data->source_vocabulary, text, 0, data->joint, size, error));
    if (data->joint)
        data->target_vocabulary = data->source_vocabulary;
    else
        TRY(learn(&data->target_vocabulary, text, 1, 1, size, error));
    data->figures.small_vocabulary = vocabulary_size(data->source_vocabulary) < size ||
                                     vocabulary_size(data->target_vocabulary) < size;
    return STATUS_OK;
}

// What is needed of the texts until they are token ids.
typedef struct Preparation {
    TextCorpus text; // of training
    Guide guide;
    AlignedGuide aligned;
    // of one pair after another
    Subwords subwords[2];
    Spans units[2];
    SubwordLinks links;
} Preparation;

static Status encode_pair(Preparation *preparation, const TrainingData *data, const TextPair *pair,
                          Error *error)
{
    const Vocabulary *vocabularies[] = {data->source_vocabulary, data->target_vocabulary};
    for (int s = 0; s < 2; s++)
        TRY(vocabulary_encode(vocabularies[s], pair->sides[s].data, pair->sides[s].length,
                              &preparation->subwords[s], error));
    return STATUS_OK;
}

/* The links of a pair's line in its guide. */
static Status set_given_links(Preparation *preparation, const TrainingData *data,
                              const TextPair *pair, SoftSide sides[2], Error *error)
{
    Links given;
    TRY(guide_links(&preparation->guide, &given, pair->place.number, error));
    Spans *units = preparation->units;
    for (int s = 0; s < 2; s++) {
        TextView side = pair->sides[s];
        TRY(units_split(&units[s], data->units[s], side.data, side.length, error));
        sides[s].units = &units[s];
    }
    return subword_links_set(&preparation->links, &given, sides[0], sides[1], error);
}

/* Gives `pair`, which was added last to data->train, its links. */
static Status link_pair(TrainingData *data, Preparation *preparation, const TextPair *pair,
                        Error *error)
{
    const SubwordLinks *links = &preparation->links;
    const Subwords *subwords = preparation->subwords;
    SoftSide sides[2] = {{.ends = subwords[0].ends, .subwords = subwords[0].count},
                         {.ends = subwords[1].ends, .subwords = subwords[1].count}};
    TRY(data->guide == GUIDE_AUTO ? aligned_guide_links(&preparation->aligned, &preparation->links,
                                                        pair, sides[0], sides[1], error)
                                  : set_given_links(preparation, data, pair, sides, error));
    data->figures.guided_pairs += links->count > 0;
    return token_corpus_link(&data->train, links->items, links->count, error);
}

// Lets the observer look at what was read.
static Status show(TrainingData *data, const TextCorpus *text, const TrainingFiles *files,
                   bool training, Error *error)
{
    const CorpusObserver *observer = &files->observer;
    data->figures.bad += text->counts.bad;
    return observer->look ? observer->look(observer->context, text, training, error) : STATUS_OK;
}

/* Adds the pairs to mix in, which are told and hashed by themselves. They have no lines in a guide,
 * and none is set aside. */
static Status add_mixed(TrainingData *data, TextCorpus *text, const TrainingFiles *files,
                        Error *error)
{
    size_t before = text->count;
    uint64_t weight;
    memcpy(&weight, &files->mix_weight, sizeof weight);
    text->hash = 0;
    text->counts = (ReadCounts){0};
    bytes_clear(&text->bad);
    bytes_clear(&text->notes);
    TRY(files->readers->corpus(text, files->mix, &files->options, error));
    TRY(add_file(&data->files, files->mix, text->hash, error));
    data->figures.mixed_pairs = text->count - before;
    data->hash = (data->hash * 31 + text->hash) * 31 + weight;
    return show(data, text, files, false, error);
}

// How many pairs are mixed into so many others.
static size_t pairs_drawn(const TrainingFiles *files, size_t pairs)
{
    return files->mix ? (size_t)(files->mix_weight * (double)pairs + 0.5) : 0;
}

/* Turns the training texts into ids, and links of units into links of subwords; leaves out and
 * counts pairs with more than `longest` subwords on a side. */
static Status encode_training(TrainingData *data, Preparation *preparation,
                              const TrainingFiles *files, size_t longest, Error *error)
{
    TokenCorpus *train = &data->train;
    size_t own = preparation->text.count - data->figures.mixed_pairs;
    const Subwords *source = &preparation->subwords[0], *target = &preparation->subwords[1];
    for (size_t i = 0; i < preparation->text.count; i++) {
        TextPair pair = text_corpus_pair(&preparation->text, i);
        TRY(encode_pair(preparation, data, &pair, error));
        if (source->count > longest || target->count > longest) {
            data->figures.too_long++;
            continue;
        }
        TRY(token_corpus_add(train, source->ids, source->count, target->ids, target->count, error));
        train->mixed += i >= own;
        if (data->guide == GUIDE_AUTO || (data->guide == GUIDE_FILES && i < own))
            TRY(link_pair(data, preparation, &pair, error));
    }
    if (train->mixed) train->drawn = pairs_drawn(files, train->count - train->mixed);
    return STATUS_OK;
}

/* Turns validation texts into ids, each side cut where translation would cut it. */
static Status encode_validation(ValidationSet *set, const TrainingData *data,
                                Preparation *preparation, size_t longest, Error *error)
{
    for (size_t i = 0; i < set->text.count; i++) {
        TextPair pair = text_corpus_pair(&set->text, i);
        TRY(encode_pair(preparation, data, &pair, error));
        const Subwords *source = &preparation->subwords[0], *target = &preparation->subwords[1];
        TRY(token_corpus_add(&set->tokens, source->ids,
                             source->count < longest ? source->count : longest, target->ids,
                             target->count < longest ? target->count : longest, error));
    }
    return STATUS_OK;
}

/* Chooses how the sides are aligned and scored by their scripts. */
static void choose_units(TrainingData *data, const TextCorpus *text)
{
    size_t han[2] = {0, 0}, letters[2] = {0, 0};
    for (size_t i = 0; i < text->count; i++) {
        TextPair pair = text_corpus_pair(text, i);
        for (int s = 0; s < 2; s++)
            units_count_han(pair.sides[s].data, pair.sides[s].length, &han[s], &letters[s]);
    }
    for (int side = 0; side < 2; side++)
        data->units[side] = units_default(han[side], letters[side]);
    data->bleu_tokenizer = data->units[1] == UNITS_CHARACTERS ? BLEU_ZH : BLEU_13A;
}

/* Adds texts in normal form; pairs with an empty side are left out and counted, as of files. */
static Status add_texts(TextCorpus *corpus, const GivenTexts *texts, const char *purpose,
                        const Cancel *cancel, Error *error)
{
    FREED_BY(bytes_free) Bytes source = {0}, target = {0};
    ReadCounts *counts = &corpus->counts;
    for (size_t i = 0; i < texts->count; i++) {
        const TextView given[2] = {texts->sides[0][i], texts->sides[1][i]};
        TRY(cancel_check(cancel, error));
        TRY(normalise(&source, given[0].data, given[0].length, NULL, error));
        TRY(normalise(&target, given[1].data, given[1].length, NULL, error));
        const TextPair pair = {{bytes_view(&source), bytes_view(&target)},
                               {"the pairs", i + 1, counts->lines++}};
        bool empty = !source.length || !target.length;
        counts->empty += empty;
        if (!empty) TRY(text_corpus_add(corpus, &pair, error));
    }
    if (corpus->count > 0) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "there are no pairs to %s: give some with a text on both sides", purpose);
}

/* Reads the training files, each with its guide. */
static Status read_files(TrainingData *data, Preparation *preparation, const TrainingFiles *files,
                         Error *error)
{
    TextCorpus *text = &preparation->text;
    uint64_t hash = 0; // of the guides so far
    if (files->texts) TRY(add_texts(text, &files->texts[0], "train on", files->cancel, error));
    for (size_t i = 0; i < files->count; i++) {
        size_t before = text->counts.lines;
        TRY(files->readers->corpus(text, files->train[i], &files->options, error));
        TRY(add_file(&data->files, files->train[i], text->hash, error));
        if (!files->guides) continue;
        TRY(files->readers->guide(&preparation->guide, files->guides[i], files->train[i],
                                  text->counts.lines - before, error));
        TRY(guide_hash(&preparation->guide, &hash, error));
        TRY(add_file(&data->files, files->guides[i], hash, error));
    }
    data->hash = files->guides ? text->hash * 31 + hash : text->hash;
    return STATUS_OK;
}

/* Reads what to validate on, or sets pairs of the training text aside for it. */
static Status read_validation(TrainingData *data, TextCorpus *text, const TrainingFiles *files,
                              Error *error)
{
    TextCorpus *first = &data->valid[0].text;
    data->valid_count = files->valid_count ? files->valid_count : 1;
    for (size_t i = 0; i < files->valid_count; i++) {
        ValidationSet *set = &data->valid[i];
        set->name = files->valid[i];
        TRY(files->readers->corpus(&set->text, set->name, &files->options, error));
        TRY(add_file(&data->files, set->name, set->text.hash, error));
        data->hash = data->hash * 31 + set->text.hash;
        TRY(show(data, &set->text, files, false, error));
    }
    if (files->valid_count) return STATUS_OK;
    if (files->texts && files->texts[1].count) {
        TRY(add_texts(first, &files->texts[1], "validate with", files->cancel, error));
        data->hash = data->hash * 31 + first->hash;
        return STATUS_OK;
    }
    TRY(text_corpus_split(text, first, MAX_SET_ASIDE, SET_ASIDE_SHARE, error));
    data->figures.set_aside = first->count;
    return STATUS_OK;
}

static Status read_texts(TrainingData *data, Preparation *preparation, const TrainingFiles *files,
                         bool deduplicate, Error *error)
{
    TextCorpus *text = &preparation->text;
    data->guide = files->guides ? GUIDE_FILES : files->align ? GUIDE_AUTO : GUIDE_NONE;
    TRY(read_files(data, preparation, files, error));
    data->figures.pairs = text->count;
    data->figures.counts = text->counts;
    TRY(show(data, text, files, true, error));
    TRY(text_corpus_languages(&data->languages, text, &files->options, error));
    TRY(corpus_check_duplicates(text, deduplicate, &data->figures.duplicates, error));
    choose_units(data, text);
    if (files->guides) TRY(guide_check(&preparation->guide, text, data->units, error));
    return read_validation(data, text, files, error);
}

// Up to the vocabularies, which is all that a rank does by itself before others wait for it.
static Status read_and_learn(TrainingData *data, Preparation *preparation,
                             const TrainingFiles *files, TrainOptions *options, Error *error)
{
    TextCorpus *text = &preparation->text;
    TRY(read_texts(data, preparation, files, options->deduplicate, error));
    if (files->mix) TRY(add_mixed(data, text, files, error));
    data->figures.epoch_pairs = data->figures.pairs + pairs_drawn(files, data->figures.pairs);
    train_options_fit(options, data->figures.epoch_pairs);
    for (size_t i = 0; i < data->valid_count; i++)
        TRY(corpus_check_overlap(text, &data->valid[i].text, &data->valid[i].shared, error));
    return data->source_vocabulary ? STATUS_OK : learn_vocabularies(data, text, options, error);
}

static Status read_all(TrainingData *data, Preparation *preparation, const TrainingFiles *files,
                       TrainOptions *options, Error *error)
{
    Ranks *ranks = files->ranks;
    size_t longest = options->max_length;
    // what may be larger than memory
    TRY(text_corpus_open(&preparation->text, files->cache, error));
    TRY(corpus_store_open(&preparation->guide.links, files->cache, error));
    TRY(corpus_store_open(&data->train.store, files->cache, error));
    TRY(ranks_agree(ranks, read_and_learn(data, preparation, files, options, error), error));
    TRY(ranks_compare(ranks, data->hash,
                      "what it reads is not what rank 0 reads; give all nodes the same files",
                      error));
    if (files->align)
        TRY(aligned_guide_learn(&preparation->aligned, &preparation->text, options->threads,
                                files->cancel, ranks, error));
    TRY(encode_training(data, preparation, files, longest, error));
    for (size_t i = 0; i < data->valid_count; i++)
        TRY(encode_validation(&data->valid[i], data, preparation, longest, error));
    const ModelConfig config =
        train_options_config(options, vocabulary_size(data->source_vocabulary),
                             vocabulary_size(data->target_vocabulary), data->joint);
    if (files->align) TRY(aligned_guide_keep(&preparation->aligned, &data->aligner, config, error));
    if (data->train.count > data->train.mixed) return STATUS_OK;
    return error_set(
        error, STATUS_ARGUMENT,
        "no pairs remain: each has a side longer than %zu subword%s; raise --max-length", longest,
        longest == 1 ? "" : "s");
}

Status training_data_read(TrainingData *data, const TrainingFiles *files, TrainOptions *options,
                          Vocabulary *source_vocabulary, Vocabulary *target_vocabulary,
                          Error *error)
{
    Preparation preparation = {0};
    *data = (TrainingData){.source_vocabulary = source_vocabulary,
                           .target_vocabulary = target_vocabulary,
                           .joint = source_vocabulary == target_vocabulary};
    Status status = read_all(data, &preparation, files, options, error);
    // a pair that could not be read is empty, which may have led to any other failure
    Status unread = text_corpus_check(&preparation.text, error);
    if (unread) status = unread;
    text_corpus_free(&preparation.text);
    guide_free(&preparation.guide);
    aligned_guide_free(&preparation.aligned);
    for (int s = 0; s < 2; s++) {
        subwords_free(&preparation.subwords[s]);
        spans_free(&preparation.units[s]);
    }
    subword_links_free(&preparation.links);
    if (status) training_data_free(data);
    return status;
}

void training_data_free(TrainingData *data)
{
    if (data->target_vocabulary != data->source_vocabulary)
        vocabulary_free(data->target_vocabulary);
    vocabulary_free(data->source_vocabulary);
    token_corpus_free(&data->train);
    for (size_t i = 0; i < data->valid_count; i++) {
        token_corpus_free(&data->valid[i].tokens);
        text_corpus_free(&data->valid[i].text);
    }
    aligner_free(&data->aligner);
    memory_free(data->files.items);
    *data = (TrainingData){0};
}
