// TMX: which units and which languages are read.

#include "corpus/tmx_cases.h"
#include "support/failing_malloc.h"

#include <stdio.h>

TEST(languages_match)
{
    static const struct {
        const char *wanted, *tag;
        LanguageMatch match;
    } CASES[] = {
        {"en", "en", LANGUAGE_SAME},
        {"en", "EN", LANGUAGE_SAME},
        {"en", "en-US", LANGUAGE_RELATED},
        {"EN", "en_gb", LANGUAGE_RELATED},
        {"en-us", "EN_US", LANGUAGE_SAME},
        {"en-US", "en-GB", LANGUAGE_OTHER},
        {"en-US", "en", LANGUAGE_OTHER},
        {"en", "eng", LANGUAGE_OTHER},
        {"eng", "en", LANGUAGE_OTHER},
        {"zh-Hant", "zh-Hant-TW", LANGUAGE_OTHER},
        {"zh", "zh-Hant-TW", LANGUAGE_RELATED},
        {"fr", "", LANGUAGE_OTHER},
        {"fr", "es", LANGUAGE_OTHER},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        ck_assert_int_eq(language_match(CASES[i].wanted, CASES[i].tag), CASES[i].match);
}

TEST(units)
{
    const char *path = file_of(
        UNIT("one", "un") "<tu\n tuid='2'>\n<note>a note</note><prop type='x'>p</prop>"
                          "<tuv lang='fr'><prop type='y'>q</prop><seg>deux</seg></tuv>\n"
                          "<tuv lang='en'><seg>two\nlines</seg></tuv></tu>"
                          "<tu>" SEGMENT(
                              "en", "alone") "</tu>\n"
                                             "<tu>" SEGMENT(
                                                 "fr", "seul") "</tu>\n"
                                                               "<tu>" SEGMENT(
                                                                   "de", "drei") "</tu><tu/>\n");
    Tmx *tmx = open_tmx(path, NULL, NULL);
    expect_unit(tmx, "one", "un", 3);
    expect_unit(tmx, "two\nlines", "deux", 4);
    expect_unit(tmx, "alone", "", 8);
    expect_unit(tmx, "", "seul", 9);
    expect_unit(tmx, "", "", 10);
    expect_unit(tmx, "", "", 10);
    expect_end(tmx);
}

TEST(inline_markup)
{
    const char *path =
        file_of(UNIT("Press <bpt i='1'>&lt;b&gt;</bpt>Start<ept i='1'>&lt;/b&gt;</ept>.",
                     "<hi>Appuyez <hi>ici</hi></hi><it pos='begin'>x</it><ut>y</ut>")
                    UNIT("a<ph>code<sub>inner text <ph>more</ph></sub>code</ph>b<ph/>c<sub>d</sub>",
                         "<new>e</new><!-- no --><?no text?>f")
                        UNIT("&lt;&amp;&gt;&quot;&apos;&#233;&#x4E2D;", "<![CDATA[<b>&amp;]]>g")
                            UNIT("a <seg>b</seg>", "<tu>c</tu>"));
    Tmx *tmx = open_tmx(path, NULL, NULL);
    expect_unit(tmx, "Press Start.", "Appuyez ici", 3);
    expect_unit(tmx, "abc", "ef", 4);
    expect_unit(tmx, "<&>\"'é中", "<b>&amp;g", 5);
    expect_unit(tmx, "a b", "c", 6);
    expect_end(tmx);
}

TEST(choice_of_languages)
{
    const char *path = file_of("<tu>" SEGMENT("de", "eins") SEGMENT("en-GB", "one, British")
                                   SEGMENT("EN-us", "one") SEGMENT("fr_FR", "un") "</tu>");
    static const struct {
        const char *source, *target, *source_text, *target_text;
    } CASES[] = {
        {NULL, NULL, "one, British", "eins"}, // srclang, and the first other
        {"fr", "de", "un", "eins"},           {"FR-fr", "en-US", "un", "one"},
        {"en", "fr", "one, British", "un"},   {"en-gb", "en-us", "one, British", "one"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Tmx *tmx = open_tmx(path, CASES[i].source, CASES[i].target);
        expect_unit(tmx, CASES[i].source_text, CASES[i].target_text, 3);
        expect_end(tmx);
    }
    // the tag in full is preferred, wherever it stands
    path = file_of("<tu>" SEGMENT("en-GB", "a") SEGMENT("en", "b") SEGMENT("en", "c")
                       SEGMENT("fr", "d") "</tu>");
    Tmx *tmx = open_tmx(path, "en", "fr");
    expect_unit(tmx, "b", "d", 3);
    expect_end(tmx);
    // one tag for each side, though the source's answers to both
    tmx = open_tmx(path, "en", "en-GB");
    expect_unit(tmx, "b", "a", 3);
    expect_end(tmx);
}

TEST(header_without_language)
{
    static const char *const HEADERS[] = {"<header srclang='*all*'/>", "<header/>", ""};
    for (int i = 0; i < 3; i++) {
        Bytes text = {0};
        assert_ok(bytes_append_format(&text, NULL, "<tmx>%s<body>%s%s</body></tmx>", HEADERS[i],
                                      UNIT("one", "un"), "<tu>" SEGMENT("fr", "deux") "</tu>"));
        Tmx *tmx = open_tmx(file_with(text.data), NULL, NULL);
        expect_unit(tmx, "one", "un", 1);
        expect_unit(tmx, "", "deux", 2);
        expect_end(tmx);
        bytes_free(&text);
    }
}

TEST(missing_languages)
{
    const char *path = file_of(UNIT("one", "un") UNIT("two", "deux"));
    ck_assert_uint_eq(expect_error(open_tmx(path, "en", "de"), "the language de"), 2);
    (void)expect_error(open_tmx(path, "zh", "de"), "the language zh; its languages: en, fr");
    (void)expect_error(open_tmx(path, "en-US", "fr"), "the language en-US");
    path = file_of("<tu>" SEGMENT("en", "one") "</tu>");
    (void)expect_error(open_tmx(path, NULL, NULL), "a second language; its languages: en;");
    path = file_of("<tu><tuv><seg>one</seg></tuv></tu>");
    (void)expect_error(open_tmx(path, NULL, NULL), "its languages: none");
    Bytes many = {0};
    for (int i = 0; i < 1000; i++)
        assert_ok(bytes_append_format(&many, NULL,
                                      "<tu><tuv xml:lang='x%d-%0100d'><seg>a</seg></tuv>"
                                      "</tu>",
                                      i, i));
    (void)expect_error(open_tmx(file_of(many.data), NULL, NULL), "its languages");
    bytes_free(&many);
}

// Whichever allocation fails, expat's too: no unit loses a side.
TEST(out_of_memory)
{
    const char *path =
        file_with(HEAD UNIT("one", "un") UNIT("two", "deux") UNIT("three", "trois") FOOT);
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        Tmx *tmx = NULL;
        size_t units = 0, lengths = 0;
        bool more = true;
        failing_malloc_at(n);
        Status status = tmx_open(&tmx, path, NULL, NULL, NULL);
        while (!status && more) {
            TmxUnit unit;
            status = tmx_next(tmx, &unit, &more, NULL);
            units += !status && more;
            if (!status && more) lengths += unit.source.length + unit.target.length;
        }
        failed = failing_malloc_stop();
        ck_assert_msg(failed || !status, "status %d", status);
        ck_assert_msg(status || (units == 3 && lengths == 11 + 11),
                      "allocation %zu: %zu units, %zu bytes", n, units, lengths);
        tmx_close(tmx);
    }
}

// Elements may have a prefix, as in a namespace.
TEST(prefixes)
{
    Tmx *tmx = open_tmx(file_with("<t:tmx xmlns:t='x'><t:tu><t:tuv xml:lang='en'><t:seg>one</t:seg>"
                                  "</t:tuv><t:tuv xml:lang='fr'><t:seg>un</t:seg></t:tuv></t:tu>"
                                  "</t:tmx>"),
                        NULL, NULL);
    expect_unit(tmx, "one", "un", 1);
    expect_end(tmx);
}

// What is wrong is not said where there is no memory to say it.
TEST(out_of_memory_for_a_message)
{
    const char *path = file_of(UNIT("one", "un"));
    while (failing_malloc_next()) {
        Tmx *tmx = NULL;
        TmxUnit unit;
        bool more = true;
        Status status = tmx_open(&tmx, path, "en", "de", NULL);
        while (!status && more) status = tmx_next(tmx, &unit, &more, NULL);
        ck_assert_int_eq(status, failing_malloc_stop() ? STATUS_MEMORY : STATUS_FORMAT);
        tmx_close(tmx);
    }
}
