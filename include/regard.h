/* Regard: a neural translator that shows where it looked. The C library; this header is its manual.
 *
 *     #include <regard.h>
 *     #include <stdio.h>
 *     #include <string.h>
 *
 *     int main(int count, char **words)
 *     {
 *         RegardModel *model;
 *         RegardResult *result;
 *         RegardError error;
 *         RegardText source = {"The cat sleeps.", strlen("The cat sleeps.")};
 *         if (regard_open(&model, count > 1 ? words[1] : "en-fr", &error)) {
 *             fprintf(stderr, "%s\n", error.text);
 *             return 1;
 *         }
 *         if (regard_translate(model, &source, 1, NULL, &result, &error)) {
 *             fprintf(stderr, "%s\n", error.text);
 *         } else {
 *             puts(regard_result_translation(result, 0, 0)->text.bytes);
 *             regard_result_free(result);
 *         }
 *         regard_close(model);
 *         return 0;
 *     }
 *
 * Compile it with
 *
 *     cc example.c $(pkg-config --cflags --libs regard)
 *
 * Models are made by `regard train` and regard_train. Longer examples are examples/translate.c and
 * examples/threads.c; python/ has a package for Python.
 *
 * TEXT. Input is any bytes with their length, a sentence or a paragraph each. Invalid UTF-8 becomes
 * U+FFFD, and the text is normalised: NFC, each run of white space one space, none at either end.
 * Output is normalised UTF-8, hence one line.
 *
 * ERRORS. A function that can fail returns a RegardStatus: REGARD_OK, which is 0, or the kind of
 * failure. The RegardError that the caller passed (or NULL) then has the status and one line of
 * English that says what is wrong and what to do about it; on success it is not touched. Output
 * pointers are NULL after a failure, and there is nothing to free. A missing object (NULL), options
 * out of range and damaged files are such failures, never a crash. Undefined behaviour: using a
 * closed model or a freed result, or a wrong length.
 *
 * OWNERSHIP. Close what regard_open returns with regard_close; free what regard_translate,
 * regard_score and regard_align return with regard_result_free. A result owns everything in it,
 * strings included, and may outlive its model. The library keeps no pointer of the caller's after a
 * call.
 *
 * CANCELLING. A call can be ended early: options->cancelled is a function that it asks while it
 * works. It then returns REGARD_CANCELLED, has freed everything, and the model can be used as
 * before.
 *
 * THREADS. An open model is logically immutable. Any number of threads may use it at the same time,
 * and any number of models may be open; each call has its own memory, and the threads it starts end
 * before it returns. Only regard_close must be the last call with its model. Several threads may
 * read a result.
 *
 * THE PROCESS. The library does not print, exit, install signal handlers, or have global state of
 * its own. It computes with OpenBLAS or oneDNN, and regard_open sets OpenBLAS, for the whole
 * process, to one thread per product (openblas_set_num_threads), since it parallelises over
 * sentences. It watches Jansson's allocations (json_set_alloc_funcs), which go on to the functions
 * that were set before. With oneDNN, the first call in a precision packs the model's weights, which
 * are kept until the model is closed. A model is read into memory: its file may be changed,
 * replaced or removed while it is open.
 *
 * COMPATIBILITY. Structs that the library returns may get further members at their end: access them
 * through the returned pointers, and do not copy or compare them by size. Enumerations may get
 * further values. RegardOptions gets further members at its end: its `size` says which of them the
 * caller knows, and those that it does not know keep their defaults, so that a program goes on
 * working with a newer library without being compiled again. RegardText, RegardTerm, RegardLink
 * and RegardError do not change. */
#ifndef REGARD_H
#define REGARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Exported; everything else in the library is hidden.
#if defined(__GNUC__)
#define REGARD_API __attribute__((visibility("default")))
#else
#define REGARD_API
#endif

// ---- errors

