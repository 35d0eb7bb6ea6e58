#include "serve/service/detection.h"

#include "base/array.h"
#include "text/normalise.h"
#include "text/utf8.h"

// Puts a language in its place: before those with less evidence.
static void insert(Detection *detection, const LanguageCode *code, double confidence)
{
    enum { MOST = sizeof detection->found / sizeof *detection->found };
    const DetectedLanguage language = {*code, confidence};
    size_t at;
    array_keep_best(detection->found, &detection->count, MOST, at, language,
                    detection->found[at - 1].confidence < confidence);
}

// The subwords of texts in the vocabulary of the first model from a language; 0: there is none.
static Status count_subwords(size_t *subwords, const ServedModels *models, const LanguageCode *code,
                             const TextView *texts, size_t count, Error *error)
{
    const ServedModel *model = models->items, *end = model + models->count;
    FREED_BY(subwords_free) Subwords cut = {0};
    FREED_BY(bytes_free) Bytes normal = {0};
    *subwords = 0;
    while (model < end && !language_code_equal(&model->languages[0], code)) model++;
    if (model == end) return STATUS_OK;
    for (size_t i = 0; i < count; i++) {
        TRY(normalise(&normal, texts[i].data, texts[i].length, NULL, error));
        TRY(vocabulary_encode(model->translator.source_vocabulary, bytes_text(&normal),
                              normal.length, &cut, error));
        *subwords += cut.count;
    }
    return STATUS_OK;
}

// Whether a language may be that of texts of which `detection` says nothing, or as much for others.
static bool is_candidate(const Detection *detection, const LanguageCode *code)
{
    const DetectedLanguage *found = detection->found;
    for (size_t i = 0; i < detection->count && found[i].confidence >= found->confidence; i++)
        if (language_code_equal(&found[i].code, code)) return true;
    return detection->count == 0;
}

// Puts a language before all others, wherever it was.
static void put_first(Detection *detection, const LanguageCode *code, double confidence)
{
    DetectedLanguage *found = detection->found;
    size_t place = 0;
    while (place < detection->count && !language_code_equal(&found[place].code, code)) place++;
    detection->count += place == detection->count;
    memmove(found + 1, found, place * sizeof *found);
    *found = (DetectedLanguage){*code, confidence};
}

/* Where words and letters say nothing, or as much for several languages, as in a text of two words:
 * puts that one first whose models read the texts as the fewest subwords. Its confidence, if they
 * say nothing, is the share by which these are fewer than those of the next. */
static Status decide_by_subwords(Detection *detection, const ServedModels *models,
                                 const TextView *texts, size_t count, Error *error)
{
    const LanguageCode *best = NULL;
    size_t fewest = 0, next = 0, subwords;
    for (size_t i = 0; i < models->language_count; i++) {
        const LanguageCode *code = &models->languages[i];
        if (!is_candidate(detection, code)) continue;
        TRY(count_subwords(&subwords, models, code, texts, count, error));
        if (subwords == 0) continue;
        bool fewer = !best || subwords < fewest;
        if (fewer || next == 0 || subwords < next) next = fewer ? fewest : subwords;
        if (!fewer) continue;
        fewest = subwords;
        best = code;
    }
    double confidence = next > 0 ? 100 - 100.0 * (double)fewest / (double)next : 0;
    if (detection->count > 0) confidence = detection->found->confidence;
    if (best) put_first(detection, best, confidence);
    return STATUS_OK;
}

// Learns how the words of one side of an aligner are spelt.
static void learn_words(Spelling *spelling, const AlignerVocabulary *vocabulary)
{
    for (size_t i = 0; i < vocabulary->types.count; i++) {
        const StringMapEntry *type = &vocabulary->types.entries[i];
        if (utf8_run_end(type->key, type->length, 0, utf8_is_letter) == type->length)
            spelling_add(spelling, (TextView){type->key, type->length}, sqrtf((float)type->value));
    }
}

// How the languages of an alphabet are spelt, as far as aligners know them.
static Status learn_spellings(ServedModels *models, Error *error)
{
    if (models->spellings) return STATUS_OK;
    TRY(array_new(&models->spellings, models->language_count, "languages", error));
    for (size_t i = 0; i < models->language_count; i++) {
        const Language *language = language_of(models->languages[i].text);
        if (!language || !language->words) continue;
        TRY(array_new(&models->spellings[i], 1, "spelling", error));
        for (size_t m = 0; m < models->count; m++)
            for (size_t side = 0; side < 2 && models->items[m].translator.aligner; side++)
                if (language_code_equal(&models->items[m].languages[side], &models->languages[i]))
                    learn_words(models->spellings[i],
                                &models->items[m].translator.aligner->vocabularies[side]);
    }
    return STATUS_OK;
}

