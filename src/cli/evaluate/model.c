#include "cli/evaluate/evaluation.h"

#include "base/array.h"
#include "base/string_map.h"
#include "cli/languages.h"
#include "corpus/text_corpus.h"

// The distinct sentences of a corpus, each with the rows of its references.
typedef struct Sentences {
    TextView *sources; // (count)
    size_t *first;     // (count) the first row of each
    size_t *next;      // (rows) the next row of the same sentence; 0 for none
    size_t count;
} Sentences;

static void sentences_free(Sentences *sentences)
{
    memory_free(sentences->sources);
    memory_free(sentences->first);
    memory_free(sentences->next);
}

// Assigns every row to a sentence: that of an earlier row with the same source, or a new one.
static Status group(Sentences *sentences, const TextCorpus *corpus, bool group_source, Error *error)
{
    size_t rows = corpus->count;
    FREED_BY(string_map_free) StringMap last_rows = {0}; // of each source
    TRY(array_new(&sentences->sources, rows, "the corpus", error));
    TRY(array_new(&sentences->first, rows, "the corpus", error));
    TRY(array_new(&sentences->next, rows, "the corpus", error));
    for (size_t row = 0; row < rows; row++) {
        TextView source = text_corpus_pair(corpus, row).sides[0];
        bool added = true;
        if (group_source) {
            StringMapEntry *entry =
                string_map_put(&last_rows, source.data, source.length, (int64_t)row, &added);
            if (!entry) return error_memory(error, source.length, "the corpus");
            if (!added) sentences->next[entry->value] = row;
            entry->value = (int64_t)row;
        }
        if (!added) continue;
        sentences->sources[sentences->count] = source;
        sentences->first[sentences->count++] = row;
    }
    return STATUS_OK;
}

/* Reads the other system's translations, one for each sentence, into `lines`, each followed by a
 * NUL. Done before the model translates, which takes long. */
static Status read_others(Bytes *lines, const char *path, size_t sentences, Error *error)
{
    FREED_BY(text_lines_close) TextLines file = {0};
    bool more = true;
    TRY(line_reader_open(&file.reader, path, error));
    while (more) {
        TRY(text_lines_next(&file, &more, error));
        if (more) TRY(bytes_append(lines, file.line.data, file.line.length + 1, error));
    }
    if (file.count != sentences)
        return error_set(
            error, STATUS_FORMAT,
            "%s has %zu lines but %zu sentences are scored; each needs its counterpart (pairs with "
            "an empty side do not count, nor do repeated sources with --group-source)",
            line_reader_name(file.reader), file.count, sentences);
    return STATUS_OK;
}

// What the model's translations are compared with.
typedef struct Measure {
    const TextCorpus *corpus;
    const Sentences *sentences;
    const char *other;       // the other system's translation of the current sentence, or NULL
    const char **references; // (rows) room for those of a sentence
} Measure;

static Status add_sentence(Evaluation *evaluation, Measure *measure, size_t place,
                           const Translation *translation, Error *error)
{
    size_t count = 0, row = measure->sentences->first[place];
    do {
        measure->references[count++] = text_corpus_pair(measure->corpus, row).sides[1].data;
        row = measure->sentences->next[row];
    } while (row);
    const char *text = translation->renderings[0].text.data;
    EvaluationSentence sentence = {.hypotheses = {text ? text : "", measure->other},
                                   .references = measure->references,
                                   .reference_count = count,
                                   .source = measure->sentences->sources[place].data};
    if (measure->other) measure->other += strlen(measure->other) + 1;
    return evaluation_add(evaluation, &sentence, error);
}

// A line for each sentence; a translation is in normal form, so it is one.
static Status write_translations(FileWriter *writer, const Translation *translations, size_t count,
                                 Error *error)
{
    FREED_BY(bytes_free) Bytes lines = {0};
    for (size_t i = 0; i < count; i++) {
        const Bytes *text = &translations[i].renderings[0].text;
        TRY(bytes_append_format(&lines, error, "%s\n", bytes_text(text)));
    }
    return file_writer_write(writer, lines.data, lines.length, error);
}

static Status warn_of_language(const Translator *translator, const Sentences *sentences,
                               Error *error)
{
    LanguageWatch language = {.translator = translator, .verb = "evaluate"};
    Status status = language_watch_add(&language, sentences->sources, sentences->count, error);
    language_evidence_free(&language.evidence);
    return status;
}

// Translates all sentences, and shows how far it has come.
static Status translate_all(const OpenModel *model, const Sentences *sentences,
                            const TranslateOptions *options, Translation *translations,
                            Error *error)
{
    WorkProgress progress = work_progress_start("sentences", 1);
    session_set_listener(model->session, work_progress_listener(&progress));
    work_progress_reach(&progress, 1);
    work_progress_begin(&progress, sentences->count);
    Status status = session_translate(model->session, sentences->sources, sentences->count, options,
                                      translations, error);
    work_progress_end(&progress);
    session_set_listener(model->session, (WorkListener){0});
    return status;
}

static Status evaluate_corpus(const OpenModel *model, const TextCorpus *corpus,
                              const Sentences *sentences, const TranslateOptions *options,
                              Evaluation *evaluation, Error *error)
{
    FREED_BY(bytes_free) Bytes others = {0};
    FREED Translation *translations = NULL;
    FREED const char **references = NULL;
    TRY(array_new(&translations, sentences->count, "evaluation", error));
    TRY(array_new(&references, corpus->count, "evaluation", error));
    if (evaluation->options.against)
        TRY(read_others(&others, evaluation->options.against, sentences->count, error));
    Measure measure = {corpus, sentences, others.data, references};
    Status status = translate_all(model, sentences, options, translations, error);
    for (size_t i = 0; i < sentences->count && !status; i++)
        status = add_sentence(evaluation, &measure, i, &translations[i], error);
    if (!status && evaluation->translations)
        status =
            write_translations(evaluation->translations, translations, sentences->count, error);
    for (size_t i = 0; i < sentences->count; i++) translation_free(&translations[i]);
    return status;
}

Status evaluate_model(const OpenModel *model, const PairInput *pairs, bool group_source,
                      const TranslateOptions *options, Evaluation *evaluation, Error *error)
{
    FREED_BY(text_corpus_free) TextCorpus corpus = {0};
    FREED_BY(sentences_free) Sentences sentences = {0};
    terminal_invite(pairs->verb, pairs->spec, "pairs, each a source, a TAB and its target,");
    TRY(text_corpus_read(&corpus, pairs->spec, pairs->options, error));
    if (corpus.count == 0)
        return error_set(error, STATUS_FORMAT, "%s: every pair has an empty side", pairs->spec);
    TRY(group(&sentences, &corpus, group_source, error));
    TRY(warn_of_language(&model->translator, &sentences, error));
    TRY(evaluate_corpus(model, &corpus, &sentences, options, evaluation, error));
    if (corpus.counts.empty)
        report_warning("evaluate", "%s: %zu of %zu pairs have an empty side and are skipped",
                       pairs->spec, corpus.counts.empty, corpus.counts.lines);
    report_notes("evaluate", bytes_text(&corpus.notes));
    return STATUS_OK;
}
