/* A request on its way through a route. It ends answered, or waits for a model.
 *
 * What a route asks for is checked here: a function that returns false or NULL has answered the
 * call with an error. */
#pragma once

#include "serve/api/request.h"
#include "serve/service/job.h"
#include "serve/service/language_code.h"
#include "serve/service/service.h"

typedef struct Call {
    Service *service;
    const Request *request;
    size_t route;                // its place in the table; ROUTES: none
    json_t *parameters;          // NULL until they are read
    size_t characters;           // of the texts
    LanguageCode source, target; // "" as long as they are not known
    Job job;                     // what is asked for; its response is the call's
    bool waits;                  // the job is to be put into the queue; else it is answered
} Call;

void call_free(Call *call);

// The parameter as text; NULL where it is missing or no text.
const char *call_text(const Call *call, const char *name);

// Sets the job's texts, and call->characters, from `q`.
bool call_read_texts(Call *call);

// Sets the job's translations, as many as its texts.
bool call_read_translations(Call *call);

// Whether texts of so many characters are short enough for alignment (ALIGNED_PART).
bool call_check_aligned(Call *call, size_t characters);

// Reads what a translation is to be like, and whether an alignment is wanted with it.
bool call_read_format(Call *call);

// Reads how many other translations are wanted.
bool call_read_alternatives(Call *call);

// Has the translation inspected, and reads of which step an explanation is wanted.
bool call_read_step(Call *call);

// The languages of the texts, of HTML without its tags; valid until the next call's.
const Detection *call_detect(Call *call);

/* Sets the languages of the call. `auto` as the source is looked for in the texts; that and how sure
 * it is are noted in the job. */
bool call_read_languages(Call *call);

/* Sets the model of the call's languages, the only text, and its translation as a user corrects it:
 * the parameters of a suggestion. */
bool call_read_suggestion(Call *call, TextView *text, TextView *translation);

/* Has the call wait for the model of its languages: completes the job, for a translation with prefix
 * and glossary. */
void call_wait(Call *call);

/* What the paths are answered with (serve/api/handlers.c) for which only models are needed, on a server and in a page that
 * translates by itself (browser/engine.c). A posted call has its parameters; then it is answered, or
 * waits. */
// posted
void handle_translate(Call *call);
void handle_align(Call *call);
void handle_inspect(Call *call);
void handle_detect(Call *call);

// gotten
void handle_languages(Call *call);
void handle_settings(Call *call);
