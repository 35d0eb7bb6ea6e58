#include "cli/train/report.h"

#include "attention/attention.h"
#include "base/clock.h"
#include "math/kernels.h"
#include "text/vocabulary.h"

#include <stdio.h>
#include <string.h>

// "3:05" or "1:02:03"
static void format_seconds(char *text, size_t size, double seconds)
{
    unsigned long whole = seconds < 0 ? 0 : (unsigned long)(seconds + 0.5);
    if (whole < 3600)
        snprintf(text, size, "%lu:%02lu", whole / 60, whole % 60);
    else
        snprintf(text, size, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60, whole % 60);
}

/* The longest the run may still take: to the last epoch or the last minute, whichever is first. */
static double seconds_left(const TrainReporter *reporter, const TrainReport *report)
{
    const TrainOptions *options = reporter->options;
    const TrainCounters *counters = report->counters;
    double epochs = (double)options->max_epochs - (double)counters->epoch;
    double steps = epochs * (double)report->batches - (double)counters->batch;
    double left = steps * reporter->step_seconds;
    double limit = options->max_minutes * 60 - (clock_seconds() - reporter->began);
    return options->max_minutes > 0 && limit < left ? limit : left;
}

static void smooth(double *value, double latest)
{
    *value = *value > 0 ? 0.95 * *value + 0.05 * latest : latest;
}

static void report_step(TrainReporter *reporter, const TrainReport *report)
{
    char line[256], left[32], guide[32] = "";
    smooth(&reporter->loss, report->loss);
    smooth(&reporter->guide_loss, report->guide_loss);
    smooth(&reporter->speed, report->target_tokens / report->seconds);
    smooth(&reporter->step_seconds, report->seconds);
    if (!progress_due(&reporter->progress)) return;
    format_seconds(left, sizeof left, seconds_left(reporter, report));
    if (reporter->options->guide_weight > 0)
        snprintf(guide, sizeof guide, "  guide %.3f", reporter->guide_loss);
    snprintf(line, sizeof line,
             "epoch %zu/%zu  step %zu/%zu  loss %.3f%s  %.0f tokens/s  at most %s left",
             (size_t)report->counters->epoch + 1, reporter->options->max_epochs,
             (size_t)report->counters->batch, report->batches, reporter->loss, guide,
             reporter->speed, left);
    progress_show(&reporter->progress, line);
}

static void report_validation(TrainReporter *reporter, const TrainReport *report)
{
    char line[256], taken[32];
    Error error;
    progress_end(&reporter->progress);
    train_watch_erase(&reporter->watch);
    format_seconds(taken, sizeof taken, clock_seconds() - reporter->began);
    snprintf(line, sizeof line, "validation at step %zu (epoch %.1f, %s)  loss %.3f  BLEU %.2f%s",
             (size_t)report->counters->steps,
             (double)report->counters->epoch +
                 (double)report->counters->batch / (double)report->batches,
             taken, report->validation.loss, report->validation.bleu,
             report->is_best ? "  best so far, saved" : "");
    progress_say(&reporter->progress, line);
    if (train_watch_draw(&reporter->watch, report, &error)) {
        snprintf(line, sizeof line, "warning: --watch: %.200s", error.text);
        progress_say(&reporter->progress, line);
    }
}

static void report_skip(TrainReporter *reporter, const TrainReport *report)
{
    char line[256];
    if (reporter->skipped++ > 0) return; // the first says what to do; the log counts the others
    snprintf(line, sizeof line,
             "warning: step %zu was passed over: %s is not a finite number; if this goes on, use a "
             "lower --learning-rate",
             (size_t)report->counters->steps, report->bad_tensor);
    progress_say(&reporter->progress, line);
    reporter->watch.standing = 0; // it is no longer what was said last
}

void train_report(void *context, const TrainReport *report)
{
    TrainReporter *reporter = context;
    if (!reporter->log_status)
        reporter->log_status = train_log_add(&reporter->log, report, &reporter->log_error);
    switch (report->event) {
    case TRAIN_STEP:
        report_step(reporter, report);
        break;
    case TRAIN_SKIPPED:
        report_skip(reporter, report);
        break;
    case TRAIN_VALIDATED:
        report_validation(reporter, report);
        break;
    }
}

