// Numbers that the target writes otherwise: dates and times, and large numbers with a word.
#include "reading/lists.h"
#include "reading/magnitude.h"
#include "reading/numeral.h"
#include "reading/term.h"
#include "reading/untranslated_spans.h"
#include "support/failing_malloc.h"
#include "support/learned_vocabulary.h"
#include "support/reading_case.h"

// A text that the step has read. To be freed.
static Reading numbers_of(const ReadingContext *context, const char *text)
{
    Reading reading = reading_of(context, text);
    assert_ok(untranslated_spans_find(&reading.spans, text, strlen(text), NULL));
    assert_ok(numbers_step.read(&reading, NULL));
    return reading;
}

// The dates that the step finds in a text, in all the ways of the target.
static void dates(const char *from, const char *to, const char *text, const char *expected)
{
    const ReadingContext context = {.languages = {language_of(from), language_of(to)}};
    Reading reading = numbers_of(&context, text);
    const TextView view = reading.given.text;
    Bytes found = {0}, way = {0};
    for (size_t i = 0; i < reading.phrases.count; i++) {
        const Span span = reading.phrases.items[i];
        const Term date = term_at(view, span.begin, context.languages[0], WORDS_PATTERNS);
        ck_assert_uint_eq(date.text.length, span.end - span.begin);
        for (size_t place = 0; place == 0 || way.length > 0;) {
            assert_ok(term_translate(&way, &place, &date, context.languages, NULL));
            assert_ok(
                bytes_append_format(&found, NULL, "%s%s", bytes_text(&way), way.length ? "|" : ""));
        }
    }
    ck_assert_str_eq(bytes_text(&found), expected);
    bytes_free(&found);
    bytes_free(&way);
    reading_free(&reading);
}

TEST(dates)
{
    dates("en", "fr", "born on 12 May 1987, May 1", "12 mai 1987|1er mai|");
    dates("en", "zh", "the 4th of October or June 2018", "10月4日|10月4号|2018年6月|");
    dates("fr", "en", "le 1er août 2019", "August 1, 2019|1 August 2019|August 1 2019|");
    dates("fr", "en", "1 août", "August 1|1 August|");
    dates("zh", "fr", "于1987年5月12日", "12 mai 1987|");
    dates("zh", "en", "12月2018年", "");
    dates("en", "fr", "112 May, 12 Mayors, 40 May, May 123, 5 Maybe", "");
    dates("en", "fr", "May 3, 5 and 7", ""); // an item of a list
    dates("en", "fr", "May 3, 2007 and 7", "3 mai 2007|");
    dates("en", "fr", "May 4th 1987", "4 mai 1987|");
    dates("en", "de", "4 May", "");
}

TEST(times)
{
    dates("en", "fr", "3 pm, 7:45 a.m., 8.30AM", "15 h|15 heures|7 h 45|8 h 30|");
    dates("en", "fr", "at 12 am and 12pm", "0 h|0 heures|12 h|12 heures|");
    dates("en", "zh", "9 am to 5:30 pm, 11:05 pm",
          "上午9点|下午5点半|下午5:30|晚上11点05分|晚上11:05|");
    dates("fr", "en", "à 15 h, vers 8h05, jusqu'à 0 h 30", "3 p.m.|8:05 a.m.|12:30 a.m.|");
    dates("fr", "en", "à 9 heures du soir, entre 12 h et 14 h", "9 p.m.|12 p.m.|2 p.m.|");
    dates("zh", "en", "下午三点半到晚上十二点", "3:30 p.m.|12 a.m.|");
    dates("zh", "fr", "上午七点四十五分，下午十二点零五分", "7 h 45|12 h 05|");
    dates("zh", "en", "晚上十一点五十三分，上午十点十五分", "11:53 p.m.|10:15 a.m.|");
    dates("zh", "fr", "上午11:00，中午11点，晚上5点", "11 h 00|11 h|11 heures|17 h|17 heures|");
    dates("zh", "en", "5月3日下午2点", "May 3|3 May|2 p.m.|");
    // no times, or lengths of time
    dates("en", "fr", "3 pmx, 13 pm, 0 am, 8-10 am, 3:75 pm, 7:45", "");
    dates("zh", "en", "3点建议，下午好", "");
    dates("fr", "en", "20 h, à 3 hommes, qu'à 5 h", "8 p.m.|5 a.m.|");
    dates("fr", "en", "de 9 h à 17 h, 8h du matin", "9 a.m.|5 p.m.|8 a.m.|");
    dates("fr", "zh", "dormir 8 h, 14 h", "8小时|8个小时|14小时|14个小时|");
    dates("fr", "zh", "à 2 h de Paris, 3 h 30", "2小时|2个小时|3小时30分钟|3:30|");
}

