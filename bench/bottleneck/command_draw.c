#include "bench/bottleneck/commands.h"
#include "bench/bottleneck/drawing.h"
#include "bench/bottleneck/report.h"
#include "io/file.h"

#include <string.h>

typedef struct DrawValues {
    const char *test, *into, *caption, *notes;
} DrawValues;

static const Option draw_options[] = {
    OPTION_TEXT(DrawValues, test, "test", "PAIRS", "what was translated", .required = true),
    OPTION_TEXT(DrawValues, into, "into", "FOLDER", "where bottleneck.svg and bottleneck.html go",
                .required = true),
    OPTION_TEXT(DrawValues, caption, "caption", "TEXT", "a line under the title"),
    OPTION_TEXT(DrawValues, notes, "notes", "FILE", "how it was made: lines of LABEL, TAB, TEXT"),
};

static const DrawValues draw_defaults = {0};

// The operands NAME=FILE; the names are cut out of `names`.
static Status add_series(Curve *curve, const OptionTexts *operands, Bytes *names, Error *error)
{
    size_t begins[MAX_CURVE_SERIES];
    Status status = STATUS_OK;
    for (size_t i = 0; i < operands->count && !status; i++) {
        const char *equals = strchr(operands->items[i], '=');
        if (!equals || equals == operands->items[i])
            return error_set(error, STATUS_ARGUMENT, "\"%.200s\" is not NAME=FILE",
                             operands->items[i]);
        begins[i] = names->length;
        status =
            bytes_append(names, operands->items[i], (size_t)(equals - operands->items[i]), error);
        if (!status) status = bytes_append(names, "", 1, error);
    }
    for (size_t i = 0; i < operands->count && !status; i++)
        status =
            curve_add(curve, names->data + begins[i], strchr(operands->items[i], '=') + 1, error);
    return status;
}

static Status read_notes(Bytes *notes, const char *path, Error *error)
{
    FileMap map;
    Status status = file_map(&map, path, error);
    if (status) return status;
    status = bytes_append(notes, map.data ? map.data : "", map.size, error);
    file_unmap(&map);
    return status;
}

static Status write_results(const Curve *curve, const DrawValues *values, const char *notes,
                            Output *output, Error *error)
{
    Bytes drawing = {0}, page = {0}, table = {0};
    Status status = drawing_append(curve, DRAWING_WIDE, values->caption, &drawing, error);
    if (!status) status = report_page(curve, values->caption, notes, &page, error);
    if (!status) status = report_table(curve, &table, error);
    if (!status) status = commands_write(values->into, "bottleneck.svg", &drawing, error);
    if (!status) status = commands_write(values->into, "bottleneck.html", &page, error);
    if (!status) status = output_write(output, table.data, table.length, error);
    bytes_free(&drawing);
    bytes_free(&page);
    bytes_free(&table);
    return status;
}

static Status draw(const Arguments *arguments, Output *output, Error *error)
{
    const DrawValues *values = arguments->values;
    Curve curve = {0};
    Bytes names = {0}, notes = {0};
    Status status = curve_read_test(&curve, values->test, error);
    if (!status) status = add_series(&curve, &arguments->operands, &names, error);
    if (!status && values->notes) status = read_notes(&notes, values->notes, error);
    if (!status) status = write_results(&curve, values, notes.data, output, error);
    curve_free(&curve);
    bytes_free(&names);
    bytes_free(&notes);
    return status;
}

const Verb command_draw = {
    .syntax =
        {
            .verb = "draw",
            .summary = "measure translations and draw BLEU by the length of the source",
            .options = draw_options,
            .option_count = sizeof draw_options / sizeof *draw_options,
            .defaults = &draw_defaults,
            .values_size = sizeof draw_defaults,
            .operands = {"NAME=FILE", "a scorer and its translations, one a line", 1,
                         MAX_CURVE_SERIES},
        },
    .run = draw,
};
