// regard tokenize: a model's subwords of standard input, and the way back.

#include "cli/output.h"
#include "cli/verbs.h"
#include "io/line_reader.h"
#include "text/normalise.h"
#include "translate/translator.h"

#include <string.h>

typedef struct TokenizeValues {
    const char *model;
    bool ids, target, decode;
} TokenizeValues;

static const Option options[] = {
    OPTION_TEXT(TokenizeValues, model, "model", "FILE", "the model", .required = true),
    OPTION_FLAG(TokenizeValues, ids, "ids", "numbers instead of spellings"),
    OPTION_FLAG(TokenizeValues, target, "target", "the target side's vocabulary"),
    OPTION_FLAG(TokenizeValues, decode, "decode", "from subwords back to text"),
};

typedef struct TokenizeRun {
    const TokenizeValues *values;
    const Vocabulary *vocabulary;
    Bytes text;
    Subwords subwords;
    Bytes line;
} TokenizeRun;

static Status encode_line(TokenizeRun *run, const Line *line, Error *error)
{
    Status status = normalise(&run->text, line->text, line->length, NULL, error);
    if (!status)
        status = vocabulary_encode(run->vocabulary, run->text.data ? run->text.data : "",
                                   run->text.length, &run->subwords, error);
    for (size_t i = 0; i < run->subwords.count && !status; i++) {
        int32_t id = run->subwords.ids[i];
        const char *space = i ? " " : "";
        status = run->values->ids ? bytes_append_format(&run->line, error, "%s%d", space, (int)id)
                                  : bytes_append_format(&run->line, error, "%s%s", space,
                                                        vocabulary_spelling(run->vocabulary, id));
    }
    return status;
}

/* A number written in a word of `length` bytes, or -1. */
static int32_t read_id(const char *word, size_t length)
{
    int32_t id = 0;
    if (length == 0 || length > 8) return -1;
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9') return -1;
        id = 10 * id + (word[i] - '0');
    }
    return id;
}

static Status decode_line(TokenizeRun *run, const Line *line, Error *error)
{
    int32_t size = (int32_t)vocabulary_size(run->vocabulary);
    size_t at = 0;
    bytes_clear(&run->text);
    while (at < line->length) {
        const char *word = line->text + at;
        const char *space = memchr(word, ' ', line->length - at);
        size_t length = space ? (size_t)(space - word) : line->length - at;
        at += length + 1;
        if (length == 0) continue;
        int32_t id = run->values->ids ? read_id(word, length)
                                      : vocabulary_find(run->vocabulary, word, length);
        if (id < 0 || id >= size)
            return error_set(
                error, STATUS_FORMAT,
                "standard input, line %zu: \"%.*s\" is no subword of this vocabulary; give "
                "the model, --target and --ids that it was cut with",
                line->number, (int)(length < 100 ? length : 100), word);
        Status status = bytes_append(&run->text, (const char *)&id, sizeof id, error);
        if (status) return status;
    }
    // `text` holds ids here, whose memory is aligned as malloc aligns
    return vocabulary_decode(run->vocabulary, (const int32_t *)(const void *)run->text.data,
                             run->text.length / sizeof(int32_t), &run->line, error);
}

static Status tokenize_input(TokenizeRun *run, LineReader *reader, Output *output, Error *error)
{
    for (;;) {
        Line line;
        bool more;
        if (line_reader_would_block(reader)) {
            Status status = output_flush(output, error);
            if (status) return status;
        }
        Status status = line_reader_next(reader, &line, &more, error);
        if (status || !more) return status;
        bytes_clear(&run->line);
        status =
            run->values->decode ? decode_line(run, &line, error) : encode_line(run, &line, error);
        if (!status) status = bytes_append(&run->line, "\n", 1, error);
        if (!status) status = output_write(output, run->line.data, run->line.length, error);
        if (status) return status;
    }
}

static Status tokenize(const Arguments *arguments, Output *output, Error *error)
{
    const TokenizeValues *values = arguments->values;
    Translator translator;
    LineReader *reader = NULL;
    Status status = translator_open(&translator, values->model, error);
    if (status) return status;
    TokenizeRun run = {.values = values,
                       .vocabulary = values->target ? translator.target_vocabulary
                                                    : translator.source_vocabulary};
    status = line_reader_open(&reader, "-", error);
    if (!status) status = tokenize_input(&run, reader, output, error);
    line_reader_close(reader);
    bytes_free(&run.text);
    bytes_free(&run.line);
    subwords_free(&run.subwords);
    translator_close(&translator);
    return status;
}

static const TokenizeValues defaults = {0};

const Verb verb_tokenize = {
    .syntax =
        {
            .verb = "tokenize",
            .summary = "the subwords that a model cuts text into, and the way back",
            .description = "Reads standard input line by line. A space before a word shows as "
                           "U+2581, a byte that is part of no character as <0xE2>.",
            .options = options,
            .option_count = sizeof options / sizeof *options,
            .defaults = &defaults,
            .values_size = sizeof defaults,
            .examples = "Text to subwords:\n"
                        "  regard tokenize --model model.safetensors <input.en\n"
                        "Subwords of the target side back to text:\n"
                        "  regard tokenize --model fr.safetensors --target --decode <subwords.fr\n",
        },
    .run = tokenize,
};
