/* The options of a training run, with defaults that suit 1,000 to 200,000 pairs on a laptop.
 *
 * Each option is one row of TRAIN_OPTIONS and one member of TrainOptions. The command line
 * (parsing, help, man page, completions), the JSON in model and checkpoint, and the checks of
 * --resume are all generated from the table. */
#pragma once

#include "attention/attention.h"
#include "decoder/decoder.h"
#include "encoder/encoder.h"
#include "io/json.h"
#include "linalg/backend/backend.h"
#include "model/config.h"
#include "text/vocabulary.h"

typedef enum TrainPreset {
    PRESET_DEFAULT,
    PRESET_FAST,
    PRESET_BEST,
    PRESET_BAHDANAU2014,
} TrainPreset;

typedef enum OptimiserKind { OPTIMISER_ADAM, OPTIMISER_ADADELTA } OptimiserKind;

// All names of either, and a NULL.
extern const char *const train_preset_names[], *const optimiser_kind_names[];

// What PRESET_BAHDANAU2014 has not as it was published.
#define BAHDANAU2014_DIFFERS                                                                       \
    "unlike the paper it has subwords, not words; batches of 2000 of them, not 80 sentences; a "   \
    "tanh readout of E units, not maxout; its first state from the mean annotation; and keeps "    \
    "the running average of the weights"

typedef struct TrainOptions {
    unsigned preset; // a TrainPreset: what the options that are not given follow from
    // the model
    size_t vocabulary_size;                     // 0 until train_options_fit
    bool joint_vocabulary, separate_vocabulary; // neither: decided by the letters the sides share
    size_t embedding, hidden;                   // E, H
    size_t decoder_hidden;                      // D; 0 means H
    unsigned attention;                         // the place of a scorer in attention_scorer_names
    size_t attention_size;                      // A; 0 means H
    bool self_attention;
    unsigned decoder;     // a DecoderKind
    unsigned annotations; // an AnnotationKind
    size_t heads;         // of multi-head attention and of self-attention
    bool untied;
    // learning
    double dropout;
    double label_smoothing;
    double r_drop;       // α; 0: none
    size_t batch_tokens; // 0 until train_options_fit
    size_t max_length;
    double guide_weight;     // of guided alignment, at first (train/schedule.h); 0: no guide
    double guide_end_weight; // and in the end
    bool deduplicate;
    unsigned optimiser; // an OptimiserKind
    double learning_rate;
    size_t warmup;
    double clip_norm;
    size_t seed;
    size_t threads; // of all ranks together (train/cluster/ranks.h); 0 until train_options_resolve
    Precision precision; // auto, which counts as float32, until train_options_resolve
    // when to stop
    size_t max_epochs;  // 0 until train_options_fit
    double max_minutes; // 0: no limit
    size_t patience;    // validations; 0 until train_options_fit
    size_t keep;        // models of the last validations
    double disk_wait;   // minutes
} TrainOptions;

/* The table, in the order of the help. X(kind, …) is one of
 *
 *     X(HEADING, text)
 *     X(SIZE, member, flag, value, least, most, default, on resume, help)
 *     X(REAL, …)     the same
 *     X(FLAG, member, flag, on resume, help)
 *     X(CHOICE, member, flag, names, default, on resume, help)    an enum, whose names are in order
 *
 * on resume: FIXED options are in the checkpoint and cannot change when a run is resumed;
 * FIXED_IF_SET ones too, unless they are 0 or the first choice; NOTED ones are in it, but may
 * change; FREE ones are not in it and may change. After the help, .otherwise words the default
 * where that is not a value. */
