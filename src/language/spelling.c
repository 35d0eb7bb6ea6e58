#include "language/spelling.h"

#include "text/utf8.h"

#include <math.h>

enum { ORDER = 4, MAX_LETTERS = 64, LETTERS = 100 };
enum { EDGE = ' ' }; // before and behind a word
static const double LAMBDA = 2;

// A word as its letters between edges.
typedef struct Letters {
    uint32_t items[MAX_LETTERS + 2];
    size_t count;
} Letters;

static void read_letters(Letters *letters, const char *word, size_t length)
{
    letters->count = 0;
    letters->items[letters->count++] = EDGE;
    for (size_t at = 0; at < length && letters->count <= MAX_LETTERS;)
        letters->items[letters->count++] = utf8_next(word, length, &at);
    letters->items[letters->count++] = EDGE;
}

// Where a run of letters is counted; one that is a context is not one with a letter.
static size_t place_of(const uint32_t *letters, size_t count, bool context)
{
    uint64_t hash = 2 * count + context + 1;
    for (size_t i = 0; i < count; i++) hash = (hash ^ letters[i]) * 0x9E3779B97F4A7C15U;
    return (size_t)(hash >> 40) % (sizeof((Spelling *)NULL)->counts / sizeof(float));
}

void spelling_add(Spelling *spelling, TextView word, float weight)
{
    Letters letters;
    read_letters(&letters, word.data, word.length);
    spelling->words += weight;
    for (size_t i = 1; i < letters.count; i++)
        for (size_t before = 0; before <= ORDER && before <= i; before++) {
            const uint32_t *from = letters.items + i - before;
            spelling->counts[place_of(from, before, true)] += weight;
            spelling->counts[place_of(from, before + 1, false)] += weight;
        }
}

static double word_log_p(const Spelling *spelling, const char *word, size_t length)
{
    Letters letters;
    double log_p = 0;
    read_letters(&letters, word, length);
    for (size_t i = 1; i < letters.count; i++) {
        double p = 1.0 / LETTERS;
        for (size_t before = 0; before <= ORDER && before <= i; before++) {
            const uint32_t *from = letters.items + i - before;
            double context = (double)spelling->counts[place_of(from, before, true)];
            double with = (double)spelling->counts[place_of(from, before + 1, false)];
            p = (with + LAMBDA * p) / (context + LAMBDA);
        }
        log_p += log(p);
    }
    return log_p;
}

double spelling_log_p(const Spelling *spelling, TextView text)
{
    double log_p = 0;
    for (size_t at = 0, begin = 0; at < text.length; begin = at) {
        size_t end = utf8_run_end(text.data, text.length, begin, utf8_is_letter);
        if (end > begin) log_p += word_log_p(spelling, text.data + begin, end - begin);
        at = end;
        if (at < text.length) (void)utf8_next(text.data, text.length, &at);
    }
    return log_p;
}