typedef enum RegardStatus {
    REGARD_OK = 0,        // done
    REGARD_ARGUMENT = 1,  // an invalid value: a mistake of the caller
    REGARD_MEMORY = 2,    // out of memory or threads
    REGARD_IO = 3,        // a file could not be read
    REGARD_FORMAT = 4,    // a file is not a model, or a damaged or newer one
    REGARD_CANCELLED = 5, // options->cancelled said so
} RegardStatus;

enum { REGARD_ERROR_SIZE = 1024 };

// Owned by the caller; need not be initialised.
typedef struct RegardError {
    RegardStatus status;
    char text[REGARD_ERROR_SIZE]; // one line of UTF-8 without a newline, NUL-terminated
} RegardError;

/* The general text of a status, such as "out of memory"; "unknown status" for any other number.
 * Never NULL, valid forever. */
REGARD_API const char *regard_status_text(RegardStatus status);

/* The version of the running library, such as "0.1.0". Valid forever. */
REGARD_API const char *regard_version(void);

// ---- texts

/* A text. As input: any bytes, including NUL, with no terminator; bytes may be NULL if length is 0.
 * As output: followed by a NUL, which length does not count. */
typedef struct RegardText {
    const char *bytes;
    size_t length; // in bytes; as input at most 2^30
} RegardText;

// Frees a text that a function has set, and sets it to none. NULL is allowed.
REGARD_API void regard_text_free(RegardText *text);

// ---- models

// An open model.
typedef struct RegardModel RegardModel;

/* Opens the model file at `path`, NUL-terminated, with the aligner that it may carry, and checks all
 * of it: format, sizes, checksum, and that every number is finite. Takes about as long as reading
 * the file once.
 *
 * A word without a slash, such as "en-fr", is first the name of a model: en-fr.safetensors in the
 * first folder that has it, of $REGARD_MODELS, ~/.local/share/regard/models, and where Regard is
 * installed, seen from the program that runs and from this library. If none has it, the word is the
 * path of a file, as "./en-fr" always is.
 *
 * REGARD_ARGUMENT: the path is NULL or longer than 4095 bytes; REGARD_IO: the file does not exist
 * or is not readable, or no model has that name; REGARD_FORMAT: it is not a Regard model, is
 * damaged, or needs a newer library. */
REGARD_API RegardStatus regard_open(RegardModel **model, const char *path, RegardError *error);

/* Closes a model. NULL is allowed. Its results remain valid. */
REGARD_API void regard_close(RegardModel *model);

typedef enum RegardSide { REGARD_SOURCE = 0, REGARD_TARGET = 1 } RegardSide;

/* The language tag of a side, such as "fr" (BCP 47), valid until the model is closed; NULL if it is
 * not known. */
REGARD_API const char *regard_model_language(const RegardModel *model, RegardSide side);

// Sets *models to the models that regard_open finds by name, "en-fr<TAB>path", a line for each.
REGARD_API RegardStatus regard_list_models(RegardText *models, RegardError *error);

// ---- options

// The units of an alignment on one side.
typedef enum RegardUnits {
    REGARD_UNITS_MODEL = 0,      // the default stored in the model, which suits its language
    REGARD_UNITS_WORDS = 1,      // separated by white space: "Le chat dort ." has four
    REGARD_UNITS_CHARACTERS = 2, // characters with their marks, without white space
} RegardUnits;

/* The precision of matrix products: what their factors are rounded to. int8, with a scale for each
 * row, is fastest on most processors; bf16, with 8 significant bits, on those with AMX if the
 * library was built with oneDNN; it needs AVX512-BF16. Both may choose another word where two
 * scores nearly tie. */
typedef enum RegardPrecision {
    REGARD_PRECISION_FLOAT32 = 0,
    REGARD_PRECISION_BF16 = 1,
    REGARD_PRECISION_AUTO = 2, // the fastest here for the model, mostly int8
    REGARD_PRECISION_INT8 = 3,
} RegardPrecision;

