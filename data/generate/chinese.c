#include "render.h"

#include <stdio.h>
#include <string.h>

static const char *possessor(Agreement owner)
{
    if (owner.person == 1) return owner.plural ? "我们" : "我";
    if (owner.person == 2) return owner.polite ? "您" : owner.plural ? "你们" : "你";
    if (owner.gender == 'f') return owner.plural ? "她们" : "她";
    if (owner.gender == 'n') return owner.plural ? "它们" : "它";
    return owner.plural ? "他们" : "他";
}

// A determiner and the measure word, which has no counterpart of its own.
static void add_measured(Render *render, const char *determiner, const Slot *slot, Tags tags)
{
    words_add(render->out, determiner, tags);
    words_add(render->out, slot->noun->measure, weak_tags(&tags));
}

static void add_determiner(Render *render, const Phrase *phrase, const Slot *slot, Manner manner)
{
    Tags tags = tags_of(slot->scope, "d");
    bool mass = slot->noun->kind == 'm', many = slot->plural;
    char text[WORD_SIZE];
    switch (manner.article) {
    case ARTICLE_X:
        if (!mass && !many && !render->negated) add_measured(render, "一", slot, tags);
        break;
    case ARTICLE_THIS:
    case ARTICLE_THAT: {
        const char *word = manner.article == ARTICLE_THIS ? "这" : "那";
        if (many || mass) {
            words_add(render->out, word, tags);
            words_add(render->out, mass ? slot->noun->measure : "些", weak_tags(&tags));
        } else {
            add_measured(render, word, slot, tags);
        }
        break;
    }
    case ARTICLE_POSSESSIVE:
        words_add(render->out, possessor(subject_of(phrase, manner.subject, ENGLISH)), tags);
        words_add(render->out, "的", weak_tags(&tags));
        break;
    case ARTICLE_NUMBER: {
        const Slot *number = find_slot(phrase, manner.other);
        Tags more = tags_of(number->scope, "n");
        tags_union(&tags, &more);
        chinese_number(text, number->number, true);
        add_measured(render, text, slot, tags);
        break;
    }
    case ARTICLE_WHICH:
        if (many) {
            words_add(render->out, "哪", tags);
            words_add(render->out, "些", weak_tags(&tags));
        } else {
            add_measured(render, "哪", slot, tags);
        }
        break;
    case ARTICLE_HOWMANY:
        add_measured(render, "几", slot, tags);
        break;
    case ARTICLE_ANOTHER:
        words_add(render->out, "另", tags);
        add_measured(render, "一", slot, tags);
        break;
    default:
        break;
    }
}

/* 大房子, 红色的车, 安静的房间; an adjective of one character that wants 的 wants 很 too: 很贵的车.
 */
static void add_attribute(Render *render, const Slot *slot)
{
    Tags tags = tags_of(slot->scope, "j");
    bool one = strlen(slot->adjective->chinese) == strlen("大");
    if (one && slot->adjective->kind == 'p') words_add(render->out, "很", weak_tags(&tags));
    words_add(render->out, slot->adjective->chinese, tags);
    if (slot->adjective->kind != 's') words_add(render->out, "的", weak_tags(&tags));
}

void chinese_noun(Render *render, const Phrase *phrase, const Slot *slot, Manner manner)
{
    add_determiner(render, phrase, slot, manner);
    const Slot *other = manner.other ? find_slot(phrase, manner.other) : NULL;
    if (other && other->adjective) add_attribute(render, other);
    words_add(render->out, slot->noun->chinese, tags_of(slot->scope, "n"));
    bool people = slot->plural && has_word(slot->noun->classes, "human");
    if (people && manner.article == ARTICLE_THE)
        words_add(render->out, "们", tags_of(slot->scope, "N"));
}

void chinese_adjective(Render *render, const Slot *slot, Manner manner)
{
    Tags tags = tags_of(slot->scope, "j"), weak = tags_of(slot->scope, "J");
    bool nominal = slot->adjective->kind == 'n';
    if (manner.degree == DEGREE_PREDICATE) words_add(render->out, nominal ? "是" : "很", weak);
    words_add(render->out, slot->adjective->chinese, tags);
    if (manner.degree == DEGREE_PREDICATE && nominal) words_add(render->out, "的", weak);
}

void chinese_prefix(Render *render, const Phrase *phrase, Manner manner)
{
    unsigned scope = phrase->scope;
    bool past = manner.form == FORM_PAST || manner.form == FORM_PROGRESS;
    const char *deny = NULL;
    switch (manner.negation) {
    case NEG_NONE:
        break;
    case NEG_NOT:
        deny = past ? "没" : "不";
        break;
    case NEG_NEVER:
        deny = past ? "从来没" : "从来不";
        break;
    case NEG_NOMORE:
        deny = "不再";
        break;
    case NEG_NOTYET:
        words_add(render->out, "还", tags_of(scope, "y"));
        deny = "没";
        break;
    }
    if (deny) words_add(render->out, deny, tags_of(scope, "n"));
    const char *help = NULL;
    bool placed = strncmp(phrase->rule->text[CHINESE], "在", strlen("在")) == 0;
    if (manner.form == FORM_PROGRESS && !(placed && deny)) // one 在 is enough
        help = placed ? "正" : deny ? "在" : "正在";
    if (manner.form == FORM_FUTURE) help = "会";
    if (manner.form == FORM_GOING) help = "要";
    if (help) words_add(render->out, help, tags_of(scope, "1"));
}
