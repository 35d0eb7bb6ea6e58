// What stays as it is: cases by kind and script, each with its spans in ⟦ ⟧, and what must hold for
// any bytes.

#include "base/random.h"
#include "reading/untranslated_spans.h"
#include "support/failing_malloc.h"
#include "support/suite.h"
#include "text/utf8.h"

#include <string.h>
#include <time.h>

#define OPEN "⟦"
#define CLOSE "⟧"

// The text with its spans marked.
static void mark(Bytes *out, const char *text, size_t length, const Spans *spans)
{
    size_t at = 0;
    bytes_clear(out);
    assert_ok(bytes_append(out, "", 0, NULL));
    for (size_t i = 0; i < spans->count; i++) {
        const Span span = spans->items[i];
        assert_ok(bytes_append_format(out, NULL, "%.*s" OPEN "%.*s" CLOSE, (int)(span.begin - at),
                                      text + at, (int)(span.end - span.begin), text + span.begin));
        at = span.end;
    }
    assert_ok(bytes_append(out, text + at, length - at, NULL));
}

static void unmark(Bytes *out, const char *marked)
{
    bytes_clear(out);
    for (const char *at = marked; *at;) {
        bool is_mark = !strncmp(at, OPEN, strlen(OPEN)) || !strncmp(at, CLOSE, strlen(CLOSE));
        if (!is_mark) assert_ok(bytes_append(out, at, 1, NULL));
        at += is_mark ? strlen(OPEN) : 1;
    }
}

static void check_all(const char *const *cases, size_t count)
{
    Spans spans = {0};
    Bytes text = {0}, found = {0};
    for (size_t i = 0; i < count; i++) {
        unmark(&text, cases[i]);
        assert_ok(untranslated_spans_find(&spans, text.data, text.length, NULL));
        mark(&found, text.data, text.length, &spans);
        ck_assert_msg(!strcmp(found.data, cases[i]), "found %s\nnot   %s", found.data, cases[i]);
    }
    bytes_free(&text);
    bytes_free(&found);
    spans_free(&spans);
}

#define CHECK(cases) check_all(cases, sizeof(cases) / sizeof *(cases))

TEST(addresses)
{
    static const char *const cases[] = {
        "See ⟦https://www.example.org/help⟧ for more.",
        "Our page is at ⟦http://example.com/en/index.html⟧.",
        "Is ⟦https://example.io/#section⟧ safe?",
        "(⟦https://example.org/a(b)⟧) [⟦http://x.org/a[1]⟧], ⟦http://x.org/a⟧); "
        "“⟦https://example.org/a⟧”, he wrote",
        "⟦https://example.org/map?lat=48.85&lon=2.35⟧. ⟦http://localhost:8080/status⟧ "
        "⟦ftp://ftp.example.org/pub/README⟧",
        "⟦https://social.example.org/@regard⟧ ⟦https://example.net/a_b-c~d⟧… **⟦https://x.org/⟧**",
        "Visit ⟦www.x.org/a?b=c⟧, ⟦example.com⟧'s page, ⟦forum.example.org:8080⟧ or ⟦EXAMPLE.COM⟧!",
        "⟦<example.co.uk>⟧ ⟦t.co/aB3⟧ ⟦youtu.be/xyz⟧ ⟦example.com?q=1⟧ Read ⟦example.com⟧?",
        "Voir l'article : ⟦https://fr.wikipedia.org/wiki/Café⟧ ; « ⟦http://exemple.fr/à⟧ » "
        "(⟦www.exemple.fr⟧).",
        "请看⟦https://example.com/a⟧。访问⟦www.example.cn⟧，或者⟦http://x.org/b⟧；谢谢（⟦https://"
        "x.org/c⟧）",
        "他在⟦example.com⟧上买的。",
        "e.g. this, i.e. that, Mr.Smith, word.Next, U.S.A., J.-C., home.it was, c'est.au, p.m. "
        "a.m., and/or, ⟦5/6⟧",
        "http:// https:// ://x www. www.x .com a..com -a.com a-.com x.comet ...",
        "⟦WWW.X.ORG⟧ ⟦example.com⟧: ⟦example.com⟧# ⟦x.org:80⟧ a.museums/b x.⟦a1⟧/b ⟦/a/⟧ ⟦~~~⟧/a/b",
    };
    CHECK(cases);
}

