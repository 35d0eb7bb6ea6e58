#include "derivation.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 60, CLASS_SIZE = 64 };

size_t rule_weight(const Rule *rule)
{
    const char *star = strchr(rule->slots, '*');
    return star ? strtoul(star + 1, NULL, 10) : 1;
}

// "=3sf": person, s or p or v (polite), gender if it matters
static Agreement parse_agreement(const char *features, Picker *picker)
{
    Agreement agreement = {.person = features[1] - '0', .gender = 'm'};
    agreement.plural = features[2] != 's';
    agreement.polite = features[2] == 'v';
    if (strchr("mfn", features[3]) && features[3])
        agreement.gender = features[3];
    else if (agreement.person < 3 && pick(picker, 5) == 0)
        agreement.gender = 'f'; // I, you, we: French must choose
    return agreement;
}

static bool used(const Derivation *derivation, const void *item)
{
    for (size_t i = 0; i < derivation->count; i++) {
        const Phrase *phrase = &derivation->phrases[i];
        if (phrase->rule == item) return true;
        for (size_t j = 0; j < phrase->slot_count; j++) {
            const Slot *slot = &phrase->slots[j];
            if (slot->noun == item || slot->adjective == item) return true;
        }
    }
    return false;
}

static const Rule *choose_rule(const char *class, Picker *picker)
{
    size_t total = 0;
    const Rule *chosen = NULL;
    for (size_t t = 0; t < table_count; t++) {
        for (size_t i = 0; i < tables[t]->count; i++) {
            const Rule *rule = &tables[t]->rules[i];
            if (!has_word(rule->classes, class)) continue;
            size_t weight = rule_weight(rule);
            total += weight;
            if (pick(picker, total) < weight) chosen = rule; // reservoir sampling
        }
    }
    return chosen;
}

static const Noun *choose_noun(const char *class, Picker *picker)
{
    size_t total = 0;
    const Noun *chosen = NULL;
    for (size_t t = 0; t < noun_table_count; t++) {
        for (size_t i = 0; i < noun_tables[t]->count; i++) {
            const Noun *noun = &noun_tables[t]->nouns[i];
            if (has_word(noun->classes, class) && pick(picker, ++total) == 0) chosen = noun;
        }
    }
    return chosen;
}

// `class` is the name of a class, or a noun's whole list of classes
static const Adjective *choose_adjective(const char *class, Picker *picker)
{
    size_t total = 0;
    const Adjective *chosen = NULL;
    for (size_t i = 0; i < adjective_count; i++)
        if (share_word(adjectives[i].classes, class) && pick(picker, ++total) == 0)
            chosen = &adjectives[i];
    return chosen;
}

static const Phrase *expand(Derivation *derivation, const Rule *rule, const Phrase *parent,
                            Picker *picker);

static bool fill_number(Slot *slot, const char *range, Picker *picker)
{
    unsigned low, high, step = 1;
    if (sscanf(range, "%u-%u/%u", &low, &high, &step) < 2) return false;
    slot->kind = SLOT_NUMBER;
    slot->number = low + step * (unsigned)pick(picker, (high - low) / step + 1);
    if (slot->number > 20 && slot->number < 100 && slot->number % 10 == 1)
        slot->number++; // vingt et un, vingt et une
    return true;
}

static void fill_slot(Derivation *derivation, Phrase *phrase, Slot *slot, const char *class,
                      Picker *picker)
{
    if (fill_number(slot, class, picker)) return;
    for (int tries = 0; tries < TRIES; tries++) {
        const Rule *rule = class[0] == '@' ? NULL : choose_rule(class, picker);
        const Noun *noun = class[0] == '@' || rule ? NULL : choose_noun(class, picker);
        const char *fit = class[0] == '@' ? find_slot(phrase, class[1])->noun->classes : class;
        const Adjective *adjective = rule || noun ? NULL : choose_adjective(fit, picker);
        if (!rule && !noun && !adjective) grammar_fault("a class without members", class);
        if (used(derivation, rule ? (const void *)rule : noun ? (const void *)noun : adjective))
            continue;
        slot->kind = rule ? SLOT_PHRASE : noun ? SLOT_NOUN : SLOT_ADJECTIVE;
        slot->noun = noun;
        slot->adjective = adjective;
        if (rule) slot->phrase = expand(derivation, rule, phrase, picker);
        return;
    }
    grammar_fault("a class too small for its frame", class);
}

static const Phrase *expand(Derivation *derivation, const Rule *rule, const Phrase *parent,
                            Picker *picker)
{
    assert(derivation->count < MAX_PHRASES);
    Phrase *phrase = &derivation->phrases[derivation->count++];
    *phrase = (Phrase){.rule = rule, .parent = parent, .scope = derivation->scopes++};
    char item[CLASS_SIZE];
    int length;
    for (const char *at = rule->slots; sscanf(at, " %63s%n", item, &length) == 1; at += length) {
        if (item[0] == '=') phrase->agreement = parse_agreement(item, picker);
        if (item[0] == '=' || item[0] == '*') continue;
        if (item[1] != ':' || phrase->slot_count == MAX_SLOTS)
            grammar_fault("a slot that cannot be read", rule->slots);
        Slot *slot = &phrase->slots[phrase->slot_count];
        *slot = (Slot){.name = item[0], .scope = derivation->scopes++};
        char *plural = strstr(item, "/p");
        if (plural) *plural = '\0';
        slot->plural = plural != NULL;
        fill_slot(derivation, phrase, slot, item + 2, picker);
        phrase->slot_count++;
    }
    return phrase;
}

const Phrase *derive(Derivation *derivation, const Rule *frame, Picker *picker)
{
    derivation->count = 0;
    derivation->scopes = 1;
    return expand(derivation, frame, NULL, picker);
}

const Slot *find_slot(const Phrase *phrase, char name)
{
    for (const Phrase *p = phrase; p; p = p->parent)
        for (size_t i = 0; i < p->slot_count; i++)
            if (p->slots[i].name == name) return &p->slots[i];
    grammar_fault((char[]){'n', 'o', ' ', 's', 'l', 'o', 't', ' ', name, '\0'},
                  phrase->rule->text[ENGLISH]);
}

Agreement slot_agreement(const Slot *slot, Language language)
{
    if (slot->kind == SLOT_PHRASE) return slot->phrase->agreement;
    if (slot->kind != SLOT_NOUN) return (Agreement){.person = 3, .gender = 'm'};
    const Noun *noun = slot->noun;
    Agreement agreement = {.person = 3, .plural = slot->plural && noun->kind != 'm'};
    bool human = has_word(noun->classes, "human");
    if (language == ENGLISH) {
        agreement.plural = agreement.plural || noun->kind == 'p';
        agreement.gender = human ? noun->gender : 'n';
    } else {
        agreement.plural = agreement.plural || noun->gender < 'a';
        agreement.gender = noun->gender == 'm' || noun->gender == 'M' ? 'm' : 'f';
    }
    return agreement;
}