// A term of a glossary and its translation.
typedef struct RegardTerm {
    RegardText term;
    RegardText translation;
} RegardTerm;

/* Options of a call. Set the defaults, then change what you need:
 *
 *     RegardOptions options;
 *     regard_options_default(&options, sizeof options);
 *     options.beam = 10;
 *
 * NULL instead of options means the defaults. */
typedef struct RegardOptions {
    // sizeof(RegardOptions), set by regard_options_default; says which members exist
    size_t size;
    size_t beam;    // 1 … 1000 hypotheses kept by the search, 1: greedy; default 5
    size_t n_best;  // 1 … beam translations per source; default 1
    size_t batch;   // 1 … 10000 sources translated together: speed against memory; default 64
    size_t threads; // 1 … 1024, at most one per text, or 0: one per processor; default 1
    bool alignment; // return alignments too, in regard_align their weights; default false
    RegardUnits source_units; // units of alignments; default REGARD_UNITS_MODEL
    RegardUnits target_units;
    // α, 0 … 10: translations are ranked by log p / length^α, length in subwords; -1, the default:
    // the model's, which is 1 unless `regard calibrate` has found a better one
    double length_normalization;
    size_t precision; // a RegardPrecision; default auto
    /* 1: faster, but only the subwords that were aligned with one of the source's in training, and
     * the most frequent ones, can be output. REGARD_ARGUMENT if the model has no shortlist (without
     * attention there is none); default 0. */
    size_t shortlist;
    /* (count of the call) what each translation begins with; an empty text: anything. It may end
     * within a word, unless white space follows: then the word is complete. NULL, the default:
     * none. At most 1000 subwords of it are used, and the limit of length begins after it. */
    const RegardText *prefixes;
    /* 0, the default: search. 1 … 1000: sample so many translations of each source from the model's
     * distribution instead, subword by subword; beam and n_best then have no effect. */
    size_t samples;
    // of samples: 0.01 … 100, subwords are drawn in proportion to p^(1/temperature); default 1
    double temperature;
    // Of samples: they depend on it, the text, and the text's place in the call alone, not on batch
    // and threads; default 0. Where `regard info` does not guarantee equal bits, rounding may
    // change one in rare cases.
    uint64_t seed;
    /* Asked before each text, step of the search and batch, by the threads of the call at the same
     * time, with `context`. If it returns true the call ends within a step. NULL, the default:
     * never. */
    bool (*cancelled)(void *context);
    void *context;
    /* 1, the default: a text of several sentences is translated sentence by sentence and joined
     * again; alignments are of the whole text. 0: as a whole, and only its first 1000 subwords. */
    size_t split;
    /* (glossary_count) terms, and what each must be in the translation of a text that has it: found
     * as whole words (within Chinese and Japanese anywhere), without capitals in any case, else as
     * written, the longest first; said as written or, at the beginning of a sentence, with a
     * capital. At most 64 in a sentence are used. REGARD_ARGUMENT if a side is empty, a term has
     * more than 200 characters, a translation more than 64 subwords, a term two translations, or
     * with `samples`. NULL, the default: none. */
    const RegardTerm *glossary;
    size_t glossary_count;
} RegardOptions;

/* Whether the int at `flag` is not 0: a function for `cancelled`, with the address of an int that
 * another thread sets. */
REGARD_API bool regard_flag_is_set(void *flag);

/* Sets all options to their defaults. `size` is the caller's sizeof(RegardOptions); no more than
 * that is written. Does nothing if options is NULL or size is less than sizeof(size_t). */
REGARD_API void regard_options_default(RegardOptions *options, size_t size);

// ---- work

// Translations, scores or alignments of one call's texts.
typedef struct RegardResult RegardResult;