TEST(e_mail_addresses_and_files)
{
    static const char *const cases[] = {
        "Write to ⟦anna.berg@example.org⟧. ⟦k.meyer92@example.com⟧, not ⟦<info+news@example.org>⟧; "
        "⟦sales@example.co.uk⟧",
        "写信给⟦d.f@example.org⟧。 mailto:⟦a@b.example.org⟧ l'adresse ⟦j_smith@mail.example.org⟧ ?",
        "a@b @ ⟦5 €⟧ a@b.c x@ @. a@b@c.org user@host",
        "the file ⟦notes.txt⟧ has; ⟦file.tar.gz⟧, ⟦config_v2.json⟧: ⟦README.md⟧ (⟦résumé.pdf⟧) "
        "⟦DATA.CSV⟧ 文件⟦a.txt⟧。",
        "⟦src/main.c⟧ ⟦../a⟧ ⟦./configure⟧ ⟦~/x⟧ ⟦/usr/local/bin⟧ ⟦C:\\Users\\anna\\notes.txt⟧. "
        "⟦a-b.c.html⟧",
        "problème...c vitamin.See ⟦10 €⟧ /mois Notes.Txt .txt x.c A.C. Milan etc.⟦txt2⟧ km/h ⟦1/2⟧ "
        "/a // / ⟦~⟧ .. "
        "C: \\",
    };
    CHECK(cases);
}

TEST(emoji)
{
    static const char *const cases[] = {
        "I love this song ⟦❤️⟧ ⟦☀⟧, so funny ⟦😂😂😂⟧!",
        "⟦🎉⟧ Happy birthday!⟦🎉⟧",
        "⟦👍🏽⟧ ⟦👨‍👩‍👧⟧ ⟦🙅‍♀️⟧",
        "⟦🇯🇵🇫🇷⟧ ⟦🏴󠁧󠁢󠁥󠁮󠁧󠁿⟧ ⟦5️⃣⟧ ⟦#⃣⟧",
        "⟦©️⟧ ⟦↗️⟧",
        "今天天气很好⟦☀️⟧谢谢⟦🙏🏻⟧！ c’est drôle⟦😂⟧",
        "⟦5⟧ # * ⟦© →⟧ ⟦™⟧ x\u200d :-)",
        "⟦🇫⟧ x ⟦🇫⟧",
    };
    CHECK(cases);
}

TEST(code_mentions_and_numbers)
{
    static const char *const cases[] = {
        "Type ⟦`ls -la`⟧ to see. Run ⟦`pip install example==1.2.3`⟧, ⟦``a b``⟧ or ⟦`x`⟧; "
        "运行⟦`make`⟧即可。",
        "` a` `b ` `` x` a`b`c ``quoted'' and `other' `",
        "⟦snake_case⟧ ⟦E_NOENT⟧ (⟦2⟧) ⟦max_length⟧: ⟦camelCase⟧, ⟦getElementById⟧. ⟦foo.bar()⟧ by "
        "⟦f()⟧!",
        "____ _a_ McDonald iPhone d'Artagnan PayPal function(s) () ⟦3⟧() kW été()",
        "⟦@regard⟧, ⟦@user@example.org⟧. ⟦#climat⟧ ⟦#été2024⟧ ⟦#1⟧ C# @ # a#b #",
        "Flight ⟦A380-X2⟧, ⟦KL862⟧. ⟦COVID-19⟧ d'⟦H2O⟧; ⟦4X4B⟧ 型号⟦A380⟧飞机; room ⟦3B⟧",
        "21ST 5PM 1990s 3rd COVID 2XL T-SHIRT ⟦10H30⟧ 8H 2E 80S A - A",
        "⟦3f2a9c⟧ ⟦x86⟧. ⟦4f5e⟧, 60s mid-1990s 1er 5s ⟦H₂O⟧ m² ⟦½⟧ ⟦①⟧打开 ⟦x9Kq2⟧ 5월3일",
        "My code is ⟦90817⟧. ⟦978-3-16-148410-0⟧ ⟦2024-05-01⟧, ⟦+33612345678⟧ 电话⟦13800138000⟧。",
        "⟦12⟧ in ⟦1998⟧, ⟦3.50⟧. ⟦10,000⟧ ⟦12345.67⟧ ⟦555-0142⟧ ⟦2019-2020⟧ at ⟦8:30⟧, ⟦1/2⟧ "
        "⟦１２３４５６⟧ ⟦１２⟧月",
        "⟦1 248⟧, ⟦12 345 678⟧ in ⟦1998⟧ ⟦200⟧ by ⟦12 34 1234 567⟧ a ⟦12⟧ ⟦34⟧",
        "⟦75%⟧ ⟦50 %⟧ ⟦$9.99⟧ ⟦18,50 €⟧. (⟦7⟧) 第⟦3⟧页，⟦12⟧点。 C# ⟦-5⟧ ⟦v2.0⟧",
        "a ⟦\ue000⟧ b ⟦\uf8ff\ue001⟧.",
    };
    CHECK(cases);
}

