// Numerals as languages write them, and what is none.

#include "reading/numeral.h"

#include "reading/untranslated_spans.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

typedef struct NumeralCase {
    const char *from, *to, *text;
    const char *said; // spans found, one after another, each with | behind it
} NumeralCase;

static void check(const NumeralCase *expected)
{
    const Language *const languages[] = {language_of(expected->from), language_of(expected->to)};
    const TextView text = text_view_of(expected->text);
    Spans spans = {0};
    Bytes said = {0};
    assert_ok(untranslated_spans_find(&spans, text.data, text.length, NULL));
    for (size_t i = 0; i < spans.count; i++) {
        assert_ok(numeral_write(&said, text, spans.items[i], languages, NULL));
        assert_ok(bytes_append_string(&said, "|", NULL));
    }
    ck_assert_str_eq(bytes_text(&said), expected->said);
    bytes_free(&said);
    spans_free(&spans);
}

TEST(marks)
{
    static const NumeralCase cases[] = {
        {"en", "fr", "1,250,000 people, 2,500 and 12500", "1 250 000|2 500|12500|"},
        {"fr", "en", "1 250 000 personnes et 2 500", "1,250,000|2,500|"},
        {"en", "fr", "1.80 m, -4.5 °C and 1,234.56 kg", "1,80 m|-4,5 °C|1 234,56 kg|"},
        {"fr", "en", "1,80 m, -4,5 °C, 1 234,56", "1.80 m|-4.5 °C|1,234.56|"},
        {"zh", "fr", "3.5%、1,000", "3,5 %|1 000|"},
        {"fr", "zh", "3,5 % et 1 000", "3.5%|1,000|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

TEST(signs)
{
    static const NumeralCase cases[] = {
        {"en", "fr", "3.5%, 50 %, $12.50, €8 and £1,000", "3,5 %|50 %|12,50 $|8 €|1 000 £|"},
        {"fr", "en", "3,5 %, 12,50 $, 8 €, 5€ et 50%", "3.5%|$12.50|€8|€5|50%|"},
        {"en", "fr", "12 € and +5%", "12 €|+5 %|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

// A point is that of a quantity where something is counted or measured.
TEST(quantities)
{
    static const NumeralCase cases[] = {
        {"en", "fr", "2.5 hours, 3.5 million, 1.5 thing", "2,5|3,5|1.5|"},
        {"en", "fr", "Python 3.8, chapter 4.2", "3.8|4.2|"},
        {"en", "fr", "It is 3.5", "3.5|"},
        {"en", "fr", "had 3.5 children, is 2.5 times longer", "3,5|2,5|"},
        {"en", "fr", "had 3.5 Children, the 2.1 release", "3.5|2.1|"},
        {"en", "fr", "3.5 ", "3.5|"},
        {"fr", "en", "une moyenne de 3,5", "3.5|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

// A sign stays where it may be that of more than the numeral.
TEST(signs_of_more)
{
    static const NumeralCase cases[] = {
        {"en", "fr", "$5 million, €2.5 Billion", "$5|€2.5|"},
        {"en", "fr", "£1.2m, US$12.50, HK$5", "£1.2m|$12.50|$5|"},
        {"en", "fr", "$10–15 and $1'250.50, 5'$6", "$10|15|$1|250.50|5|$6|"},
        {"en", "fr", "-$5.50, '$5' and $5-off", "5,50 $|5 $|5 $|"},
        {"en", "fr", "$5$, $x: 3.5$", "$5$|3.5$|"},
        {"fr", "en", "$x : 3,5$ et $x : $", "3,5$|"},
        {"fr", "en", "12,50 $US, 5 $HOME, 5%d", "12.50|5|5|"},
        {"fr", "en", "5 à 10 €, 5–10 €, 5 € 50", "5|10 €|5|10 €|5 €|50|"},
        {"fr", "en", "5 €, à 10 € et 3 €", "€5|€10|€3|"},
        {"fr", "en", "à 10 €", "€10|"},
        {"zh", "fr", "价格$5", "5 $|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

// A word for a power of ten is not between a number and its sign.
TEST(prices)
{
    static const char *const said[][2] = {{"fr", "1 500 000 $"}, {"zh", "150万美元"}};
    const TextView text = text_view_of("$1.5 million");
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const Language *const languages[] = {language_of("en"), language_of(said[i][0])};
        Bytes out = {0};
        assert_ok(numeral_write(&out, text, (Span){0, text.length}, languages, NULL));
        ck_assert_str_eq(bytes_text(&out), said[i][1]);
        bytes_free(&out);
    }
}

// What is a time, or not sure to be a quantity as another numeral beside it.
TEST(neighbours)
{
    static const NumeralCase cases[] = {
        {"en", "fr", "9.30 am, 3.30 p.m., 1.5 Million", "9.30|3.30|1,5|"},
        {"en", "fr", "2.5 to 3.5 hours, 1.5–2.5 km", "2.5|3.5|1.5|2.5 km|"},
        {"en", "fr", "in 2020, 3.5 million", "2020|3,5|"},
        {"en", "fr", "$12.50 or 1,250.50 kg", "12,50 $|1 250,50 kg|"},
        {"en", "fr", "In 2020 about 3.5 million", "2020|3,5|"},
        {"fr", "en", "code 123 456, +33 800 123 456 ou", "123 456|+33 800 123 456|"},
        {"fr", "en", "123 456 habitants, 350 000, +1 250 €", "123,456|350,000|+€1,250|"},
        {"fr", "en", "12 345 6789, 2 500 2 600", "12 345|6789|2 500|2 600|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

TEST(others)
{
    static const NumeralCase cases[] = {
        {"en", "fr", "12.05.2024, 8:30, 2019-2020, #42", "12.05.2024|8:30|2019-2020|#42|"},
        {"en", "fr", "12,50 and 1,2,3 and 0,125 and 1234,567", "12,50|1,2,3|0,125|1234,567|"},
        {"en", "fr", "3e10 and v1.2 and a_b 5.5.5 %", "3e10|v1.2|a_b|5.5.5 %|"},
        {"fr", "en", "9h30, 8 h 05, 01 42 68 53 00", "9h30|8 h 05|01 42 68 53 00|"},
        {"fr", "en", "1.250,00 € et 12.50 %", "1.250,00 €|12.50 %|"},
        {"en", "zh", "3.5 %, 12 € and 1,000", "3.5 %|12欧元|1,000|"},
        {"en", "de", "3.5 % and 1,000", "3.5 %|1,000|"},
        {"", "fr", "3.5 %", "3.5 %|"},
        {"en", "", "3.5 %", "3.5 %|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

TEST(allocation_fails)
{
    const Language *const languages[] = {language_of("en"), language_of("fr")};
    const TextView text = {"$1,250.50", 9};
    while (failing_malloc_next()) {
        Bytes out = {0};
        bool failed =
            failing_malloc_expect(numeral_write(&out, text, (Span){0, 9}, languages, NULL));
        if (!failed) ck_assert_str_eq(bytes_text(&out), "1 250,50 $");
        bytes_free(&out);
    }
}
