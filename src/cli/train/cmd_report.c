// regard report: trainings as a page, of their logs.

#include "cli/file_names.h"
#include "cli/train/report.h"
#include "cli/verbs.h"
#include "io/file_writer.h"
#include "render/run_report.h"

typedef struct ReportValues {
    const char *output;
    bool overwrite;
} ReportValues;

static const Option options[] = {
    OPTION_TEXT(ReportValues, output, "output", "FILE", "the page, of HTML", .required = true,
                .letter = 'o'),
    OPTION_FLAG(ReportValues, overwrite, "overwrite", "replace a file that exists"),
};

Status report_page_save(const char *path, const char *const *names, size_t count, Error *error)
{
    RunLog logs[MAX_RUNS] = {{.path = NULL}};
    FREED_BY(bytes_free) Bytes page = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) status = run_log_read(&logs[i], names[i], error);
    Writer out = writer_start(&page, error);
    if (!status) run_report_write(&out, logs, count);
    if (!status) status = writer_end(&out);
    if (!status) status = file_write(path, page.data, page.length, error);
    for (size_t i = 0; i < count; i++) run_log_free(&logs[i]);
    return status;
}

static Status report(const Arguments *arguments, Output *output, Error *error)
{
    const ReportValues *values = arguments->values;
    const OptionTexts *logs = &arguments->operands;
    bool read = file_is_among(values->output, logs->items, logs->count);
    (void)output; // the page is the result
    TRY(output_file_check(values->output, "output", read, values->overwrite, error));
    return report_page_save(values->output, logs->items, logs->count, error);
}

const Verb verb_report = {
    .name = "report",
    .summary = "draw trainings as a page, of their logs",
    .description =
        "Writes one HTML file with curves of loss, BLEU, learning rate and speed over steps and "
        "time, what the runs differ in, the alignments of the sentence of --watch with a slider "
        "over time, and how translations of some validation sentences changed. Runs of one command "
        "with several seeds are drawn as their mean with the standard deviation. regard train "
        "--report keeps such a page of the run itself.",
    VERB_OPTIONS(options, (const ReportValues){0}),
    .operands = {"LOG", "logs of regard train --log", 1, MAX_RUNS},
    .examples = "Compare two trainings:\n"
                "  regard report a.jsonl b.jsonl -o report.html\n",
    .run = report,
};