TEST(numbers)
{
    static const char *const cases[] = {
        "⟦850 g⟧, ⟦1.5kg⟧ (⟦30 °C⟧) at ⟦120 km/h⟧; ⟦128GB⟧. ⟦20 m²⟧ ⟦30℃⟧ ⟦2 min⟧",
        "⟦5⟧ kilos, ⟦3⟧ A, ⟦12⟧ mois, ⟦10⟧ m'ont dit, ⟦10⟧ m’ont, ⟦4⟧ grams, 5mx, ⟦6.1⟧-inch",
        "⟦$5⟧ ⟦€1,250.00⟧ ⟦£15⟧, ⟦¥300⟧ ⟦+33 1 42 68 53 00⟧. ⟦01 42 68 53 00⟧ in ⟦2019⟧ ⟦30⟧ came",
        "à ⟦9h30⟧, ⟦8 h 05⟧ ou ⟦11⟧ h; ⟦2 h 37 min⟧, ⟦100⟧ h ⟦05⟧, ⟦9h3x⟧, ⟦9⟧ hommes",
        "⟦150⟧万人 ⟦3⟧亿 7月⟦4⟧日 12月 ⟦3⟧个月 ⟦100⟧月",
    };
    CHECK(cases);
}

TEST(signs_and_versions)
{
    static const char *const cases[] = {
        "⟦v1.2.3⟧ ⟦V2⟧, ⟦v2x⟧ ⟦rev2⟧ v. ⟦-7⟧ (⟦−7 °C⟧) ⟦#42⟧ ⟦3e10⟧ ⟦1.5E-7⟧ 2euros",
        "在⟦2019⟧，⟦500⟧人 ⟦3e+5⟧ 3e 3e-x ⟦v1⟧. ⟦v1⟧.x ⟦3e10x⟧ ⟦9h30x⟧",
    };
    CHECK(cases);
}

TEST(signs)
{
    static const char *const cases[] = {
        "⟦x > 5⟧, ⟦5 < 7⟧ and ⟦8≥3⟧ ⟦~5 km⟧; ⟦→⟧ Next ⟦A → B⟧, a ⟦~5⟧ I ⟦<3⟧ you, ⟦a = b + c⟧",
        "C++ ESR+ a + vidéo, mot − A (⟦a − 5⟧) 一一○ ⟦2 + 3⟧ (⟦w+b⟧) ⟦20 m2⟧ g/m2 ⟦©⟧ ⟦2024⟧ ⟦|⟧ "
        "⟦§5⟧ ⟦30⟧ "
        "⟦+33⟧ n° ⟦5⟧, "
        "⟦90°⟧ l´a 温度⟦≥5⟧度",
    };
    CHECK(cases);
}

TEST(variables)
{
    static const char *const cases[] = {
        "Hello ⟦{name}⟧, ⟦{{ a.b }}⟧ ⟦${x}⟧ ⟦{0:.2f}⟧ ⟦{}⟧ {a b} {a {⟦{a}⟧ $x 您好⟦{name}⟧，",
        "⟦%d⟧ of ⟦%1$s⟧ (⟦%(name)s⟧) ⟦%-5.2f⟧ ⟦50⟧ ⟦%d⟧ ⟦50 %⟧ de %sa %",
        "⟦<b>⟧Bold⟦</b>⟧ ⟦<a href=\"x\">⟧ ⟦<⟧b",
    };
    CHECK(cases);
}

// Data that is one long word.
TEST(long_words)
{
    char text[300] = "";
    Spans spans = {0};
    for (size_t i = 0; i < 200; i++) text[i] = i % 30 ? 'a' : '-';
    assert_ok(untranslated_spans_find(&spans, text, 200, NULL));
    ck_assert(spans.count == 1 && spans.items[0].end == 200);
    assert_ok(untranslated_spans_find(&spans, text, 90, NULL));
    ck_assert_uint_eq(spans.count, 0);
    spans_free(&spans);
}