#define TRAIN_OPTIONS(X)                                                                           \
    X(HEADING, "Model")                                                                            \
    X(SIZE, vocabulary_size, "vocab-size", "N", VOCABULARY_MIN_SIZE, VOCABULARY_MAX_SIZE, 0,       \
      FIXED, "tokens in a vocabulary, including special tokens and bytes",                         \
      .otherwise = "by the number of pairs: 2000 to 13300, 5000 with 20000")                       \
    X(FLAG, joint_vocabulary, "joint-vocab", FIXED, "one vocabulary for both sides",               \
      .otherwise = "if the sides share more than half of their letters")                           \
    X(FLAG, separate_vocabulary, "separate-vocab", FIXED, "a separate vocabulary for each side")   \
    X(SIZE, embedding, "embedding", "E", 1, CONFIG_MAX_SIZE, 384, FIXED, "embedding size")         \
    X(SIZE, hidden, "hidden", "H", 1, CONFIG_MAX_SIZE, 384, FIXED, "encoder units per direction")  \
    X(CHOICE, decoder, "decoder", decoder_kind_names, DECODER_CONDITIONAL_GRU, FIXED_IF_SET,       \
      "conditional-gru: two transitions in each step, with attention between them, which then "    \
      "knows the last token (Sennrich et al. 2017); gru: one, after attention (Bahdanau et al. "   \
      "2014)")                                                                                     \
    X(SIZE, decoder_hidden, "decoder-hidden", "D", 1, CONFIG_MAX_SIZE, 0, FIXED, "decoder units",  \
      .otherwise = "H")                                                                            \
    X(CHOICE, annotations, "annotations", annotation_kind_names, ANNOTATION_STATES_EMBEDDING,      \
      FIXED_IF_SET,                                                                                \
      "what the decoder sees of a source token. states: its states of the encoder (Bahdanau et "   \
      "al. 2014); states-embedding: its embedding beside them (Kuang et al. 2018)")                \
    X(CHOICE, attention, "attention", attention_scorer_names, 0 /* additive */, FIXED,             \
      "attention scorer; none: every step sees the mean of the source")                            \
    X(SIZE, attention_size, "attention-size", "A", 1, CONFIG_MAX_SIZE, 0, FIXED,                   \
      "attention units", .otherwise = "H")                                                         \
    X(FLAG, self_attention, "self-attention", FIXED,                                               \
      "self-attention over the source annotations before the decoder sees them")                   \
    X(SIZE, heads, "heads", "N", 1, CONFIG_MAX_SIZE, 4, FIXED,                                     \
      "heads of multi-head attention and of self-attention; they must divide the width of an "     \
      "annotation (2H + E, or 2H of states alone), and those of multi-head attention A")           \
    X(FLAG, untied, "untied-output", FIXED,                                                        \
      "a separate output matrix instead of the target embedding")                                  \
    X(HEADING, "Learning")                                                                         \
    X(CHOICE, preset, "preset", train_preset_names, PRESET_DEFAULT, FREE,                          \
      "what options are that are not given; fast: E and H 256, dropout 0.3, a third of the "       \
      "epochs; best: E and H 512, more patience; bahdanau2014: sizes, decoder, annotations and "   \
      "training as published (arXiv 1409.0473), without dropout, smoothing and "                   \
      "guide; " BAHDANAU2014_DIFFERS)                                                              \
    X(REAL, dropout, "dropout", "P", 0, 0.95, 0.4, FIXED, "dropout probability")                   \
    X(REAL, label_smoothing, "label-smoothing", "P", 0, 0.95, 0.1, FIXED,                          \
      "probability that label smoothing spreads over the vocabulary")                              \
    X(REAL, r_drop, "r-drop", "A", 0, 100, 0, FIXED_IF_SET,                                        \
      "see each batch twice under different dropout and draw the two predictions together with "   \
      "weight A (R-Drop, Liang et al. 2021); doubles the time")                                    \
    X(SIZE, batch_tokens, "batch-tokens", "N", 1, 1000000, 0, FIXED,                               \
      "tokens per batch, counting the longer side of each pair",                                   \
      .otherwise = "by the number of pairs: 400 to 2660, 1000 with 20000")                         \
    X(SIZE, max_length, "max-length", "N", 1, 10000, 100, FIXED,                                   \
      "leave out pairs with more than N subwords on a side")                                       \
    X(REAL, guide_weight, "guide-weight", "W", 1e-6, 1e3, 0.5, FIXED_IF_SET,                       \
      "weight of the alignment loss beside the translation loss, during warm-up; with --guide "    \
      "auto 0.03 unless it is given")                                                              \
    X(REAL, guide_end_weight, "guide-end-weight", "W", 0, 1e3, 0, FIXED_IF_SET,                    \
      "weight towards which that of the alignment loss falls or rises after warm-up",              \
      .otherwise = "as --guide-weight")                                                            \
    X(FLAG, deduplicate, "deduplicate", FIXED, "leave out duplicates of an earlier pair")          \
    X(CHOICE, optimiser, "optimiser", optimiser_kind_names, OPTIMISER_ADAM, FIXED_IF_SET,          \
      "adam, or adadelta (Zeiler 2012) for --learning-rate 1 --warmup 0")                          \
    X(REAL, learning_rate, "learning-rate", "R", 1e-9, 10, 0.003, FIXED, "peak learning rate")     \
    X(SIZE, warmup, "warmup", "N", 0, 1000000000, 600, FIXED,                                      \
      "warm-up updates, then inverse-square-root decay; 0: the peak throughout")                   \
    X(REAL, clip_norm, "clip-norm", "R", 0, 1e9, 1, FIXED,                                         \
      "clip gradients to this norm; 0: no clipping")                                               \
    X(SIZE, seed, "seed", "N", 0, 4000000000u, 1, FIXED, "random seed")                            \
    X(SIZE, threads, "threads", "N", 1, 1024, 0, NOTED, "threads; under mpirun, of each rank",     \
      .otherwise = "all processors")                                                               \
    X(CHOICE, precision, "precision", training_precision_names, PRECISION_AUTO, FIXED,             \
      "precision of matrix products; auto picks the fastest available")                            \
    X(HEADING, "When to stop")                                                                     \
    X(SIZE, max_epochs, "max-epochs", "N", 1, 1000000, 0, FREE,                                    \
      "after this many passes over the corpus",                                                    \
      .otherwise = "by corpus and preset: 30 from 20000 pairs on, else more")                      \
    X(REAL, max_minutes, "max-minutes", "M", 0.001, 1e7, 0, FREE,                                  \
      "after this many minutes, counted from program start; not kept for --resume",                \
      .otherwise = "no limit")                                                                     \
    X(SIZE, patience, "patience", "N", 1, 1000000, 0, FREE,                                        \
      "after this many validations without a better BLEU (or a lower loss, while BLEU is below "   \
      "1), but not within the warm-up",                                                            \
      .otherwise = "by corpus and preset: 5 from 20000 pairs on, else more")                       \
    X(HEADING, "What is kept")                                                                     \
    X(SIZE, keep, "keep", "N", 0, 100, 0, FREE,                                                    \
      "keep the models of the last N validations too, in FILE.kept-1 to FILE.kept-N in turn, for " \
      "regard average")                                                                            \
    X(HEADING, "When the disk is full")                                                            \
    X(REAL, disk_wait, "disk-wait", "M", 0, 1e7, 10, FREE,                                         \
      "wait up to this many minutes for space before giving up; what was saved stays intact")

