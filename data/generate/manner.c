#include "manner.h"
#include "grammar.h"

#include <string.h>

typedef enum Field { FIELD_FORM, FIELD_NEGATION, FIELD_ARTICLE, FIELD_DEGREE } Field;

static const struct {
    const char *name;
    Field field;
    int value;
} suffixes_known[] = {
    {"present", FIELD_FORM, FORM_PRESENT},
    {"past", FIELD_FORM, FORM_PAST},
    {"perfect", FIELD_FORM, FORM_PERFECT},
    {"prog", FIELD_FORM, FORM_PROGRESS},
    {"pasting", FIELD_FORM, FORM_PASTING},
    {"future", FIELD_FORM, FORM_FUTURE},
    {"going", FIELD_FORM, FORM_GOING},
    {"would", FIELD_FORM, FORM_WOULD},
    {"inf", FIELD_FORM, FORM_INFINITIVE},
    {"ing", FIELD_FORM, FORM_ING},
    {"imper", FIELD_FORM, FORM_IMPERATIVE},
    {"subj", FIELD_FORM, FORM_SUBJUNCTIVE},
    {"le", FIELD_FORM, FORM_LE},
    {"ask", FIELD_FORM, FORM_ASK},
    {"not", FIELD_NEGATION, NEG_NOT},
    {"never", FIELD_NEGATION, NEG_NEVER},
    {"nomore", FIELD_NEGATION, NEG_NOMORE},
    {"notyet", FIELD_NEGATION, NEG_NOTYET},
    {"x", FIELD_ARTICLE, ARTICLE_X},
    {"the", FIELD_ARTICLE, ARTICLE_THE},
    {"gen", FIELD_ARTICLE, ARTICLE_GENERIC},
    {"this", FIELD_ARTICLE, ARTICLE_THIS},
    {"that", FIELD_ARTICLE, ARTICLE_THAT},
    {"poss", FIELD_ARTICLE, ARTICLE_POSSESSIVE},
    {"num", FIELD_ARTICLE, ARTICLE_NUMBER},
    {"which", FIELD_ARTICLE, ARTICLE_WHICH},
    {"howmany", FIELD_ARTICLE, ARTICLE_HOWMANY},
    {"another", FIELD_ARTICLE, ARTICLE_ANOTHER},
    {"pron", FIELD_ARTICLE, ARTICLE_PRONOUN},
    {"obj", FIELD_ARTICLE, ARTICLE_OBJECT},
    {"more", FIELD_DEGREE, DEGREE_MORE},
    {"most", FIELD_DEGREE, MAX_DEGREE},
    {"pred", FIELD_DEGREE, DEGREE_PREDICATE},
    {"digits", FIELD_DEGREE, DEGREE_DIGITS},
    {"counting", FIELD_DEGREE, DEGREE_COUNTING},
};

static void set_suffix(Manner *manner, const char *name, size_t length, const char *item)
{
    for (size_t i = 0; i < sizeof suffixes_known / sizeof *suffixes_known; i++) {
        if (strlen(suffixes_known[i].name) != length ||
            memcmp(suffixes_known[i].name, name, length) != 0)
            continue;
        int value = suffixes_known[i].value;
        switch (suffixes_known[i].field) {
        case FIELD_FORM:
            manner->form = (Form)value;
            break;
        case FIELD_NEGATION:
            manner->negation = (Negation)value;
            break;
        case FIELD_ARTICLE:
            manner->article = (Article)value;
            break;
        case FIELD_DEGREE:
            manner->degree = (Degree)value;
            break;
        }
        return;
    }
    grammar_fault("an unknown manner", item);
}

Manner manner_parse(const char *suffixes, const char *item)
{
    Manner manner = {0};
    for (const char *at = suffixes; *at && *at != '/';) {
        if (*at == '.') {
            size_t length = strcspn(at + 1, ".:+/");
            set_suffix(&manner, at + 1, length, item);
            at += 1 + length;
        } else if ((*at == '+' || *at == ':') && at[1]) {
            if (*at == '+')
                manner.other = at[1];
            else
                manner.subject = at[1];
            at += 2;
        } else {
            grammar_fault("an item that cannot be read", item);
        }
    }
    return manner;
}
