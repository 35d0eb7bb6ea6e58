#include "cli/train/report.h"

#include "base/clock.h"
#include "cli/output.h"

/* The longest that the run may still take: to its last epoch or its last minute. */
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
    terminal_duration(left, sizeof left, seconds_left(reporter, report));
    if (reporter->options->guide_weight > 0)
        snprintf(guide, sizeof guide, "  guide %.3f", reporter->guide_loss);
    snprintf(line, sizeof line,
             "epoch %zu/%zu  step %zu/%zu  loss %.3f%s  %.0f tokens/s  at most %s left",
             report->counters->epoch + 1, reporter->options->max_epochs, report->counters->batch,
             report->batches, reporter->loss, guide, reporter->speed, left);
    progress_show(&reporter->progress, line);
}

static void report_validation(TrainReporter *reporter, const TrainReport *report)
{
    const TrainCounters *counters = report->counters;
    double epochs = (double)counters->epoch; // before the first step there are no batches yet
    if (counters->batch) epochs += (double)counters->batch / (double)report->batches;
    char taken[32];
    Error error;
    progress_end(&reporter->progress);
    train_watch_erase(&reporter->watch);
    terminal_duration(taken, sizeof taken, clock_seconds() - reporter->began);
    progress_say(&reporter->progress,
                 "validation at step %zu (epoch %.1f, %s)  loss %.3f  BLEU %.2f%s", counters->steps,
                 epochs, taken, report->validation[0].loss, report->validation[0].bleu,
                 report->is_best ? "  best so far, saved" : "");
    for (size_t i = 1; i < report->validation_sets; i++)
        progress_say(&reporter->progress, "  on %s  loss %.3f  BLEU %.2f",
                     reporter->watch.data->valid[i].name, report->validation[i].loss,
                     report->validation[i].bleu);
    if (train_watch_draw(&reporter->watch, report, &error))
        progress_say(&reporter->progress, "warning: --watch: %s", error.text);
    if (reporter->page && report_page_save(reporter->page, &reporter->log_name, 1, &error))
        progress_say(&reporter->progress, "warning: --report: %s", error.text);
}

static void report_skip(TrainReporter *reporter, const TrainReport *report)
{
    if (reporter->skipped++ > 0) return; // one warning is enough; the log counts the others
    progress_say(&reporter->progress,
                 "warning: step %zu skipped: %s is not finite; if this keeps happening, lower "
                 "--learning-rate",
                 report->counters->steps, report->bad_tensor);
    reporter->watch.standing = 0; // the picture is no longer right above the cursor
}

void train_report(void *context, const TrainReport *report)
{
    TrainReporter *reporter = context;
    bool failed = reporter->log_status; // the first error is the one to tell
    Error *error = failed ? NULL : &reporter->log_error;
    Status filmed = STATUS_OK;
    bool films = report->event == TRAIN_VALIDATED && reporter->log.file && !failed;
    for (int tries = 0; films && tries < 2; tries++) { // what this row lacks will not come again
        filmed = train_film_make(&reporter->log.row.film, &reporter->watch, report, error);
        films = filmed == STATUS_MEMORY;
    }
    Status status = train_log_add(&reporter->log, report, error);
    if (!failed) reporter->log_status = filmed ? filmed : status;
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
    case TRAIN_WAITING:
        progress_say(&reporter->progress, "warning: %s; waiting up to %g minutes for space",
                     report->reason, reporter->options->disk_wait);
        break;
    }
}

/* What was left out, and what looks wrong with the rest. */
static void report_corpus_checks(TrainReporter *reporter, const TrainingData *data)
{
    Progress *progress = &reporter->progress;
    const CorpusSymptoms *symptoms = &reporter->corpus.symptoms;
    bool deduplicate = reporter->options->deduplicate;
    size_t removed = deduplicate ? data->figures.duplicates : 0;
    if (data->figures.counts.empty || data->figures.too_long || removed)
        progress_say(progress,
                     "left out: %zu with an empty side, %zu with more than %zu subwords on a side, "
                     "%zu duplicates",
                     data->figures.counts.empty, data->figures.too_long,
                     reporter->options->max_length, removed);
    if (data->figures.duplicates && !deduplicate)
        progress_say(progress,
                     "%zu duplicate%s of an earlier pair kept; --deduplicate leaves them out",
                     data->figures.duplicates, plural(data->figures.duplicates));
    if (symptoms->unequal)
        progress_say(progress,
                     "%zu pair%s kept with one side over %d times as long as the other, the first "
                     "in %s, line %zu",
                     symptoms->unequal, plural(symptoms->unequal), MAX_LENGTH_RATIO,
                     symptoms->first_unequal.file, symptoms->first_unequal.line);
}

