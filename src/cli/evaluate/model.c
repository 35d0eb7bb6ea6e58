#include "cli/evaluate/evaluation.h"

#include "base/memory.h"
#include "base/string_map.h"
#include "corpus/text_corpus.h"

#include <string.h>

// Chains the rows of a sentence: first and last count sentences, next counts rows.
typedef struct RowChain {
    size_t first, last; // rows of the sentence
    size_t next;        // the row after this one of the same sentence; 0 for none
} RowChain;

// The distinct sentences of a corpus, each with the rows of its references.
typedef struct Sentences {
    TextView *sources; // (count)
    RowChain *chains;  // (rows)
    size_t count;
} Sentences;

// Assigns every row to a sentence: that of an earlier row with the same source, or a new one.
static Status group(Sentences *sentences, const TextCorpus *corpus, bool group_source, Error *error)
{
    size_t rows = corpus->count;
    StringMap places = {0};
    RowChain *chains = sentences->chains = memory_new(rows, sizeof *chains);
    sentences->sources = memory_new(rows, sizeof *sentences->sources);
    bool failed = !chains || !sentences->sources;
    for (size_t row = 0; row < rows && !failed; row++) {
        TextPair pair = text_corpus_pair(corpus, row);
        size_t place = sentences->count;
        if (group_source) {
            StringMapEntry *entry =
                string_map_put(&places, pair.source, pair.source_length, (int64_t)place, NULL);
            failed = !entry;
            if (entry) place = (size_t)entry->value;
        }
        if (place < sentences->count) {
            chains[chains[place].last].next = row;
        } else {
            sentences->sources[place] = (TextView){pair.source, pair.source_length};
            chains[place].first = row;
            sentences->count++;
        }
        chains[place].last = row;
    }
    string_map_free(&places);
    return failed ? error_memory(error, rows * sizeof(TextView), "the corpus") : STATUS_OK;
}

/* Reads the other system's translations, one for each sentence, into `lines`, each followed by a
 * NUL. Done before the model translates, which takes long. */
static Status read_others(Bytes *lines, const char *path, size_t sentences, Error *error)
{
    TextLines file = {0};
    bool more = true;
    Status status = line_reader_open(&file.reader, path, error);
    while (!status && more) {
        status = text_lines_next(&file, &more, error);
        if (!status && more)
            status = bytes_append(lines, file.line.data, file.line.length + 1, error);
    }
    if (!status && file.count != sentences)
        status = error_set(
            error, STATUS_FORMAT,
            "%s has %zu lines but %zu sentences are scored; each needs its counterpart (pairs with "
            "an empty side do not count, nor do repeated sources with --group-source)",
            line_reader_name(file.reader), file.count, sentences);
    text_lines_close(&file);
    return status;
}

// What the model's translations are compared with.
typedef struct Measure {
    const TextCorpus *corpus;
    const Sentences *sentences;
    const char *other;       // the other system's translation of the sentence at hand, or NULL
    const char **references; // (rows) room for those of a sentence
} Measure;

static Status add_sentence(Evaluation *evaluation, Measure *measure, size_t place,
                           const Translation *translation, Error *error)
{
    size_t count = 0, row = measure->sentences->chains[place].first;
    do {
        measure->references[count++] = text_corpus_pair(measure->corpus, row).target;
        row = measure->sentences->chains[row].next;
    } while (row);
    const char *text = translation->renderings[0].text.data;
    EvaluationSentence sentence = {.hypotheses = {text ? text : "", measure->other},
                                   .references = measure->references,
                                   .reference_count = count,
                                   .source = measure->sentences->sources[place].data};
    if (measure->other) measure->other += strlen(measure->other) + 1;
    return evaluation_add(evaluation, &sentence, error);
}

static Status evaluate_corpus(const OpenModel *model, const TextCorpus *corpus,
                              const Sentences *sentences, const TranslateOptions *options,
                              Evaluation *evaluation, Error *error)
{
    Bytes others = {0};
    Translation *translations = memory_new(sentences->count, sizeof *translations);
    Measure measure = {.corpus = corpus,
                       .sentences = sentences,
                       .references = memory_new(corpus->count, sizeof *measure.references)};
    Status status =
        translations && measure.references
            ? STATUS_OK
            : error_memory(error, corpus->count * sizeof *measure.references, "evaluation");
    if (!status && evaluation->options.against) {
        status = read_others(&others, evaluation->options.against, sentences->count, error);
        measure.other = others.data;
    }
    if (!status)
        status = session_translate(model->session, sentences->sources, sentences->count, options,
                                   translations, error);
    for (size_t i = 0; i < sentences->count && !status; i++)
        status = add_sentence(evaluation, &measure, i, &translations[i], error);
    for (size_t i = 0; i < sentences->count && translations; i++)
        translation_free(&translations[i]);
    memory_free(translations);
    memory_free(measure.references);
    bytes_free(&others);
    return status;
}

Status evaluate_model(const OpenModel *model, const char *pairs, bool group_source,
                      const TranslateOptions *options, Evaluation *evaluation, Error *error)
{
    TextCorpus corpus = {0};
    Sentences sentences = {0};
    evaluation->length_of = LENGTH_OF_SOURCE;
    Status status = text_corpus_read(&corpus, pairs, error);
    if (!status && corpus.count == 0)
        status = error_set(error, STATUS_FORMAT, "%s: every pair has an empty side", pairs);
    if (!status) status = group(&sentences, &corpus, group_source, error);
    if (!status) status = evaluate_corpus(model, &corpus, &sentences, options, evaluation, error);
    if (!status && corpus.counts.empty)
        report_warning("evaluate", "%s: %zu of %zu pairs have an empty side and are skipped", pairs,
                       corpus.counts.empty, corpus.counts.lines);
    memory_free(sentences.sources);
    memory_free(sentences.chains);
    text_corpus_free(&corpus);
    return status;
}
