// Words with few translations where they stand.
#include "reading/term.h"

#include "support/suite.h"

#include <string.h>

// The terms of a text with their translations.
static void check(const char *from, const char *to, LanguageWords list, const char *text,
                  const char *expected)
{
    const Language *const languages[2] = {language_of(from), language_of(to)};
    const TextView view = text_view_of(text);
    Bytes found = {0}, said = {0};
    for (size_t at = 0; at < view.length; at++) {
        const Term term = term_at(view, at, languages[0], list);
        if (term.text.length == 0) continue;
        assert_ok(
            bytes_append_format(&found, NULL, "[%.*s:", (int)term.text.length, term.text.data));
        for (size_t place = 0; place == 0 || said.length > 0;) {
            assert_ok(term_translate(&said, &place, &term, languages, NULL));
            assert_ok(bytes_append_format(&found, NULL, " %s", bytes_text(&said)));
        }
        bytes_cut(&found, found.length - 1);
        assert_ok(bytes_append_string(&found, "]", NULL));
        at += term.text.length - 1;
    }
    ck_assert_str_eq(bytes_text(&found), expected);
    bytes_free(&found);
    bytes_free(&said);
}

TEST(months)
{
    check("en", "fr", WORDS_MONTHS, "on 7 May I may come, June 1st, 7 Mayors",
          "[May: mai][June: juin]");
    check("en", "fr", WORDS_MONTHS, "May I come at 7?", "");
    check("zh", "en", WORDS_MONTHS, "3月7日, 13月", "[3月: March]");
    check("en", "de", WORDS_MONTHS, "7 May", "[May:]");
}

TEST(counted)
{
    check("en", "fr", WORDS_COUNTED, "20 euros, a year, 5 hours",
          "[euros: euro euros €][hours: heure heures]");
    check("en", "zh", WORDS_COUNTED, "5pm or 8 o'clock", "[o'clock: 点 点钟 时]");
    // what may be either has the translations of both
    check("fr", "zh", WORDS_COUNTED, "à 2 heures", "[heures: 小时 钟头 点 点钟 时]");
    check("fr", "en", WORDS_COUNTED, "8 heures et demie, 8 heures 30",
          "[heures et demie: half thirty]");
    check("zh", "fr", WORDS_COUNTED, "3个小时，40岁，1998年，2点30",
          "[小时: heure heures][岁: an ans année années]");
}

TEST(titles)
{
    check("en", "zh", WORDS_TITLES, "Miss Lee, I miss Lee. Miss them, Dr. who",
          "[Miss:][Dr.:]"); // it would be said before the name, which it follows
    check("fr", "zh", WORDS_TITLES, "un monsieur, monsieur Martin", "[monsieur:]");
    check("zh", "fr", WORDS_TITLES, "李教授",
          "[教授: Professeur professeur professeure professeurs]");
    check("en", "de", WORDS_TITLES, "Mr. Brown", "[Mr.:]");
    check(NULL, "fr", WORDS_TITLES, "Mr. Brown", "");
}
