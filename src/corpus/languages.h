// The languages of the two sides of a corpus: given, said by its files, or told from its text.
#ifndef REGARD_CORPUS_LANGUAGES_H
#define REGARD_CORPUS_LANGUAGES_H

#include "corpus/text_corpus.h"
#include "language/language.h"

// From where they are known, the most certain first.
typedef enum LanguageSource {
    LANGUAGES_GIVEN,    // PairOptions.languages
    LANGUAGES_OF_FILES, // of a TMX, or the names of columns
    LANGUAGES_OF_TEXT,  // language/language_evidence.h
} LanguageSource;
extern const char *const language_source_names[]; // "given", "files", "text", NULL

typedef struct CorpusLanguages {
    char tags[2][LANGUAGE_SIZE]; // of source and target; empty where it is not known
    LanguageSource source;
    const Language *contrary[2]; // what the text surely is although the tag says otherwise, or NULL
} CorpusLanguages;

// Looks at a few hundred pairs from all of the corpus.
Status corpus_languages(CorpusLanguages *languages, const TextCorpus *corpus,
                        const PairOptions *options, Error *error);

#endif
