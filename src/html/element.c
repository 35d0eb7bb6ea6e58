#include "html/element.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Element {
    const char *name;
    unsigned properties;
} Element;

enum { VOID_PART = HTML_PARTS | HTML_VOID, KEPT_PART = HTML_PARTS | HTML_KEPT };

// In the order of strcmp.
static const Element elements[] = {
    {"a", HTML_REPEATS},
    {"abbr", HTML_REPEATS},
    {"acronym", HTML_REPEATS},
    {"address", HTML_PARTS},
    {"area", VOID_PART},
    {"article", HTML_PARTS},
    {"aside", HTML_PARTS},
    {"audio", HTML_PARTS},
    {"b", HTML_REPEATS},
    {"base", VOID_PART},
    {"bdi", HTML_REPEATS},
    {"big", HTML_REPEATS},
    {"blockquote", HTML_PARTS},
    {"body", HTML_PARTS},
    {"br", VOID_PART},
    {"button", HTML_PARTS},
    {"canvas", HTML_PARTS},
    {"caption", HTML_PARTS},
    {"center", HTML_PARTS},
    {"cite", HTML_REPEATS},
    {"code", HTML_KEPT},
    {"col", VOID_PART},
    {"colgroup", HTML_PARTS},
    {"datalist", HTML_PARTS},
    {"dd", HTML_PARTS},
    {"del", HTML_REPEATS},
    {"details", HTML_PARTS},
    {"dfn", HTML_REPEATS},
    {"dialog", HTML_PARTS},
    {"dir", HTML_PARTS},
    {"div", HTML_PARTS},
    {"dl", HTML_PARTS},
    {"dt", HTML_PARTS},
    {"em", HTML_REPEATS},
    {"embed", HTML_VOID},
    {"fieldset", HTML_PARTS},
    {"figcaption", HTML_PARTS},
    {"figure", HTML_PARTS},
    {"font", HTML_REPEATS},
    {"footer", HTML_PARTS},
    {"form", HTML_PARTS},
    {"frame", VOID_PART},
    {"frameset", HTML_PARTS},
    {"h1", HTML_PARTS},
    {"h2", HTML_PARTS},
    {"h3", HTML_PARTS},
    {"h4", HTML_PARTS},
    {"h5", HTML_PARTS},
    {"h6", HTML_PARTS},
    {"head", HTML_PARTS},
    {"header", HTML_PARTS},
    {"hgroup", HTML_PARTS},
    {"hr", VOID_PART},
    {"html", HTML_PARTS},
    {"i", HTML_REPEATS},
    {"iframe", HTML_PARTS | HTML_RAW | HTML_KEPT},
    {"img", HTML_VOID},
    {"input", VOID_PART},
    {"ins", HTML_REPEATS},
    {"kbd", HTML_KEPT},
    {"label", HTML_PARTS},
    {"legend", HTML_PARTS},
    {"li", HTML_PARTS},
    {"link", VOID_PART},
    {"main", HTML_PARTS},
    {"map", HTML_PARTS},
    {"mark", HTML_REPEATS},
    {"math", KEPT_PART},
    {"menu", HTML_PARTS},
    {"meta", VOID_PART},
    {"nav", HTML_PARTS},
    {"noembed", HTML_PARTS | HTML_RAW | HTML_KEPT},
    {"noframes", HTML_PARTS | HTML_RAW | HTML_KEPT},
    {"noscript", HTML_PARTS},
    {"object", HTML_PARTS},
    {"ol", HTML_PARTS},
    {"optgroup", HTML_PARTS},
    {"option", HTML_PARTS},
    {"p", HTML_PARTS},
    {"param", VOID_PART},
    {"pre", KEPT_PART},
    {"rp", KEPT_PART},
    {"rt", KEPT_PART},
    {"s", HTML_REPEATS},
    {"samp", HTML_KEPT},
    {"script", HTML_PARTS | HTML_RAW | HTML_KEPT},
    {"search", HTML_PARTS},
    {"section", HTML_PARTS},
    {"select", HTML_PARTS},
    {"small", HTML_REPEATS},
    {"source", HTML_VOID},
    {"span", HTML_REPEATS},
    {"strike", HTML_REPEATS},
    {"strong", HTML_REPEATS},
    {"style", HTML_PARTS | HTML_RAW | HTML_KEPT},
    {"sub", HTML_REPEATS},
    {"summary", HTML_PARTS},
    {"sup", HTML_REPEATS},
    {"svg", HTML_GRAPHIC | HTML_KEPT},
    {"table", HTML_PARTS},
    {"tbody", HTML_PARTS},
    {"td", HTML_PARTS},
    {"template", HTML_PARTS},
    {"textarea", HTML_PARTS | HTML_RAW | HTML_KEPT},
    {"tfoot", HTML_PARTS},
    {"th", HTML_PARTS},
    {"thead", HTML_PARTS},
    {"time", HTML_REPEATS},
    {"title", HTML_PARTS | HTML_RAW},
    {"tr", HTML_PARTS},
    {"track", HTML_VOID},
    {"tt", HTML_KEPT},
    {"u", HTML_REPEATS},
    {"ul", HTML_PARTS},
    {"var", HTML_KEPT},
    {"video", HTML_PARTS},
    {"wbr", HTML_VOID},
    {"xmp", HTML_PARTS | HTML_RAW | HTML_KEPT},
};

static int compare(const void *key, const void *element)
{
    const TextView *name = key;
    const char *other = ((const Element *)element)->name;
    size_t length = strlen(other), common = length < name->length ? length : name->length;
    int order = strncasecmp(name->data, other, common);
    return order ? order : (name->length > length) - (name->length < length);
}

unsigned html_element(TextView name)
{
    const Element *found =
        bsearch(&name, elements, sizeof elements / sizeof *elements, sizeof *elements, compare);
    return found ? found->properties : 0;
}

bool html_name_equal(TextView a, TextView b)
{
    return a.length == b.length && strncasecmp(a.data, b.data, a.length) == 0;
}

static bool is_word_of(TextView list, const char *word)
{
    size_t length = strlen(word);
    for (size_t at = 0; at < list.length;) {
        size_t begin = at;
        while (at < list.length && !strchr(" \t\n\f\r", list.data[at])) at++;
        if (at - begin == length && memcmp(list.data + begin, word, length) == 0) return true;
        at++;
    }
    return false;
}

bool html_stays(const HtmlToken *tag)
{
    TextView value;
    unsigned properties = html_element(tag->name);
    if (properties & HTML_VOID || tag->self_closed) return false;
    if (properties & HTML_KEPT) return true;
    if (html_attribute(tag, "translate", &value) && html_name_equal(value, (TextView){"no", 2}))
        return true;
    return html_attribute(tag, "class", &value) && is_word_of(value, "notranslate");
}
