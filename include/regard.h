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
 *         if (regard_open(&model, count > 1 ? words[1] : "model.safetensors", &error)) {
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
 * is compiled by
 *
 *     cc example.c $(pkg-config --cflags --libs regard)
 *
 * Models are made by the program: `regard train`. A longer example is examples/translate.c.
 *
 * TEXT. What goes in is any bytes with their length: one sentence or line each. Bytes that are not
 * UTF-8 are read as U+FFFD; the text is brought into normal form (NFC, each run of white space as
 * one space, none at either end). What comes out is UTF-8 in normal form, hence one line.
 *
 * ERRORS. A function that can fail returns a RegardStatus: REGARD_OK, which is 0, or what kind of
 * failure it was. Then the RegardError that the caller may have given (else NULL) holds the status
 * and one line, in English, that says what is wrong and what to do about it; on success it is not
 * touched. Where a pointer is handed out, it is NULL after a failure, and nothing is left to free.
 * NULL where an object is needed, options that are out of range, and a file that is damaged in any
 * way are such failures, never a crash. Beyond that C can check nothing: a model that was closed, a
 * result that was freed and a length that is not true must not be given.
 *
 * OWNERSHIP. What regard_open gives is ended by regard_close, what regard_translate and regard_score
 * give by regard_result_free. A result owns everything in it, strings included, and outlives its
 * model. Nothing that the caller hands in is kept after the call.
 *
 * THREADS. An open model never changes to the eye. Any number of threads may use one at the same time, and any
 * number of models may be open; a call works with memory of its own, and threads it starts have
 * ended when it returns. Only regard_close must be the last call with its model. A result may be
 * read by several threads.
 *
 * THE PROCESS. The library does not print, exit, install signal handlers, or keep a state of its
 * own. Matrix products are OpenBLAS's or oneDNN's, and regard_open tells OpenBLAS, for the whole
 * process, to run each of them in one thread (openblas_set_num_threads); parallel work is done by
 * sentences. For oneDNN a model's weights are laid out anew by the first call that computes in a
 * precision, and kept until the model is closed.
 * Model files are mapped, not read: while one is open it must not be written to. Replacing it by
 * another file of its name, as `regard train` does, is safe.
 *
 * COMPATIBILITY. Structs that the library hands out may get further members at their end: read them
 * through the pointers you are given and do not copy or compare them by size. Enumerations may get
 * further values. RegardOptions grows by its `size`. RegardText, RegardLink and RegardError stay. */
#ifndef REGARD_H
#define REGARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What the library exports; everything else in it is hidden.
#if defined(__GNUC__)
#define REGARD_API __attribute__((visibility("default")))
#else
#define REGARD_API
#endif

// ---- errors

typedef enum RegardStatus {
    REGARD_OK = 0,       // done
    REGARD_ARGUMENT = 1, // a value that cannot be used: a mistake of the caller
    REGARD_MEMORY = 2,   // out of memory, or of threads
    REGARD_IO = 3,       // a file could not be read
    REGARD_FORMAT = 4,   // a file does not hold a model, or a damaged or a newer one
} RegardStatus;

enum { REGARD_ERROR_SIZE = 1024 };

// Owned by the caller, need not be initialised.
typedef struct RegardError {
    RegardStatus status;
    char text[REGARD_ERROR_SIZE]; // one line of UTF-8 without a newline, NUL-terminated
} RegardError;

/* The general sentence for a status, such as "out of memory"; for a number that is none, "unknown
 * status". Never NULL, valid forever. */
REGARD_API const char *regard_status_text(RegardStatus status);

/* The version of the library that runs, such as "0.1.0". Valid forever. */
REGARD_API const char *regard_version(void);

// ---- models

// An open model.
typedef struct RegardModel RegardModel;

/* Opens the model file at `path`, NUL-terminated, and checks all of it: form, sizes, checksum, that
 * every number is finite. Takes about as long as reading the file once.
 *
 * REGARD_ARGUMENT: no path, or longer than 4095 bytes; REGARD_IO: no such file, not readable;
 * REGARD_FORMAT: it is no model of Regard, is damaged, or needs a newer version of this library. */
REGARD_API RegardStatus regard_open(RegardModel **model, const char *path, RegardError *error);

/* Closes a model. NULL is allowed. Results that were made with it stay valid. */
REGARD_API void regard_close(RegardModel *model);

// ---- options

// What the units of an alignment are, on one side.
typedef enum RegardUnits {
    REGARD_UNITS_MODEL = 0,      // what the model file says: what suits its language
    REGARD_UNITS_WORDS = 1,      // what white space parts: "Le chat dort ." has four
    REGARD_UNITS_CHARACTERS = 2, // every character with its marks, without white space
} RegardUnits;

// What matrix products are computed in; sums are float32 in all.
typedef enum RegardPrecision {
    REGARD_PRECISION_FLOAT32 = 0, // what the model was measured in
    REGARD_PRECISION_BF16 =
        1, // factors of 8 bits: the fastest, where the processor has AMX and the
           // library was built with oneDNN. Now and then chooses another word.
    REGARD_PRECISION_AUTO = 2, // the fastest that there is for the model
} RegardPrecision;

/* How to work. Set the defaults, then change what you like:
 *
 *     RegardOptions options;
 *     regard_options_default(&options, sizeof options);
 *     options.beam = 10;
 *
 * Where a call takes options, NULL stands for the defaults. */
typedef struct RegardOptions {
    size_t size;    // sizeof(RegardOptions), set by regard_options_default: tells which members are
                    // there, so that a program runs with a newer library
    size_t beam;    // 1 … 1000 hypotheses kept by the search, 1 being greedy; default 5
    size_t n_best;  // 1 … beam translations to give of each source; default 1
    size_t batch;   // 1 … 10000 sources searched together: speed against memory; default 64
    size_t threads; // 1 … 1024 to work with, 0 for as many as there are processors; default 1. No
                    // more are started than there are texts.
    bool alignment; // give alignments too; default false
    RegardUnits source_units; // what alignments count; default REGARD_UNITS_MODEL
    RegardUnits target_units;
    double length_normalization; // α, 0 … 10: translations are ranked by log p / length^α, length
                                 // in subwords; default 1
    size_t precision;            // a RegardPrecision; default float32
} RegardOptions;

/* Sets all of the options to their defaults. `size` is sizeof(RegardOptions) as the caller knows it;
 * no more than that is written. NULL or a size of less than a size_t does nothing. */
REGARD_API void regard_options_default(RegardOptions *options, size_t size);

// ---- work

/* A text. As input: any bytes, NUL among them, and no NUL needed behind them; bytes may be NULL if
 * length is 0. As output: a NUL follows that length does not count. */
typedef struct RegardText {
    const char *bytes;
    size_t length; // in bytes; as input at most 2^30
} RegardText;

// Translations, or scores, of one call's texts.
typedef struct RegardResult RegardResult;

/* Translates `count` texts, which may be 0 (then `sources` may be NULL). A text that is empty in
 * normal form has no translation; any other has 1 … n_best, best first, none of them empty. Where
 * the search finds nothing to say, the source itself is the one translation.
 *
 * The model reads at most 1000 subwords of a source; for S of them a translation has at most
 * 2 S + 10. A translation depends neither on the texts beside it nor on batch and threads, except
 * on processors for which `regard info` says otherwise: there, nearly equal ones may change places.
 *
 * REGARD_ARGUMENT: NULL for the model (so one that is not open) or the result, impossible options (bf16
 * where there is none, too), a text of NULL with a length; REGARD_MEMORY. Either all texts are translated or none. */
REGARD_API RegardStatus regard_translate(const RegardModel *model, const RegardText *sources,
                                         size_t count, const RegardOptions *options,
                                         RegardResult **result, RegardError *error);

/* Forced decoding: what the model thinks of given pairs, targets[i] being a translation of
 * sources[i]. The result has for each pair one translation, the target in normal form, with its
 * log_probability (score is the same), even if a side is empty; and with options->alignment where
 * the model looks while it says that target. At most 1000 subwords of either side are read.
 *
 * Of the options beam, n_best, batch and length_normalization have no effect here, but must be
 * possible. Failures are those of regard_translate. */
REGARD_API RegardStatus regard_score(const RegardModel *model, const RegardText *sources,
                                     const RegardText *targets, size_t count,
                                     const RegardOptions *options, RegardResult **result,
                                     RegardError *error);

// ---- results

/* A source unit (first number) that a target unit looked at: the one it looked at most, or another that had at least 0.3 of
 * its attention. Both count from 0. */
typedef struct RegardLink {
    uint32_t source;
    uint32_t target;
} RegardLink;

/* Where the model looked. `weights` is a matrix (target_count, source_count), row by row:
 *
 *     weights[t * source_count + s]
 *
 * is the part, 0 … 1, of its attention that target unit t gave to source unit s. A row sums to 1, or
 * is all zeros where nothing is known (the text's end took all, or units lie beyond the limit). */
typedef struct RegardAlignment {
    const RegardText *sources; // (source_count) the units' texts, in order
    const RegardText *targets; // (target_count)
    size_t source_count;
    size_t target_count;
    const float *weights;    // (target_count, source_count)
    const RegardLink *links; // (link_count) by source, then target
    size_t link_count;
} RegardAlignment;

typedef struct RegardTranslation {
    RegardText text;
    double log_probability;           // natural logarithm, of all of the text and its end
    double score;                     // what it was ranked by: log_probability / length^α
    const RegardAlignment *alignment; // NULL unless options->alignment
} RegardTranslation;

typedef struct RegardSource {
    RegardText text;          // in normal form
    size_t translation_count; // 0 for an empty source
    size_t invalid;           // parts that were not UTF-8 (in regard_score of the target, too)
    bool cut; // the source (in regard_score, or the target) was longer than 1000 subwords, and
              // what is beyond them was not read
} RegardSource;

/* How many sources there are, which is the `count` of the call; 0 for NULL. */
REGARD_API size_t regard_result_count(const RegardResult *result);

/* Source i, counted from 0 in the order given. NULL if there is no such or the result is NULL. Valid
 * until the result is freed. */
REGARD_API const RegardSource *regard_result_source(const RegardResult *result, size_t i);

/* Translation `rank` of source i; 0 is the best. NULL if there is no such or the result is NULL.
 * Valid until the result is freed. */
REGARD_API const RegardTranslation *regard_result_translation(const RegardResult *result, size_t i,
                                                              size_t rank);

/* Frees a result with everything in it. NULL is allowed. */
REGARD_API void regard_result_free(RegardResult *result);

#ifdef __cplusplus
}
#endif

#endif
