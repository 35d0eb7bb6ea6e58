#include "text/elision.h"

#include "text/utf8.h"
#include "text/word_list.h"

#include <string.h>

enum { MAX_WORD = 6 };

// A place where a text is to be changed: its apostrophe, and the space behind it.
typedef struct Place {
    size_t apostrophe, end; // its bytes
    bool space;             // behind it
    bool joins;             // a vowel follows
    bool capitals;          // the word is in capitals, and so is what follows
} Place;

static bool begins_with_vowel(uint32_t c)
{
    return utf8_is_among(utf8_to_lower(c), "aàâäeéèêëiîïoôöuùûüyœæh");
}

// Whether the letters before the apostrophe at `end` are a word that is elided.
static bool is_elided_word(const char *elided, const char *text, size_t end, bool *capitals)
{
    char word[MAX_WORD + 1] = "";
    size_t length = 0;
    while (length < end && length <= MAX_WORD) {
        uint32_t c = utf8_before(text, end - length);
        if (!utf8_is_letter(c)) break;
        if (length == MAX_WORD || c >= 0x80) return false;
        length++;
    }
    for (size_t i = 0; i < length; i++)
        word[i] = (char)utf8_to_lower((unsigned char)text[end - length + i]);
    *capitals = length > 0 && utf8_is_upper((unsigned char)text[end - 1]);
    return word_list_has(elided, word, length);
}

// Reads what is around the apostrophe at `begin`, which ends at `end`; false if it stays.
static bool read_place(Place *place, const Bytes *text, size_t begin, size_t end,
                       const char *elided)
{
    *place = (Place){.apostrophe = begin, .end = end};
    if (!is_elided_word(elided, text->data, begin, &place->capitals)) return false;
    place->space = end < text->length && text->data[end] == ' ';
    size_t at = end + place->space, next = at;
    if (at == text->length) return false;
    uint32_t c = utf8_next(text->data, text->length, &next);
    bool letter = utf8_is_letter(c), number = utf8_is_number(c), capital = utf8_is_upper(c);
    place->joins = letter && begins_with_vowel(c);
    uint32_t second = next < text->length ? utf8_next(text->data, text->length, &next) : 0;
    place->capitals &= capital && utf8_is_upper(second);
    if (place->space) return letter || number;
    return !place->joins && (number || capital) && !utf8_is_han(c);
}

// Moves the ends behind `place` by what is written there instead of `length` bytes.
static void move_ends(Subwords *subwords, size_t place, size_t length, size_t written)
{
    for (size_t i = 0; i < subwords->count; i++) {
        size_t end = subwords->ends[i];
        if (end >= place + length)
            end = end - length + written;
        else if (end > place + written)
            end = place + written;
        subwords->ends[i] = (uint32_t)end;
    }
}

static Status mend(Bytes *text, Subwords *subwords, const Place *place, Error *error)
{
    Bytes mended = {0};
    size_t rest = place->end + place->space;
    const char *vowel = place->capitals ? "E " : "e ";
    Status status = bytes_append(&mended, text->data, place->apostrophe, error);
    if (!status && place->joins)
        status = bytes_append(&mended, text->data + place->apostrophe,
                              place->end - place->apostrophe, error);
    if (!status && !place->joins) status = bytes_append_string(&mended, vowel, error);
    size_t written = mended.length - place->apostrophe;
    if (!status) status = bytes_append(&mended, text->data + rest, text->length - rest, error);
    if (status) {
        bytes_free(&mended);
        return status;
    }
    move_ends(subwords, place->apostrophe, rest - place->apostrophe, written);
    bytes_free(text);
    *text = mended;
    return STATUS_OK;
}

Status elision_mend(Bytes *text, Subwords *subwords, size_t from, const char *elided, Error *error)
{
    Place place;
    for (size_t at = from, begin = from; at < text->length; begin = at) {
        uint32_t c = utf8_next(text->data, text->length, &at);
        if (utf8_is_apostrophe(c) && read_place(&place, text, begin, at, elided))
            TRY(mend(text, subwords, &place, error));
    }
    return STATUS_OK;
}