/* What was left out, and what is likely to be wrong with the rest. */
static void say_hygiene(TrainReporter *reporter, const TrainingData *data)
{
    char line[512];
    Progress *progress = &reporter->progress;
    size_t repeated = data->duplicates;
    bool deduplicate = reporter->options->deduplicate;
    const LengthFindings *lengths = &data->lengths;
    snprintf(line, sizeof line,
             "left out: %zu with an empty side, %zu with more than %zu subwords on a side, %zu "
             "duplicates",
             data->counts.empty, data->too_long, reporter->options->max_length,
             deduplicate ? repeated : 0);
    progress_say(progress, line);
    if (repeated && !deduplicate) {
        snprintf(line, sizeof line,
                 "duplicates of an earlier pair: %zu, learned from; --deduplicate leaves them out",
                 repeated);
        progress_say(progress, line);
    }
    if (lengths->count) {
        snprintf(
            line, sizeof line,
            "suspicious lengths, one side over %d times the other: %zu, learned from; the first is "
            "%.200s, line %zu",
            HYGIENE_LENGTH_RATIO, lengths->count, lengths->first.file, lengths->first.line);
        progress_say(progress, line);
    }
}

/* Validation pairs that are learned from make the scores too good. A target sentence alone may well have several sources:
 * no reason to warn. */
static void say_shared(TrainReporter *reporter, const TrainingData *data)
{
    char line[256];
    const SharedPairs *shared = &data->shared;
    if (!shared->pairs && !shared->sources && !shared->targets) return;
    snprintf(line, sizeof line,
             "%sof %zu validation pairs training holds %zu whole, %zu source sentences, %zu target "
             "sentences%s",
             shared->sources ? "warning: " : "", data->valid.count, shared->pairs, shared->sources,
             shared->targets, shared->sources ? ": BLEU will flatter" : "");
    progress_say(&reporter->progress, line);
}

void train_report_data(TrainReporter *reporter, const TrainingData *data)
{
    char line[512];
    Progress *progress = &reporter->progress;
    const PairCounts *counts = &data->counts;
    snprintf(line, sizeof line, "%zu pair%s for training, %zu for validation%s", data->train.count,
             data->train.count == 1 ? "" : "s", data->valid.count,
             data->set_aside ? " (set aside from the corpus)" : "");
    progress_say(progress, line);
    say_hygiene(reporter, data);
    if (data->guided) {
        snprintf(line, sizeof line, "attention is guided by links of %zu training pairs, weight %g",
                 data->guided_pairs, reporter->options->guide_weight);
        progress_say(progress, line);
    }
    say_shared(reporter, data);
    if (counts->invalid) {
        snprintf(line, sizeof line,
                 "warning: %zu lines are not UTF-8, the first is %.200s, line %zu; what is not "
                 "became U+FFFD",
                 counts->invalid, counts->invalid_file, counts->invalid_line);
        progress_say(progress, line);
    }
    size_t source = vocabulary_size(data->source_vocabulary);
    size_t target = vocabulary_size(data->target_vocabulary);
    if (data->joint)
        snprintf(line, sizeof line, "one vocabulary for both sides, %zu tokens", source);
    else
        snprintf(line, sizeof line, "two vocabularies, %zu and %zu tokens", source, target);
    progress_say(progress, line);
    if (data->vocabulary_small) {
        snprintf(line, sizeof line,
                 "the corpus gives no more tokens than that; --vocab-size asked for %zu",
                 reporter->options->vocabulary_size);
        progress_say(progress, line);
    }
}

/* Dot attention is two things, by the sizes; which one should be no riddle. */
static void say_dot(TrainReporter *reporter)
{
    char line[256];
    const TrainOptions *options = reporter->options;
    size_t D = options->decoder_hidden ? options->decoder_hidden : options->hidden;
    size_t width = 2 * options->hidden;
    if (D == width)
        snprintf(line, sizeof line,
                 "dot attention: the decoder's %zu units are compared with annotations of %zu "
                 "numbers as they are",
                 D, width);
    else
        snprintf(line, sizeof line,
                 "dot attention: the decoder's %zu units are first projected to the %zu numbers of "
                 "an annotation, as in general attention; --decoder-hidden %zu would compare them "
                 "as they are",
                 D, width, width);
    progress_say(&reporter->progress, line);
}

void train_report_model(TrainReporter *reporter, size_t parameters)
{
    char line[256], products[128];
    size_t threads = reporter->options->threads;
    train_options_products(products, sizeof products, reporter->options);
    snprintf(line, sizeof line, "%.2f million parameters; %zu thread%s; %s, %s kernels",
             (double)parameters / 1e6, threads, threads == 1 ? "" : "s", products, kernels()->name);
    progress_say(&reporter->progress, line);
    if (!strcmp(reporter->options->attention, attention_dot.name)) say_dot(reporter);
}
