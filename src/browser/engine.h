/* The engine of a page that translates by itself: what src/browser/engine.js calls of the library in WebAssembly.
 *
 * An instance of the module is one engine. JavaScript gives it models, opens them, and asks; an answer stays until the
 * next call. Texts are UTF-8. */
#pragma once

#include <stddef.h>

// Memory for what is given; NULL if there is none.
void *engine_reserve(size_t bytes);
void engine_release(void *memory);

/* Takes over a model's bytes, and its name for messages, NUL-terminated; both are of engine_reserve. Like the rest an
 * HTTP status: 200, or another with {"error": "…"} as the answer. */
unsigned engine_give(char *name, char *bytes, size_t size);

// Opens all models that were given, and closes those from before.
unsigned engine_open(void);

/* Answers a path: what regard serve answers for translate, align, inspect, detect, languages and frontend/settings, with the
 * body that it takes; and, with the first model,
 *
 *     translate-line  {"text": "…", "alignment": true, "nBest": 3, "beam": 5}: what `regard translate --json` prints
 *
 * path (NUL-terminated) and body are the caller's. */
unsigned engine_ask(const char *path, const char *body, size_t length);

const char *engine_answer(void);
size_t engine_answer_length(void);
