#include "align/detokenise.h"

#include "base/random.h"
#include "support/failing_malloc.h"
#include "support/suite.h"
#include "text/normalise.h"

#include <string.h>

/* The line must become `text`, and its units, with | between them, `units`. */
static void expect(const char *line, const char *text, const char *units)
{
    DetokenisedText out = {0};
    Bytes shown = {0};
    assert_ok(detokenise(&out, line, strlen(line), NULL));
    ck_assert_str_eq(out.text.data ? out.text.data : "", text);
    assert_ok(bytes_append_string(&shown, "", NULL));
    for (size_t i = 0; i < out.units.count; i++) {
        size_t begin = out.units.items[i].begin, end = out.units.items[i].end;
        assert_ok(bytes_append_format(&shown, NULL, "%s%.*s", i ? "|" : "", (int)(end - begin),
                                      out.text.data + begin));
    }
    ck_assert_str_eq(shown.data, units);
    bytes_free(&shown);
    detokenised_text_free(&out);
}

TEST(by_hand)
{
    DetokenisedText out = {0};
    assert_ok(detokenise(&out, "l' homme , dort", 15, NULL));
    ck_assert_str_eq(out.text.data, "l'homme, dort");
    static const Span places[] = {{0, 2}, {2, 7}, {7, 8}, {9, 13}};
    ck_assert_uint_eq(out.units.count, 4);
    ck_assert_mem_eq(out.units.items, places, sizeof places);
    detokenised_text_free(&out);
}

TEST(french)
{
    expect("aujourd' hui , qu' il vienne ( s' il peut ) !",
           "aujourd'hui, qu'il vienne (s'il peut) !",
           "aujourd'|hui|,|qu'|il|vienne|(|s'|il|peut|)|!");
    expect("lui - même paie 5 % de le tout .", "lui-même paie 5% de le tout.",
           "lui|-|même|paie|5|%|de|le|tout|.");
    expect("l\xE2\x80\x99 \xC3\xA9tat : quoi ?", "l\xE2\x80\x99\xC3\xA9tat : quoi ?",
           "l\xE2\x80\x99|\xC3\xA9tat|:|quoi|?");
}

TEST(english)
{
    expect("Shell 's chairman do n't", "Shell's chairman don't", "Shell|'s|chairman|do|n't");
    expect("troops ' activities", "troops' activities", "troops|'|activities");
    expect("the girls' room", "the girls' room", "the|girls'|room"); // raw text stays
    expect("-LRB- Mr. Mai -RRB- earns $ 35,000 ...", "(Mr. Mai) earns $35,000...",
           "(|Mr.|Mai|)|earns|$|35,000|...");
    expect("`` Yes '' , '' no '' \" or \" a '", "\"Yes\", \"no\" \"or\" a '",
           "\"|Yes|\"|,|\"|no|\"|\"|or|\"|a|'");
    expect("peace - keeping - force - or - 5 -", "peace-keeping-force-or-5 -",
           "peace|-|keeping|-|force|-|or|-|5|-");
    expect("- a -- b - ( c", "- a -- b - (c", "-|a|--|b|-|(|c");
}

TEST(chinese)
{
    expect("新华社 雅加达 3月 22日 电 ( 记者 麦 棠 源 )", "新华社雅加达3月22日电(记者麦棠源)",
           "新华社|雅加达|3月|22日|电|(|记者|麦|棠|源|)");
    expect("《 USA Today 》 说 ： “ 不 ” 。", "《USA Today》说：“不”。",
           "《|USA|Today|》|说|：|“|不|”|。");
    expect("他 有 13 % 的 Mac OS X 电脑", "他有13%的Mac OS X电脑", "他|有|13|%|的|Mac|OS|X|电脑");
    // wide and no-break spaces part tokens too; none is left beside Han
    expect("\xE6\x88\x91\xE3\x80\x80\xE4\xBB\xAC\xC2\xA0\xE5\xA5\xBD", "我们好", "我|们|好");
}

// A mark at a token's beginning must not slip onto the character before it.
TEST(combining_marks)
{
    expect("我 \xCC\x81 a", "我 \xCC\x81 a", "我|\xCC\x81|a");
    expect("( \xCC\xB8 )", "( \xCC\xB8)", "(|\xCC\xB8|)");
    expect("re\xCC\x81 l' e\xCC\x81tat", "re\xCC\x81 l'e\xCC\x81tat", "re\xCC\x81|l'|e\xCC\x81tat");
}

TEST(edges)
{
    expect("", "", "");
    expect(" \t ", "", "");
    expect("'", "'", "'");
    expect("-", "-", "-");
    expect("  a  ", "a", "a");
    expect(".", ".", ".");
}

/* Whatever the tokens: there is a unit for each, in order, the text between them is at most a space, and the text is in
 * normal form. */
TEST(random_lines)
{
    static const char *const parts[] = {"a",
                                        "l'",
                                        "'s",
                                        "s",
                                        "我",
                                        "。",
                                        "(",
                                        ")",
                                        "\"",
                                        "''",
                                        "\xCC\x81",
                                        "\xE1\x84\x80",
                                        "\xE1\x85\xA1",
                                        "-",
                                        "5",
                                        "n't",
                                        "-LRB-",
                                        "\xEF\xBF\xBD",
                                        "が",
                                        "\xE3\x82\x99"};
    Random random = random_from(8, 1);
    DetokenisedText out = {0};
    Bytes line = {0}, normal = {0}, again = {0};
    for (int round = 0; round < 5000; round++) {
        bytes_clear(&line);
        assert_ok(bytes_append_string(&line, "", NULL));
        for (uint64_t i = random_below(&random, 12); i > 0; i--) {
            const char *part = parts[random_below(&random, sizeof parts / sizeof *parts)];
            const char *space = random_below(&random, 3) ? " " : "";
            assert_ok(bytes_append_format(&line, NULL, "%s%s", part, space));
        }
        assert_ok(normalise(&normal, line.data, line.length, NULL, NULL));
        const char *text = normal.data ? normal.data : "";
        assert_ok(detokenise(&out, text, normal.length, NULL));
        Spans words = {0};
        assert_ok(units_split(&words, UNITS_WORDS, text, normal.length, NULL));
        ck_assert_uint_eq(out.units.count, words.count);
        for (size_t i = 0, end = 0; i < words.count; i++) {
            ck_assert_uint_le(out.units.items[i].begin - end, i > 0);
            ck_assert_uint_gt(out.units.items[i].end, out.units.items[i].begin);
            end = out.units.items[i].end;
        }
        const char *made = out.text.data ? out.text.data : "";
        assert_ok(normalise(&again, made, out.text.length, NULL, NULL));
        ck_assert_str_eq(again.data ? again.data : "", made);
        spans_free(&words);
    }
    detokenised_text_free(&out);
    bytes_free(&line);
    bytes_free(&normal);
    bytes_free(&again);
}

TEST(out_of_memory)
{
    while (failing_malloc_next()) {
        DetokenisedText out = {0};
        bool failed = failing_malloc_expect(detokenise(&out, "a 's b", 6, NULL));
        ck_assert_uint_eq(out.units.count, failed ? 0 : 3);
        detokenised_text_free(&out);
    }
}
