/* One search for sentences (reading/paragraph.h): they are read, what their translations must have is
 * demanded, and what is found is written.
 *
 * What a sentence takes from the memory, its translation must have. Where search finds none that has it,
 * the recall has `failed`, and the sentence has no rendering until it is searched `again` without. */
#pragma once

#include "reading/paragraph.h"
#include "search/batch_search.h"
#include "translate/recall.h"
#include "translate/session.h"

typedef struct SentenceSearch {
    const ReadingContext *reading;
    const BatchSearch *search;
    const Cancel *cancel;         // NULL: never
    const Paragraphs *paragraphs; // the sentences
    const TranslateOptions *options;
    Recall *recalls; // (sentences) NULL if there is no memory
    bool again;      // only those whose recall has failed, and nobody hears of it
} SentenceSearch;

/* Sets translations (sentences) of those that are searched; an exact match of the memory is not. They
 * are to be freed even after a failure. */
Status sentence_search_run(const SentenceSearch *call, Translation *translations, Error *error);