/* Translates `count` texts; with a count of 0 `sources` may be NULL. A text that is empty after
 * normalisation has no translation; any other has 1 … n_best, best first, none of them empty. If
 * the search finds no words, the only translation is the source itself, or its prefix if it has
 * one. With options->samples translations are the samples in the order drawn, which may be equal;
 * those without words are left out.
 *
 * If the model knows placeholders (docs/manual.md), addresses, emoji, code in backticks, numbers,
 * names that it cannot know and the like stay as they are, once each in every translation, but for
 * the marks and signs of numbers: 3.5% in English is 3,5 % in French. A text that is nothing else
 * is its own translation, of probability 1. Unless it has a prefix, a sentence in capitals or title
 * case is read in small letters, and the translations of one in capitals are put into capitals; a
 * model that knows placeholders reads a text of up to three words without a mark at its end with
 * one, which its translations then lack.
 *
 * With options->split a text of several sentences is translated by sentences, unless it has a
 * prefix, and one of more than 50 subwords, or 8 spans that stay as they are, in parts. Its
 * translations are the n_best combinations of those of its sentences: log_probability is the sum
 * of theirs, score their mean.
 *
 * At most 1000 subwords of a sentence are read; one of S subwords has a translation of at most 2
 * S + 10. A translation does not depend on the other texts, the batch or the threads, except on
 * processors for which `regard info` says so: there translations with nearly equal scores may swap.
 *
 * REGARD_ARGUMENT: model or result is NULL, options are out of range (or bf16 is not available), a
 * text is NULL with a length; REGARD_MEMORY; REGARD_CANCELLED. Either all texts are translated or
 * none. */
REGARD_API RegardStatus regard_translate(const RegardModel *model, const RegardText *sources,
                                         size_t count, const RegardOptions *options,
                                         RegardResult **result, RegardError *error);

/* Forced decoding: scores given pairs, where targets[i] is a translation of sources[i]. For each
 * pair the result has one translation, the normalised target, with its log_probability (score is
 * the same), even if a side is empty; and with options->alignment the attention for that target. At
 * most 1000 subwords of either side are read.
 *
 * What belongs to search (beam, n_best, batch, length_normalization, shortlist, prefixes, glossary,
 * samples) has no effect, but must be in range. Failures are those of regard_translate. */
REGARD_API RegardStatus regard_score(const RegardModel *model, const RegardText *sources,
                                     const RegardText *targets, size_t count,
                                     const RegardOptions *options, RegardResult **result,
                                     RegardError *error);

/* Aligns given pairs, where targets[i] is a translation of sources[i]: the result is that of
 * regard_score, and each translation has an alignment with its units and links. The weights, a
 * matrix for each pair, are there if options->alignment asks for them, and otherwise NULL. */
REGARD_API RegardStatus regard_align(const RegardModel *model, const RegardText *sources,
                                     const RegardText *targets, size_t count,
                                     const RegardOptions *options, RegardResult **result,
                                     RegardError *error);

/* Translates an HTML document, or a part of one, in UTF-8: tags stay around the words that they
 * belong to, and what is not text stays as it is. Of the options, prefixes, samples and alignment
 * have no effect. The translation is freed by regard_text_free. */
REGARD_API RegardStatus regard_translate_html(const RegardModel *model, const RegardText *html,
                                              const RegardOptions *options, RegardText *translation,
                                              RegardError *error);

/* The subwords that the model reads of a text, with spaces between them; a space within one is
 * U+2581. The line is freed by regard_text_free. */
REGARD_API RegardStatus regard_tokenize(const RegardModel *model, RegardSide side,
                                        const RegardText *text, RegardText *subwords,
                                        RegardError *error);

/* Sets *code to the language that the texts together are in, told by their letters and commonest
 * words: "fr"; NULL if they do not show it. Valid forever. */
REGARD_API RegardStatus regard_detect_language(const char **code, const RegardText *texts,
                                               size_t count, RegardError *error);

// ---- results

/* A link between a source unit and a target unit, both counted from 0. If the model carries what the
 * aligner has learned from its training pairs, as after `regard train --guide auto`, its posterior
 * by aligner and attention together is at least 0.5. Otherwise its strength is the mean of two
 * shares, of the attention that the target unit gives and of what the source unit gets from all
 * target units, marks attached to a word left out: at least 0.4, or the most of this target unit's
 * links. */
