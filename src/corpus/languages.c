#include "corpus/languages.h"

#include "language/language_evidence.h"

#include <stdio.h>

enum { LOOKED_AT = 400 }; // pairs

const char *const language_source_names[] = {"given", "files", "text", NULL};

// Evidence of both sides, from pairs at even distances.
static Status gather(LanguageEvidence evidence[2], const TextCorpus *corpus, Error *error)
{
    size_t step = corpus->count / LOOKED_AT + 1;
    for (size_t i = 0; i < corpus->count; i += step) {
        TextPair pair = text_corpus_pair(corpus, i);
        TRY(language_evidence_add(&evidence[0], pair.source, pair.source_length, error));
        TRY(language_evidence_add(&evidence[1], pair.target, pair.target_length, error));
    }
    return STATUS_OK;
}

static void set_tag(char out[LANGUAGE_SIZE], const char *tag)
{
    const Language *known = language_of(tag);
    const char *taken = language_is_tag(tag) ? tag : known ? known->code : "";
    (void)snprintf(out, LANGUAGE_SIZE, "%s", taken);
}

static void set(CorpusLanguages *languages, LanguageSource source, const char *first,
                const char *second)
{
    languages->source = source;
    set_tag(languages->tags[0], first);
    set_tag(languages->tags[1], second);
}

// What the text of a side is, if it is sure.
static const char *told(const LanguageEvidence *evidence)
{
    const Language *language = language_surely(evidence, NULL);
    return language ? language->code : "";
}

static void judge(CorpusLanguages *languages, const LanguageEvidence evidence[2],
                  const TextCorpus *corpus, const PairOptions *options)
{
    if (options->languages[0])
        set(languages, LANGUAGES_GIVEN, options->languages[0], options->languages[1]);
    else if (*corpus->languages[0])
        set(languages, LANGUAGES_OF_FILES, corpus->languages[0], corpus->languages[1]);
    else
        set(languages, LANGUAGES_OF_TEXT, told(&evidence[0]), told(&evidence[1]));
    for (int side = 0; side < 2; side++) {
        const Language *expected = language_of(languages->tags[side]);
        languages->contrary[side] = expected ? language_surely(&evidence[side], expected) : NULL;
    }
}

Status corpus_languages(CorpusLanguages *languages, const TextCorpus *corpus,
                        const PairOptions *options, Error *error)
{
    LanguageEvidence evidence[2] = {{.words = 0}};
    *languages = (CorpusLanguages){.contrary = {NULL, NULL}};
    Status status = gather(evidence, corpus, error);
    if (!status) judge(languages, evidence, corpus, options);
    language_evidence_free(&evidence[0]);
    language_evidence_free(&evidence[1]);
    return status;
}
