// Quotation marks and brackets: what is read without them, and what is put around its translation.

#include "support/reading_case.h"

static ReadingContext between(const char *source, const char *target)
{
    return (ReadingContext){.languages = {language_of(source), language_of(target)}};
}

// A sentence as it is read, and a translation of that as it is shown.
static void check(const ReadingContext *context, const char *text, const char *read,
                  const char *said, const char *shown)
{
    Reading reading = read_by(&quotation_step, context, text);
    ck_assert_str_eq(bytes_text(&reading.text.text), read);
    ck_assert_uint_eq(mapped_origin(&reading.text, strlen(read)), strlen(text));
    MappedText written = written_by(&quotation_step, &reading, said);
    ck_assert_str_eq(bytes_text(&written.text), shown);
    ck_assert_uint_eq(mapped_place(&written, strlen(said)), strlen(shown));
    mapped_free(&written);
    reading_free(&reading);
}

TEST(around)
{
    static const char *const texts[] = {"\"Why?\"", "‘Why?’", "'Why?'", "“Why?”", "« Why? »"};
    const ReadingContext french = between("en", "fr"), chinese = between("en", "zh"),
                         english = between("zh", "en"), unknown = between(NULL, NULL);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check(&french, texts[i], "Why?", "Pourquoi ?", "« Pourquoi ? »");
    check(&french, "(Why?)", "Why?", "Pourquoi ?", "(Pourquoi ?)");
    check(&chinese, "(Why?)", "Why?", "为什么？", "（为什么？）");
    check(&english, "（为什么？）", "为什么？", "Why?", "(Why?)");
    check(&english, "「为什么？」", "为什么？", "Why?", "\"Why?\"");
    check(&unknown, "‘Why?’", "Why?", "why", "‘why’");
}

// Of a quotation of several sentences.
TEST(one_side)
{
    const ReadingContext context = between("en", "fr");
    check(&context, "“I am tired.", "I am tired.", "Je dors.", "« Je dors.");
    check(&context, "I am tired.”", "I am tired.", "Je dors.", "Je dors. »");
    check(&context, "I am tired.)", "I am tired.", "Je dors.", "Je dors.)");
}

TEST(within)
{
    const ReadingContext english = between("en", "fr"), french = between("fr", "en"),
                         chinese = between("zh", "en");
    check(&english, "‘Why?’ she said.", "\"Why?\" she said.", "\"Quoi ?\" dit-elle.",
          "« Quoi ? » dit-elle.");
    check(&english, "‘She said “yes”.’", "She said \"yes\".", "Elle dit « oui ».",
          "« Elle dit « oui ». »");
    check(&french, "\"Oui\", dit-il.", "« Oui », dit-il.", "\" Yes,\" he said.",
          "\"Yes,\" he said.");
    check(&french, "« Oui », dit-il.", "« Oui », dit-il.", "a", "a");
    check(&english, "I (am).", "I (am).", "( Je suis ).", "(Je suis).");
    check(&chinese, "他说「好」", "他说“好”", "a \" b \"", "a \"b\"");
}

// What is no quotation stays; where a mark is alone in the source, so does what the model has said.
TEST(others)
{
    static const char *const texts[] = {"The girls' house", "I don't.", "'Tis so",    "(1)",
                                        "f(x) and g(x)",    "a (b) c",  "(a) and (b)"};
    static const char *const odd[] = {"5\" of rain", "It is good :)", "\""};
    const ReadingContext context = between("en", "fr");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check(&context, texts[i], texts[i], "l'été d'« a", "l'été d'a");
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        check(&context, odd[i], odd[i], "l'été d'« a", "l'été d'« a");
}

// A mark that is alone gets its partner at the end that has one in the source, or goes.
TEST(pairs)
{
    const ReadingContext context = between("en", "fr");
    check(&context, "\"Why?\" she said.", "\"Why?\" she said.", "Quoi ? » dit-elle.",
          "« Quoi ? » dit-elle.");
    check(&context, "She said \"yes\"", "She said \"yes\"", "Elle dit « oui", "Elle dit « oui »");
    check(&context, "I (too) said \"yes\" now.", "I (too) said \"yes\" now.", "Oui », (dis-je",
          "Oui, dis-je");
    check(&context, "I (too) am", "I (too) am", "Je (aussi） suis", "Je (aussi) suis");
    check(&context, "I said \"yes\" now.", "I said \"yes\" now.", "J'ai dit ‘ oui »",
          "J'ai dit « oui »");
}

TEST(many)
{
    char text[100] = "", said[] = "(a";
    const ReadingContext context = between("en", "fr");
    for (int i = 0; i < 40; i++) strcat(text, "(");
    check(&context, text, text, said, said);
}
