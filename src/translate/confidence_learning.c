#include "translate/confidence_learning.h"

#include "base/array.h"
#include "metrics/chrf.h"
#include "model/model_file.h"
#include "text/utf8.h"
#include "translate/session.h"

enum { F = CONFIDENCE_FEATURES, NEWTON_STEPS = 30 };

// What a regression is fitted to.
typedef struct Examples {
    Judged *items; // (count)
    size_t count, capacity;
} Examples;

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
        double p = confidence_probability(w, x), error = examples->items[e].right - p;
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

// Each word of the reference makes one right that equals it.
static Status add_words(Examples *examples, const Confidence *confidence, TextView text,
                        TextView reference, UnitKind kind, Error *error)
{
    FREED_BY(spans_free) Spans left = {0};
    TRY(units_split(&left, kind, reference.data, reference.length, error));
    for (size_t i = 0; i < confidence->words.count; i++) {
        TextView word = without_marks(span_text(text, confidence->words.items[i]));
        size_t k = 0;
        while (k < left.count &&
               !text_view_equal(word, without_marks(span_text(reference, left.items[k]))))
            k++;
        Judged judged = confidence->of_words[i];
        judged.right = k < left.count;
        TRY(array_add(&examples->items, &examples->count, &examples->capacity, "confidence", error,
                      judged));
        if (k < left.count) left.items[k] = left.items[--left.count];
    }
    return STATUS_OK;
}

// Of a text that is right, by the kind of its units.
static const double least_chrf[] = {[UNITS_WORDS] = 50, [UNITS_CHARACTERS] = 30};

// A model, and what its translations of pairs show.
typedef struct Study {
    Translator translator;
    Session *session;
    TextCorpus *pairs;
    size_t count; // of the pairs that are translated
    Examples texts, words;
    BleuCounts bleu;
} Study;

static void study_free(Study *study)
{
    memory_free(study->texts.items);
    memory_free(study->words.items);
    session_free(study->session);
    translator_close(&study->translator);
}

static Status study_new(Study *study, const char *path, TextCorpus *pairs, size_t threads,
                        Error *error)
{
    size_t count = pairs->count < MAX_CONFIDENCE_PAIRS ? pairs->count : MAX_CONFIDENCE_PAIRS;
    *study = (Study){.pairs = pairs, .count = count};
    TRY(translator_open(&study->translator, path, error));
    return session_new(&study->session, &study->translator, threads, PRECISION_INT8, error);
}

// The examples of one translation: the text, and its words. What stayed as it is says nothing.
static Status add_translation(Study *study, Confidence *confidence, const Translation *translation,
                              TextView reference, Error *error)
{
    const Translator *translator = &study->translator;
    const UnitKind kind = translator->target_units;
    const ConfidenceWeights none = {{0}, {0}};
    const Rendering *rendering = translation->renderings;
    ChrfCounts chrf = {.matches = {0}};
    const TextView text = translation->count > 0 ? bytes_view(&rendering->text) : (TextView){"", 0};
    const Segment segment = {text.data, &reference.data, 1};
    TRY(bleu_add(&study->bleu, &segment, translator->bleu_tokenizer, false, error));
    if (translation->count == 0 || !rendering->log_ps) return STATUS_OK;
    TRY(confidence_set(confidence, &none, translation, rendering, kind, error));
    TRY(chrf_add(&chrf, &segment, false, error));
    Judged judged = {.right = chrf_score(&chrf) >= least_chrf[kind]};
    memcpy(judged.features, confidence->text_features, sizeof judged.features);
    TRY(array_add(&study->texts.items, &study->texts.count, &study->texts.capacity, "confidence",
                  error, judged));
    return add_words(&study->words, confidence, text, reference, kind, error);
}

// Translates the sources, whole, as they stand in a corpus, and sees what is right.
static Status translate(Study *study, Error *error)
{
    const TranslateOptions options = TRANSLATE_OPTIONS_DEFAULT;
    size_t count = study->count;
    FREED_BY(confidence_free) Confidence confidence = {0};
    FREED Translation *translations = NULL;
    FREED TextView *sources = NULL;
    study->texts.count = study->words.count = 0;
    study->bleu = (BleuCounts){.matches = {0}};
    TRY(array_new(&sources, count, "confidence", error));
    TRY(array_new(&translations, count, "confidence", error));
    for (size_t i = 0; i < count; i++) sources[i] = text_corpus_pair(study->pairs, i).sides[0];
    Status status =
        session_translate(study->session, sources, count, &options, translations, error);
    for (size_t i = 0; i < count && !status; i++)
        status = add_translation(study, &confidence, &translations[i],
                                 text_corpus_pair(study->pairs, i).sides[1], error);
    for (size_t i = 0; i < count; i++) translation_free(&translations[i]);
    return status;
}

/* About four standard errors of the difference in BLEU between two values, measured by bootstrap, of
 * MAX_CONFIDENCE_PAIRS pairs; of fewer it is as 1 / √count. Less is not enough for the best of six:
 * 0.37 more on such pairs was 0.28 less on a test part. */