TEST(ordinals)
{
    dates("en", "fr", "in 3rd, the 111th time, my 22nd", "3e|111e|22e|");
    dates("fr", "en", "3e, 11e, 12ème, 21e, 22e, 113e et 1er",
          "3rd|11th|12th|21st|22nd|113th|1st|first|");
    dates("en", "zh", "the 2nd day, on the 2nd floor", "第2|2楼|");
    dates("zh", "en", "第21个人，第1次，第5页，3楼，20世纪50年代", "21st|1st|3rd floor|");
    dates("en", "fr", "1st, 1st floor", "1er|1re|premier|première|1er étage|");
    dates("en", "fr", "the 1st century, the 14th century", "Ier siècle|XIVe siècle|");
    dates("fr", "zh", "au XXIe siècle, au 8e siècle", "21世纪|第21世纪|8世纪|第8世纪|");
    dates("zh", "fr", "零下5度", "moins 5 degrés|5 degrés au-dessous de zéro|");
    // days of a month; others
    dates("en", "fr", "by the 3rd, the 4th of every month, 5thly, 0th", "");
    dates("fr", "en", "Louis XIVe, 3en, le XLe siècle", "");
}

// The quantities that the step finds in a text, as the target writes them.
static void quantities(const char *from, const char *to, const char *text, const char *expected)
{
    const ReadingContext context = {.languages = {language_of(from), language_of(to)}};
    Reading reading = numbers_of(&context, text);
    const TextView view = reading.given.text;
    Bytes found = {0};
    for (size_t i = 0; i < reading.phrases.count; i++) {
        assert_ok(numeral_write(&found, view, reading.phrases.items[i], context.languages, NULL));
        assert_ok(bytes_append_string(&found, "|", NULL));
    }
    ck_assert_str_eq(bytes_text(&found), expected);
    bytes_free(&found);
    reading_free(&reading);
}

TEST(quantities)
{
    quantities("en", "fr", "1.80 m tall, 75 kg, 20 km/h", "1,80 m|75 kg|20 km/h|");
    quantities("en", "zh", "1.80 m tall, 65 m² for $5 with £1,250",
               "1.80米|65平方米|5美元|1,250英镑|");
    quantities("fr", "zh", "2,5 kg et 3 €", "2.5公斤|3欧元|");
    quantities("zh", "en", "重75 kg", "75 kg|");
    quantities("en", "fr", "50,000 people and 60,000 dogs", "50 000|"); // the first word
    // signs without a word, degrees, many digits, what is no quantity
    quantities("en", "fr", "$5, 30 °C, 5%, 123,456 km, version 3.5", "");
    quantities("en", "zh", "US$5 costs $10-15", "");
    quantities("en", "de", "75 kg", "");
}

static void magnitude(const char *from, const char *to, const char *text, const char *expected)
{
    const Language *const languages[2] = {language_of(from), language_of(to)};
    const TextView view = text_view_of(text);
    uint64_t value = 0;
    Bytes said = {0};
    size_t end = magnitude_end(view, 0, languages, &value);
    assert_ok(bytes_append_string(&said, "", NULL));
    if (end > 0) assert_ok(magnitude_write(&said, value, languages[1], NULL));
    assert_ok(bytes_append_string(&said, text + end, NULL));
    ck_assert_str_eq(said.data, expected);
    bytes_free(&said);
}

