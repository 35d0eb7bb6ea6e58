#include "render.h"

#include <stdio.h>
#include <string.h>

/* Irregular verbs: base, third person, past, participle, -ing form; NULL where the rule holds.
 * Verbs that double their last letter stand here too. */
static const char *const irregular[][5] = {
    {"be", "is", "was", "been", NULL},
    {"have", "has", "had", "had", NULL},
    {"do", "does", "did", "done", NULL},
    {"go", "goes", "went", "gone", NULL},
    {"say", NULL, "said", "said", NULL},
    {"get", NULL, "got", "got", "getting"},
    {"make", NULL, "made", "made", NULL},
    {"know", NULL, "knew", "known", NULL},
    {"think", NULL, "thought", "thought", NULL},
    {"take", NULL, "took", "taken", NULL},
    {"see", NULL, "saw", "seen", "seeing"},
    {"come", NULL, "came", "come", NULL},
    {"find", NULL, "found", "found", NULL},
    {"give", NULL, "gave", "given", NULL},
    {"tell", NULL, "told", "told", NULL},
    {"feel", NULL, "felt", "felt", NULL},
    {"become", NULL, "became", "become", NULL},
    {"leave", NULL, "left", "left", NULL},
    {"put", NULL, "put", "put", "putting"},
    {"mean", NULL, "meant", "meant", NULL},
    {"keep", NULL, "kept", "kept", NULL},
    {"let", NULL, "let", "let", "letting"},
    {"begin", NULL, "began", "begun", "beginning"},
    {"hear", NULL, "heard", "heard", NULL},
    {"run", NULL, "ran", "run", "running"},
    {"bring", NULL, "brought", "brought", NULL},
    {"write", NULL, "wrote", "written", NULL},
    {"sit", NULL, "sat", "sat", "sitting"},
    {"stand", NULL, "stood", "stood", NULL},
    {"lose", NULL, "lost", "lost", NULL},
    {"pay", NULL, "paid", "paid", NULL},
    {"meet", NULL, "met", "met", NULL},
    {"read", NULL, "read", "read", NULL},
    {"spend", NULL, "spent", "spent", NULL},
    {"send", NULL, "sent", "sent", NULL},
    {"buy", NULL, "bought", "bought", NULL},
    {"sell", NULL, "sold", "sold", NULL},
    {"speak", NULL, "spoke", "spoken", NULL},
    {"grow", NULL, "grew", "grown", NULL},
    {"win", NULL, "won", "won", "winning"},
    {"teach", NULL, "taught", "taught", NULL},
    {"eat", NULL, "ate", "eaten", NULL},
    {"drink", NULL, "drank", "drunk", NULL},
    {"sleep", NULL, "slept", "slept", NULL},
    {"sing", NULL, "sang", "sung", NULL},
    {"swim", NULL, "swam", "swum", "swimming"},
    {"drive", NULL, "drove", "driven", NULL},
    {"ride", NULL, "rode", "ridden", NULL},
    {"fly", NULL, "flew", "flown", NULL},
    {"break", NULL, "broke", "broken", NULL},
    {"cut", NULL, "cut", "cut", "cutting"},
    {"wear", NULL, "wore", "worn", NULL},
    {"forget", NULL, "forgot", "forgotten", "forgetting"},
    {"understand", NULL, "understood", "understood", NULL},
    {"choose", NULL, "chose", "chosen", NULL},
    {"catch", NULL, "caught", "caught", NULL},
    {"draw", NULL, "drew", "drawn", NULL},
    {"fall", NULL, "fell", "fallen", NULL},
    {"hold", NULL, "held", "held", NULL},
    {"lend", NULL, "lent", "lent", NULL},
    {"build", NULL, "built", "built", NULL},
    {"wake", NULL, "woke", "woken", NULL},
    {"hurt", NULL, "hurt", "hurt", NULL},
    {"cost", NULL, "cost", "cost", NULL},
    {"throw", NULL, "threw", "thrown", NULL},
    {"show", NULL, "showed", "shown", NULL},
    {"hide", NULL, "hid", "hidden", NULL},
    {"feed", NULL, "fed", "fed", NULL},
    {"stop", NULL, "stopped", "stopped", "stopping"},
    {"plan", NULL, "planned", "planned", "planning"},
    {"travel", NULL, "travelled", "travelled", "travelling"},
    {"drop", NULL, "dropped", "dropped", "dropping"},
    {"jog", NULL, "jogged", "jogged", "jogging"},
    {"prefer", NULL, "preferred", "preferred", "preferring"},
    {"chat", NULL, "chatted", "chatted", "chatting"},
    {"shop", NULL, "shopped", "shopped", "shopping"},
    {"set", NULL, "set", "set", "setting"},
    {"sweep", NULL, "swept", "swept", NULL},
    {"knit", NULL, "knitted", "knitted", "knitting"},
    {"shut", NULL, "shut", "shut", "shutting"},
    {"rise", NULL, "rose", "risen", NULL},
};

