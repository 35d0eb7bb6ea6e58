/* From parallel text to what training reads: vocabularies, token ids, and a validation set with its
 * texts. */
#ifndef REGARD_TRAIN_DATA_H
#define REGARD_TRAIN_DATA_H

#include "align/aligner.h"
#include "align/pair_alignments.h"
#include "corpus/corpus_check.h"
#include "corpus/languages.h"
#include "corpus/symptoms.h"
#include "corpus/token_corpus.h"
#include "metrics/bleu.h"
#include "text/vocabulary.h"
#include "train/data_files.h"
#include "train/guide.h"
#include "train/options.h"
#include "train/cluster/ranks.h"

// What a run reads. The names must outlive it.
typedef struct TrainingFiles {
    const char *const *train;  // (count)
    const char *const *guides; // (count) word alignments of each (train/guide.h); NULL for none
    size_t count;              // at least 1
    bool align;                // let the aligner learn a guide (train/aligned_guide.h); no guides
    const char *valid;         // NULL to set pairs aside
    const char *mix;           // pairs to mix in, so many for each of the others; NULL for none
    double mix_weight;
    const char *cache;   // a folder for the files that keep the corpus; NULL: memory
    const char *init;    // the model that training begins with, which is not read here; NULL: none
    PairOptions options; // how to read them
    Ranks *ranks;        // that all read them; NULL: alone
} TrainingFiles;

enum { SAMPLE_PAIRS = 3 };

typedef struct TrainingData {
    Vocabulary *source_vocabulary;
    Vocabulary *target_vocabulary; // the same pointer if joint
    bool joint;
    double overlap;    // of the two sides' letters, which decides whether the vocabulary is joint
    const char *cache; // TrainingFiles.cache
    TokenCorpus train; // in a file there, if it is set
    TokenCorpus valid; // in memory
    TextCorpus valid_text;     // the references
    ReadCounts counts;         // of the training files
    CorpusSymptoms symptoms;   // of the training pairs
    CorpusLanguages languages; // of them
    size_t bad;                // lines of all files passed over
    Bytes bad_lines;           // their messages (pair_reader_bad), line by line
    Bytes samples;             // SAMPLE_PAIRS training pairs at most: source, NUL, target, NUL
    Bytes notes;               // what was taken of all files (pair_reader_describe), line by line
    size_t pairs;              // read for training, before any were left out or set aside
    size_t epoch_pairs;        // of an epoch: those, and the ones mixed in
    size_t duplicates;         // among them, left out if options->deduplicate
    LengthMismatches lengths;  // among them
    CorpusOverlap shared;      // of the validation set that also occur in training
    size_t set_aside;          // for validation, if no file was named
    size_t mixed_pairs;        // read of the file to mix in
    size_t too_long;           // left out because of options->max_length
    bool vocabulary_small;     // the corpus yields fewer tokens than options->vocabulary_size
    UnitKind units[2];         // of source and target: characters where it is mostly Han
    BleuTokenizer bleu_tokenizer; // zh if the target is mostly Han, else 13a
    bool guided;                  // train has links, of guides or of the aligner
    bool aligned;                 // they are the aligner's
    Aligner aligner;              // trimmed to travel with the model; if aligned
    size_t guided_pairs;          // pairs in train with at least one link
    PairAlignments alignments;    // what the links are of, if subwords change (train/epoch.h)
    DataFiles files; // training files, each with its guide, the validation file, the one mixed in
    uint64_t hash;   // of their texts, of the guides, and of mix_weight
} TrainingData;

/* Reads the files; sets the options that depend on the corpus (train_options_fit); learns the
 * vocabularies unless `source_vocabulary` and `target_vocabulary` (the same if joint) are given,
 * which it then owns even on failure. A pair keeps the links of its own line, whichever pairs are
 * left out or set aside. Freed by training_data_free; on failure there is nothing to free. */
Status training_data_read(TrainingData *data, const TrainingFiles *files, TrainOptions *options,
                          Vocabulary *source_vocabulary, Vocabulary *target_vocabulary,
                          Error *error);

void training_data_free(TrainingData *data);

#endif