TEST(magnitudes)
{
    static const char *const cases[][2] = {
        {"四万美元", "40,000美元"},
        {"三亿五千万", "350 million"},
        {"十二亿", "1.2 billion"},
        {"3万亿", "3 trillion"},
        {"两万三千", "23,000"},
        {"四万零五十", "40,050"},
        {"三万五十五", "30,055"},
        {"4万5000元", "45,000元"},
        {"12.5亿", "1.25 billion"},
        {"一百二十三万四千五百六十七", "1,234,567"},
        {"十万", "100,000"},
        {"三百五十六个", "356个"},
        {"一千五百", "1,500"},
        {"一百零八", "108"},
        {"1,200万", "12 million"},
        // about so many, no number, or none that is certain
        {"三四万", "三四万"},
        {"十几万", "十几万"},
        {"三万五", "三万五"},
        {"1.23456万", "1.23456万"},
        {"千万别去", "千万别去"},
        {"二百五", "二百五"},
        {"五千", "五千"},
        {"百分之五", "百分之五"},
        {"五十", "五十"},
        {"500", "500"},
        {"999999999999万亿", "999999999999万亿"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        magnitude("zh", "en", cases[i][0], cases[i][1]);
    magnitude("zh", "fr", "150万", "1 500 000");
    magnitude("zh", "", "150万", "150万");
    magnitude("en", "zh", "2.5 million people", "250万 people");
    magnitude("en", "zh", "2.5 Million people", "250万 people");
    magnitude("en", "zh", "3 billion", "30亿");
    magnitude("en", "zh", "3 millionaires", "3 millionaires");
    magnitude("en", "fr", "3 million", "3 million"); // French has the word
}

TEST(uncertain_numbers)
{
    static const char text[] = "三四万人、几十万、第三万、1.5万";
    const Language *const languages[2] = {language_of("zh"), language_of("en")};
    const size_t last = strlen("三四万人、几十万、第三万、");
    uint64_t value;
    for (size_t at = 0; at < strlen(text); at++) {
        size_t end = magnitude_end(text_view_of(text), at, languages, &value);
        ck_assert(end == (at == last ? strlen(text) : at));
    }
}

// Read as a step: what is in a date is no span, and what was given stays.
TEST(step)
{
    const ReadingContext context = {.languages = {language_of("zh"), language_of("en")},
                                    .placeholders = 4};
    const char text[] = "12月5日四万，150万";
    Span given[] = {
        {0, 2}, {strlen("12月"), strlen("12月5")}, {strlen("12月5日四万，"), strlen(text)}};
    Reading reading = reading_of(&context, text);
    Bytes said = {0};
    reading.given.spans = given;
    reading.given.span_count = 3;
    reading.given.marked = true;
    for (size_t i = 0; i < 3; i++) assert_ok(spans_add(&reading.spans, given[i], NULL));
    assert_ok(numbers_step.read(&reading, NULL));
    ck_assert_uint_eq(reading.phrases.count, 1);
    ck_assert_uint_eq(reading.spans.count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_ok(lists_translate(&said, reading.spans.items[i], &reading, NULL));
    ck_assert_str_eq(said.data, "40,000150万");
    bytes_free(&said);
    reading_free(&reading);
}

// What a text that begins with a number is read as: it is a phrase, no placeholder.
static void first_number(const char *text, const char *expected)
{
    static const char *const known = "0123456789, 三百五十六人有四万只亿月日";
    Vocabulary *vocabulary = learned_vocabulary(&known, 1, 400);
    const ReadingContext context = {.source = vocabulary,
                                    .languages = {language_of("zh"), language_of("en")},
                                    .placeholders = 4};
    Reading reading = reading_of(&context, text);
    assert_ok(numbers_step.read(&reading, NULL));
    assert_ok(placeholders_step.read(&reading, NULL));
    ck_assert_uint_eq(reading.phrases.count, 1);
    ck_assert_str_eq(bytes_text(&reading.text.text), expected);
    reading_free(&reading);
    vocabulary_free(vocabulary);
}

TEST(first_numbers)
{
    first_number("五十万人", "500,000人");
    first_number("三百五十六人有四万只", "356人有\xee\x80\x80只");
    first_number("五亿人", "5亿人"); // 500 million
    first_number("3月5日", "3月5日");
}

TEST(allocation_fails)
{
    const ReadingContext context = {.languages = {language_of("zh"), language_of("en")},
                                    .placeholders = 4};
    for (size_t fails = 1; fails < 3; fails++) {
        Reading reading = reading_of(&context, "12月5日四万");
        failing_malloc_at(fails);
        ck_assert(failing_malloc_expect(numbers_step.read(&reading, NULL)));
        reading_free(&reading);
    }
}
