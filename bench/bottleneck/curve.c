#include "bench/bottleneck/curve.h"

#include "base/memory.h"
#include "bench/bottleneck/joining.h"
#include "cli/evaluate/text_lines.h"

#include <string.h>

static Status sort_into_classes(Curve *curve, Error *error)
{
    Units units = {0};
    Status status = STATUS_OK;
    double sums[LENGTH_CLASSES] = {0};
    for (size_t i = 0; i < curve->test.count && !status; i++) {
        TextPair pair = text_corpus_pair(&curve->test, i);
        status = units_split(&units, curve->unit, pair.source, pair.source_length, error);
        if (status) break;
        curve->classes[i] = length_class(units.count);
        curve->counts[curve->classes[i]]++;
        sums[curve->classes[i]] += (double)units.count;
    }
    for (size_t c = 0; c < LENGTH_CLASSES; c++)
        if (curve->counts[c]) curve->mean_lengths[c] = sums[c] / (double)curve->counts[c];
    units_free(&units);
    return status;
}

Status curve_read_test(Curve *curve, const char *pairs, Error *error)
{
    Status status = text_corpus_read(&curve->test, pairs, error);
    if (status) return status;
    if (curve->test.count == 0)
        return error_set(error, STATUS_FORMAT, "%s: every pair has an empty side", pairs);
    Scripts scripts = scripts_of(&curve->test);
    curve->unit = scripts.source;
    curve->tokenizer = scripts.target == UNITS_WORDS ? BLEU_13A : BLEU_ZH;
    curve->classes = memory_new(curve->test.count, sizeof *curve->classes);
    if (!curve->classes)
        return error_memory(error, curve->test.count * sizeof *curve->classes, "the lengths");
    return sort_into_classes(curve, error);
}

/* The tallies (test.count) of a file's lines. */
static Status read_tallies(const Curve *curve, const char *path, Tally *tallies, Error *error)
{
    TextLines lines = {0};
    bool more = true;
    Status status = text_lines_open(&lines, path, error);
    while (!status && more) {
        status = text_lines_next(&lines, &more, error);
        if (status || !more || lines.count > curve->test.count) continue;
        const char *reference = text_corpus_pair(&curve->test, lines.count - 1).target;
        status = tally_sentence(&tallies[lines.count - 1], lines.line.data, &reference, 1,
                                curve->tokenizer, false, error);
    }
    if (!status && lines.count != curve->test.count)
        status =
            error_set(error, STATUS_FORMAT,
                      "%s has %zu lines but the test has %zu pairs; translate its sources anew",
                      path, lines.count, curve->test.count);
    text_lines_close(&lines);
    return status;
}

/* One point, from the tallies of its class, which are put side by side in `chosen`. */
static CurvePoint measure(const Curve *curve, size_t class, const Tally *tallies, Tally *chosen,
                          Bootstrap *bootstrap)
{
    Tally sum = {0};
    size_t count = 0;
    for (size_t i = 0; i < curve->test.count; i++) {
        if (curve->classes[i] != class) continue;
        chosen[count++] = tallies[i];
        tally_add(&sum, &tallies[i]);
    }
    if (count == 0) return (CurvePoint){0};
    bootstrap_resample(bootstrap, chosen, count, BOOTSTRAP_SEED);
    return (CurvePoint){tally_score(&sum, TALLY_BLEU),
                        bootstrap_interval(bootstrap->scores[TALLY_BLEU])};
}

Status curve_add(Curve *curve, const char *name, const char *path, Error *error)
{
    if (curve->count == MAX_CURVE_SERIES)
        return error_set(error, STATUS_ARGUMENT, "no more than %d scorers fit into one picture",
                         MAX_CURVE_SERIES);
    size_t count = curve->test.count;
    CurveSeries *series = &curve->series[curve->count];
    Tally sum = {0}, *tallies = memory_new(2 * count, sizeof *tallies);
    Bootstrap *bootstrap = memory_new(1, sizeof *bootstrap);
    Status status = tallies && bootstrap
                        ? read_tallies(curve, path, tallies, error)
                        : error_memory(error, 2 * count * sizeof *tallies, "the figures");
    if (!status) {
        *series = (CurveSeries){.name = name};
        for (size_t class = 0; class < LENGTH_CLASSES; class ++)
            series->points[class] = measure(curve, class, tallies, tallies + count, bootstrap);
        for (size_t i = 0; i < count; i++) tally_add(&sum, &tallies[i]);
        series->bleu = tally_score(&sum, TALLY_BLEU);
        curve->count++;
    }
    memory_free(tallies);
    memory_free(bootstrap);
    return status;
}

double curve_longest(const Curve *curve)
{
    double longest = LENGTH_CLASSES * LENGTH_CLASS_WIDTH;
    for (size_t c = 0; c < LENGTH_CLASSES; c++)
        if (curve->mean_lengths[c] > longest) longest = curve->mean_lengths[c];
    return longest;
}

void curve_free(Curve *curve)
{
    text_corpus_free(&curve->test);
    memory_free(curve->classes);
    *curve = (Curve){0};
}