static const char *const *irregular_verb(const char *lemma)
{
    for (size_t i = 0; i < sizeof irregular / sizeof *irregular; i++)
        if (strcmp(irregular[i][0], lemma) == 0) return irregular[i];
    return NULL;
}

static bool consonant_y(const char *text, size_t length)
{
    return length > 1 && text[length - 1] == 'y' && !strchr("aeiou", text[length - 2]);
}

// city → cities, box → boxes, cat → cats; verbs the same
static void add_s(char *text, const char *base)
{
    size_t length = strlen(base);
    strcpy(text, base);
    char last = base[length - 1], before = length > 1 ? base[length - 2] : 'a';
    if (consonant_y(base, length))
        strcpy(text + length - 1, "ies");
    else if (strchr("sxzo", last) || (last == 'h' && strchr("cs", before)))
        strcat(text, "es");
    else
        strcat(text, "s");
}

static void add_ed(char *text, const char *base)
{
    size_t length = strlen(base);
    strcpy(text, base);
    if (consonant_y(base, length))
        strcpy(text + length - 1, "ied");
    else
        strcat(text, base[length - 1] == 'e' ? "d" : "ed");
}

static void add_ing(char *text, const char *base)
{
    size_t length = strlen(base);
    strcpy(text, base);
    bool silent = base[length - 1] == 'e' && length > 2 && base[length - 2] != 'e';
    strcpy(text + length - (silent ? 1 : 0), "ing");
}

enum { THIRD = 1, PAST, PARTICIPLE, ING };

// One form of a verb other than be.
static void verb_form(char *text, const char *lemma, int form)
{
    const char *const *row = irregular_verb(lemma);
    if (row && row[form])
        strcpy(text, row[form]);
    else if (form == THIRD)
        add_s(text, lemma);
    else if (form == ING)
        add_ing(text, lemma);
    else
        add_ed(text, lemma);
}

static const char *be_form(Agreement subject, bool past)
{
    bool many = subject.plural || subject.person == 2;
    if (past) return many ? "were" : "was";
    return many ? "are" : subject.person == 1 ? "am" : "is";
}

// The auxiliary a form begins with, or NULL; "" stands for nothing.
static const char *auxiliary(const VerbItem *verb, bool third)
{
    bool be = strcmp(verb->lemma, "be") == 0,
         negated = verb->negation == NEG_NOT || verb->negation == NEG_NOTYET;
    switch (verb->form) {
    case FORM_PROGRESS:
    case FORM_GOING:
        return be_form(verb->subject, false);
    case FORM_PASTING:
        return be_form(verb->subject, true);
    case FORM_PERFECT:
        return third ? "has" : "have";
    case FORM_FUTURE:
        return "will";
    case FORM_WOULD:
        return "would";
    case FORM_PRESENT:
        return negated && !be ? third ? "does" : "do" : be ? be_form(verb->subject, false) : NULL;
    case FORM_PAST:
        return negated && !be ? "did" : be ? be_form(verb->subject, true) : NULL;
    case FORM_IMPERATIVE:
        return negated ? "do" : NULL;
    default:
        return NULL;
    }
}

