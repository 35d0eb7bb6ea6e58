// What the engine answers of its own: what the server has no path for.
#pragma once

#include "serve/api/response.h"
#include "serve/service/service.h"

/* Replaces a response by the answer to these parameters (browser/engine.h). STATUS_ARGUMENT if one of them is missing
 * or out of range. */
typedef Status OwnAnswer(Response *response, const Service *service, const json_t *parameters,
                         Error *error);

// What the npm package asks: one text, the first model, and what the program prints of it as JSON.
OwnAnswer line_translate;

// A training, of which there is one at a time.
OwnAnswer learning_begin, learning_step, learning_watch;
