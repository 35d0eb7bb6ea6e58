// TMX as bytes: encodings, gzip, what is cut off, what is no TMX, and the limits.

#define _GNU_SOURCE
#include "corpus/tmx_cases.h"

#include <iconv.h>
#include <stdio.h>
#include <zlib.h>

/* The text in another encoding, through iconv. */
static Bytes encoded(const char *text, const char *encoding)
{
    Bytes out = {0};
    assert_ok(bytes_reserve(&out, 4 * strlen(text) + 8, NULL));
    iconv_t converter = iconv_open(encoding, "UTF-8");
    ck_assert_ptr_ne(converter, (iconv_t)-1);
    char *in = (char *)(size_t)text, *to = out.data;
    size_t in_left = strlen(text), out_left = out.capacity;
    ck_assert_uint_eq(iconv(converter, &in, &in_left, &to, &out_left), 0);
    iconv_close(converter);
    out.length = (size_t)(to - out.data);
    return out;
}

TEST(encodings)
{
    static const char *const ENCODINGS[] = {"UTF-8",    "UTF-16",     "UTF-16LE",
                                            "UTF-16BE", "ISO-8859-1", "WINDOWS-1252"};
    const char *path = scratch_path("a.tmx");
    for (size_t i = 0; i < sizeof ENCODINGS / sizeof *ENCODINGS; i++)
        for (int mark = 0; mark < 2; mark++) {
            if (mark && i >= 4) continue; // no byte-order mark where a character is a byte
            Bytes text = {0};
            assert_ok(bytes_append_format(
                &text, NULL, "%s<?xml version=\"1.0\" encoding=\"%s\"?>\n<tmx>%s</tmx>\n",
                mark && i != 1 ? "\xef\xbb\xbf" : "", i >= 2 && i < 4 ? "UTF-16" : ENCODINGS[i],
                UNIT("café", "été")));
            Bytes bytes = encoded(text.data, ENCODINGS[i]);
            scratch_write(path, bytes.data, bytes.length);
            Tmx *tmx = open_tmx(path, "en", "fr");
            expect_unit(tmx, "café", "été", 2);
            expect_end(tmx);
            bytes_free(&text);
            bytes_free(&bytes);
        }
}

// A byte is a letter, though some letters wait for an accent behind them.
TEST(encodings_of_single_bytes)
{
    static const char *const CASES[][2] = {
        {"KOI8-R", "дом"}, {"WINDOWS-1253", "σπίτι"}, {"WINDOWS-1255", "שלום"}};
    const char *path = scratch_path("a.tmx");
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Bytes text = {0};
        assert_ok(bytes_append_format(&text, NULL,
                                      "<?xml version=\"1.0\" encoding=\"%s\"?>\n<tmx><tu>"
                                      "<tuv lang=\"en\"><seg>home</seg></tuv>"
                                      "<tuv lang=\"xx\"><seg>%s</seg></tuv></tu></tmx>",
                                      CASES[i][0], CASES[i][1]));
        Bytes bytes = encoded(text.data, CASES[i][0]);
        scratch_write(path, bytes.data, bytes.length);
        Tmx *tmx = open_tmx(path, "en", "xx");
        expect_unit(tmx, "home", CASES[i][1], 2);
        expect_end(tmx);
        bytes_free(&text);
        bytes_free(&bytes);
    }
}

// A unit's line is where its start tag begins, whatever the width of a character.
TEST(lines_in_encodings)
{
    static const char *const ENCODINGS[] = {"UTF-8", "UTF-16LE", "UTF-16BE"};
    static const char TEXT[] = "\xef\xbb\xbf<tmx>\n<tu>\n\n" SEGMENT("en", "one") "\n" SEGMENT(
        "fr", "un") "\n</tu>\n<tu\n>\n" SEGMENT("en", "two") SEGMENT("fr", "deux") "</tu></tmx>";
    const char *path = scratch_path("a.tmx");
    for (size_t i = 0; i < sizeof ENCODINGS / sizeof *ENCODINGS; i++) {
        Bytes bytes = encoded(TEXT, ENCODINGS[i]);
        scratch_write(path, bytes.data, bytes.length);
        Tmx *tmx = open_tmx(path, "en", "fr");
        expect_unit(tmx, "one", "un", 2);
        expect_unit(tmx, "two", "deux", 7);
        expect_end(tmx);
        bytes_free(&bytes);
    }
}

TEST(broken_encodings)
{
    const char *path = scratch_path("a.tmx");
    (void)expect_error(open_tmx(file_of(UNIT("a\xff", "b")), NULL, NULL), ":3:");
    Bytes bytes = encoded("<tmx>" UNIT("one", "un") "</tmx>", "UTF-16");
    bytes.data[42] = '\0', bytes.data[43] = (char)0xd8; // half a surrogate pair
    scratch_write(path, bytes.data, bytes.length);
    (void)expect_error(open_tmx(path, NULL, NULL), ":");
    scratch_write(path, bytes.data, 41);
    (void)expect_error(open_tmx(path, NULL, NULL), ":");
    static const char *const DECLARATIONS[] = {
        "<?xml version='1.0' encoding='nonsense'?><tmx></tmx>",
        "<?xml version='1.0' encoding='Shift_JIS'?><tmx></tmx>", // not a byte for each character
    };
    for (int i = 0; i < 2; i++)
        (void)expect_error(open_tmx(file_with(DECLARATIONS[i]), NULL, NULL),
                           ":1: is in an encoding that cannot be read; convert it");
    bytes_free(&bytes);
}

