#include "grammar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Every table of rules, each in the file of its name.
#define RULES(X)                                                                                   \
    X(people_rules)                                                                                \
    X(time_rules)                                                                                  \
    X(place_rules)                                                                                 \
    X(activity_rules)                                                                              \
    X(action_rules)                                                                                \
    X(frames_statements)                                                                           \
    X(frames_questions)                                                                            \
    X(frames_things)                                                                               \
    X(frames_clauses)                                                                              \
    X(frames_requests)                                                                             \
    X(frames_topics)

#define DECLARE(name) extern const Table name;
RULES(DECLARE)

const Table *const tables[] = {
#define ADDRESS(name) &name,
    RULES(ADDRESS)};
const size_t table_count = sizeof tables / sizeof *tables;

extern const NounTable nouns_home, nouns_world;
const NounTable *const noun_tables[] = {&nouns_home, &nouns_world};
const size_t noun_table_count = sizeof noun_tables / sizeof *noun_tables;

bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length) {
        bool starts = at == list || at[-1] == ' ';
        if (starts && (at[length] == ' ' || at[length] == '\0')) return true;
    }
    return false;
}

bool share_word(const char *first, const char *second)
{
    char word[64];
    int length;
    for (const char *at = first; sscanf(at, " %63s%n", word, &length) == 1; at += length)
        if (has_word(second, word)) return true;
    return false;
}

void grammar_fault(const char *what, const char *where)
{
    fprintf(stderr, "grammar: %s in \"%s\"\n", what, where);
    exit(1);
}
