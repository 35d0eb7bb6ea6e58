#include "cli/languages.h"

#include "cli/output.h"
#include "corpus/text_corpus.h"

enum { ENOUGH_WORDS = 3000 };

const char *language_label(const char *tag)
{
    if (!tag || !*tag) return "?";
    const Language *language = language_of(tag);
    return language ? language->name : tag;
}

void languages_write(Writer *out, const Translator *translator)
{
    static const char *const origins[] = {[LANGUAGES_GIVEN] = "given",
                                          [LANGUAGES_OF_FILES] = "named in the corpus",
                                          [LANGUAGES_OF_TEXT] = "told from the text"};
    const char *source = translator->languages[0], *target = translator->languages[1];
    const char *from = json_string_value(json_object_get(translator->training, "languages_from"));
    if (!source && !target) return;
    writer_format(out, "languages     %s → %s (%s → %s)", language_label(source),
                  language_label(target), source ? source : "?", target ? target : "?");
    for (size_t i = 0; from && i < sizeof origins / sizeof *origins; i++)
        if (!strcmp(from, language_source_names[i])) writer_format(out, ", %s", origins[i]);
    writer_string(out, "\n");
}

Status language_watch_add(LanguageWatch *watch, const TextView *texts, size_t count, Error *error)
{
    const char *tag = watch->translator->languages[0], *target = watch->translator->languages[1];
    const Language *expected = language_of(tag);
    if (!expected) watch->ended = true;
    for (size_t i = 0; i < count && !watch->ended; i++) {
        TRY(language_evidence_add(&watch->evidence, texts[i].data, texts[i].length, error));
        watch->ended = watch->evidence.words >= ENOUGH_WORDS;
    }
    const Language *found = expected ? language_surely(&watch->evidence, expected) : NULL;
    if (!found || watch->warned) return STATUS_OK;
    bool turned = language_of(target) == found;
    report_warning(watch->verb, "the text looks %s, but the model translates from %s%s%s",
                   found->name, language_label(tag), turned ? " to " : "",
                   turned ? language_label(target) : "");
    watch->ended = watch->warned = true;
    return STATUS_OK;
}

// Whether two tags are known to be of different languages.
static bool differ(const char *a, const char *b)
{
    const Language *one = language_of(a), *other = language_of(b);
    return one && other && one != other;
}

void languages_check_reverse(const Translator *forward, const Translator *reverse, const char *path)
{
    const char *const *ways = forward->languages, *const *back = reverse->languages;
    if (!differ(ways[0], back[1]) && !differ(ways[1], back[0])) return;
    report_warning("align", "%s translates from %s to %s; --reverse is for a model from %s to %s",
                   path, language_label(back[0]), language_label(back[1]), language_label(ways[1]),
                   language_label(ways[0]));
}
