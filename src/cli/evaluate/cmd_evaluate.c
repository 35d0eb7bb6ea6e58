// regard evaluate: BLEU, chrF2 and exact matches, of a model on a corpus or of a file against
// references.

#include "base/memory.h"
#include "cli/evaluate/evaluation.h"
#include "cli/file_names.h"
#include "cli/verbs.h"
#include "corpus/pair_name.h"

typedef struct EvaluateValues {
    ModelOptions model;
    PairOptions pairs;
    TranslateOptions translate;
    bool group_source;
    const char *hypothesis;
    OptionTexts references;
    const char *by_length; // a file, or by_its_own
    EvaluationOptions scoring;
    bool json;
    const char *output;
    bool overwrite;
} EvaluateValues;

// --by-length without a file.
static const char by_its_own[] = "FILE";

// The forms of the command: a model's translations or those of a file.
enum { OF_MODEL = 1, WRITES = 2 };

// Why an option that is only for these is refused elsewhere, in their order.
static const char *const reasons[] = {
    "is for --model FILE and PAIRS; --hypothesis files are scored as they are: leave it out",
    "is for --output; give that too",
};

static const Option options[] = {
    OPTION_HEADING("Evaluate a model"),
    MODELS_OPTION(EvaluateValues, "the model that translates PAIRS", MODEL_FIELDS),
    OPTION_FLAG(EvaluateValues, group_source, "group-source",
                "treat rows with equal sources as one sentence with several references",
                .only = OF_MODEL),
    OPTION_TEXT(EvaluateValues, output, "output", "FILE",
                "also write the translations, one line for each sentence that is scored",
                .otherwise = "none", .letter = 'o', .only = OF_MODEL),
    OPTION_FLAG(EvaluateValues, overwrite, "overwrite", "replace a file of --output that exists",
                .only = OF_MODEL | WRITES),
    COLUMNS_OPTION(EvaluateValues, OF_MODEL),
    BEAM_OPTION(EvaluateValues, OF_MODEL),
    LENGTH_OPTION(EvaluateValues, OF_MODEL),
    LEXICON_OPTION(EvaluateValues, OF_MODEL),
    SHORTLIST_OPTION(EvaluateValues, OF_MODEL),
    THREADS_OPTION(EvaluateValues, OF_MODEL),
    PRECISION_OPTION(EvaluateValues, OF_MODEL),
    OPTION_HEADING("Evaluate a file"),
    OPTION_TEXT(EvaluateValues, hypothesis, "hypothesis", "FILE",
                "the translations, one per line; - is standard input", .input = true),
    OPTION_TEXTS(EvaluateValues, references, "reference", "FILE",
                 "the reference translations, line by line; give several files for several "
                 "references per sentence",
                 .input = true),
    OPTION_HEADING("Additional output"),
    OPTION_FLAG(
        EvaluateValues, scoring.confidence, "confidence",
        "95 % confidence intervals of the scores, from 1,000 bootstrap resamples of the sentences"),
    OPTION_TEXT(EvaluateValues, scoring.against, "against", "FILE",
                "compare with another system's translations, one per line: the difference, the "
                "share of resamples in which it is positive, and p, the probability of such a "
                "difference by chance (paired bootstrap)",
                .input = true),
    OPTION_TEXT(EvaluateValues, by_length, "by-length", "FILE",
                "a table of scores by source length in words, or in characters if most letters are "
                "Chinese; of a file of translations by that of the lines of FILE, or without one "
                "of the first references",
                .implied = by_its_own, .input = true),
    OPTION_FLAG(EvaluateValues, json, "json", "print everything as one JSON object"),
    OPTION_HEADING("Scoring"),
    OPTION_CHOICE(
        EvaluateValues, scoring.tokenizer, "tokenize", bleu_tokenizer_names,
        "BLEU's tokenizer: 13a for Western scripts, zh for Chinese, none for tokenised text",
        .otherwise = "the model's, else 13a"),
    OPTION_FLAG(EvaluateValues, scoring.lowercase, "lowercase", "ignore case"),
};

// The file of the sources whose length counts, or NULL.
static const char *sources_file(const EvaluateValues *values)
{
    return values->by_length == by_its_own ? NULL : values->by_length;
}