// The verb itself, after its auxiliary.
static void main_form(char *text, const VerbItem *verb, bool third, bool helped)
{
    strcpy(text, verb->lemma);
    switch (verb->form) {
    case FORM_PROGRESS:
    case FORM_PASTING:
    case FORM_ING:
        verb_form(text, verb->lemma, ING);
        break;
    case FORM_PERFECT:
        verb_form(text, verb->lemma, PARTICIPLE);
        break;
    case FORM_PRESENT:
        if (!helped && third) verb_form(text, verb->lemma, THIRD);
        break;
    case FORM_PAST:
        if (!helped) verb_form(text, verb->lemma, PAST);
        break;
    default:
        break;
    }
}

// do + not → don't; am not stays apart
static void negated_auxiliary(char *text, const char *word)
{
    if (strcmp(word, "will") == 0)
        strcpy(text, "won't");
    else if (strcmp(word, "am") == 0)
        strcpy(text, "am");
    else
        snprintf(text, WORD_SIZE, "%sn't", word);
}

void english_verb(Render *render, const VerbItem *verb)
{
    char text[WORD_SIZE];
    bool third = verb->subject.person == 3 && !verb->subject.plural;
    bool negated = verb->negation == NEG_NOT || verb->negation == NEG_NOTYET;
    bool copula =
        strcmp(verb->lemma, "be") == 0 && (verb->form == FORM_PRESENT || verb->form == FORM_PAST);
    Tags weak = weak_tags(&verb->tags), deny = tags_of(verb->scope, "n");
    const char *help = auxiliary(verb, third);
    if (verb->form == FORM_INFINITIVE && negated) words_add(render->out, "not", deny);
    if (help) {
        Tags tags = copula ? verb->tags : weak;
        if (!copula) tags_add(&tags, verb->scope, '1', strncmp(help, "d", 1) == 0);
        strcpy(text, help);
        if (negated) {
            negated_auxiliary(text, help);
            if (strcmp(help, "am") != 0) tags_union(&tags, &deny);
        }
        bool plain = strcmp(text, help) == 0;
        words_add(render->out, text, tags)->kind = plain ? WORD_CONTRACTS : WORD_PLAIN;
        if (negated && plain) words_add(render->out, "not", deny);
    }
    if (verb->negation == NEG_NEVER) words_add(render->out, "never", deny);
    if (verb->form == FORM_GOING) {
        Tags going = weak;
        tags_add(&going, verb->scope, '1', false);
        words_add(render->out, "going", going);
        words_add(render->out, "to", weak);
    }
    if (copula) return;
    main_form(text, verb, third, help != NULL);
    words_add(render->out, text, verb->tags);
}

static const char *possessive(Agreement owner)
{
    if (owner.person == 1) return owner.plural ? "our" : "my";
    if (owner.person == 2) return "your";
    if (owner.plural) return "their";
    return owner.gender == 'm' ? "his" : owner.gender == 'f' ? "her" : "its";
}

// The determiner, "" if there is none.
static void determiner(char *text, const Phrase *phrase, const Slot *slot, Manner manner,
                       bool plural)
{
    bool mass = slot->noun->kind == 'm';
    const char *word = "";
    switch (manner.article) {
    case ARTICLE_X:
        word = mass || plural ? "" : "a";
        break;
    case ARTICLE_THE:
        word = "the";
        break;
    case ARTICLE_THIS:
        word = plural ? "these" : "this";
        break;
    case ARTICLE_THAT:
        word = plural ? "those" : "that";
        break;
    case ARTICLE_POSSESSIVE:
        word = possessive(subject_of(phrase, manner.subject, ENGLISH));
        break;
    case ARTICLE_NUMBER:
        english_number(text, find_slot(phrase, manner.other)->number);
        return;
    case ARTICLE_WHICH:
        word = "which";
        break;
    case ARTICLE_HOWMANY:
        word = mass ? "how much" : "how many";
        break;
    case ARTICLE_ANOTHER:
        word = "another";
        break;
    default:
        break;
    }
    strcpy(text, word);
}

