/* The engine of a page that translates by itself: what src/browser/engine.js calls of the library in WebAssembly.
 *
 * An instance of the module is one engine. JavaScript gives it models, opens them, and asks; an answer stays until the
 * next call. Texts are UTF-8. */
#pragma once

#include "serve/api/response.h"
#include "serve/service/service.h"

// Memory for what is given; NULL if there is none.
void *engine_reserve(size_t bytes);
void engine_release(void *memory);

/* Takes over a model's bytes, and its name for messages, NUL-terminated; both are of engine_reserve. Like the rest an
 * HTTP status: 200, or another with {"error": "…"} as the answer. */
unsigned engine_give(char *name, char *bytes, size_t size);

// Opens all models that were given, and closes those from before.
unsigned engine_open(void);

/* Answers a path: what regard serve answers for translate, align, inspect, detect, languages and frontend/settings, with the
 * body that it takes; with the first model,
 *
 *     translate-line  {"text": "…", "alignment": true, "nBest": 3, "beam": 5}: what `regard translate --json` prints
 *
 * and, without any, a training like that of regard_train (regard.h), in place of one before:
 *
 *     learn        {"pairs": "source<TAB>target\n…", "options": {…}, "watch": "…", "languages": ["en", "fr"]}: reads the pairs
 *     learn/step   {"more": true, "step": 7, "epoch": 1, "loss": 3.2, "bleu": 0.4}: a step; asked with {"stop": true}, the next
 *                  is the last. Without more the model is the file "learned"
 *     learn/watch  {"source": […], "target": […], "weights": [[…], …], "text": "…"}: of the sentence that is watched, as it is now
 *
 * path (NUL-terminated) and body are the caller's. */
unsigned engine_ask(const char *path, const char *body, size_t length);

// A file that the engine has written, by its name, until the next call; its length is 0 if there is none.
const char *engine_file(const char *name);
size_t engine_file_length(const char *name);

const char *engine_answer(void);
size_t engine_answer_length(void);

// What the engine answers of its own: what the server has no path for.

/* Replaces a response by the answer to these parameters (engine_ask). STATUS_ARGUMENT if one of them is missing
 * or out of range. */
typedef Status OwnAnswer(Response *response, const Service *service, const json_t *parameters,
                         Error *error);

// What the npm package asks: one text, the first model, and what the program prints of it as JSON.
OwnAnswer line_translate;

// A training, of which there is one at a time.
OwnAnswer learning_begin, learning_step, learning_watch;
