#include "cli/evaluate/evaluation.h"

Status text_lines_next(TextLines *lines, bool *more, Error *error)
{
    Line line;
    Bytes *copy = &lines->line;
    Status status = line_reader_next(lines->reader, &line, more, error);
    if (status || !*more) return status;
    lines->count++;
    bytes_clear(copy);
    TRY(bytes_append(copy, line.text, line.length, error));
    for (size_t i = 0; i < copy->length; i++)
        if (!copy->data[i]) copy->data[i] = '\xFF'; // never part of UTF-8: it reads as U+FFFD
    return STATUS_OK;
}

void text_lines_close(TextLines *lines)
{
    close_text(lines->reader, "evaluate");
    bytes_free(&lines->line);
    *lines = (TextLines){0};
}

// The files: the hypotheses first, the references last, optional ones between them.
enum { MAX_SIDES = 3 + MAX_OPTION_TEXTS, NO_SIDE = 0 };

typedef struct Sides {
    TextLines items[MAX_SIDES];
    const char *called[MAX_SIDES]; // what a line of it is to its hypothesis
    size_t count;
    size_t other, source; // places; NO_SIDE if there is none
    size_t first_reference;
} Sides;

static Status open_side(Sides *sides, const char *path, const char *called, Error *error)
{
    sides->called[sides->count] = called;
    TRY(line_reader_open(&sides->items[sides->count].reader, path, error));
    sides->count++;
    return STATUS_OK;
}

static Status open_sides(Sides *sides, const char *hypothesis, const OptionTexts *references,
                         const char *against, const char *source, Error *error)
{
    TRY(open_side(sides, hypothesis, "hypothesis", error));
    if (against) {
        sides->other = sides->count;
        TRY(open_side(sides, against, "counterpart", error));
    }
    if (source) {
        sides->source = sides->count;
        TRY(open_side(sides, source, "source", error));
    }
    sides->first_reference = sides->count;
    for (size_t i = 0; i < references->count; i++)
        TRY(open_side(sides, references->items[i], "reference", error));
    return STATUS_OK;
}

// The message for files of different length, with both lengths.
static Status refuse_lengths(Sides *sides, size_t side, Error *error)
{
    TextLines *both[] = {&sides->items[0], &sides->items[side]};
    for (size_t i = 0; i < 2; i++)
        for (bool more = true; more;) TRY(text_lines_next(both[i], &more, error));
    return error_set(
        error, STATUS_FORMAT,
        "%s has %zu lines but %s has %zu; each hypothesis needs its %s on the same line",
        line_reader_name(both[0]->reader), both[0]->count, line_reader_name(both[1]->reader),
        both[1]->count, sides->called[side]);
}

// Reads one line of each file; *more = false when all end together.
static Status next_sentence(Sides *sides, bool *more, Error *error)
{
    TRY(text_lines_next(&sides->items[0], more, error));
    for (size_t i = 1; i < sides->count; i++) {
        bool there;
        TRY(text_lines_next(&sides->items[i], &there, error));
        if (there != *more) return refuse_lengths(sides, i, error);
    }
    return STATUS_OK;
}

static Status evaluate_lines(Sides *sides, Evaluation *evaluation, Error *error)
{
    const char *references[MAX_OPTION_TEXTS];
    size_t first = sides->first_reference;
    for (;;) {
        bool more;
        Status status = next_sentence(sides, &more, error);
        if (status || !more) return status;
        for (size_t i = first; i < sides->count; i++)
            references[i - first] = sides->items[i].line.data;
        EvaluationSentence sentence = {
            .hypotheses = {sides->items[0].line.data,
                           sides->other ? sides->items[sides->other].line.data : NULL},
            .references = references,
            .reference_count = sides->count - first,
            .source = sides->source ? sides->items[sides->source].line.data : references[0],
        };
        TRY(evaluation_add(evaluation, &sentence, error));
    }
}

Status evaluate_files(const char *hypothesis, const OptionTexts *references, const char *source,
                      Evaluation *evaluation, Error *error)
{
    Sides sides = {0};
    evaluation->of_reference = !source;
    Status status =
        open_sides(&sides, hypothesis, references, evaluation->options.against, source, error);
    if (!status) status = evaluate_lines(&sides, evaluation, error);
    if (!status && evaluation->sums[SYSTEM_MEASURED].sentences == 0)
        status =
            error_set(error, STATUS_FORMAT, "%s is empty; it must have one translation per line",
                      line_reader_name(sides.items[0].reader));
    for (size_t i = 0; i < sides.count; i++) text_lines_close(&sides.items[i]);
    return status;
}
