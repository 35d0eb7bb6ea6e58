#include "train/epoch.h"

#include "base/array.h"

enum { SEGMENTED_AT_ONCE = 1 << 16 }; // pairs segmented before they are appended to the epoch's

// One thread's range of the pairs, and what it needs to segment them.
typedef struct EpochPart {
    TokenCorpus pairs;
    StoreWindow windows[2]; // of the corpus and of the alignments of its pairs
    Bytes texts[2];
    Subwords subwords[2];
    SubwordLinks links;
} EpochPart;

// Sides are source and target.
typedef struct Segmentation {
    const TrainingData *data;
    const Vocabulary *vocabularies[2];
    double probabilities[2];
    uint64_t seed, epoch;
    size_t longest;
    uint32_t *numbers; // (count) of the epoch's pairs
    size_t count;
    size_t begin, end; // of them, those that are segmented together
    EpochPart *parts;  // (part_count)
    size_t part_count;
} Segmentation;

// Segments both sides of a pair, whose `place` in the epoch decides what is drawn.
static Status segment_sides(const Segmentation *segmentation, EpochPart *part,
                            const TokenPair *pair, size_t place, Error *error)
{
    const int32_t *ids[2] = {pair->source, pair->target};
    const size_t lengths[2] = {pair->source_length - 1, pair->target_length - 1}; // without </s>
    BpeDropout dropout = {
        .random = random_from(segmentation->seed,
                              RANDOM_STREAM_SUBWORDS + (segmentation->epoch << 32) + place)};
    for (int side = 0; side < 2; side++) {
        Bytes *text = &part->texts[side];
        bytes_clear(text);
        TRY(vocabulary_decode(segmentation->vocabularies[side], ids[side], lengths[side], text,
                              error));
        dropout.probability = segmentation->probabilities[side];
        TRY(vocabulary_encode_dropout(segmentation->vocabularies[side], bytes_text(text),
                                      text->length, &dropout, &part->subwords[side], error));
    }
    return STATUS_OK;
}

static Status add_pair(const Segmentation *segmentation, EpochPart *part, size_t place,
                       Error *error)
{
    size_t number = segmentation->numbers[place];
    const TrainingData *data = segmentation->data;
    const Subwords *source = &part->subwords[0], *target = &part->subwords[1];
    TokenPair pair;
    TRY(token_corpus_view(&data->train, &part->windows[0], &pair, number, error));
    TRY(segment_sides(segmentation, part, &pair, place, error));
    bool fits = source->count <= segmentation->longest && target->count <= segmentation->longest;
    TRY(fits ? token_corpus_add(&part->pairs, source->ids, source->count, target->ids,
                                target->count, error)
             : token_corpus_add(&part->pairs, pair.source, pair.source_length - 1, pair.target,
                                pair.target_length - 1, error));
    if (!pair.link_count) return STATUS_OK;
    if (!fits) return token_corpus_link(&part->pairs, pair.links, pair.link_count, error);
    PairAlignment alignment;
    TRY(pair_alignments_view(&data->alignments, &part->windows[1], &alignment, number, error));
    TRY(pair_alignment_project(&part->links, &alignment,
                               (SoftSide){.ends = source->ends, .subwords = source->count},
                               (SoftSide){.ends = target->ends, .subwords = target->count}, error));
    return token_corpus_link(&part->pairs, part->links.items, part->links.count, error);
}

static Status segment_part(void *context, size_t worker, size_t item, Error *error)
{
    (void)worker;
    const Segmentation *segmentation = context;
    size_t begin, end;
    threads_range(segmentation->end - segmentation->begin, 1, item, segmentation->part_count,
                  &begin, &end);
    for (size_t place = segmentation->begin + begin; place < segmentation->begin + end; place++)
        TRY(add_pair(segmentation, &segmentation->parts[item], place, error));
    return STATUS_OK;
}

static Status segment_all(TokenCorpus *out, Segmentation *segmentation, const TokenCorpus *train,
                          Threads *threads, Error *error)
{
    TRY(array_new(&segmentation->parts, segmentation->part_count, "the pairs of an epoch", error));
    TRY(array_new(&segmentation->numbers, segmentation->count, "the pairs of an epoch", error));
    TRY(batch_plan_pairs(segmentation->numbers, train, segmentation->seed, segmentation->epoch,
                         error));
    for (size_t begin = 0; begin < segmentation->count; begin = segmentation->end) {
        size_t left = segmentation->count - begin;
        segmentation->begin = begin;
        segmentation->end = begin + (left < SEGMENTED_AT_ONCE ? left : SEGMENTED_AT_ONCE);
        TRY(parallel_for(threads, segmentation->part_count, segment_part, segmentation, error));
        for (size_t i = 0; i < segmentation->part_count; i++) {
            TokenCorpus *pairs = &segmentation->parts[i].pairs;
            TRY(token_corpus_append(out, pairs, error));
            token_corpus_free(pairs);
        }
    }
    return STATUS_OK;
}

/* Sets `out` to the pairs of the epoch in new subwords; none of them is mixed in any more. */
static Status segment_corpus(TokenCorpus *out, const TrainingData *data,
                             const TrainOptions *options, uint64_t epoch, Threads *threads,
                             Error *error)
{
    size_t longest =
        options->batch_tokens > options->max_length ? options->batch_tokens : options->max_length;
    Segmentation segmentation = {
        .data = data,
        .vocabularies = {data->source_vocabulary, data->target_vocabulary},
        .probabilities = {options->bpe_dropout, options->target_bpe_dropout},
        .seed = options->seed,
        .epoch = epoch,
        .longest = longest < MAX_SUBWORD_LINK ? longest : MAX_SUBWORD_LINK,
        .count = batch_plan_pair_count(&data->train),
        .part_count = threads_count(threads)};
    Status status = segment_all(out, &segmentation, &data->train, threads, error);
    for (size_t i = 0; segmentation.parts && i < segmentation.part_count; i++) {
        EpochPart *part = &segmentation.parts[i];
        token_corpus_free(&part->pairs);
        for (int side = 0; side < 2; side++) {
            bytes_free(&part->texts[side]);
            subwords_free(&part->subwords[side]);
            store_window_free(&part->windows[side]);
        }
        subword_links_free(&part->links);
    }
    memory_free(segmentation.parts);
    memory_free(segmentation.numbers);
    return status;
}

Status epoch_begin(Epoch *epoch, const TrainingData *data, const TrainOptions *options,
                   uint64_t number, Threads *threads, Error *error)
{
    epoch_free(epoch);
    epoch->corpus = &data->train;
    if (options->bpe_dropout > 0 || options->target_bpe_dropout > 0) {
        TRY(corpus_store_open(&epoch->segmented.store, data->cache, error));
        TRY(segment_corpus(&epoch->segmented, data, options, number, threads, error));
        epoch->corpus = &epoch->segmented;
    }
    return batch_plan_new(&epoch->plan, epoch->corpus, options->batch_tokens, options->seed, number,
                          error);
}

void epoch_free(Epoch *epoch)
{
    batch_plan_free(&epoch->plan);
    token_corpus_free(&epoch->segmented);
    *epoch = (Epoch){0};
}
