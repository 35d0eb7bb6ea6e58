// What several rounds measured: machines are noisy, so the median with its least and most.
#pragma once

#include <jansson.h>
#include <stddef.h>

enum { MAX_ROUNDS = 100 };

typedef struct Spread {
    double median, least, most;
} Spread;

// Of 1 … MAX_ROUNDS values.
Spread spread_of(const double *values, size_t count);

// The same of a[i] / b[i]: what was measured in the same round is compared.
Spread spread_of_ratios(const double *a, const double *b, size_t count);

// {"median": …, "least": …, "most": …}; NULL if out of memory.
json_t *spread_json(Spread spread);

// "4512 (4401–4630)", with so many decimals.
enum { SPREAD_TEXT_SIZE = 96 };
const char *spread_text(char text[SPREAD_TEXT_SIZE], Spread spread, int decimals);