TEST(gzip)
{
    const char *path = scratch_path("a.tmx.gz");
    gzFile file = gzopen(path, "wb");
    ck_assert_int_gt(gzprintf(file, "%s", HEAD), 0);
    for (int i = 0; i < 1000; i++)
        ck_assert_int_gt(gzprintf(file, UNIT("word %d", "mot %d"), i, i), 0);
    ck_assert_int_gt(gzprintf(file, "%s", FOOT), 0);
    ck_assert_int_eq(gzclose(file), Z_OK);
    Tmx *tmx = open_tmx(path, NULL, NULL);
    char source[32], target[32];
    for (int i = 0; i < 1000; i++) {
        snprintf(source, sizeof source, "word %d", i);
        snprintf(target, sizeof target, "mot %d", i);
        expect_unit(tmx, source, target, (size_t)i + 3);
    }
    expect_end(tmx);
    Bytes gzip = scratch_read(path);
    ck_assert_int_eq(truncate(path, (off_t)gzip.length - 9), 0);
    (void)expect_error(open_tmx(path, NULL, NULL), "cut off");
}

// More lines than 16 bits can count.
TEST(many_lines)
{
    Bytes text = {0};
    for (int i = 0; i < 70000; i++) assert_ok(bytes_append_string(&text, "\n", NULL));
    assert_ok(bytes_append_string(&text, UNIT("one", "un"), NULL));
    Tmx *tmx = open_tmx(file_of(text.data), NULL, NULL);
    expect_unit(tmx, "one", "un", 70003);
    expect_end(tmx);
    bytes_free(&text);
}

TEST(not_tmx)
{
    (void)expect_error(open_tmx(file_with("hello\tworld\n"), NULL, NULL), ":1:");
    (void)expect_error(open_tmx(file_with("<html><tu/></html>"), NULL, NULL), "not TMX");
    (void)expect_error(open_tmx(file_with("\n\n<?xml version='1.0'?>"), NULL, NULL), ":3:");
    (void)expect_error(open_tmx(file_with("<tmx></body>"), NULL, NULL), "mismatch");
    (void)expect_error(open_tmx(file_with(" "), NULL, NULL), ":");
    expect_end(open_tmx(file_with(""), NULL, NULL)); // no unit: the reader of pairs says so
    expect_end(open_tmx(file_with("<tmx/>"), "en", "fr"));
}

/* Cut anywhere: first the units that were whole, then an error. */
TEST(cut_off)
{
    const char *path = file_of(UNIT("one", "un") UNIT("two", "deux"));
    Bytes text = scratch_read(path);
    size_t length = strlen("</tmx>\n"), units = 0;
    for (size_t cut = 1; cut <= text.length - length; cut++) {
        scratch_write(path, text.data, cut);
        size_t got = expect_error(open_tmx(path, NULL, NULL), ":");
        ck_assert_uint_ge(got, units);
        units = got;
    }
    ck_assert_uint_eq(units, 2);
    (void)expect_error(open_tmx(path, NULL, NULL), "truncated");
}