// Of a letter that is not ASCII, against a language that has none of its own.
static const double FOREIGN_LETTER = 8;

static size_t count_foreign(const Bytes *text)
{
    size_t count = 0;
    for (size_t at = 0; at < text->length;) {
        uint32_t c = utf8_next(text->data, text->length, &at);
        count += c >= 0x80 && utf8_is_letter(c);
    }
    return count;
}

// Adds what the spelling of texts says for a language; it and no evidence for another decides.
static Status decide_by_spelling(Detection *detection, ServedModels *models, const TextView *texts,
                                 size_t count, Error *error)
{
    double best = -INFINITY, next = -INFINITY;
    const LanguageCode *found = NULL;
    FREED_BY(bytes_free) Bytes lower = {0};
    TRY(learn_spellings(models, error));
    for (size_t i = 0; i < count; i++) {
        TRY(utf8_append_lowercase(&lower, texts[i].data, texts[i].length, error));
        TRY(bytes_append_string(&lower, "\n", error));
    }
    for (size_t i = 0; i < models->language_count; i++) {
        const LanguageCode *code = &models->languages[i];
        const Spelling *spelling = models->spellings[i];
        if (!spelling || spelling->words <= 0) continue;
        const Language *language = language_of(code->text);
        double log_p = spelling_log_p(spelling, bytes_view(&lower)) +
                       3 * language_evidence_for(&detection->evidence, language);
        if (!language->letters) log_p -= FOREIGN_LETTER * (double)count_foreign(&lower);
        if (log_p > best) found = code;
        next = log_p > best ? best : fmax(next, log_p);
        best = fmax(best, log_p);
    }
    if (found && next > -INFINITY) put_first(detection, found, 100 / (1 + exp(next - best)));
    return STATUS_OK;
}

// Whether the texts are few words, of an alphabet.
static bool are_few_words(const Detection *detection)
{
    const Language *likeliest =
        detection->count > 0 ? language_of(detection->found->code.text) : NULL;
    return detection->evidence.words < FEW_WORDS && detection->evidence.words > 0 &&
           (!likeliest || likeliest->words);
}

/* Puts a language first that is not served, where the script of the texts is that of none that is:
 * of those that write it the likeliest. */
static void decide_by_script(Detection *detection, const ServedModels *models,
                             const TextView *texts, size_t count)
{
    const uint64_t scripts = language_scripts(texts, count);
    const Language *best = NULL;
    for (size_t i = 0; language_table[i].code; i++) {
        const Language *language = &language_table[i];
        const LanguageCode code = language_code_of(language->code);
        if (!(scripts >> i & 1)) continue;
        for (size_t k = 0; k < models->language_count; k++)
            if (language_code_same_language(&models->languages[k], &code)) return;
        if (!best || language_evidence_for(&detection->evidence, language) >
                         language_evidence_for(&detection->evidence, best))
            best = language;
    }
    if (!best) return;
    const LanguageCode code = language_code_of(best->code);
    put_first(detection, &code, 100);
}

Status detection_set(Detection *detection, ServedModels *models, const TextView *texts,
                     size_t count, Error *error)
{
    double total = 0;
    detection->count = 0;
    language_evidence_clear(&detection->evidence);
    for (size_t i = 0; i < count; i++)
        TRY(language_evidence_add(&detection->evidence, texts[i].data, texts[i].length, error));
    for (size_t i = 0; i < MAX_LANGUAGES; i++) total += detection->evidence.scores[i];
    for (size_t i = 0; i < models->language_count; i++) {
        const LanguageCode *code = &models->languages[i];
        double score = language_evidence_for(&detection->evidence, language_of(code->text));
        if (score > 0) insert(detection, code, 100 * score / total);
    }
    const DetectedLanguage *found = detection->found;
    if (are_few_words(detection)) TRY(decide_by_spelling(detection, models, texts, count, error));
    if (detection->count == 0 ||
        (detection->count > 1 && found[1].confidence >= found[0].confidence))
        TRY(decide_by_subwords(detection, models, texts, count, error));
    if (detection->count == 0) insert(detection, &models->languages[0], 0);
    decide_by_script(detection, models, texts, count);
    return STATUS_OK;
}
