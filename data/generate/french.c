#include "conjugation_fr.h"
#include "render.h"

#include <string.h>

// ---- verbs ------------------------------------------------------------------------------------

static void add_waiting(Render *render, Words *waiting)
{
    for (size_t i = 0; i < waiting->count; i++) {
        const Word *word = &waiting->words[i];
        words_add(render->out, word->text, word->tags)->kind = word->kind;
    }
    waiting->count = 0;
}

static const char *reflexive_pronoun(Agreement subject)
{
    if (subject.person == 1) return subject.plural ? "nous" : "me";
    if (subject.person == 2) return subject.plural ? "vous" : "te";
    return "se";
}

// pas, plus, jamais, pas encore
static void add_negation(Render *render, const VerbItem *verb)
{
    static const char *const words[] = {
        [NEG_NOT] = "pas", [NEG_NEVER] = "jamais", [NEG_NOMORE] = "plus", [NEG_NOTYET] = "pas"};
    if (verb->negation == NEG_NONE) return;
    words_add(render->out, words[verb->negation], tags_of(verb->scope, "n"));
    if (verb->negation == NEG_NOTYET) words_add(render->out, "encore", tags_of(verb->scope, "y"));
}

// -e for the feminine, -s for the plural
static void agree(char *text, Agreement subject)
{
    if (subject.gender == 'f') strcat(text, "e");
    if (subject.plural && !subject.polite && text[strlen(text) - 1] != 's') strcat(text, "s");
}

/* A verb's parts: the reflexive pronoun cut off; `=` at the end, the participle stays as it is (se
 * brosser= les dents); `!`, avoir instead of être (sortir! la poubelle). */
typedef struct Parts {
    char infinitive[WORD_SIZE];
    bool reflexive;
    bool fixed;
    bool etre; // the auxiliary of compound tenses
} Parts;

static Parts parts_of(const char *lemma)
{
    Parts parts = {.reflexive = strncmp(lemma, "se_", 3) == 0};
    strcpy(parts.infinitive, lemma + (parts.reflexive ? 3 : 0));
    size_t length = strlen(parts.infinitive);
    char mark = parts.infinitive[length - 1];
    parts.fixed = mark == '=';
    if (mark == '=' || mark == '!') parts.infinitive[length - 1] = '\0';
    parts.etre = mark != '!' && (parts.reflexive || takes_etre(parts.infinitive));
    return parts;
}

static void add_pronouns(Render *render, const VerbItem *verb, const Parts *parts)
{
    if (parts->reflexive)
        words_add(render->out, reflexive_pronoun(verb->subject), weak_tags(&verb->tags))->kind =
            WORD_CLITIC;
    add_waiting(render, &render->clitics);
}

static void add_participle(Render *render, const VerbItem *verb, const Parts *parts)
{
    char text[WORD_SIZE];
    participle(text, parts->infinitive);
    if (parts->etre && !parts->fixed) agree(text, verb->subject);
    words_add(render->out, text, verb->tags);
}

static void add_infinitive(Render *render, const VerbItem *verb, const Parts *parts)
{
    if (verb->form == FORM_INFINITIVE && verb->negation != NEG_NONE) {
        words_add(render->out, "ne", tags_of(verb->scope, "N"));
        add_negation(render, verb);
    }
    add_pronouns(render, verb, parts);
    words_add(render->out, parts->infinitive, verb->tags);
}

static Tense tense_of(Form form)
{
    switch (form) {
    case FORM_PASTING:
        return TENSE_IMPERFECT;
    case FORM_FUTURE:
        return TENSE_FUTURE;
    case FORM_WOULD:
        return TENSE_CONDITIONAL;
    case FORM_SUBJUNCTIVE:
        return TENSE_SUBJUNCTIVE;
    case FORM_IMPERATIVE:
        return TENSE_IMPERATIVE;
    default:
        return TENSE_PRESENT;
    }
}