// Requires one of the two forms, complete, and nothing of the other.
static Status check_form(const Arguments *arguments, Error *error)
{
    const EvaluateValues *values = arguments->values;
    bool pairs = arguments->operands.count > 0, files = values->hypothesis != NULL;
    bool model = values->model.paths.count > 0;
    bool model_form = model && pairs && !files && values->references.count == 0;
    bool files_form = files && values->references.count > 0 && !model && !pairs;
    if (!model_form && !files_form)
        return error_set(
            error, STATUS_ARGUMENT,
            "give either --model FILE and PAIRS, or --hypothesis FILE and --reference FILE");
    if (model_form && sources_file(values))
        return error_set(error, STATUS_ARGUMENT,
                         "--by-length=FILE is for --hypothesis; PAIRS have the sources already");
    unsigned form = (model_form ? OF_MODEL : 0) | (values->output ? WRITES : 0);
    return options_check_form(arguments, form, reasons, error);
}

// Opens the file of --output before the model translates, which takes long.
static Status open_output(FileWriter **writer, const EvaluateValues *values, const char *pairs,
                          Error *error)
{
    const char *output = values->output, *against = values->scoring.against;
    if (!output) return STATUS_OK;
    if (strcmp(output, "-") == 0)
        return error_set(error, STATUS_ARGUMENT,
                         "standard output has the scores; name a file with --output");
    bool read = file_is_among(output, values->model.paths.items, values->model.paths.count) ||
                (against && file_is_same(output, against));
    TRY(pair_name_includes(&read, pairs, output, error));
    TRY(output_file_check(output, "output", read, values->overwrite, error));
    return file_writer_open(writer, output, error);
}

static Status evaluate_pairs(const Arguments *arguments, Evaluation *evaluation, Error *error)
{
    const EvaluateValues *values = arguments->values;
    const PairInput pairs = {
        .verb = "evaluate", .spec = arguments->operands.items[0], .options = &values->pairs};
    FREED_BY(close_model) OpenModel model = {0};
    TRY(pair_options_check(&values->pairs, &pairs.spec, 1, error));
    TRY(open_output(&evaluation->translations, values, pairs.spec, error));
    TRY(open_model(&model, &values->model, values->translate.search.scoring.shortlist, error));
    if (!options_given(arguments, "tokenize"))
        evaluation->options.tokenizer = model.translator.bleu_tokenizer;
    TRY(evaluate_model(&model, &pairs, values->group_source, &values->translate, evaluation,
                       error));
    // a commit that fails leaves nothing to abandon
    FileWriter *written = memory_take(&evaluation->translations);
    return written ? file_writer_commit(written, error) : STATUS_OK;
}

static Status evaluate(const Arguments *arguments, Output *output, Error *error)
{
    const EvaluateValues *values = arguments->values;
    FREED_BY(evaluation_free) Evaluation evaluation = {.options = values->scoring};
    evaluation.options.by_length = values->by_length != NULL;
    TRY(check_form(arguments, error));
    TRY(values->model.paths.count > 0 ? evaluate_pairs(arguments, &evaluation, error)
                                      : evaluate_files(values->hypothesis, &values->references,
                                                       sources_file(values), &evaluation, error));
    return evaluation_write(&evaluation, values->json, output, error);
}

static const EvaluateValues defaults = {.model = MODEL_OPTIONS_DEFAULT,
                                        .translate = TRANSLATE_OPTIONS_DEFAULT,
                                        .scoring = {.tokenizer = BLEU_13A}};

const Verb verb_evaluate = {
    .name = "evaluate",
    .summary = "compute BLEU, chrF2 and exact matches of a model or a file",
    .description =
        "regard evaluate --model FILE PAIRS translates the sources of PAIRS and compares the "
        "translations with their targets; sources are never split into sentences.\n"
        "regard evaluate --hypothesis FILE --reference FILE scores a file of translations.\nBLEU "
        "(cased unless --lowercase) and chrF2 equal sacreBLEU's, with its signatures; exact is the "
        "share of translations equal to a reference, apart from white space and the encoding of "
        "accents.\nThe resamples of --confidence and --against use a fixed seed, so the same files "
        "always give the same figures.",
    VERB_OPTIONS(options, defaults),
    .operands = PAIRS_OPERAND(0),
    .examples = "Translate the sources of a test set and compare with its targets:\n"
                "  regard evaluate --model model.safetensors test.tsv\n"
                "The same, with the translations in a file:\n"
                "  regard evaluate --model model.safetensors test.tsv --output test.out\n"
                "Score a file of translations against two references for each sentence:\n"
                "  regard evaluate --hypothesis out.fr --reference a.fr --reference b.fr\n",
    .run = evaluate,
};
