// The keys that a request may have: lines of a file.
#pragma once

#include "base/status.h"

enum { MAX_API_KEY = 256 };

// Start from {0}, end with api_keys_free.
typedef struct ApiKeys {
    char (*items)[MAX_API_KEY]; // (count) padded with NULs
    size_t count, capacity;
} ApiKeys;

/* Reads a key from each line, without the white space around it; empty lines and those that begin
 * with # are passed over. STATUS_FORMAT if there is no key, or one does not have fewer than
 * MAX_API_KEY bytes. They must be freed even after a failure. */
Status api_keys_read(ApiKeys *keys, const char *path, Error *error);

// Whether it is one of them. How long that takes does not tell how much of a key is right.
bool api_keys_have(const ApiKeys *keys, const char *key);

void api_keys_free(ApiKeys *keys);