#define TRAIN_DEFAULT(kind, ...) TRAIN_DEFAULT_##kind(__VA_ARGS__)
#define TRAIN_DEFAULT_HEADING(text)
#define TRAIN_DEFAULT_SIZE(member, flag, value, least, most, initial, ...) .member = initial,
#define TRAIN_DEFAULT_REAL(...) TRAIN_DEFAULT_SIZE(__VA_ARGS__)
#define TRAIN_DEFAULT_FLAG(member, ...) .member = false,
#define TRAIN_DEFAULT_CHOICE(member, flag, names, initial, ...) .member = initial,

// An initialiser.
#define TRAIN_OPTIONS_DEFAULT                                                                      \
    {                                                                                              \
        TRAIN_OPTIONS(TRAIN_DEFAULT)                                                               \
    }

// A row of the table as data.
typedef struct TrainOption {
    JsonField field;  // the member, also in JSON
    const char *flag; // on the command line, without the dashes
    double least, most;
    enum { TRAIN_FREE, TRAIN_NOTED, TRAIN_FIXED, TRAIN_FIXED_IF_SET } on_resume;
} TrainOption;

extern const TrainOption train_option_table[]; // ends with a row without a flag

/* Sets what follows from the preset, as if it were the default; options that are given come after
 * it. */
void train_options_take_preset(TrainOptions *options);

/* Checks what the table cannot, and fills in what depends on another option or on this computer: the
 * precision and the number of threads. */
Status train_options_resolve(TrainOptions *options, Error *error);

/* The defaults depend on the corpus between FEWEST_PAIRS and MANY_PAIRS; beyond these they are those
 * for so many. */
enum { FEWEST_PAIRS = 500, FEW_PAIRS = 20000, MANY_PAIRS = 1000000 };

/* Sets those of vocabulary_size, batch_tokens, max_epochs and patience that are 0, for so many
 * pairs in an epoch, before any are left out. With r = pairs / FEW_PAIRS,
 *
 *     vocabularies of 5000 r^¼, batches of 1000 r^¼ tokens, 30 / s epochs, patience 5 / s,
 *     s = min(√r, 1),
 *
 * a third of the epochs with PRESET_FAST, twice the patience with PRESET_BEST (docs/notes/quality.md);
 * so that runs have nearly as many updates on small corpora as on large ones: the warm-up is
 * counted in updates. Small corpora show most subwords of a large vocabulary too seldom to learn
 * them (Sennrich & Zhang 2019, arXiv 1905.11901), and on few pairs small batches learn faster. */
void train_options_fit(TrainOptions *options, size_t pairs);

/* The model over vocabularies of these sizes, not yet checked (config_check). A model that does not
 * use heads has 1. */
ModelConfig train_options_config(const TrainOptions *options, size_t source_vocabulary,
                                 size_t target_vocabulary, bool joint);

// Takes the sizes and kinds of a model.
void train_options_take_config(TrainOptions *options, const ModelConfig *config);

// `all` options, or all but the free ones, as a JSON object: a new reference.
json_t *train_options_to_json(const TrainOptions *options, bool all);

/* Reads all but the free options, each of which must be there, and no option that is not in the table;
 * the free ones stay as they are. */
Status train_options_from_json(TrainOptions *options, const json_t *json, Error *error);

/* Sets options from an object whose keys are those of the command line, with _ for -:
 * {"max_epochs": 3, "preset": "fast"}; first what follows from the preset. STATUS_ARGUMENT for another
 * key or a value out of range. */
Status train_options_set(TrainOptions *options, const json_t *given, Error *error);

/* Sets the weights that follow from a guide, or from none; of one that the aligner `learns`, the weight
 * is small unless it is `given`, and so is that towards which it goes: [2]. */
void train_options_guide(TrainOptions *options, bool guided, bool learns, const bool given[2]);

// The backend of products, for people: "bf16 by oneDNN 2.6.3 AMX".
void train_options_products(char *text, size_t size, const TrainOptions *options);
