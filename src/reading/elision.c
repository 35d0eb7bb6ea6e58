/* The step for French elision: before a vowel or h a word such as de or le has an apostrophe instead
 * of its own vowel and no space behind it, before anything else neither. Search, which writes subword
 * by subword, and puts a name, a number or a term in the place that a translation has for it, may
 * come to neither:
 *
 *     l' eau      → l'eau
 *     d' 8, d'8   → de 8
 *     qu'Tom      → que Tom
 *     l' lycée    → le lycée, whatever its gender
 *     la expression, que à   → l'expression, qu'à
 *
 * Without a space only a number or a capital is taken for such: t'sais is as one speaks. A vowel that
 * was written stays before h, and before y but in the word y: le héros, le yaourt. */
#include "base/ascii.h"
#include "reading/glossary.h"
#include "reading/reading.h"
#include "text/utf8.h"
#include "text/word_list.h"

// A place where a text is to be changed: its apostrophe, and the space behind it.
typedef struct ElidedWord {
    size_t apostrophe, end; // its bytes
    bool space;             // behind it
    bool joins;             // a vowel follows
    bool capitals;          // the word is in capitals, and so is what follows
} ElidedWord;

static bool begins_with_vowel(uint32_t c)
{
    return utf8_is_among(utf8_to_lower(c), "aàâäeéèêëiîïoôöuùûüyœæh");
}

// How many letters before `end` are a word that is elided; 0: none.
static size_t elided_word(const char *elided, const char *text, size_t end)
{
    size_t begin = end;
    while (begin > 0 && ascii_is_letter(text[begin - 1])) begin--;
    bool listed = !utf8_is_letter(utf8_before(text, begin)) &&
                  word_list_find(elided, text + begin, end - begin);
    return listed ? end - begin : 0;
}

// Reads what is around the apostrophe at `begin`, which ends at `end`; false if it stays.
static bool read_place(ElidedWord *place, const Bytes *text, size_t begin, size_t end,
                       const char *elided)
{
    *place = (ElidedWord){.apostrophe = begin, .end = end};
    if (elided_word(elided, text->data, begin) == 0) return false;
    place->capitals = ascii_is_capital(text->data[begin - 1]);
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

static Status mend(MappedText *said, const ElidedWord *place, Error *error)
{
    if (place->joins) return mapped_replace(said, place->end, place->end + 1, "", 0, error);
    // the space stays, or comes with the vowel
    return mapped_replace(said, place->apostrophe, place->end, place->capitals ? "E " : "e ",
                          2 - place->space, error);
}

// Whether a word keeps its vowel before the one at `at`: before a, b, c in a list, for example.
static bool keeps_vowel_before(const char *not_elided, const Bytes *text, size_t at)
{
    const char *word = text->data + at;
    size_t length = utf8_run_end(text->data, text->length, at, utf8_is_letter) - at;
    uint32_t c = utf8_to_lower(utf8_at(text->data, text->length, at));
    if (length == 1) return c != 'y';
    if (*word == 'I' && strchr("IVX", word[1])) return true; // le IIe siècle
    return !begins_with_vowel(c) || c == 'h' || c == 'y' ||
           word_list_find(not_elided, word, length);
}

// Whether the word before the space at `end` has a vowel that it loses before the next word.
static bool has_vowel_to_lose(const Language *language, const Bytes *text, size_t end)
{
    if (end < 2) return false;
    char stem = ascii_to_small(text->data[end - 2]), vowel = ascii_to_small(text->data[end - 1]);
    // ma amie would be mon amie, ce arbre cet arbre
    bool lost = vowel == 'a' ? stem == 'l' : vowel == 'e' && stem != 'c';
    size_t letters = lost ? elided_word(language->elided, text->data, end - 1) : 0;
    if (letters == 0 || keeps_vowel_before(language->not_elided, text, end + 1)) return false;
    const char first = text->data[end - 1 - letters];
    uint32_t before = utf8_before(text->data, end - 1 - letters);
    bool name = before == ' ' && ascii_is_capital(first) && ascii_is_small(text->data[end - 1]) &&
                utf8_is_upper(utf8_at(text->data, text->length, end + 1)); // Anna De Angelis
    return !name && before != '-' && !utf8_is_apostrophe(before);          // donne-le à ta mère
}

static bool applies(const Reading *reading)
{
    const Language *target = reading->context->languages[1];
    return target && target->elided;
}

// Whether a place is within what was given so: a span that was put back, all of which has come from
// one place, or a glossary's term.
static bool stays(const Reading *reading, const MappedText *said, size_t begin, size_t end)
{
    if (begin == 0 || end == said->text.length) return false;
    return said->origins[begin - 1] == said->origins[end] ||
           (reading->glossary && glossary_holds(reading->glossary, bytes_view(&said->text), begin));
}

// Behind what was given as the beginning.
static Status write(const Reading *reading, MappedText *said, Error *error)
{
    ElidedWord place;
    const Language *target = reading->context->languages[1];
    for (size_t at = reading->prefix.length, begin = at; at < said->text.length; begin = at) {
        uint32_t c = utf8_next(said->text.data, said->text.length, &at);
        bool mends =
            utf8_is_apostrophe(c) && read_place(&place, &said->text, begin, at, target->elided);
        bool loses = c == ' ' && has_vowel_to_lose(target, &said->text, begin);
        if (!(mends || loses) || stays(reading, said, begin, at)) continue;
        TRY(mends ? mend(said, &place, error) : mapped_replace(said, begin - 1, at, "'", 1, error));
    }
    return mapped_finish(said, error);
}

const ReadingStep elision_step = {"elision", applies, NULL, write};
