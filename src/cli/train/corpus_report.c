// What `regard train` says of the files it has read.

#include "cli/languages.h"
#include "cli/output.h"
#include "cli/train/report.h"

#include <unistd.h>

enum {
    SAMPLE_PAIRS = 3,
    FEW = 3, // pairs that show nothing yet
};

static const char *const sides[] = {"source", "target"};

// Keeps the first pair, one of the middle and the last.
static Status take_samples(CorpusReport *report, const TextCorpus *text, Error *error)
{
    size_t count = text->count < SAMPLE_PAIRS ? text->count : SAMPLE_PAIRS;
    for (size_t i = 0; i < count; i++) {
        TextPair pair = text_corpus_pair(text, count > 1 ? i * (text->count - 1) / (count - 1) : 0);
        for (int s = 0; s < 2; s++)
            TRY(bytes_append(&report->samples, pair.sides[s].data, pair.sides[s].length + 1,
                             error));
    }
    return STATUS_OK;
}

Status corpus_report_look(void *context, const TextCorpus *text, bool training, Error *error)
{
    CorpusReport *report = context;
    TRY(bytes_append_string(&report->bad_lines, bytes_text(&text->bad), error));
    TRY(bytes_append_string(&report->notes, bytes_text(&text->notes), error));
    if (!training) return STATUS_OK;
    TRY(corpus_check_symptoms(&report->symptoms, text, error));
    return take_samples(report, text, error);
}

void corpus_report_free(CorpusReport *report)
{
    bytes_free(&report->notes);
    bytes_free(&report->bad_lines);
    bytes_free(&report->samples);
}

// Lines that are ready, one by one.
static void say_lines(Progress *progress, const char *lines)
{
    for (const char *end; (end = strchr(lines, '\n')); lines = end + 1)
        progress_say(progress, "%.*s", (int)(end - lines), lines);
}

/* A pair on a line, each side in half of the terminal's width. */
static void say_sample(Progress *progress, const char *source, const char *target)
{
    size_t half = terminal_width(STDERR_FILENO) / 2;
    size_t columns = half > 8 ? half - 4 : 4;
    size_t lengths[2] = {terminal_fitting(source, columns), terminal_fitting(target, columns)};
    progress_say(progress, "  %.*s%s | %.*s%s", (int)lengths[0], source,
                 source[lengths[0]] ? "…" : "", (int)lengths[1], target,
                 target[lengths[1]] ? "…" : "");
}

static void say_samples(Progress *progress, const Bytes *samples)
{
    const char *at = bytes_text(samples), *end = at + samples->length;
    if (at < end)
        progress_say(progress, "source | target of the first, a middle and the last pair:");
    while (at < end) {
        const char *target = at + strlen(at) + 1;
        say_sample(progress, at, target);
        at = target + strlen(target) + 1;
    }
}

static void warn_of_columns(Progress *progress, const CorpusSymptoms *symptoms)
{
    size_t most = symptoms->pairs - symptoms->pairs / 10;
    for (int side = 0; side < 2; side++) {
        if (symptoms->pairs > FEW && symptoms->numbers[side] >= most)
            progress_say(progress,
                         "warning: the %s has no letters in %zu of %zu pairs: is it a column of "
                         "numbers? choose the right one with --columns",
                         sides[side], symptoms->numbers[side], symptoms->pairs);
        if (symptoms->pairs > FEW && symptoms->quoted[side] >= most)
            progress_say(progress,
                         "warning: the %s is in quotation marks in %zu of %zu pairs: if they are "
                         "those of a spreadsheet, name the file .csv",
                         sides[side], symptoms->quoted[side], symptoms->pairs);
    }
    if (symptoms->header)
        progress_say(progress, "warning: the first pair looks like a header; remove it, or "
                               "name its columns with --columns");
}

static void warn_of_sides(Progress *progress, const CorpusSymptoms *symptoms)
{
    if (symptoms->identical > FEW && symptoms->identical >= symptoms->pairs / 10)
        progress_say(progress, "warning: source and target are equal in %zu of %zu pairs",
                     symptoms->identical, symptoms->pairs);
    if (symptoms->swapped > FEW && symptoms->swapped >= symptoms->pairs / 100)
        progress_say(progress,
                     "warning: source and target look swapped in %zu of %zu pairs, the first in "
                     "%s, line %zu",
                     symptoms->swapped, symptoms->pairs, symptoms->first_swapped.file,
                     symptoms->first_swapped.line);
    if (symptoms->shift) {
        size_t lines = (size_t)(symptoms->shift < 0 ? -symptoms->shift : symptoms->shift);
        progress_say(progress,
                     "warning: from about %s, line %zu, each source seems to belong to the target "
                     "%zu line%s %s: a line may be missing on one side",
                     symptoms->first_shifted.file, symptoms->first_shifted.line, lines,
                     plural(lines), symptoms->shift < 0 ? "before it" : "after it");
    }
}

static void warn_of_scripts(Progress *progress, const CorpusSymptoms *symptoms)
{
    size_t simplified = symptoms->simplified, traditional = symptoms->traditional;
    size_t least = simplified < traditional ? simplified : traditional;
    if (least <= FEW || least < symptoms->pairs / 10) return;
    double percent = 100 / (double)symptoms->pairs;
    progress_say(progress,
                 "warning: of %zu targets %.1f %% show simplified and %.1f %% traditional Chinese "
                 "characters: a model cannot know in which to write; convert them to one script "
                 "first, as with opencc -c t2s.json -i FILE -o SIMPLIFIED",
                 symptoms->pairs, percent * (double)simplified, percent * (double)traditional);
}

static void say_languages(Progress *progress, const CorpusLanguages *languages)
{
    static const char *const from[] = {"as given", "as the files say", "by their words"};
    const char *source = languages->tags[0], *target = languages->tags[1];
    if (*source || *target)
        progress_say(progress, "from %s to %s, %s", language_label(source), language_label(target),
                     from[languages->source]);
    for (int side = 0; side < 2; side++)
        if (languages->contrary[side])
            progress_say(progress, "warning: the %s looks %s, not %s: are the columns right?",
                         sides[side], languages->contrary[side]->name,
                         language_label(languages->tags[side]));
}

void train_report_files(TrainReporter *reporter, const TrainingData *data)
{
    Progress *progress = &reporter->progress;
    const CorpusReport *report = &reporter->corpus;
    size_t bad = data->figures.bad;
    say_lines(progress, bytes_text(&report->notes));
    say_lines(progress, bytes_text(&report->bad_lines));
    if (bad)
        progress_say(progress, "%zu bad line%s passed over%s", bad, plural(bad),
                     bad > MAX_BAD_LINES ? "; not all are listed" : "");
    say_samples(progress, &report->samples);
    say_languages(progress, &data->languages);
    warn_of_columns(progress, &report->symptoms);
    warn_of_sides(progress, &report->symptoms);
    warn_of_scripts(progress, &report->symptoms);
}