typedef struct RegardLink {
    uint32_t source;
    uint32_t target;
} RegardLink;

/* The attention of a translation. `weights` is a matrix (target_count, source_count), row by row:
 *
 *     weights[t * source_count + s]
 *
 * is the share, 0 … 1, of target unit t's attention on source unit s. A row sums to 1, or is all
 * zeros if nothing is known (the end of the text had all the attention, or the units are beyond the
 * limit). */
typedef struct RegardAlignment {
    const RegardText *sources; // (source_count) the texts of the units, in order
    const RegardText *targets; // (target_count)
    size_t source_count;
    size_t target_count;
    const float *weights;    // (target_count, source_count), or NULL (regard_align)
    const RegardLink *links; // (link_count) sorted by source, then target
    size_t link_count;
} RegardAlignment;

typedef struct RegardTranslation {
    RegardText text;
    // natural logarithm, of the whole text and its end: by the network and its lexicon of rare words
    // together; of regard_score by the network alone
    double log_probability;
    double score; // log_probability / length^α, by which translations are ranked
    const RegardAlignment *alignment; // NULL unless options->alignment or regard_align
} RegardTranslation;

/* What a word, or a short text, stands for elsewhere, as the lexicon that the model carries has it;
 * and a pair of short sentences, source and target, where it does, each in three parts: what stands
 * before the word (in the target: the sense), that, and what stands behind it. The pairs are those of
 * a file beside the model, of en-fr.safetensors en-fr.everyday.tsv (source, tab, target), which is
 * read when the first word is looked up. All parts are empty if no pair has the word in this sense. */
typedef struct RegardSense {
    RegardText word; // in lower case
    double share;    // how often, 0 … 1
    RegardText example[2][3];
} RegardSense;

typedef struct RegardSource {
    RegardText text;          // normalised
    size_t translation_count; // 0 for an empty source
    size_t invalid;           // invalid UTF-8 sequences, of the target and the prefix too
    bool cut;                 // source, target or prefix cut at 1000 subwords
    // (sense_count) of regard_translate, of a word or short text: those of the whole text first, then
    // the commonest
    const RegardSense *senses;
    size_t sense_count; // at most 5
} RegardSource;

/* The number of sources, which is the `count` of the call; 0 for NULL. */
REGARD_API size_t regard_result_count(const RegardResult *result);

/* Source i, from 0, in the order given. NULL if there is none or the result is NULL. Valid until
 * the result is freed. */
REGARD_API const RegardSource *regard_result_source(const RegardResult *result, size_t i);

/* Translation `rank` of source i, from 0, the best. NULL if there is none or the result is NULL.
 * Valid until the result is freed. */
REGARD_API const RegardTranslation *regard_result_translation(const RegardResult *result, size_t i,
                                                              size_t rank);

/* Frees a result and everything in it. NULL is allowed. */
REGARD_API void regard_result_free(RegardResult *result);

/* Draws the matrix of an alignment as an SVG document. REGARD_ARGUMENT if it has none. */
REGARD_API RegardStatus regard_alignment_svg(const RegardAlignment *alignment, RegardText *svg,
                                             RegardError *error);

// ---- the aligner

/* A statistical word aligner (IBM Model 1 and an HMM, in both directions), which learns from pairs
 * alone which word stands for which. Like a model, any number of threads may use one. */
typedef struct RegardAligner RegardAligner;

/* Learns from `count` pairs. Of the options, threads and cancelled have an effect; the same pairs
 * give the same aligner, whatever the threads. */
REGARD_API RegardStatus regard_aligner_learn(RegardAligner **aligner, const RegardText *sources,
                                             const RegardText *targets, size_t count,
                                             const RegardOptions *options, RegardError *error);

