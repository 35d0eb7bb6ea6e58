#include "bench/speed/spread.h"

#include "io/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

Spread spread_of(const double *values, size_t count)
{
    double sorted[MAX_ROUNDS];
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    return (Spread){.median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2,
                    .least = sorted[0],
                    .most = sorted[count - 1]};
}

Spread spread_of_ratios(const double *a, const double *b, size_t count)
{
    double ratios[MAX_ROUNDS];
    for (size_t i = 0; i < count; i++) ratios[i] = a[i] / b[i];
    return spread_of(ratios, count);
}

json_t *spread_json(Spread spread)
{
    return json_pack("{s:o, s:o, s:o}", "median", json_number(spread.median), "least",
                     json_number(spread.least), "most", json_number(spread.most));
}

const char *spread_text(char text[SPREAD_TEXT_SIZE], Spread spread, int decimals)
{
    snprintf(text, SPREAD_TEXT_SIZE, "%.*f (%.*f–%.*f)", decimals, spread.median, decimals,
             spread.least, decimals, spread.most);
    return text;
}
