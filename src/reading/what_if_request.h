/* What a translation would be if …: what people ask (regard translate --forbid-source 3, `what_if` of
 * a request to the server), and what it is for a sentence (corpus/what_if.h). */
#pragma once

#include "corpus/what_if.h"
#include "reading/reading.h"

/* Steps and source subwords are counted from 0, as `regard align --explain` does; </s> is the last.
 *
 *     forbid-source  "3", a subword, or "noire", each place of a word: it gets no attention
 *     attend         "2:5=0.8": at step 2, subword 5 gets 0.8 of it
 *     force          "2:noire": the word's first subword is that of step 2
 *     forbid         "2:noire": it is not, spelt in the same subwords */
enum { ASK_FORBID_SOURCE, ASK_ATTEND, ASK_FORCE, ASK_FORBID, ASK_KINDS };
extern const char *const what_if_names[]; // "forbid-source", …, NULL

// {0} asks for nothing. A view: the texts, in UTF-8, must outlive it.
typedef struct WhatIfRequest {
    const char *items[ASK_KINDS][MAX_WHAT_IFS];
    size_t counts[ASK_KINDS];
} WhatIfRequest;

bool what_if_is_asked(const WhatIfRequest *request);

/* Sets *what_if, but for its edges, for a source with these subwords. STATUS_ARGUMENT, with the name
 * and the text of what is wrong. */
Status what_if_read(WhatIf *what_if, const WhatIfRequest *request, TextView source,
                    const Subwords *subwords, const Vocabulary *target, Error *error);

/* Checks the steps of a request that has been read, once there is a translation, whose step `last` says
 * </s>. STATUS_ARGUMENT if attention is given at a later one, which there is not. */
Status what_if_check_steps(const WhatIfRequest *request, size_t last, Error *error);

/* Looks for a word, brought into normal form, from subword *end on: sets *first and *end to the
 * subwords of a text that have part of it. False if it is not there as a whole word. */
bool subwords_find(size_t *first, size_t *end, const Subwords *subwords, TextView text,
                   TextView word);
