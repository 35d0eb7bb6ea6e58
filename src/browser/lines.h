// What the npm package asks: one text, one model, and what the program prints of it as JSON.
#pragma once

#include "serve/api/response.h"
#include "serve/service/served_models.h"

/* Replaces a response by the answer to these parameters (browser/engine.h), with the options given for what they do not
 * say. STATUS_ARGUMENT if one of them is missing or out of range. */
typedef Status LineAnswer(Response *response, ServedModel *model, const TranslateOptions *given,
                          const json_t *parameters, Error *error);

LineAnswer line_translate;
