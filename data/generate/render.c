#include "render.h"

#include <stdio.h>
#include <string.h>

enum { ITEM_SIZE = 96 };

Tags weak_tags(const Tags *tags)
{
    Tags weak = *tags;
    for (size_t i = 0; i < weak.count; i++) weak.weak[i] = true;
    return weak;
}

Agreement subject_of(const Phrase *phrase, char name, Language language)
{
    if (name == '&') { // S and F together
        Agreement both = {.person = 3, .plural = true, .gender = 'f'};
        char first = slot_agreement(find_slot(phrase, 'S'), language).gender;
        char second = slot_agreement(find_slot(phrase, 'F'), language).gender;
        if (first != 'f' || second != 'f') both.gender = 'm';
        return both;
    }
    if (name) return slot_agreement(find_slot(phrase, name), language);
    for (const Phrase *p = phrase; p; p = p->parent)
        for (size_t i = 0; i < p->slot_count; i++)
            if (p->slots[i].name == 'S') return slot_agreement(&p->slots[i], language);
    return (Agreement){.person = 3, .gender = 'm'};
}

static void render_phrase(Render *render, const Phrase *phrase, Manner call);

static void number_item(Render *render, const Slot *slot, Manner manner)
{
    char text[WORD_SIZE];
    if (manner.degree == DEGREE_DIGITS)
        snprintf(text, sizeof text, "%u", slot->number);
    else if (render->language == ENGLISH)
        english_number(text, slot->number);
    else if (render->language == FRENCH)
        french_number(text, slot->number, false);
    else
        chinese_number(text, slot->number, manner.degree == DEGREE_COUNTING);
    words_add(render->out, text, tags_of(slot->scope, "n"));
}

// The pronoun that stands for a person, as subject or as object (in French after a preposition).
static const char *pronoun(Agreement person, Language language, bool object)
{
    static const char *const words[LANGUAGES][2][7] = {
        {{"I", "you", "he", "she", "we", "you", "they"},
         {"me", "you", "him", "her", "us", "you", "them"}},
        {{"je", "tu", "il", "elle", "nous", "vous", "ils"},
         {"moi", "toi", "lui", "elle", "nous", "vous", "eux"}},
        {{"我", "你", "他", "她", "我们", "你们", "他们"},
         {"我", "你", "他", "她", "我们", "你们", "他们"}}};
    bool feminine = person.gender == 'f';
    if (person.person == 3 && person.plural && feminine && language != ENGLISH)
        return language == FRENCH ? "elles" : "她们";
    if (person.polite && language == CHINESE) return "您";
    static const int places[2][3] = {{0, 1, 2}, {4, 5, 6}};
    int place = places[person.plural][person.person - 1];
    return words[language][object][place + (place == 2 && feminine)];
}

static void phrase_item(Render *render, const Slot *slot, Manner manner, Manner call)
{
    bool object = manner.article == ARTICLE_OBJECT;
    if (manner.article == ARTICLE_PRONOUN || object) {
        const char *word = pronoun(slot->phrase->agreement, render->language, object);
        // a second mention is not the first one's counterpart
        words_add(render->out, word, tags_of(slot->phrase->scope, object ? "p" : "2"));
        return;
    }
    bool asked = manner.form != FORM_CALL || manner.negation != NEG_NONE;
    if (!asked) {
        manner.form = call.form;
        manner.negation = call.negation;
    } else if (render->language == CHINESE) {
        chinese_prefix(render, slot->phrase, manner);
    }
    bool outer = render->negated;
    if (asked && render->language == CHINESE) render->negated = manner.negation != NEG_NONE;
    render_phrase(render, slot->phrase, manner);
    render->negated = outer;
    if (render->language != CHINESE) return;
    for (size_t i = 0; i < render->adverbs.count; i++)
        words_add(render->out, render->adverbs.words[i].text, render->adverbs.words[i].tags);
    render->adverbs.count = 0;
}

// `$O.the+J/t`: a slot, and tags of the rule's own for all of its words
static void slot_item(Render *render, const Phrase *phrase, const char *item, Manner call)
{
    const Slot *slot = find_slot(phrase, item[1]);
    Manner manner = manner_parse(item + 2, item);
    size_t first = render->out->count;
    if (!manner.subject && slot->kind == SLOT_PHRASE) manner.subject = call.subject;
    switch (slot->kind) {
    case SLOT_PHRASE:
        phrase_item(render, slot, manner, call);
        break;
    case SLOT_NUMBER:
        number_item(render, slot, manner);
        break;
    case SLOT_NOUN:
        if (render->language == ENGLISH)
            english_noun(render, phrase, slot, manner);
        else if (render->language == FRENCH)
            french_noun(render, phrase, slot, manner);
        else
            chinese_noun(render, phrase, slot, manner);
        break;
    case SLOT_ADJECTIVE:
        if (render->language == ENGLISH)
            english_adjective(render, slot, manner);
        else if (render->language == FRENCH)
            french_adjective(render, phrase, slot, manner);
        else
            chinese_adjective(render, slot, manner);
        break;
    }
    const char *slash = strchr(item, '/');
    for (size_t i = first; slash && i < render->out->count; i++) {
        Tags tags = tags_of(phrase->scope, slash + 1);
        tags_union(&render->out->words[i].tags, &tags);
    }
}

