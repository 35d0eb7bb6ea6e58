#include "reading/repetition.h"

#include "base/array.h"
#include "reading/word.h"

enum { MIN_LETTERS = 5, MIN_HAN = 2, MAX_PIECES = 12 };

typedef struct Piece {
    Word word;
    bool apart; // something other than spaces is before it
} Piece;

typedef struct Pieces {
    Piece *items; // (count)
    size_t count, capacity;
} Pieces;

static Status read_pieces(Pieces *pieces, const char *text, size_t length, Error *error)
{
    Word word;
    for (size_t at = 0; word_next(text, length, at, &word); at = word.end) {
        size_t spaces = strspn(text + at, " ");
        TRY(array_add(&pieces->items, &pieces->count, &pieces->capacity, "words", error,
                      (Piece){word, at == 0 || at + spaces < word.begin}));
    }
    return STATUS_OK;
}

// Whether two runs of `count` pieces stand one behind the other, and are the same; a clause, which is
// longer than a word, also behind a comma.
static bool are_repeated(const Piece *pieces, size_t count, const char *text)
{
    size_t letters = 0, han = 0;
    for (size_t i = 0; i < count; i++) {
        const Word one = pieces[i].word, other = pieces[i + count].word;
        size_t size = one.end - one.begin;
        if ((i > 0 && (pieces[i].apart || pieces[i + count].apart)) ||
            other.end - other.begin != size ||
            memcmp(text + one.begin, text + other.begin, size) != 0)
            return false;
        letters += one.letters;
        han += one.han;
    }
    size_t times = pieces[count].apart ? 2 : 1;
    return letters >= times * MIN_LETTERS || han >= times * MIN_HAN;
}

Status repetition_find(bool *repeats, const char *text, size_t length, Error *error)
{
    Pieces pieces = {0};
    Status status = read_pieces(&pieces, text, length, error);
    *repeats = false;
    for (size_t i = 0; i < pieces.count && !status && !*repeats; i++)
        for (size_t n = 1; n <= MAX_PIECES && i + 2 * n <= pieces.count && !*repeats; n++)
            *repeats = are_repeated(&pieces.items[i], n, text);
    memory_free(pieces.items);
    return status;
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