TEST(entities)
{
    static const struct {
        const char *text, *words;
    } CASES[] = {
        {"<!DOCTYPE tmx [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>"
         "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'><!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;'>"
         "<!ENTITY e '&d;&d;&d;&d;&d;&d;&d;&d;'><!ENTITY f '&e;&e;&e;&e;&e;&e;&e;&e;'>"
         "<!ENTITY g '&f;&f;&f;&f;&f;&f;&f;&f;'><!ENTITY h '&g;&g;&g;&g;&g;&g;&g;&g;'>]>"
         "<tmx><tu a='&h;'>&h;</tu></tmx>",
         "declares an entity"},
        {"<!DOCTYPE tmx [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><tmx>&x;</tmx>",
         "declares an entity"},
        {"<!DOCTYPE tmx [<!ENTITY % x SYSTEM 'file:///etc/passwd'> %x;]><tmx/>",
         "declares an entity"},
        {"<!DOCTYPE tmx [<!ENTITY % x '<!ENTITY y \"z\">'> %x;]><tmx>&y;</tmx>",
         "declares an entity"},
        {"<!DOCTYPE tmx [%unknown;]><tmx>&y;</tmx>", ":1: declares"},
        {"<!DOCTYPE tmx SYSTEM 'http://localhost:1/tmx14.dtd'><tmx>" UNIT("caf&eacute;",
                                                                          "b") "</tmx>",
         "uses an entity"},
        {"<!DOCTYPE tmx [<!ATTLIST tu a CDATA 'default'>]><tmx><tu/></tmx>", "or an element"},
        {"<tmx>" UNIT("caf&eacute;", "b") "</tmx>", ":1: uses an entity"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        ck_assert_uint_eq(
            expect_error(open_tmx(file_with(CASES[i].text), "en", "fr"), CASES[i].words), 0);
    // a DTD that is named is no harm: nobody fetches it
    Tmx *tmx =
        open_tmx(file_with("<!DOCTYPE tmx SYSTEM 'tmx14.dtd'>\n<tmx>" UNIT("one", "un") "</tmx>"),
                 "en", "fr");
    expect_unit(tmx, "one", "un", 2);
    expect_end(tmx);
}

// HEAD and `before`, then `piece` again and again beyond `bytes`, with no end.
static const char *endless(const char *before, const char *piece, size_t bytes)
{
    Bytes text = {0}, pieces = {0};
    for (int i = 0; i < 1000; i++) assert_ok(bytes_append_string(&pieces, piece, NULL));
    assert_ok(bytes_append_format(&text, NULL, "%s%s", HEAD, before));
    while (text.length < bytes) assert_ok(bytes_append(&text, pieces.data, pieces.length, NULL));
    const char *path = file_with(text.data);
    bytes_free(&text);
    bytes_free(&pieces);
    return path;
}

TEST(limits)
{
    static const struct {
        const char *before, *piece, *words;
    } CASES[] = {
        {"<tu><tuv xml:lang='en'><seg>", "word ", "more than 1 MiB of text"},
        {"<tu><tuv xml:lang='en'><seg>", "w<hi>o</hi>r<ph/>d", "more than 1 MiB of text"},
        {"<tu><tuv xml:lang='en'><seg><![CDATA[", "xxxx", ":3:"},
        {"", "<a>", "256 nested elements"},
        {"<tu><tuv xml:lang='en'><seg><ph>", "<a>", "256 nested elements"},
        {"<!--", "xxxxxxxx", ":3: has a tag or a comment of more than 1 MiB"},
        {"<?pi ", "xxxxxxxx", ":3: has a tag"},
        {"<tu a='", "xxxxxxxx", ":3: has a tag"},
        {"<", "xxxxxxxx", ":3: has a tag"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const char *path = endless(CASES[i].before, CASES[i].piece, 11000000);
        (void)expect_error(open_tmx(path, NULL, NULL), CASES[i].words);
    }
    Bytes tag = {0};
    const char *path = scratch_path("attributes.tmx");
    for (int i = 0; i < 200000; i++) {
        // neither a comment nor what is in values begins or ends a tag
        assert_ok(bytes_append_format(&tag, NULL,
                                      i ? " a%d='>!\"'" : "<tmx><!-- <it's --><tu a%d=\"'>\"", i));
        if (i != 255) continue;
        Bytes unit = {0};
        assert_ok(bytes_append_format(
            &unit, NULL, "%s>" SEGMENT("en", "a") SEGMENT("fr", "b") "</tu></tmx>", tag.data));
        scratch_write(path, unit.data, unit.length);
        Tmx *tmx = open_tmx(path, NULL, NULL);
        expect_unit(tmx, "a", "b", 1);
        expect_end(tmx);
        bytes_free(&unit);
    }
    scratch_write(path, tag.data, tag.length);
    (void)expect_error(open_tmx(path, NULL, NULL), "a tag or a comment of more than 1 MiB");
    bytes_free(&tag);
    Bytes names = {0};
    assert_ok(bytes_reserve(&names, 4000000, NULL));
    for (int i = 0; i < 200000; i++) assert_ok(bytes_append_format(&names, NULL, "<name%d/>", i));
    (void)expect_error(open_tmx(file_of(names.data), NULL, NULL), "too many different names");
    bytes_free(&names);
}

TEST(longest_text)
{
    Bytes text = {0};
    for (int extra = 0; extra < 2; extra++) {
        bytes_clear(&text);
        ck_assert_int_eq(bytes_append_string(&text, "<tu><tuv xml:lang='en'><seg>", NULL), 0);
        for (int i = 0; i < TMX_TEXT_LIMIT / 64; i++)
            ck_assert_int_eq(bytes_append_string(&text,
                                                 "0123456789abcdef0123456789abcdef"
                                                 "0123456789abcdef0123456789abcdef",
                                                 NULL),
                             0);
        ck_assert_int_eq(bytes_append_format(&text, NULL, "%s</seg></tuv>%s</tu>", extra ? "x" : "",
                                             SEGMENT("fr", "un")),
                         0);
        Tmx *tmx = open_tmx(file_of(text.data), NULL, NULL);
        TmxUnit unit;
        bool more;
        if (extra) {
            ck_assert_uint_eq(expect_error(tmx, "more than 1 MiB"), 0);
        } else {
            assert_ok(tmx_next(tmx, &unit, &more, NULL));
            ck_assert(more);
            ck_assert_uint_eq(unit.source.length, TMX_TEXT_LIMIT);
            expect_end(tmx);
        }
    }
    bytes_free(&text);
}
