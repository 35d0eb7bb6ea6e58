#include "html/element.h"

#include "language/language.h"
#include "text/word_list.h"

#include <strings.h>

// The elements of each property.
static const struct {
    HtmlElement property;
    const char *names;
} elements[] = {
    {HTML_VOID, "area base br col embed frame hr img input link meta param source track wbr"},
    {HTML_PARTS,
     "address area article aside audio base blockquote body br button canvas caption center "
     "col colgroup datalist dd details dialog dir div dl dt fieldset figcaption figure "
     "footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe input "
     "label legend li link main map math menu meta nav noembed noframes noscript object ol "
     "optgroup option p param plaintext pre rp rt script search section select style summary table "
     "tbody td template textarea tfoot th thead title tr ul video xmp"},
    {HTML_RAW, "iframe noembed noframes plaintext script style textarea title xmp"},
    {HTML_KEPT,
     "code iframe kbd math noembed noframes plaintext pre rp rt samp script style svg textarea "
     "tt var xmp"},
    {HTML_GRAPHIC, "svg"},
    {HTML_FOREIGN, "math svg"},
    {HTML_REPEATS,
     "a abbr acronym b bdi big cite del dfn em font i ins mark s small span strike strong "
     "sub sup time u"},
    {HTML_FORMATS, "b big cite dfn em font i mark small span strong sub sup u"},
};

unsigned html_element(TextView name)
{
    unsigned properties = 0;
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (word_list_find(elements[i].names, name.data, name.length))
            properties |= elements[i].property;
    return properties;
}

bool html_name_equal(TextView a, TextView b)
{
    return a.length == b.length && (a.length == 0 || strncasecmp(a.data, b.data, a.length) == 0);
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

// Whether a tag says that its text is in another language; a page often says so of itself wrongly.
static bool is_foreign(const HtmlToken *tag, const char *document)
{
    char given[LANGUAGE_SIZE] = "";
    TextView value;
    if (!document || word_list_find("html body", tag->name.data, tag->name.length)) return false;
    if (!html_attribute(tag, "lang", &value) && !html_attribute(tag, "xml:lang", &value))
        return false;
    if (value.length == 0 || value.length >= sizeof given) return false;
    memcpy(given, value.data, value.length);
    const Language *language = language_of(given), *wanted = language_of(document);
    return language || wanted ? language != wanted
                              : language_match(document, given) == LANGUAGE_OTHER;
}

bool html_is_protected(const HtmlToken *tag, const char *language)
{
    TextView value;
    if (is_foreign(tag, language)) return true;
    if (html_attribute(tag, "translate", &value) && html_is_called(value, "no")) return true;
    return html_attribute(tag, "class", &value) && is_word_of(value, "notranslate");
}

bool html_stays(const HtmlToken *tag, const char *language)
{
    unsigned properties = html_element(tag->name);
    if (properties & HTML_VOID || tag->self_closed) return false;
    return properties & HTML_KEPT || html_is_protected(tag, language);
}

bool html_is_plain(const HtmlToken *tag)
{
    HtmlAttribute attribute;
    size_t at = 1 + tag->name.length;
    bool plain = html_element(tag->name) & HTML_FORMATS;
    while (plain && html_next_attribute(tag->bytes, &at, &attribute))
        plain = word_list_find("class dir lang style", attribute.name.data, attribute.name.length);
    return plain;
}