static void verb_item(Render *render, const Phrase *phrase, const char *item, Manner call)
{
    VerbItem verb = {.scope = phrase->scope};
    size_t length = strcspn(item + 1, ".:/");
    memcpy(verb.lemma, item + 1, length);
    Manner manner = manner_parse(item + 1 + length, item);
    const char *slash = strchr(item, '/');
    verb.tags = tags_of(phrase->scope, slash ? slash + 1 : "");
    verb.form = manner.form != FORM_CALL ? manner.form : call.form;
    verb.negation =
        manner.negation != NEG_NONE || manner.form != FORM_CALL ? manner.negation : call.negation;
    char subject = manner.subject ? manner.subject : call.subject;
    verb.subject = subject_of(phrase, subject, render->language);
    if (verb.subject.person == 0) grammar_fault("a subject that is no person", item);
    if (render->language == ENGLISH)
        english_verb(render, &verb);
    else
        french_verb(render, &verb);
    // il n'a pas de pain, il ne veut pas manger de pain; but il n'aime pas manger du pain
    bool whole = has_word("être aimer be", verb.lemma);
    if (verb.negation != NEG_NONE && !whole) render->negated = true; // for the rest of the phrase
}

// The scope of an item's tags: the rule's own, or after `@X` that of slot X.
static unsigned tag_scope(const Phrase *phrase, const char *slash)
{
    const char *at = slash ? strchr(slash, '@') : NULL;
    if (!at) return phrase->scope;
    const Slot *slot = find_slot(phrase, at[1]);
    return slot->kind == SLOT_PHRASE ? slot->phrase->scope : slot->scope;
}

// a word, perhaps a French clitic or adverb that waits, perhaps a Chinese verb with its aspect
static void literal_item(Render *render, const Phrase *phrase, const char *item, Manner call)
{
    const char *slash = strchr(item, '/');
    Tags tags = tags_of(tag_scope(phrase, slash), slash ? slash + 1 : "");
    char text[ITEM_SIZE];
    size_t length = slash ? (size_t)(slash - item) : strlen(item);
    memcpy(text, item, length);
    text[length] = '\0';
    for (char *blank = text; (blank = strchr(blank, '_'));) *blank = ' ';
    char mark = length > 1 ? text[length - 1] : '\0';
    if (mark == '^' || mark == '~') text[length - 1] = '\0';
    if (render->language == FRENCH && (text[0] == '<' || text[0] == '>')) {
        Words *waiting = text[0] == '<' ? &render->clitics : &render->adverbs;
        words_add(waiting, text + 1, tags)->kind = WORD_CLITIC;
        return;
    }
    if (mark == '~' && render->negated && render->language == CHINESE) return;
    if (mark == '~' && render->negated) strcpy(text, "de");
    words_add(render->out, text, tags);
    if (mark != '^' || (call.form != FORM_LE && call.form != FORM_ASK)) return;
    // 修电视了吗, but 做了一个蛋糕吗; what a slot brings may be counted too
    bool waits = call.form == FORM_ASK && !strpbrk(phrase->rule->text[CHINESE], "~$");
    words_add(waits ? &render->adverbs : render->out, "了", weak_tags(&tags));
}

static void render_phrase(Render *render, const Phrase *phrase, Manner call)
{
    bool outer = render->negated;
    char item[ITEM_SIZE];
    int length;
    const char *at = phrase->rule->text[render->language];
    for (; sscanf(at, " %95s%n", item, &length) == 1; at += length) {
        if (item[0] == '$')
            slot_item(render, phrase, item, call);
        else if (item[0] == '@')
            verb_item(render, phrase, item, call);
        else
            literal_item(render, phrase, item, call);
    }
    render->negated = outer;
}

void render(Words *out, const Phrase *frame, Language language)
{
    Render state = {.language = language, .out = out};
    out->count = 0;
    render_phrase(&state, frame, (Manner){0});
    if (state.clitics.count || state.adverbs.count)
        grammar_fault("a clitic without a verb", frame->rule->text[language]);
}
