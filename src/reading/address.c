#include "reading/address.h"

#include "base/ascii.h"
#include "text/utf8.h"
#include "text/word_list.h"

enum { FIRST_CJK = 0x2E80, MAX_ENDING = 6 };

/* Endings that are a word of English or French, such as "it" or "au", are left
 * out: a full stop without its space comes before them. */
static const char domains[] =
    "com org net edu gov mil int info biz io dev app eu uk de fr cn hk tw jp kr "
    "ru ch nz br pl fi dk nl cz gr ua";
static const char files[] = "txt md pdf doc docx odt rtf tex bib xls xlsx ods csv tsv ppt pptx zip "
                            "gz bz2 xz zst tar 7z rar jar "
                            "deb rpm apk exe dll msi iso bin html htm css js ts json jsonl xml "
                            "yaml yml toml ini cfg conf log sql "
                            "db c h cc cpp hpp py rb rs java php sh ipynb svg png jpg jpeg gif bmp "
                            "tif tiff webp ico mp3 mp4 wav "
                            "ogg flac avi mkv mov webm ttf otf woff eps bak tmp";

bool address_is_word_character(uint32_t code_point)
{
    if (code_point < 0x80 && strchr("._-+@/\\~%", (int)code_point)) return code_point != 0;
    return code_point < FIRST_CJK && utf8_is_word(code_point);
}

static bool is_address_character(uint32_t c)
{
    return address_is_word_character(c) || (c != 0 && c < 0x80 && strchr("?#!$&*=:,;()[]", (int)c));
}

// Whether the text goes on like this at `at`.
static bool follows(const char *text, size_t length, size_t at, const char *what)
{
    return text_view_has_at((TextView){text, length}, at, text_view_of(what));
}

/* Where the characters of an address end that go on from `from`, without what ends a clause; `from`
 * if there is no letter or number among them. */
static size_t rest_end(const char *text, size_t length, size_t from)
{
    size_t opened[2] = {0, 0}, closed[2] = {0, 0}, at = from;
    for (size_t next = at; at < length; at = next) {
        uint32_t c = utf8_next(text, length, &next);
        if (!is_address_character(c)) break;
        for (int i = 0; i < 2; i++) {
            opened[i] += c == (uint32_t) "(["[i];
            closed[i] += c == (uint32_t) ")]"[i];
        }
    }
    for (; at > from; at--) {
        char last = text[at - 1];
        int bracket = last == ')' ? 0 : last == ']' ? 1 : -1;
        if (bracket >= 0 ? closed[bracket] <= opened[bracket] : !strchr(".,;:!?*~([", last)) break;
        if (bracket >= 0) closed[bracket]--;
    }
    return at;
}

// Whether the ending of the name text[begin … end) is one of these, in small letters or, in a name
// without small letters, in capitals.
static bool is_listed(const char *endings, const char *text, size_t begin, size_t ending,
                      size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (ascii_is_small(text[i])) return word_list_has(endings, text + ending, end - ending);
    return word_list_find(endings, text + ending, end - ending) != NULL;
}

// Where the last part of text[begin … end) begins, behind the last of some characters; `begin`
// without one.
static size_t last_part(const char *text, size_t begin, size_t end, const char *separators)
{
    size_t at = end;
    while (at > begin && !strchr(separators, text[at - 1])) at--;
    return at;
}

// At least `least` labels of letters, numbers and inner hyphens, with a full stop between.
static bool is_domain(const char *text, size_t begin, size_t end, size_t least)
{
    size_t labels = 1;
    for (size_t i = begin; i < end; i++) {
        bool edge = i == begin || i + 1 == end || text[i - 1] == '.' || text[i + 1] == '.';
        if (ascii_is_alphanumeric(text[i])) continue;
        if (edge || (text[i] != '-' && text[i] != '.')) return false;
        labels += text[i] == '.';
    }
    return labels >= least;
}

