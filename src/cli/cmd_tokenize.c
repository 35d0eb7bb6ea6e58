// regard tokenize: text to subwords of a model, or back.

#include "cli/model_options.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "io/line_reader.h"
#include "text/normalise.h"
#include "translate/translator.h"

typedef struct TokenizeValues {
    ModelOptions model;
    bool ids, target, decode;
} TokenizeValues;

static const Option options[] = {
    MODEL_OPTION(TokenizeValues),
    OPTION_FLAG(TokenizeValues, ids, "ids", "print token ids instead of spellings"),
    OPTION_FLAG(TokenizeValues, target, "target", "use the vocabulary of the target side"),
    OPTION_FLAG(TokenizeValues, decode, "decode", "turn subwords back into text"),
};

typedef struct TokenizeRun {
    const TokenizeValues *values;
    const Vocabulary *vocabulary;
    Bytes text;
    Subwords subwords;
} TokenizeRun;

static void encode_line(Writer *out, TokenizeRun *run, const Line *line)
{
    out->status = normalise(&run->text, line->text, line->length, NULL, out->error);
    if (!out->status)
        out->status = vocabulary_encode(run->vocabulary, bytes_text(&run->text), run->text.length,
                                        &run->subwords, out->error);
    for (size_t i = 0; i < run->subwords.count && !out->status; i++) {
        int32_t id = run->subwords.ids[i];
        if (i) writer_string(out, " ");
        if (run->values->ids)
            writer_format(out, "%d", (int)id);
        else
            writer_string(out, vocabulary_spelling(run->vocabulary, id));
    }
}

// The number in a word of `length` bytes, or -1.
static int32_t read_id(TextView word)
{
    int32_t id = 0;
    if (word.length > 8) return -1;
    for (size_t i = 0; i < word.length; i++) {
        if (word.data[i] < '0' || word.data[i] > '9') return -1;
        id = 10 * id + (word.data[i] - '0');
    }
    return id;
}

static void decode_line(Writer *out, TokenizeRun *run, const Line *line, const char *name)
{
    int32_t size = (int32_t)vocabulary_size(run->vocabulary);
    bytes_clear(&run->text);
    for (TextView rest = {line->text, line->length}; rest.length > 0;) {
        const TextView word = text_view_cut(&rest, ' ');
        if (word.length == 0) continue;
        int32_t id = run->values->ids ? read_id(word)
                                      : vocabulary_find(run->vocabulary, word.data, word.length);
        if (id < 0 || id >= size)
            writer_fail(out, STATUS_FORMAT,
                        "%s, line %zu: \"%.*s\" is not a subword of this vocabulary; "
                        "decode with the model and options used to encode",
                        name, line->number, (int)(word.length < 100 ? word.length : 100),
                        word.data);
        if (!out->status)
            out->status = bytes_append(&run->text, (const char *)&id, sizeof id, out->error);
    }
    // `text` holds ids here, whose memory is aligned as malloc aligns
    const int32_t *ids = (const int32_t *)(const void *)run->text.data;
    if (!out->status)
        out->status = vocabulary_decode(run->vocabulary, ids, run->text.length / sizeof *ids,
                                        out->out, out->error);
}

static Status tokenize_input(TokenizeRun *run, LineReader *reader, Output *output, Error *error)
{
    for (;;) {
        Line line;
        bool more;
        if (line_reader_would_block(reader)) TRY(output_flush(output, error));
        TRY(line_reader_next(reader, &line, &more, error));
        if (!more) return STATUS_OK;
        Writer out = output_start(output, error);
        if (run->values->decode)
            decode_line(&out, run, &line, line_reader_name(reader));
        else
            encode_line(&out, run, &line);
        writer_string(&out, "\n");
        TRY(output_end(output, &out));
    }
}

static Status tokenize(const Arguments *arguments, Output *output, Error *error)
{
    const TokenizeValues *values = arguments->values;
    FREED_BY(translator_close) Translator translator = {0};
    LineReader *reader = NULL;
    TRY(translator_open(&translator, values->model.path, error));
    TokenizeRun run = {.values = values,
                       .vocabulary = values->target ? translator.target_vocabulary
                                                    : translator.source_vocabulary};
    Status status = open_text(&reader, arguments, "a sentence", error);
    if (!status) status = tokenize_input(&run, reader, output, error);
    close_text(reader, "tokenize");
    bytes_free(&run.text);
    subwords_free(&run.subwords);
    return status;
}

static const TokenizeValues defaults = {.model = MODEL_OPTIONS_DEFAULT};

const Verb verb_tokenize = {
    .name = "tokenize",
    .summary = "split text into a model's subwords, or join them again",
    .description = "Reads text line by line. A space before a word is printed as U+2581, a "
                   "byte that belongs to no character as <0xE2>.",
    VERB_OPTIONS(options, defaults),
    .operands = TEXT_OPERAND,
    .examples = "Text to subwords:\n"
                "  regard tokenize --model model.safetensors input.en\n"
                "Subwords of the target side back to text:\n"
                "  regard tokenize --model fr.safetensors --target --decode subwords.fr\n",
    .run = tokenize,
};