/* Validation pairs that are also trained on make BLEU too high. A target sentence alone may well
 * have several sources, which is no reason for a warning. */
static void report_overlap(TrainReporter *reporter, const ValidationSet *set, bool several)
{
    const CorpusOverlap *shared = &set->shared;
    const char *of = several ? " of " : "", *name = several ? set->name : "";
    if (shared->sources)
        progress_say(&reporter->progress,
                     "warning: %zu of %zu validation pairs%s%s also occur in training (%zu of the "
                     "sources, %zu of the targets); BLEU will be too high",
                     shared->pairs, set->text.count, of, name, shared->sources, shared->targets);
    else if (shared->targets)
        progress_say(&reporter->progress,
                     "%zu of %zu validation targets%s%s also occur in training, with other sources",
                     shared->targets, set->text.count, of, name);
}

static void report_vocabularies(TrainReporter *reporter, const TrainingData *data)
{
    Progress *progress = &reporter->progress;
    size_t source = vocabulary_size(data->source_vocabulary);
    size_t target = vocabulary_size(data->target_vocabulary);
    if (data->joint)
        progress_say(progress, "one vocabulary for both sides, %zu tokens", source);
    else
        progress_say(progress, "two vocabularies, %zu and %zu tokens", source, target);
    if (data->figures.small_vocabulary)
        progress_say(progress, "the corpus yields fewer tokens than --vocab-size %zu",
                     reporter->options->vocabulary_size);
}

static void report_guide(TrainReporter *reporter, const TrainingData *data)
{
    double first = reporter->options->guide_weight, last = reporter->options->guide_end_weight;
    char later[64] = "";
    if (first != last) snprintf(later, sizeof later, ", in the end %g", last);
    progress_say(&reporter->progress,
                 "guided alignment with %s links of %zu training pairs, weight %g%s",
                 data->guide == GUIDE_AUTO ? "the aligner's" : "the", data->figures.guided_pairs,
                 first, later);
}

void train_report_data(TrainReporter *reporter, const TrainingData *data)
{
    Progress *progress = &reporter->progress;
    const ReadCounts *counts = &data->figures.counts;
    train_report_files(reporter, data);
    size_t own = data->train.count - data->train.mixed;
    progress_say(progress, "%zu pair%s for training, %zu for validation%s", own, plural(own),
                 data->valid[0].text.count,
                 data->figures.set_aside ? " (set aside from the corpus)" : "");
    for (size_t i = 1; i < data->valid_count; i++)
        progress_say(progress, "%zu of %s, whose scores are told too", data->valid[i].text.count,
                     data->valid[i].name);
    if (data->figures.mixed_pairs)
        progress_say(progress, "%zu of %zu pairs are mixed into each epoch", data->train.drawn,
                     data->train.mixed);
    report_corpus_checks(reporter, data);
    if (data->guide) report_guide(reporter, data);
    for (size_t i = 0; i < data->valid_count; i++)
        report_overlap(reporter, &data->valid[i], data->valid_count > 1);
    if (counts->invalid)
        progress_say(progress,
                     "warning: %zu lines are not UTF-8, the first is %s, line %zu; invalid bytes "
                     "became U+FFFD",
                     counts->invalid, counts->invalid_file, counts->invalid_line);
    report_vocabularies(reporter, data);
    // what else follows from the number of pairs, unless it was given
    const TrainOptions *options = reporter->options;
    size_t pairs = data->figures.epoch_pairs;
    progress_say(progress,
                 "for %zu pair%s: batches of %zu tokens, at most %zu epoch%s, patience %zu", pairs,
                 plural(pairs), options->batch_tokens, options->max_epochs,
                 plural(options->max_epochs), options->patience);
}