void english_noun(Render *render, const Phrase *phrase, const Slot *slot, Manner manner)
{
    const Noun *noun = slot->noun;
    bool plural = slot->plural || noun->kind == 'p' || manner.article == ARTICLE_HOWMANY ||
                  (manner.article == ARTICLE_GENERIC && noun->kind == 'c');
    if (manner.article == ARTICLE_NUMBER) plural = find_slot(phrase, manner.other)->number != 1;
    plural = plural && noun->kind != 'm';
    char text[WORD_SIZE];
    determiner(text, phrase, slot, manner, plural);
    Tags tags = tags_of(slot->scope, "d");
    if (manner.article == ARTICLE_NUMBER) {
        Tags number = tags_of(find_slot(phrase, manner.other)->scope, "n");
        tags_union(&tags, &number);
    }
    if (*text) words_add(render->out, text, tags);
    const Slot *other = manner.other ? find_slot(phrase, manner.other) : NULL;
    if (other && other->adjective)
        words_add(render->out, other->adjective->english, tags_of(other->scope, "j"));
    if (!plural || noun->kind == 'p')
        strcpy(text, noun->english);
    else if (*noun->english_plural)
        strcpy(text, noun->english_plural);
    else
        add_s(text, noun->english);
    words_add(render->out, text, tags_of(slot->scope, "n"));
}

// Groups of vowels: big 1, happy 2, expensive 3; a silent e does not count.
static int syllables(const char *word)
{
    int groups = 0;
    size_t length = strlen(word);
    for (size_t i = 0; i < length; i++) {
        bool vowel = strchr("aeiouy", word[i]) != NULL;
        bool begins = vowel && (i == 0 || !strchr("aeiouy", word[i - 1]));
        if (begins && !(word[i] == 'e' && i + 1 == length)) groups++;
    }
    return groups;
}

// big → bigger, happy → happier, nice → nicer
static void compare(char *text, const char *base, bool most)
{
    size_t length = strlen(base);
    const char *ending = most ? "est" : "er";
    strcpy(text, base);
    if (strcmp(base, "good") == 0)
        strcpy(text, most ? "best" : "better");
    else if (strcmp(base, "bad") == 0)
        strcpy(text, most ? "worst" : "worse");
    else if (consonant_y(base, length))
        sprintf(text + length - 1, "i%s", ending);
    else if (base[length - 1] == 'e')
        strcpy(text + length, ending + 1);
    else if (length > 2 && strchr("bdgntp", base[length - 1]) &&
             strchr("aeiou", base[length - 2]) && !strchr("aeiou", base[length - 3]))
        sprintf(text + length, "%c%s", base[length - 1], ending);
    else
        strcpy(text + length, ending);
}

void english_adjective(Render *render, const Slot *slot, Manner manner)
{
    const char *base = slot->adjective->english;
    char text[WORD_SIZE];
    bool compared = manner.degree == DEGREE_MORE || manner.degree == MAX_DEGREE,
         most = manner.degree == MAX_DEGREE;
    bool ends_y = base[strlen(base) - 1] == 'y';
    bool by_ending = syllables(base) == 1 || (syllables(base) == 2 && ends_y);
    if (compared && by_ending) {
        compare(text, base, most);
        words_add(render->out, text, tags_of(slot->scope, "jk"));
        return;
    }
    if (compared) words_add(render->out, most ? "most" : "more", tags_of(slot->scope, "k"));
    words_add(render->out, base, tags_of(slot->scope, "j"));
}