// Opens and saves a file such as `regard align --save` writes; a file at the path is replaced.
REGARD_API RegardStatus regard_aligner_open(RegardAligner **aligner, const char *path,
                                            RegardError *error);
REGARD_API RegardStatus regard_aligner_save(const RegardAligner *aligner, const char *path,
                                            RegardError *error);

/* Aligns `count` pairs of sides[0], the sources, and sides[1]: the result is as that of
 * regard_align, but links and weights are the aligner's posteriors, and there are no probabilities.
 * REGARD_UNITS_MODEL means characters where most letters of that side are Han, else words. */
REGARD_API RegardStatus regard_aligner_align(const RegardAligner *aligner,
                                             const RegardText *const sides[2], size_t count,
                                             const RegardOptions *options, RegardResult **result,
                                             RegardError *error);

// NULL is allowed.
REGARD_API void regard_aligner_free(RegardAligner *aligner);

// ---- training

// What a training has come to; valid within the call that shows it.
typedef struct RegardProgress {
    size_t epoch, max_epochs; // counted from 1
    size_t batch, batches;    // done of this epoch
    size_t step;              // batches done in all
    // of the batch
    double loss; // per target token
    double learning_rate;
    double target_tokens;
    double seconds; // since the call began
    // After a validation, which follows each epoch at least, these are set instead of loss to
    // target_tokens.
    bool validated;
    bool best; // so far: the model has been saved
    double validation_loss, validation_bleu;
    const RegardTranslation *watched; // of training->watch, with its alignment; else NULL
} RegardProgress;

/* How to train. Its `size` is what that of RegardOptions is; 0 and NULL are defaults:
 *
 *     RegardTraining training = {.size = sizeof training, .options = "{\"max_epochs\": 10}"}; */
typedef struct RegardTraining {
    size_t size;
    // validation pairs (valid_count); none: some of the others are set aside
    const RegardText *valid_sources, *valid_targets;
    size_t valid_count;
    /* Options of `regard train`, with their defaults there, as a JSON object with _ for -:
     * {"hidden": 128, "guide": "none", "seed": 2}. Of those that belong to files there are none. */
    const char *options;
    const char *source_language, *target_language; // such as "fr"; NULL: told from the pairs
    RegardText watch; // a sentence that the progress shows a translation of
    /* Called after each step and each validation, with `context`. If it returns false, training ends
     * as if it had come to its last epoch. */
    bool (*progress)(void *context, const RegardProgress *progress);
    bool (*cancelled)(void *context); // as in RegardOptions
    void *context;
} RegardTraining;

/* Trains a model on `count` pairs, as `regard train` does, and saves it as `path`, where a file is
 * replaced: whenever it is the best so far. The same pairs, options and threads give the same bytes.
 * A training that is cancelled leaves the best model so far, if there is one. `training` NULL: the
 * defaults. */
REGARD_API RegardStatus regard_train(const char *path, const RegardText *sources,
                                     const RegardText *targets, size_t count,
                                     const RegardTraining *training, RegardError *error);

// ---- scores of translations

typedef struct RegardScores {
    double bleu;  // 0 … 100, as sacreBLEU computes it
    double chrf;  // chrF2, likewise
    double exact; // the share, 0 … 1, that equals a reference but for white space
} RegardScores;

typedef struct RegardScoring {
    size_t references; // 1 … 1000 of each hypothesis
    size_t tokenizer;  // of BLEU, sacreBLEU's: 0 for 13a, 1 for zh, 2 for none
    bool lowercase;
} RegardScoring;

/* Scores a corpus of `count` translations; the references are (scoring->references, count), those of
 * the first set first. `scoring` NULL: one reference each, 13a, as written. A text ends at its first
 * NUL. */
REGARD_API RegardStatus regard_evaluate(RegardScores *scores, const RegardText *hypotheses,
                                        const RegardText *references, size_t count,
                                        const RegardScoring *scoring, RegardError *error);

#ifdef __cplusplus
}
#endif

#endif
