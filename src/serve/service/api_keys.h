// The keys that a request may have: lines of a file.
#ifndef REGARD_SERVE_SERVICE_API_KEYS_H
#define REGARD_SERVE_SERVICE_API_KEYS_H

#include "base/status.h"

#include <stdbool.h>

typedef struct ApiKeys ApiKeys;

/* Reads a key from each line, without the white space around it; empty lines and those that begin
 * with # are passed over. STATUS_FORMAT if there is no key, or one is longer than MAX_API_KEY
 * bytes. Freed by api_keys_free. */
Status api_keys_read(ApiKeys **keys, const char *path, Error *error);

enum { MAX_API_KEY = 256 };

// Whether it is one of them. How long that takes does not tell how much of a key is right.
bool api_keys_have(const ApiKeys *keys, const char *key);

void api_keys_free(ApiKeys *keys); // NULL is allowed

#endif
