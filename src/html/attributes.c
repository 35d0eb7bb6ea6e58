#include "html/attributes.h"

#include "base/array.h"
#include "html/element.h"
#include "text/html_reference.h"
#include "text/utf8.h"
#include "text/word_list.h"

// Whether a value has a letter, and all its references are known.
static bool is_text(TextView value)
{
    bool letter = false;
    for (size_t at = 0; at < value.length;) {
        uint32_t c = html_character(value.data, value.length, &at);
        if (c == HTML_UNKNOWN) return false;
        letter = letter || utf8_is_letter(c);
    }
    return letter;
}

static bool is_quoted(TextView value)
{
    return strchr("\"'[(", value.data[-1]); // brackets: of Markdown
}

static Status add(HtmlAttributes *attributes, TextView bytes, Error *error)
{
    return array_add(&attributes->items, &attributes->count, &attributes->capacity, "HTML", error,
                     (HtmlValue){.bytes = bytes});
}

// Sets what is written for an item, with the quotation marks that a value needs where it has none.
static Status set(HtmlAttributes *attributes, size_t item, const char *before, TextView text,
                  Error *error)
{
    const char *quote = is_quoted(attributes->items[item].bytes) ? "" : "\"";
    size_t begin = attributes->texts.length;
    Writer out = writer_start(&attributes->texts, error);
    writer_format(&out, "%s%s", before, quote);
    writer_markup(&out, text.data, text.length, true);
    writer_string(&out, quote);
    attributes->items[item].text = (Span){begin, attributes->texts.length};
    return writer_end(&out);
}

static Status add_language(HtmlAttributes *attributes, const HtmlToken *tag, Error *error)
{
    TextView language = text_view_of(attributes->language);
    HtmlAttribute attribute;
    size_t at = 1 + tag->name.length;
    bool told = false;
    while (html_next_attribute(tag->bytes, &at, &attribute)) {
        if (!html_is_called(attribute.name, "lang") && !html_is_called(attribute.name, "xml:lang"))
            continue;
        told = true;
        if (!attribute.value.data) continue;
        TRY(add(attributes, attribute.value, error));
        TRY(set(attributes, attributes->count - 1, "", language, error));
    }
    if (told) return STATUS_OK;
    TRY(add(attributes, (TextView){tag->name.data + tag->name.length, 0}, error));
    return set(attributes, attributes->count - 1, " lang=", language, error);
}

Status html_attributes_add_value(HtmlAttributes *attributes, TextView value, Error *error)
{
    return is_text(value) ? add(attributes, value, error) : STATUS_OK;
}

Status html_attributes_add(HtmlAttributes *attributes, const HtmlToken *tag, Error *error)
{
    HtmlAttribute attribute;
    TextView kind;
    size_t at = 1 + tag->name.length;
    bool described = html_is_called(tag->name, "meta") && html_attribute(tag, "name", &kind) &&
                     html_is_called(kind, "description");
    // the title of a style sheet is the name of a choice, which others have, too
    const char *names = word_list_find("link meta style", tag->name.data, tag->name.length)
                            ? ""
                            : "alt aria-label placeholder title";
    if (attributes->language && html_is_called(tag->name, "html"))
        return add_language(attributes, tag, error);
    while (html_next_attribute(tag->bytes, &at, &attribute)) {
        bool wanted = (described && html_is_called(attribute.name, "content")) ||
                      word_list_find(names, attribute.name.data, attribute.name.length);
        if (wanted) TRY(html_attributes_add_value(attributes, attribute.value, error));
    }
    return STATUS_OK;
}

// The first item that ends behind a place in the document.
static size_t item_behind(const HtmlAttributes *attributes, const char *place)
{
    const HtmlValue *items = attributes->items;
    size_t item;
    array_search(item, 0, attributes->count,
                 items[item].bytes.data + items[item].bytes.length <= place);
    return item;
}

Status html_attributes_set(HtmlAttributes *attributes, TextView part, TextView text, Error *error)
{
    size_t item = item_behind(attributes, part.data);
    bool quoted = is_quoted(attributes->items[item].bytes);
    TRY(set(attributes, item, "", text, error));
    if (quoted) attributes->items[item].bytes = part;
    return STATUS_OK;
}

void html_attributes_write(Writer *out, const HtmlAttributes *attributes, TextView bytes)
{
    const char *at = bytes.data, *end = at + bytes.length;
    for (size_t i = item_behind(attributes, at); i < attributes->count; i++) {
        const HtmlValue *item = &attributes->items[i];
        if (item->bytes.data + item->bytes.length > end) break;
        if (item->text.begin == item->text.end) continue; // no letter was left: = and U+0338
        writer_bytes(out, at, (size_t)(item->bytes.data - at));
        writer_bytes(out, bytes_text(&attributes->texts) + item->text.begin,
                     item->text.end - item->text.begin);
        at = item->bytes.data + item->bytes.length;
    }
    writer_bytes(out, at, (size_t)(end - at));
}

void html_attributes_free(HtmlAttributes *attributes)
{
    memory_free(attributes->items);
    bytes_free(&attributes->texts);
    *attributes = (HtmlAttributes){0};
}
