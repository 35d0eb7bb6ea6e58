// French elision before what was put into a text.

#include "language/language.h"
#include "support/suite.h"
#include "text/elision.h"

#include <string.h>

// The text has a subword for each of its bytes, whose ends must go up to the end of the new one.
static void check_from(size_t from, const char *given, const char *expected)
{
    enum { MOST = 100 };
    uint32_t ends[MOST];
    Bytes text = {0};
    Subwords subwords = {.ends = ends, .count = strlen(given)};
    ck_assert_uint_le(subwords.count, MOST);
    for (size_t i = 0; i < subwords.count; i++) ends[i] = (uint32_t)i + 1;
    ck_assert_int_eq(bytes_append_string(&text, given, NULL), STATUS_OK);
    ck_assert_int_eq(elision_mend(&text, &subwords, from, language_of("fr")->elided, NULL),
                     STATUS_OK);
    ck_assert_str_eq(text.data, expected);
    for (size_t i = 1; i < subwords.count; i++) ck_assert_uint_le(ends[i - 1], ends[i]);
    if (subwords.count > 0) ck_assert_uint_eq(ends[subwords.count - 1], text.length);
    bytes_free(&text);
}

static void check(const char *given, const char *expected)
{
    check_from(0, given, expected);
}

TEST(with_a_space)
{
    check("L' eau d' Anna, jusqu' ici.", "L'eau d'Anna, jusqu'ici.");
    check("besoin d' 8 œufs, l’ lycée", "besoin de 8 œufs, le lycée");
    check("L' DUPONT, qu' Tom; d' hiver", "LE DUPONT, que Tom; d'hiver");
    check("l' œuf l' été", "l'œuf l'été");
}

TEST(without_a_space)
{
    check("qu'Tom d'8 l’SNCF", "que Tom de 8 le SNCF");
    check("D'Tom", "De Tom");
}

TEST(others)
{
    static const char *const texts[] = {
        "",    "l'eau",  "les boys' room", "aujourd' hui", "t'sais", "l'ONU",  "d'",
        "d' ", "d' (8)", "presqu' il",     "él' eau",      "l'我",   "\xff' a"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check(texts[i], texts[i]);
    check("c' est' 8", "c'est' 8");
    check_from(11, "d' 8 et d' 8 ou d' 9", "d' 8 et d' 8 ou de 9");
}