TEST(ampersands)
{
    static const char *const cases[] = {
        "Tom ⟦&⟧ Mary, ⟦AT&T⟧'s ⟦R&D⟧, salt⟦&⟧pepper 汤姆⟦&⟧玛丽",
        "a ⟦&amp;⟧ b, caf⟦&eacute;⟧, ⟦&#8364;⟧ ⟦&#x20AC;⟧ ⟦&⟧ ⟦&⟧amp ⟦&⟧",
    };
    CHECK(cases);
}

TEST(nothing_else)
{
    static const struct {
        const char *text;
        bool all;
    } cases[] = {{"https://example.org", true},
                 {"(a@b.example.org) 😀!", true},
                 {"😀 a", false},
                 {"!", false},
                 {"", false},
                 {"😀。", true}};
    Spans spans = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length = strlen(cases[i].text);
        assert_ok(untranslated_spans_find(&spans, cases[i].text, length, NULL));
        bool all = !spans_leave(&spans, (TextView){cases[i].text, length}, utf8_is_word);
        ck_assert_msg((spans.count > 0 && all) == cases[i].all, "%s", cases[i].text);
    }
    spans_free(&spans);
}

// Pieces that begin or end spans, in any order.
TEST(any_text)
{
    static const char *const pieces[] = {"http", "://", "www.", "a",      "1",    "@",
                                         ".",    "com", "`",    "(",      ")",    "#",
                                         "/",    "_",   "😀",    "\u200d", "\xef", "\xe4\xb8\xad",
                                         " ",    "-",   "X",    "é",      "5️", "<",
                                         ">",    "{",   "}",    "%",      "$"};
    enum { PIECES = sizeof pieces / sizeof *pieces, TEXTS = 3000, LENGTH = 12 };
    Random random = random_from(1, 0);
    Spans spans = {0};
    for (size_t i = 0; i < TEXTS; i++) {
        char text[LENGTH * 8] = "";
        for (size_t j = 0; j < LENGTH; j++) strcat(text, pieces[random_below(&random, PIECES)]);
        size_t length = strlen(text), at = 0;
        assert_ok(untranslated_spans_find(&spans, text, length, NULL));
        for (size_t k = 0; k < spans.count; k++) {
            ck_assert(spans.items[k].begin < spans.items[k].end && spans.items[k].end <= length);
            ck_assert(k == 0 || spans.items[k - 1].end < spans.items[k].begin);
            while (at < spans.items[k].begin) (void)utf8_next(text, length, &at);
            ck_assert_uint_eq(at, spans.items[k].begin);
            while (at < spans.items[k].end) (void)utf8_next(text, length, &at);
            ck_assert_uint_eq(at, spans.items[k].end);
        }
    }
    spans_free(&spans);
}

static double seconds_for(const char *piece, size_t repeats)
{
    Bytes text = {0};
    Spans spans = {0};
    for (size_t i = 0; i < repeats; i++) assert_ok(bytes_append_string(&text, piece, NULL));
    assert_ok(bytes_append_string(&text, "123a", NULL));
    clock_t begin = clock();
    assert_ok(untranslated_spans_find(&spans, text.data, text.length, NULL));
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    bytes_free(&text);
    spans_free(&spans);
    return seconds;
}

// A text 20,000 times as long: in quadratic time these would take minutes.
TEST(linear_time)
{
    static const char *const pieces[] = {
        "` ", "`",      "``a` ", "http://", "http://)", "a.", "@a", "a_", "#",  "www.", "(", "😀",
        "a@", "\u200d", "A1-",   "1/",      "123 ",     "1:", "{",  "<a", "%(", "= a ", "½", "%1"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        ck_assert_msg(seconds_for(pieces[i], 20000) < 0.5, "%s", pieces[i]);
}

TEST(allocation_fails)
{
    static const char text[] = "😀 a 😀";
    Spans spans = {0};
    failing_malloc_at(1);
    ck_assert(failing_malloc_expect(untranslated_spans_find(&spans, text, strlen(text), NULL)));
    ck_assert_uint_eq(spans.count, 0);
    spans_free(&spans);
}
