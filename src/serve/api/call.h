/* A request on its way through a route. It ends answered, or with a job for the queue.
 *
 * What a route asks for is checked here: a function that returns false or NULL has answered the
 * call with an error. */
#ifndef REGARD_SERVE_API_CALL_H
#define REGARD_SERVE_API_CALL_H

#include "serve/service/service.h"

typedef struct Call {
    Service *service;
    const Request *request;
    size_t route;                // its place in the table; ROUTES: none
    json_t *parameters;          // NULL until they are read
    json_t *texts;               // of `q`, a list; NULL: none. A reference
    bool listed;                 // `q` is an array
    bool html;                   // its texts are HTML
    size_t characters;           // of the texts
    LanguageCode source, target; // "" as long as they are not known
    ServedModels *models;        // a reference
    Response response;
    Job *job; // to be put into the queue, and then owned by the call still; NULL: it is answered
} Call;

void call_free(Call *call);

// The parameter as text; NULL where it is missing or no text.
const char *call_optional_text(const Call *call, const char *name);

// Sets call->texts, listed and characters from `q`.
bool call_read_texts(Call *call);

// Whether the texts are short enough for alignment (ALIGNED_PART).
bool call_check_aligned(Call *call);

// The same of one text, a string.
bool call_check_text_aligned(Call *call, const json_t *text);

/* Whether a parameter is an object of terms and their translations, texts, that is within the limit
 * together with call->texts; *bytes is how many they have. */
bool call_check_terms(Call *call, const char *name, size_t *bytes);

// A list of as many texts as call->texts from another parameter; a new reference, or NULL.
json_t *call_matching_texts(Call *call, const char *name);

// Whether an optional parameter is true, "true" or "1".
bool call_flag(const Call *call, const char *name);

// An optional number, or its text, ≥ 0.
bool call_size(Call *call, const char *name, size_t *value);

// The languages of call->texts, of HTML without its tags; valid until the next call's.
const Detection *call_detect(Call *call);

/* Sets call->source and call->target from parameters of these names. `auto` as the source is looked
 * for in the texts, and *detected is then set. */
bool call_read_languages(Call *call, bool *detected, DetectedLanguage *language);

// The model of the call's languages.
ServedModel *call_find_model(Call *call);

#endif
