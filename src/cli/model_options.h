// Options and actions that the verbs using a model share.
#pragma once

#include "base/threads.h"
#include "cli/args/options.h"
#include "cli/model_names.h"
#include "cli/output.h"
#include "corpus/pair_reader.h"
#include "io/line_reader.h"
#include "linalg/backend/backend.h"
#include "translate/alignment.h"
#include "translate/session.h"

// A model and how it computes: the member `model` of a verb's values.
typedef struct ModelOptions {
    const char *path;  // of verbs that use one model
    OptionTexts paths; // of verbs that translate, by one model or an ensemble
    size_t threads;    // 0: one for each processor
    Precision precision;
} ModelOptions;

// How many threads that is.
static inline size_t model_threads(const ModelOptions *options)
{
    return options->threads ? options->threads : threads_available();
}

#define MODEL_OPTIONS_DEFAULT                                                                      \
    {                                                                                              \
        .precision = PRECISION_FLOAT32                                                             \
    }

// Of a row whose value is a model that need not be introduced by its option.
#define MODEL_FIELDS                                                                               \
    .takes = model_is_meant, .taken = "ends in " MODEL_ENDING " or names a model", .model = true

/* Rows of the tables of options. `forms` are the bits of the verb's forms that the option is of
 * (options_check_form); 0: of all. */
#define MODEL_OPTION(values)                                                                       \
    OPTION_TEXT(values, model.path, "model", "FILE",                                               \
                "the model, a file or a name that regard models lists; --model may be left out",   \
                .required = true, MODEL_FIELDS)
// For verbs that translate; after the help, fields of the row.
#define MODELS_OPTION(values, help, ...)                                                           \
    OPTION_TEXTS(values, model.paths, "model", "FILE",                                             \
                 help                                                                              \
                 ", a file or a name that regard models lists; --model may be left out. Several "  \
                 "with the same vocabulary, such as of several --seed, translate together "        \
                 "by the mean of their probabilities",                                             \
                 __VA_ARGS__)
#define THREADS_OPTION(values, forms)                                                              \
    OPTION_SIZE(values, model.threads, "threads", "N", 1, 1024, "number of threads",               \
                .otherwise = "all processors", .only = forms)
#define PRECISION_OPTION(values, forms)                                                            \
    OPTION_CHOICE(values, model.precision, "precision", precision_names,                           \
                  "number format of matrix products: int8 is fastest on most processors, "         \
                  "bf16, which needs AVX512-BF16, on those with AMX; "                             \
                  "both may choose another word where two scores nearly tie. auto picks the "      \
                  "fastest available",                                                             \
                  .only = forms)
#define BEAM_OPTION(values, forms)                                                                 \
    OPTION_SIZE(values, translate.search.beam, "beam", "N", 1, MAX_BEAM,                           \
                "hypotheses kept at each step; 1 is greedy search", .only = forms)
#define LENGTH_OPTION(values, forms)                                                               \
    OPTION_REAL(values, translate.search.length_normalization, "length-normalization", "A", 0,     \
                MAX_NORMALIZATION, "score = log p / length^A", .otherwise = "the model's, else 1", \
                .only = forms)
#define SHORTLIST_OPTION(values, forms)                                                            \
    OPTION_FLAG(values, translate.search.scoring.shortlist, "shortlist",                           \
                "faster: restrict output to words aligned with a source word in training, plus "   \
                "frequent ones",                                                                   \
                .only = forms)
#define LEXICON_OPTION(values, forms)                                                              \
    OPTION_REAL(values, translate.search.scoring.lexicon, "lexicon", "P", 0, MAX_LEXICON_SHARE,    \
                "the share that the model's lexicon of rare words has in what such a word "        \
                "becomes, beside the network; 0: none",                                            \
                .only = forms)
#define FROM_OPTION(values, forms)                                                                 \
    OPTION_CHOICE(values, from, "from", link_source_names,                                         \
                  "what alignments are read from: the attention, the word aligner that the model " \
                  "carries (table), or both, the attention informing the aligner's posteriors",    \
                  .otherwise = "links: both, if the model carries an aligner; pictures and "       \
                               "matrices: attention",                                              \
                  .only = forms)
// How PAIRS are read: the member `pairs` of a verb's values, a PairOptions.
#define COLUMNS_OPTION(values, forms)                                                              \
    OPTION_TEXT(values, pairs.columns, "columns", "S,T",                                           \
                "of CSV and TSV files: the columns of source and target, by number from 1 or by "  \
                "their names in the first row",                                                    \
                .otherwise = "1,2", .only = forms)

// The operand of verbs that read text, line by line.
#define TEXT_OPERAND                                                                               \
    {                                                                                              \
        "FILE", "text, plain or compressed; - or nothing is standard input", 0, 1                  \
    }

// The operand of verbs that read a corpus, at least `least` of them.
#define PAIRS_OPERAND(least)                                                                       \
    {                                                                                              \
        "PAIRS",                                                                                   \
            "FILE.tsv, FILE.csv, SOURCE,TARGET, FILE.tmx, of several languages FILE.tmx:en:fr, "   \
            "or - for standard input",                                                             \
            least, 1                                                                               \
    }

// An open model with its threads.
typedef struct OpenModel {
    const char *path; // of the first; not owned
    Translator translator;
    Translator *others; // (other_count) of an ensemble
    size_t other_count;
    Session *session;
} OpenModel;

/* Opens a model, and those of an ensemble, for decoding; STATUS_FORMAT if it is to use a shortlist
 * and has none, or another's vocabulary differs. */
Status open_model(OpenModel *model, const ModelOptions *options, bool shortlist, Error *error);

void close_model(OpenModel *model);

/* Opens the TEXT_OPERAND. Where it is no file but looks like a sentence, the error says how to
 * translate that. On a terminal, says that `what` is to be typed. */
Status open_text(LineReader **reader, const Arguments *arguments, const char *what, Error *error);

// Closes a text, and says on standard error if it was read in another encoding than UTF-8.
void close_text(LineReader *reader, const char *verb);

/* How links are read by a model: from what --from says if it is `given`, else from both if the model
 * carries an aligner, which is then read from its file. STATUS_FORMAT if --from needs one and there
 * is none. */
Status choose_reading(LinkReading *reading, OpenModel *model, LinkSource from, bool given,
                      Error *error);