static size_t scheme_end(const char *text, size_t length, size_t begin, size_t end)
{
    bool drive = end - begin == 1 && follows(text, length, end, ":\\");
    if (!ascii_is_small(text[begin]) && !ascii_is_capital(text[begin])) return begin;
    if (!drive && !follows(text, length, end, "://")) return begin;
    for (size_t i = begin; i < end; i++)
        if (!ascii_is_alphanumeric(text[i]) && !strchr("+-.", text[i])) return begin;
    size_t from = end + (drive ? 2 : 3), found = rest_end(text, length, from);
    return found > from ? found : begin;
}

static size_t path_end(const char *text, size_t length, size_t begin, size_t end)
{
    size_t at = begin;
    while (at < end && (text[at] == '~' || text[at] == '.')) at++;
    size_t marks = at - begin;
    if (at >= end || text[at] != '/' || marks > 2 || end - at < 2) return begin;
    if (!ascii_is_alphanumeric(text[at + 1]) && text[at + 1] != '.' && text[at + 1] != '_')
        return begin;
    // 10 € /month is no path
    if (marks == 0 && !memchr(text + at + 1, '/', end - at - 1)) return begin;
    return rest_end(text, length, begin);
}

static size_t mail_end(const char *text, size_t begin, size_t end)
{
    const char *sign = memchr(text + begin, '@', end - begin);
    if (!sign || sign == text + begin) return begin;
    size_t at = (size_t)(sign - text), ending = last_part(text, at + 1, end, ".");
    for (size_t i = begin; i < at; i++)
        if (!ascii_is_alphanumeric(text[i]) && !strchr("._%+-", text[i])) return begin;
    for (size_t i = ending; i < end; i++)
        if (ascii_is_digit(text[i])) return begin;
    return end - ending >= 2 && is_domain(text, at + 1, end, 2) ? end : begin;
}

static size_t host_end(const char *text, size_t length, size_t begin, size_t end)
{
    const char *slash = memchr(text + begin, '/', end - begin);
    size_t host = slash ? (size_t)(slash - text) : end;
    size_t ending = last_part(text, begin, host, ".");
    bool named = follows(text, host, begin, "www.") || follows(text, host, begin, "WWW.");
    if (!is_domain(text, begin, host, named ? 3 : 2)) return begin;
    named |= is_listed(domains, text, begin, ending, host);
    bool path = host + 1 < end && ascii_is_alphanumeric(text[host + 1]);
    for (size_t i = ending; i < host && path; i++) path = ascii_is_small(text[i]);
    path = path && host - ending >= 2 && host - ending <= MAX_ENDING;
    if (!named && !path) return begin;
    bool port =
        follows(text, length, host, ":") && host + 1 < length && ascii_is_digit(text[host + 1]);
    bool query = host + 1 < length && (text[host] == '?' || text[host] == '#') &&
                 ascii_is_alphanumeric(text[host + 1]);
    return slash || port || query ? rest_end(text, length, begin) : host;
}

static bool has_twice(const char *text, size_t begin, size_t end, char c)
{
    for (size_t i = begin + 1; i < end; i++)
        if (text[i] == c && text[i - 1] == c) return true;
    return false;
}

static size_t file_end(const char *text, size_t begin, size_t end)
{
    size_t name = last_part(text, begin, end, "/\\"), ending = last_part(text, name, end, ".");
    if (ending < name + 2 || (end - ending == 1 && ending < name + 3)) return begin;
    // an ellipsis is in no name of a file
    if (memchr(text + begin, '@', end - begin) || has_twice(text, name, end, '.')) return begin;
    return is_listed(files, text, name, ending, end) ? end : begin;
}

size_t address_end(const char *text, size_t length, size_t begin, size_t end)
{
    size_t found = scheme_end(text, length, begin, end), trimmed = end;
    while (trimmed > begin && strchr(".-+@%", text[trimmed - 1])) trimmed--;
    if (found == begin) found = path_end(text, length, begin, end);
    if (found == begin) found = mail_end(text, begin, trimmed);
    if (found == begin) found = host_end(text, length, begin, trimmed);
    if (found == begin) found = file_end(text, begin, trimmed);
    return found;
}