void french_verb(Render *render, const VerbItem *verb)
{
    char text[WORD_SIZE];
    Parts parts = parts_of(verb->lemma);
    if (verb->form == FORM_INFINITIVE || verb->form == FORM_ING) {
        add_infinitive(render, verb, &parts);
        add_waiting(render, &render->adverbs);
        return;
    }
    bool compound = verb->form == FORM_PAST || verb->form == FORM_PERFECT;
    bool going = verb->form == FORM_GOING;
    if (parts.reflexive && verb->form == FORM_IMPERATIVE)
        grammar_fault("a reflexive imperative", verb->lemma);
    if (verb->negation != NEG_NONE) words_add(render->out, "ne", tags_of(verb->scope, "N"));
    if (!going) add_pronouns(render, verb, &parts);
    const char *finite = going        ? "aller"
                         : !compound  ? parts.infinitive
                         : parts.etre ? "être"
                                      : "avoir";
    conjugate(text, finite, tense_of(verb->form), verb->subject);
    Tags tags = compound || going ? weak_tags(&verb->tags) : verb->tags;
    if (going || verb->form == FORM_PERFECT) tags_add(&tags, verb->scope, '1', false);
    words_add(render->out, text, tags);
    add_negation(render, verb);
    add_waiting(render, &render->adverbs);
    if (compound) add_participle(render, verb, &parts);
    if (going) add_infinitive(render, verb, &parts);
}

// ---- nouns and adjectives ---------------------------------------------------------------------

static bool cut_ending(char *text, const char *ending, const char *instead)
{
    size_t length = strlen(text), tail = strlen(ending);
    if (length < tail || strcmp(text + length - tail, ending) != 0) return false;
    strcpy(text + length - tail, instead);
    return true;
}

static void make_feminine(char *text)
{
    if (cut_ending(text, "eux", "euse") || cut_ending(text, "if", "ive") ||
        cut_ending(text, "er", "ère") || cut_ending(text, "el", "elle") ||
        cut_ending(text, "en", "enne") || cut_ending(text, "on", "onne") ||
        cut_ending(text, "et", "ette"))
        return;
    if (text[strlen(text) - 1] != 'e') strcat(text, "e");
}

static void make_plural(char *text)
{
    if (cut_ending(text, "eau", "eaux") || cut_ending(text, "al", "aux")) return;
    if (!strchr("sxz", text[strlen(text) - 1])) strcat(text, "s");
}

// beau, nouveau, vieux before a vowel in the masculine singular
static void soften_before_vowel(char *text)
{
    if (strcmp(text, "beau") == 0) strcpy(text, "bel");
    if (strcmp(text, "nouveau") == 0) strcpy(text, "nouvel");
    if (strcmp(text, "vieux") == 0) strcpy(text, "vieil");
}

static void agreed_adjective(char *text, const Adjective *adjective, bool feminine, bool plural)
{
    strcpy(text, adjective->masculine);
    if (feminine && *adjective->feminine)
        strcpy(text, adjective->feminine);
    else if (feminine)
        make_feminine(text);
    if (plural) make_plural(text);
}

void french_adjective(Render *render, const Phrase *phrase, const Slot *slot, Manner manner)
{
    Agreement with = subject_of(phrase, manner.subject, FRENCH);
    bool plural = with.plural && !with.polite, feminine = with.gender == 'f';
    char text[WORD_SIZE];
    agreed_adjective(text, slot->adjective, feminine, plural);
    bool compared = manner.degree == DEGREE_MORE || manner.degree == MAX_DEGREE;
    bool good = strcmp(slot->adjective->masculine, "bon") == 0;
    if (manner.degree == MAX_DEGREE)
        words_add(render->out, plural ? "les" : feminine ? "la" : "le", tags_of(slot->scope, "K"));
    if (compared && good) {
        static const char *const better[] = {"meilleur", "meilleure", "meilleurs", "meilleures"};
        words_add(render->out, better[feminine + 2 * plural], tags_of(slot->scope, "jk"));
        return;
    }
    if (compared) words_add(render->out, "plus", tags_of(slot->scope, "k"));
    words_add(render->out, text, tags_of(slot->scope, "j"));
}

static const char *possessive(Agreement owner, bool feminine, bool plural)
{
    static const char *const one[3][3] = {
        {"mon", "ma", "mes"}, {"ton", "ta", "tes"}, {"son", "sa", "ses"}};
    static const char *const many[3][2] = {{"notre", "nos"}, {"votre", "vos"}, {"leur", "leurs"}};
    if (owner.plural) return many[owner.person - 1][plural];
    return one[owner.person - 1][plural ? 2 : feminine];
}

typedef struct NounForm {
    bool feminine;
    bool plural;
    bool mass;
    bool vowel;  // what follows the determiner begins with a vowel sound
    bool before; // an adjective stands before the noun
} NounForm;

static void add_article(Render *render, NounForm form, bool partitive, Tags tags)
{
    if (partitive) words_add(render->out, "de", tags);
    words_add(render->out, form.plural ? "les" : form.feminine ? "la" : "le", tags);
}