static const double NOISE = 0.5;

static Status choose_normalization(NormalizationChoice *choice, Study *study, Error *error)
{
    static const double alphas[] = {1, 0.6, 0.8, 1.2, 1.4, 1.6};
    double *alpha = &study->translator.length_normalization;
    double noise = NOISE * sqrt(MAX_CONFIDENCE_PAIRS / (double)study->count);
    for (size_t i = 0; i < sizeof alphas / sizeof *alphas; i++) {
        *alpha = alphas[i];
        TRY(translate(study, error));
        double bleu = bleu_score(&study->bleu);
        if (i == 0) *choice = (NormalizationChoice){*alpha, bleu, bleu};
        if (bleu <= choice->bleu || bleu < choice->bleu_of_1 + noise) continue;
        choice->alpha = *alpha;
        choice->bleu = bleu;
    }
    *alpha = choice->alpha;
    return STATUS_OK;
}

static Status save(const char *path, const Study *study, Error *error)
{
    const double alpha = study->translator.length_normalization;
    Model model = study->translator.model;
    ConfidenceWeights weights;
    FREED char *text = NULL;
    json_t *training = json_copy(study->translator.training);
    fit(weights.text, &study->texts);
    fit(weights.word, &study->words);
    json_object_set_new(training, "confidence", confidence_to_json(&weights));
    json_object_del(training, "length_normalization");
    if (alpha != 1) json_object_set_new(training, "length_normalization", json_number(alpha));
    TRY(json_text(&text, training, JSON_COMPACT | JSON_REAL_PRECISION(6), error));
    model.texts.training = text;
    return model_save_additions(path, &model, &model.shortlist, &model.lexicon, NULL, error);
}

Status confidence_learn(const char *path, TextCorpus *pairs, size_t threads,
                        NormalizationChoice *choice, Error *error)
{
    FREED_BY(study_free) Study study = {.session = NULL};
    if (pairs->count == 0) return STATUS_OK;
    TRY(study_new(&study, path, pairs, threads, error));
    if (choice) TRY(choose_normalization(choice, &study, error));
    TRY(translate(&study, error));
    return save(path, &study, error);
}

/* How often what is right has more than what is wrong, ties counting half, by the pairs of a right
 * and a wrong example: of 1000 texts and some 10,000 words quick enough. */
static double find_auc(const double *p, const Examples *examples)
{
    double better = 0, pairs = 0;
    for (size_t i = 0; i < examples->count; i++)
        for (size_t j = 0; j < examples->count && examples->items[i].right > 0; j++) {
            if (examples->items[j].right > 0) continue;
            pairs += 1;
            better += p[i] > p[j] ? 1 : (p[i] < p[j] ? 0 : 0.5);
        }
    return better / pairs;
}

static Status measure_examples(ConfidenceMeasure *measure, const double w[F],
                               const Examples *examples, Error *error)
{
    FREED double *p = NULL;
    const double count = (double)examples->count;
    *measure = (ConfidenceMeasure){.count = examples->count};
    TRY(array_new(&p, examples->count, "confidence", error));
    for (size_t i = 0; i < examples->count; i++) {
        p[i] = confidence_probability(w, examples->items[i].features);
        size_t place = p[i] < 1 ? (size_t)(p[i] * CONFIDENCE_BINS) : CONFIDENCE_BINS - 1;
        measure->bins[place].count++;
        measure->bins[place].probability += p[i];
        measure->bins[place].right += examples->items[i].right;
        measure->right += examples->items[i].right;
        measure->certain += p[i] >= CERTAIN;
        measure->certain_right += p[i] >= CERTAIN ? examples->items[i].right : 0;
    }
    measure->right /= count;
    measure->auc = find_auc(p, examples);
    measure->certain_right /= measure->certain;
    measure->certain /= count;
    for (size_t i = 0; i < CONFIDENCE_BINS; i++) {
        struct ConfidenceBin *bin = &measure->bins[i];
        measure->calibration_error += fabs(bin->probability - bin->right) / count;
        if (bin->count == 0) continue;
        bin->probability /= (double)bin->count;
        bin->right /= (double)bin->count;
    }
    return STATUS_OK;
}

Status confidence_measure(ConfidenceMeasure measures[2], const char *path, TextCorpus *pairs,
                          size_t threads, Error *error)
{
    FREED_BY(study_free) Study study = {.session = NULL};
    TRY(study_new(&study, path, pairs, threads, error));
    const ConfidenceWeights *weights = &study.translator.confidence;
    if (!study.translator.has_confidence)
        return error_set(error, STATUS_FORMAT,
                         "%s: has no confidence to measure; regard calibrate fits one", path);
    TRY(translate(&study, error));
    TRY(measure_examples(&measures[0], weights->text, &study.texts, error));
    return measure_examples(&measures[1], weights->word, &study.words, error);
}
