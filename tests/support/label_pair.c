#include "support/label_pair.h"

#include "support/suite.h"

#include <string.h>

void label_pair_set(LabelPair *pair, const char *source, const char *target)
{
    *pair = (LabelPair){0};
    const char *texts[] = {source, target};
    for (int i = 0; i < 2; i++) {
        size_t han = 0, letters = 0, length = strlen(texts[i]);
        units_count_han(texts[i], length, &han, &letters);
        assert_ok(
            units_split(&pair->units[i], units_default(han, letters), texts[i], length, NULL));
    }
    pair->source = (Labels){source, &pair->units[0]};
    pair->target = (Labels){target, &pair->units[1]};
}

void label_pair_free(LabelPair *pair)
{
    spans_free(&pair->units[0]);
    spans_free(&pair->units[1]);
}