// un, une; du, de la; des; de under negation, and before an adjective in the plural
static void add_indefinite(Render *render, NounForm form, unsigned scope)
{
    Tags sure = tags_of(scope, "d"), weak = tags_of(scope, "N");
    if (render->negated)
        words_add(render->out, "de", form.mass || form.plural ? weak : sure);
    else if (form.plural && form.before)
        words_add(render->out, "de", weak);
    else if (form.plural)
        words_add(render->out, "des", weak);
    else if (form.mass)
        add_article(render, form, true, weak);
    else
        words_add(render->out, form.feminine ? "une" : "un", sure);
}

static void add_determiner(Render *render, const Phrase *phrase, const Slot *slot, Manner manner,
                           NounForm form)
{
    static const char *const which[] = {"quel", "quelle", "quels", "quelles"};
    Tags tags = tags_of(slot->scope, "d");
    const char *word = NULL;
    char text[WORD_SIZE];
    switch (manner.article) {
    case ARTICLE_X:
        add_indefinite(render, form, slot->scope);
        return;
    case ARTICLE_THE:
        add_article(render, form, false, tags);
        return;
    case ARTICLE_GENERIC:
        add_article(render, form, false, tags_of(slot->scope, "N"));
        return;
    case ARTICLE_THIS:
    case ARTICLE_THAT:
        word = form.plural ? "ces" : form.feminine ? "cette" : form.vowel ? "cet" : "ce";
        break;
    case ARTICLE_POSSESSIVE:
        word = possessive(subject_of(phrase, manner.subject, FRENCH), form.feminine && !form.vowel,
                          form.plural);
        break;
    case ARTICLE_NUMBER: {
        const Slot *number = find_slot(phrase, manner.other);
        Tags more = tags_of(number->scope, "n");
        tags_union(&tags, &more);
        french_number(text, number->number, form.feminine);
        word = text;
        break;
    }
    case ARTICLE_WHICH:
        word = which[form.feminine + 2 * form.plural];
        break;
    case ARTICLE_HOWMANY:
        words_add(render->out, "combien", tags);
        words_add(render->out, "de", tags_of(slot->scope, "D"));
        return;
    case ARTICLE_ANOTHER:
        words_add(render->out, form.feminine ? "une" : "un", tags);
        word = "autre";
        break;
    default:
        break;
    }
    if (word) words_add(render->out, word, tags);
}

// What the determiner and the adjective must know, before the vowel is known.
static NounForm form_of(const Phrase *phrase, const Slot *slot, Manner manner)
{
    const Noun *noun = slot->noun;
    NounForm form = {.feminine = noun->gender == 'f' || noun->gender == 'F'};
    bool only_plural = noun->gender < 'a';
    bool many = manner.article == ARTICLE_GENERIC || manner.article == ARTICLE_HOWMANY;
    form.plural = slot->plural || many;
    if (manner.article == ARTICLE_NUMBER) form.plural = find_slot(phrase, manner.other)->number > 1;
    form.plural = only_plural || (form.plural && noun->kind != 'm');
    form.mass = noun->kind == 'm' && !only_plural;
    return form;
}

static void noun_text(char *text, const Noun *noun, bool plural)
{
    strcpy(text, noun->french);
    if (!plural || noun->gender < 'a') return; // capitals are plural as they stand
    if (*noun->french_plural)
        strcpy(text, noun->french_plural);
    else
        make_plural(text);
}

void french_noun(Render *render, const Phrase *phrase, const Slot *slot, Manner manner)
{
    NounForm form = form_of(phrase, slot, manner);
    const Slot *other = manner.other ? find_slot(phrase, manner.other) : NULL;
    const Adjective *adjective = other ? other->adjective : NULL;
    char noun[WORD_SIZE], described[WORD_SIZE] = "";
    noun_text(noun, slot->noun, form.plural);
    if (adjective) agreed_adjective(described, adjective, form.feminine, form.plural);
    form.before = adjective && adjective->place == 'b';
    if (form.before && !form.feminine && !form.plural && begins_with_vowel(noun))
        soften_before_vowel(described);
    form.vowel = begins_with_vowel(form.before ? described : noun);
    add_determiner(render, phrase, slot, manner, form);
    if (form.before) words_add(render->out, described, tags_of(other->scope, "j"));
    words_add(render->out, noun, tags_of(slot->scope, "n"));
    if (adjective && !form.before) words_add(render->out, described, tags_of(other->scope, "j"));
}
