#include "reading/repetition.h"

#include "base/array.h"
#include "reading/word.h"

enum { MIN_LETTERS = 5, MIN_HAN = 2, MAX_PIECES = 12 };

typedef struct Piece {
    Word word;
    bool apart; // something other than spaces is before it
} Piece;

// Whether two runs of `count` pieces stand one behind the other, and are the same; a clause, which is
// longer than a word, also behind a comma.
static bool are_repeated(const Piece *pieces, size_t count, TextView text)
{
    size_t letters = 0, han = 0;
    for (size_t i = 0; i < count; i++) {
        const Word one = pieces[i].word, other = pieces[i + count].word;
        if ((i > 0 && (pieces[i].apart || pieces[i + count].apart)) ||
            !text_view_equal(span_text(text, one.span), span_text(text, other.span)))
            return false;
        letters += one.letters;
        han += one.han;
    }
    size_t times = pieces[count].apart ? 2 : 1;
    return letters >= times * MIN_LETTERS || han >= times * MIN_HAN;
}

Status repetition_find(bool *repeats, const char *text, size_t length, Error *error)
{
    FREED Piece *pieces = NULL; // (count)
    size_t count = 0, capacity = 0;
    Word word;
    *repeats = false;
    for (size_t at = 0; word_next(text, length, at, &word); at = word.span.end) {
        size_t spaces = strspn(text + at, " ");
        TRY(array_add(&pieces, &count, &capacity, "words", error,
                      (Piece){word, at == 0 || at + spaces < word.span.begin}));
    }
    for (size_t i = 0; i < count && !*repeats; i++)
        for (size_t n = 1; n <= MAX_PIECES && i + 2 * n <= count && !*repeats; n++)
            *repeats = are_repeated(&pieces[i], n, (TextView){text, length});
    return STATUS_OK;
}

static Status repeats(bool *found, const Hypothesis *hypothesis, const Vocabulary *vocabulary,
                      Error *error)
{
    FREED_BY(bytes_free) Bytes text = {0};
    TRY(vocabulary_decode(vocabulary, hypothesis->tokens, hypothesis->length, &text, error));
    return repetition_find(found, bytes_text(&text), text.length, error);
}

Status repetition_leave_out(Hypotheses *hypotheses, TextView source, const Vocabulary *vocabulary,
                            Error *error)
{
    Hypothesis *items = hypotheses->items;
    size_t first = 0;
    bool found = true;
    for (; first < hypotheses->count && found; first += found)
        TRY(repeats(&found, &items[first], vocabulary, error));
    if (first == 0 || found) return STATUS_OK;
    TRY(repetition_find(&found, source.data, source.length, error));
    if (found) return STATUS_OK;
    for (size_t i = 0; i < first; i++) hypothesis_free(&items[i]);
    hypotheses->count -= first;
    memmove(items, items + first, hypotheses->count * sizeof *items);
    return STATUS_OK;
}
