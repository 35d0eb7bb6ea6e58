#include "bench/bottleneck/commands.h"
#include "bench/bottleneck/joining.h"

enum { MAX_SET_ASIDE = 1000 }; // pairs
static const double SET_ASIDE_SHARE = 0.02;

// The seeds that part the three joined corpora: the user's, and these behind it.
enum { SEED_VALID = 1, SEED_TEST = 2, SEEDS = 3 };

typedef struct JoinValues {
    OptionTexts train;
    const char *valid, *test, *into;
    size_t passes, each, seed;
} JoinValues;

static const Option join_options[] = {
    OPTION_TEXTS(JoinValues, train, "train", "PAIRS", "what to learn from; may be repeated",
                 .required = true),
    OPTION_TEXT(JoinValues, valid, "valid", "PAIRS", "what to validate on",
                .otherwise = "2 % of the pairs, at most 1000, set aside"),
    OPTION_TEXT(JoinValues, test, "test", "PAIRS", "what to translate",
                .otherwise = "as many, set aside"),
    OPTION_TEXT(JoinValues, into, "into", "FOLDER", "where train.tsv, valid.tsv, test.tsv go",
                .required = true),
    OPTION_SIZE(JoinValues, passes, "passes", "N", 1, 1000,
                "times over the training pairs, each time joined otherwise"),
    OPTION_SIZE(JoinValues, each, "each", "N", 1, 100000, "test inputs in each class of lengths"),
    OPTION_SIZE(JoinValues, seed, "seed", "N", 0, 4000000000u, "of the shuffles"),
};

static const JoinValues join_defaults = {.passes = 4, .each = 100, .seed = 1};

static Status write_corpus(const char *folder, const char *name, const TextCorpus *corpus,
                           Error *error)
{
    Bytes text = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < corpus->count && !status; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        status = bytes_append_format(&text, error, "%s\t%s\n", pair.source, pair.target);
    }
    if (!status) status = commands_write(folder, name, &text, error);
    bytes_free(&text);
    return status;
}

// The three corpora, as they are read and as they are joined.
typedef struct Parts {
    TextCorpus train, valid, test;
} Parts;

static void parts_free(Parts *parts)
{
    text_corpus_free(&parts->train);
    text_corpus_free(&parts->valid);
    text_corpus_free(&parts->test);
}

// A part of its own, or one that is taken from training.
static Status read_held_out(TextCorpus *part, const char *pairs, TextCorpus *train, Error *error)
{
    if (pairs) return text_corpus_read(part, pairs, error);
    return text_corpus_split(train, part, MAX_SET_ASIDE, SET_ASIDE_SHARE, error);
}

static Status read_parts(Parts *parts, const JoinValues *values, size_t *left_out, Error *error)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i < values->train.count && !status; i++)
        status = text_corpus_read(&parts->train, values->train.items[i], error);
    if (!status) status = read_held_out(&parts->test, values->test, &parts->train, error);
    if (!status) status = read_held_out(&parts->valid, values->valid, &parts->train, error);
    if (!status) status = join_hold_out(&parts->train, &parts->test, left_out, error);
    if (!status) status = join_hold_out(&parts->train, &parts->valid, left_out, error);
    if (!status) status = join_hold_out(&parts->valid, &parts->test, left_out, error);
    if (!status && (parts->train.count == 0 || parts->valid.count == 0 || parts->test.count == 0))
        status = error_set(error, STATUS_ARGUMENT,
                           "nothing is left to learn from, to validate on or to translate once no "
                           "sentence stands in two of them; name other files");
    return status;
}

static Status join_parts(Parts *joined, const Parts *parts, const JoinValues *values, Error *error)
{
    Scripts scripts = scripts_of(&parts->train);
    uint64_t seed = SEEDS * (uint64_t)values->seed;
    Status status = join_all(&joined->train, &parts->train, scripts, values->passes, seed, error);
    if (!status)
        status = join_all(&joined->valid, &parts->valid, scripts, 1, seed + SEED_VALID, error);
    if (!status)
        status = join_evenly(&joined->test, &parts->test, scripts, values->each, seed + SEED_TEST,
                             error);
    return status;
}

static Status join(const Arguments *arguments, Output *output, Error *error)
{
    const JoinValues *values = arguments->values;
    Parts parts = {0}, joined = {0};
    size_t left_out = 0;
    Status status = read_parts(&parts, values, &left_out, error);
    if (!status) status = join_parts(&joined, &parts, values, error);
    if (!status) status = write_corpus(values->into, "train.tsv", &joined.train, error);
    if (!status) status = write_corpus(values->into, "valid.tsv", &joined.valid, error);
    if (!status) status = write_corpus(values->into, "test.tsv", &joined.test, error);
    if (!status)
        status = output_format(
            output, error,
            "Training\t%zu pairs, %zu times over, each time joined otherwise: %zu inputs of 1 to "
            "%d "
            "pairs\nHeld out\t%zu pairs joined to %zu inputs to validate on, %zu to %zu inputs to "
            "translate; left out because they share a side with one held out: %zu\n",
            parts.train.count, values->passes, joined.train.count, MAX_JOINED, parts.valid.count,
            joined.valid.count, parts.test.count, joined.test.count, left_out);
    parts_free(&parts);
    parts_free(&joined);
    return status;
}

const Verb command_join = {
    .syntax =
        {
            .verb = "join",
            .summary = "make long inputs of short pairs",
            .options = join_options,
            .option_count = sizeof join_options / sizeof *join_options,
            .defaults = &join_defaults,
            .values_size = sizeof join_defaults,
        },
    .run = join,
};