/* Whether a scorer that needs s_{t-1} as wide as an annotation has to project it first. */
static void report_projection(TrainReporter *reporter)
{
    const ModelConfig config = train_options_config(reporter->options, 0, 0, false);
    size_t D = config.decoder_hidden, width = config_annotation_width(&config);
    const char *attention = config.attention;
    if (!attention_scorer_named(attention)->projects_if_needed) return;
    if (D == width)
        progress_say(&reporter->progress,
                     "%s attention: the decoder's %zu units equal the annotations' %zu numbers; no "
                     "projection is needed",
                     attention, D, width);
    else
        progress_say(&reporter->progress,
                     "%s attention: the decoder's %zu units are projected to the annotations' %zu "
                     "numbers, as in general attention; --decoder-hidden %zu needs no projection",
                     attention, D, width, width);
}

void train_report_model(TrainReporter *reporter, size_t parameters, size_t ranks)
{
    char products[128], together[32] = "";
    size_t threads = reporter->options->threads / ranks;
    if (ranks > 1) snprintf(together, sizeof together, "%zu ranks of ", ranks);
    train_options_products(products, sizeof products, reporter->options);
    progress_say(&reporter->progress, "%.2f million parameters; %s%zu thread%s; %s, %s kernels",
                 (double)parameters / 1e6, together, threads, plural(threads), products,
                 kernels()->name);
    report_projection(reporter);
    if (reporter->options->preset == PRESET_BAHDANAU2014)
        progress_say(&reporter->progress, "--preset bahdanau2014: %s", BAHDANAU2014_DIFFERS);
}

/* Of a run whose epochs are done: how to go on, if that would help, or if it was resumed for
 * nothing. */
static void report_more_epochs(TrainReporter *reporter, const TrainCounters *counters,
                               const char *model)
{
    const TrainOptions *options = reporter->options;
    char why[128] = "";
    if (counters->stale == 0 && counters->updates < options->warmup)
        snprintf(why, sizeof why,
                 "validation was still improving, and %zu updates are fewer than --warmup %zu",
                 counters->updates, options->warmup);
    else if (counters->stale == 0)
        snprintf(why, sizeof why, "validation was still improving");
    else if (counters->steps == reporter->first_step)
        snprintf(why, sizeof why, "nothing was left to do");
    if (*why)
        progress_say(&reporter->progress,
                     "%s; to go on:  %s train --model %s --resume --max-epochs %zu", why,
                     terminal_program(), model, 2 * counters->epoch);
}

void train_report_end(TrainReporter *reporter, const TrainCounters *counters, TrainEnd end,
                      const char *model)
{
    Progress *progress = &reporter->progress;
    size_t patience = reporter->options->patience,
           pairs = reporter->watch.data->figures.epoch_pairs;
    switch (end) {
    case TRAIN_END_STOPPED:
        progress_say(progress,
                     "stopped at step %zu: --max-minutes reached; to continue:  %s train "
                     "--model %s --resume",
                     counters->steps, terminal_program(), model);
        break;
    case TRAIN_END_PATIENCE:
        progress_say(progress, "done: %zu validation%s without a better BLEU", counters->stale,
                     plural(counters->stale));
        if (counters->steps == reporter->first_step)
            progress_say(progress,
                         "nothing was left to do; to go on:  %s train --model %s --resume "
                         "--patience %zu",
                         terminal_program(), model, 2 * patience);
        break;
    case TRAIN_END_EPOCHS:
        progress_say(progress, "done: %zu epoch%s", counters->epoch, plural(counters->epoch));
        report_more_epochs(reporter, counters, model);
        break;
    }
    if (counters->skipped)
        progress_say(progress, "%zu of %zu steps were skipped: loss or gradient not finite",
                     counters->skipped, counters->steps);
    if (pairs > 1 && pairs < FEW_PAIRS)
        progress_say(progress, "%zu pairs are few: more of them would help more than any option",
                     pairs);
    progress_say(progress, "%s has the best model; try:  %s translate --model %s", model,
                 terminal_program(), model);
}
