/* What clients of a simulation ask, and what the answers are: those of the functions that a server
 * calls, called directly. */
#pragma once

#include "serve/service/service.h"

typedef enum BodyKind {
    BODY_SAME,    // of each answer by the same models
    BODY_VARIES,  // from one to the next
    BODY_REFUSED, // the request's, which is too long and never comes
} BodyKind;

typedef struct Query {
    const char *method, *target;
    const char *type; // of the body; NULL: a form
    const char *body;
    unsigned status; // of its answer
    BodyKind kind;
} Query;

enum { QUERIES = 26, VERSIONS = 3, MODELS = 2, MAX_ANSWER = 1 << 16 };

extern const Query queries[QUERIES];

// The places of some.
enum { QUERY_METRICS = 0, QUERY_SUGGEST = 1, QUERY_SUGGESTED = 2 };

// What the model says of the text of QUERY_SUGGESTED once that has been suggested.
#define SUGGESTED "\"translatedText\":\"a fine day\""

/* Makes the models: MODELS files, of the first one VERSIONS; and has the answers to all queries
 * computed. Called once, by the process whose children simulate. */
void queries_prepare(void);

// The file of a version of a model.
const char *queries_model(size_t model, size_t version);

// The body of the answer by a version of the first model.
const char *queries_answer(size_t query, size_t version);

// A service with these models, and a file of corrections.
Service *queries_service(size_t version, const char *corrections);

// The body of the answer to a query by a service, in this thread; that is as it must be.
void queries_ask(Service *service, const Query *query, char text[MAX_ANSWER]);

// The options that tests and the program have in common.
enum { MAX_CHARACTERS = 4000, BEAM = 3 };
