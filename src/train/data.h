/* From parallel text to what training reads: vocabularies, token ids, and a validation set with its
 * texts. */
#pragma once

#include "align/aligner.h"
#include "align/subword_links.h"
#include "corpus/corpus_check.h"
#include "corpus/token_corpus.h"
#include "io/json.h"
#include "metrics/bleu.h"
#include "text/vocabulary.h"
#include "train/cluster/ranks.h"
#include "train/guide.h"
#include "train/options.h"

/* Looks at texts when they have been read, before any pair is left out or set aside: those of
 * training, all files together, which come first, of validation, and to mix in, behind the others. */
typedef struct CorpusObserver {
    void *context;
    Status (*look)(void *context, const TextCorpus *text, bool training, Error *error);
} CorpusObserver;

// How files are read. A run from texts in memory needs none of it, nor what it brings along.
typedef struct TrainingReaders {
    Status (*corpus)(TextCorpus *corpus, const char *name, const PairOptions *options,
                     Error *error);
    Status (*guide)(Guide *guide, const char *path, const char *corpus, size_t lines, Error *error);
} TrainingReaders;
extern const TrainingReaders training_file_readers; // text_corpus_read and guide_read

// Pairs in memory, of texts in any form.
typedef struct GivenTexts {
    const TextView *sides[2]; // (count) of source and target
    size_t count;
} GivenTexts;

// What a run reads. The names must outlive it.
typedef struct TrainingFiles {
    const TrainingReaders *readers; // NULL where there are `texts`
    const GivenTexts *texts;   // [2] of training and validation (of no pairs: set some aside), in
                               // the place of all files; NULL: these are read
    const char *const *train;  // (count)
    const char *const *guides; // (count) word alignments of each (train/guide.h); NULL for none
    size_t count;              // at least 1
    bool align;                // let the aligner learn a guide (train/guide.h); no guides
    const char *const *valid;  // (valid_count) to validate on
    size_t valid_count;        // at most MAX_VALIDATION_SETS; 0 to set pairs aside
    const char *mix;           // pairs to mix in, so many for each of the others; NULL for none
    double mix_weight;
    const char *cache;   // a folder for the files that keep the corpus; NULL: memory
    const char *init;    // the model that training begins with, which is not read here; NULL: none
    PairOptions options; // how to read them
    CorpusObserver observer; // `look` NULL: nobody looks
    const Cancel *cancel;    // of reading `texts` and of the aligner; NULL: never
    Ranks *ranks;            // that all read them; NULL: alone
} TrainingFiles;

// The files that a run has read, so that a resumed run can name the one that has changed.
typedef struct DataFiles {
    struct DataFile {
        const char *name; // not owned
        uint64_t hash;    // of what was read up to its end
    } * items;            // (count) in the order of reading
    size_t count, capacity;
} DataFiles;

// The hashes as an array of texts; a new reference.
json_t *data_files_to_json(const DataFiles *files);

/* The name of the first file whose hash is not what it was in `before`, which data_files_to_json
 * made; NULL if it cannot be told. */
const char *data_files_changed(const DataFiles *files, const json_t *before);

// What was found in them, in numbers.
typedef struct DataFigures {
    ReadCounts counts;     // of the training files
    size_t bad;            // lines of all files passed over
    size_t pairs;          // read for training, before any were left out or set aside
    size_t epoch_pairs;    // of an epoch: those, and the ones mixed in
    size_t duplicates;     // among the pairs, left out if options->deduplicate
    size_t set_aside;      // for validation, if no file was named
    size_t mixed_pairs;    // read of the file to mix in
    size_t too_long;       // left out because of options->max_length
    size_t guided_pairs;   // of TrainingData.train with at least one link
    bool small_vocabulary; // the corpus yields fewer tokens than options->vocabulary_size
} DataFigures;

// Pairs to validate on.
typedef struct ValidationSet {
    const char *name;     // as it was given; NULL: of pairs set aside, or in memory
    TokenCorpus tokens;   // in memory
    TextCorpus text;      // the references
    CorpusOverlap shared; // that also occur in training
} ValidationSet;
enum { MAX_VALIDATION_SETS = 8 };

typedef struct TrainingData {
    Vocabulary *source_vocabulary;
    Vocabulary *target_vocabulary; // the same pointer if joint
    bool joint;
    TokenCorpus train;                        // in a file in `cache`, if that is set
    ValidationSet valid[MAX_VALIDATION_SETS]; // of which the first decides
    size_t valid_count;                       // at least 1
    CorpusLanguages languages;                // of the training pairs
    UnitKind units[2];            // of source and target: characters where it is mostly Han
    BleuTokenizer bleu_tokenizer; // zh if the target is mostly Han, else 13a
    GuideKind guide;              // what the links of `train` are from
    Aligner aligner;              // trimmed to travel with the model; of GUIDE_AUTO
    DataFiles files; // training files, each with its guide, validation files, the one mixed in
    uint64_t hash;   // of their texts, of the guides, and of mix_weight
    DataFigures figures;
} TrainingData;

/* Reads the files; sets the options that depend on the corpus (train_options_fit); learns the
 * vocabularies unless `source_vocabulary` and `target_vocabulary` (the same if joint) are given,
 * which it then owns even on failure. A pair keeps the links of its own line, whichever pairs are
 * left out or set aside. Freed by training_data_free; on failure there is nothing to free. */
Status training_data_read(TrainingData *data, const TrainingFiles *files, TrainOptions *options,
                          Vocabulary *source_vocabulary, Vocabulary *target_vocabulary,
                          Error *error);

void training_data_free(TrainingData *data);
