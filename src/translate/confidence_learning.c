#include "translate/confidence_learning.h"

#include "base/array.h"
#include "metrics/chrf.h"
#include "model/model_file.h"
#include "text/utf8.h"
#include "translate/session.h"

enum { F = CONFIDENCE_FEATURES, NEWTON_STEPS = 30 };

// What a regression is fitted to.
typedef struct Judged {
    double features[F];
    bool right;
} Judged;

typedef struct Examples {
    Judged *items; // (count)
    size_t count, capacity;
} Examples;

static Status add_example(Examples *examples, const double features[F], bool right, Error *error)
{
    TRY(array_reserve(&examples->items, &examples->capacity, examples->count + 1, "confidence",
                      error));
    Judged *example = &examples->items[examples->count++];
    example->right = right;
    memcpy(example->features, features, sizeof example->features);
    return STATUS_OK;
}

// Solves A x = b for a positive definite A, both of which it overwrites; x is left in b.
static void solve(double a[F][F], double b[F])
{
    for (size_t k = 0; k < F; k++)
        for (size_t i = k + 1; i < F; i++) {
            double factor = a[i][k] / a[k][k];
            for (size_t j = k; j < F; j++) a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    for (size_t k = F; k-- > 0;) {
        for (size_t j = k + 1; j < F; j++) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

/* One step: w += H⁻¹ g of the penalised likelihood, with g = Σ (y − p) x − λ w and
 * H = Σ p (1 − p) x xᵀ + λ. The first weight has a penalty too small to matter, so that H can be
 * inverted where all examples are alike. */
static void newton_step(double w[F], const Examples *examples)
{
    double hessian[F][F] = {{0}}, gradient[F] = {0};
    for (size_t i = 0; i < F; i++) {
        double penalty = i > 0 ? 1 : 1e-3;
        hessian[i][i] = penalty;
        gradient[i] = -penalty * w[i];
    }
    for (size_t e = 0; e < examples->count; e++) {
        const double *x = examples->items[e].features;
        double p = confidence_probability(w, x), error = (examples->items[e].right ? 1 : 0) - p;
        for (size_t i = 0; i < F; i++) {
            gradient[i] += error * x[i];
            for (size_t j = 0; j < F; j++) hessian[i][j] += p * (1 - p) * x[i] * x[j];
        }
    }
    solve(hessian, gradient);
    for (size_t i = 0; i < F; i++) w[i] += gradient[i];
}

static void fit(double weights[F], const Examples *examples)
{
    memset(weights, 0, F * sizeof *weights);
    for (size_t step = 0; step < NEWTON_STEPS; step++) newton_step(weights, examples);
}

// A word without the marks around it, unless it is nothing else.
static TextView without_marks(TextView word)
{
    Span inner = {word.length, 0};
    for (size_t at = 0, begin = 0; at < word.length; begin = at)
        if (utf8_is_word(utf8_next(word.data, word.length, &at))) {
            if (inner.begin == word.length) inner.begin = begin;
            inner.end = at;
        }
    return inner.end > 0 ? span_text(word, inner) : word;
}

// Counts the words of a reference.
static Status count_words(StringMap *counts, const char *reference, UnitKind kind, Error *error)
{
    Spans words = {0};
    Status status = units_split(&words, kind, reference, strlen(reference), error);
    for (size_t i = 0; i < words.count && !status; i++) {
        TextView word =
            without_marks(span_text((TextView){reference, strlen(reference)}, words.items[i]));
        StringMapEntry *entry = string_map_put(counts, word.data, word.length, 0, NULL);
        if (entry)
            entry->value++;
        else
            status = error_memory(error, word.length, "confidence");
    }
    spans_free(&words);
    return status;
}

static Status add_words(Examples *examples, const Confidence *confidence, TextView text,
                        const char *reference, UnitKind kind, Error *error)
{
    StringMap counts = {0};
    Status status = count_words(&counts, reference, kind, error);
    for (size_t i = 0; i < confidence->words.count && !status; i++) {
        TextView word = without_marks(span_text(text, confidence->words.items[i]));
        StringMapEntry *entry = string_map_find(&counts, word.data, word.length);
        bool right = entry && entry->value > 0;
        if (right) entry->value--;
        status = add_example(examples, confidence->features[i], right, error);
    }
    string_map_free(&counts);
    return status;
}

// Of a text that is right, by the kind of its units.
static const double least_chrf[] = {[UNITS_WORDS] = 50, [UNITS_CHARACTERS] = 30};

// The examples of one translation: the text, and its words. What stayed as it is says nothing.
static Status add_translation(Examples examples[2], Confidence *confidence,
                              const Translation *translation, const char *reference, UnitKind kind,
                              Error *error)
{
    const ConfidenceWeights none = {{0}, {0}};
    const Rendering *rendering = translation->renderings;
    ChrfCounts chrf = {.matches = {0}};
    if (translation->count == 0 || !rendering->log_ps) return STATUS_OK;
    const TextView text = bytes_view(&rendering->text);
    TRY(confidence_set(confidence, &none, translation, rendering, kind, error));
    TRY(chrf_add(&chrf, &(Segment){text.data, &reference, 1}, false, error));
    TRY(add_example(&examples[0], confidence->text_features, chrf_score(&chrf) >= least_chrf[kind],
                    error));
    return add_words(&examples[1], confidence, text, reference, kind, error);
}

static Status collect(Examples examples[2], const Translator *translator,
                      const Translation *translations, TextCorpus *pairs, size_t count,
                      Error *error)
{
    Confidence confidence = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = add_translation(examples, &confidence, &translations[i],
                                 text_corpus_pair(pairs, i).sides[1].data, translator->target_units,
                                 error);
    confidence_free(&confidence);
    return status;
}

// Whole texts, as they stand in a corpus.
static Status translate_sources(const Translator *translator, TextCorpus *pairs, size_t count,
                                size_t threads, Translation *translations, Error *error)
{
    const TranslateOptions options = {.search = {.beam = 5, .batch = 64, .length_normalization = 1},
                                      .n_best = 1};
    Session *session = NULL;
    TextView *views;
    TRY(array_new(&views, count, "confidence", error));
    for (size_t i = 0; i < count; i++) views[i] = text_corpus_pair(pairs, i).sides[0];
    Status status = session_new(&session, translator, threads, PRECISION_INT8, error);
    if (!status) status = session_translate(session, views, count, &options, translations, error);
    session_free(session);
    memory_free(views);
    return status;
}

static Status save(const char *path, const Translator *translator, const ConfidenceWeights *weights,
                   Error *error)
{
    Model model = translator->model;
    char *text;
    json_t *training = json_copy(translator->training);
    json_object_set_new(training, "confidence", confidence_to_json(weights));
    TRY(json_text(&text, training, JSON_COMPACT | JSON_REAL_PRECISION(6), error));
    model.texts.training = text;
    Status status = model_save_additions(path, &model, &model.shortlist, NULL, error);
    memory_free(text);
    return status;
}

// Translates the first pairs' sources and sees what is right.
static Status find_examples(Examples examples[2], const Translator *translator, TextCorpus *pairs,
                            size_t threads, Error *error)
{
    Translation *translations;
    size_t count = pairs->count < MAX_CONFIDENCE_PAIRS ? pairs->count : MAX_CONFIDENCE_PAIRS;
    TRY(array_new(&translations, count, "confidence", error));
    Status status = translate_sources(translator, pairs, count, threads, translations, error);
    if (!status) status = collect(examples, translator, translations, pairs, count, error);
    for (size_t i = 0; i < count; i++) translation_free(&translations[i]);
    memory_free(translations);
    return status;
}

Status confidence_learn(const char *path, TextCorpus *pairs, size_t threads, Error *error)
{
    Translator translator;
    ConfidenceWeights weights;
    Examples examples[2] = {{0}};
    if (pairs->count == 0) return STATUS_OK;
    TRY(translator_open(&translator, path, error));
    Status status = find_examples(examples, &translator, pairs, threads, error);
    if (!status) {
        fit(weights.text, &examples[0]);
        fit(weights.word, &examples[1]);
        status = save(path, &translator, &weights, error);
    }
    memory_free(examples[0].items);
    memory_free(examples[1].items);
    translator_close(&translator);
    return status;
}

/* How often what is right has more than what is wrong, ties counting half, by the pairs of a right
 * and a wrong example: of 1000 texts and some 10,000 words quick enough. */
static double find_auc(const double *p, const Examples *examples)
{
    double better = 0, pairs = 0;
    for (size_t i = 0; i < examples->count; i++)
        for (size_t j = 0; j < examples->count && examples->items[i].right; j++) {
            if (examples->items[j].right) continue;
            pairs += 1;
            better += p[i] > p[j] ? 1 : (p[i] < p[j] ? 0 : 0.5);
        }
    return better / pairs;
}

static Status measure_examples(ConfidenceMeasure *measure, const double w[F],
                               const Examples *examples, Error *error)
{
    double *p, certain = 0, certain_right = 0, right = 0;
    double count = (double)examples->count;
    *measure = (ConfidenceMeasure){.count = examples->count};
    TRY(array_new(&p, examples->count, "confidence", error));
    for (size_t i = 0; i < examples->count; i++) {
        p[i] = confidence_probability(w, examples->items[i].features);
        size_t place = p[i] < 1 ? (size_t)(p[i] * CONFIDENCE_BINS) : CONFIDENCE_BINS - 1;
        struct ConfidenceBin *bin = &measure->bins[place];
        double is_right = examples->items[i].right ? 1 : 0;
        right += is_right;
        bin->count++;
        bin->probability += p[i];
        bin->right += is_right;
        certain += p[i] >= CERTAIN;
        certain_right += p[i] >= CERTAIN ? is_right : 0;
    }
    measure->right = right / count;
    measure->auc = find_auc(p, examples);
    measure->certain = certain / count;
    measure->certain_right = certain_right / certain;
    for (size_t i = 0; i < CONFIDENCE_BINS; i++) {
        struct ConfidenceBin *bin = &measure->bins[i];
        measure->calibration_error += fabs(bin->probability - bin->right) / count;
        if (bin->count == 0) continue;
        bin->probability /= (double)bin->count;
        bin->right /= (double)bin->count;
    }
    memory_free(p);
    return STATUS_OK;
}

Status confidence_measure(ConfidenceMeasure measures[2], const char *path, TextCorpus *pairs,
                          size_t threads, Error *error)
{
    Translator translator;
    Examples examples[2] = {{0}};
    TRY(translator_open(&translator, path, error));
    Status status = STATUS_OK;
    if (!translator.has_confidence)
        status = error_set(error, STATUS_FORMAT,
                           "%s: has no confidence to measure; regard calibrate fits one", path);
    if (!status) status = find_examples(examples, &translator, pairs, threads, error);
    if (!status)
        status = measure_examples(&measures[0], translator.confidence.text, &examples[0], error);
    if (!status)
        status = measure_examples(&measures[1], translator.confidence.word, &examples[1], error);
    memory_free(examples[0].items);
    memory_free(examples[1].items);
    translator_close(&translator);
    return status;
}
