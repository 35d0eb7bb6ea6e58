#include "text/html_reference.h"

#include "base/ascii.h"
#include "text/utf8.h"

#include <stdlib.h>

// clang-format off
const HtmlName html_names[] = {
    {"AElig", 0xc6, 1}, {"AMP", 0x26, 1}, {"Aacute", 0xc1, 1}, {"Abreve", 0x102, 0},
    {"Acirc", 0xc2, 1}, {"Agrave", 0xc0, 1}, {"Alpha", 0x391, 0}, {"Amacr", 0x100, 0},
    {"Aogon", 0x104, 0}, {"Aring", 0xc5, 1}, {"Atilde", 0xc3, 1}, {"Auml", 0xc4, 1},
    {"Beta", 0x392, 0}, {"COPY", 0xa9, 1}, {"Cacute", 0x106, 0}, {"Ccaron", 0x10c, 0},
    {"Ccedil", 0xc7, 1}, {"Ccirc", 0x108, 0}, {"Cdot", 0x10a, 0}, {"Chi", 0x3a7, 0},
    {"Dagger", 0x2021, 0}, {"Dcaron", 0x10e, 0}, {"Delta", 0x394, 0}, {"Dstrok", 0x110, 0},
    {"ETH", 0xd0, 1}, {"Eacute", 0xc9, 1}, {"Ecaron", 0x11a, 0}, {"Ecirc", 0xca, 1},
    {"Edot", 0x116, 0}, {"Egrave", 0xc8, 1}, {"Emacr", 0x112, 0}, {"Eogon", 0x118, 0},
    {"Epsilon", 0x395, 0}, {"Eta", 0x397, 0}, {"Euml", 0xcb, 1}, {"GT", 0x3e, 1},
    {"Gamma", 0x393, 0}, {"Gbreve", 0x11e, 0}, {"Gcirc", 0x11c, 0}, {"Gdot", 0x120, 0},
    {"Hat", 0x5e, 0}, {"Hstrok", 0x126, 0}, {"Iacute", 0xcd, 1}, {"Icirc", 0xce, 1},
    {"Idot", 0x130, 0}, {"Igrave", 0xcc, 1}, {"Imacr", 0x12a, 0}, {"Iogon", 0x12e, 0},
    {"Iota", 0x399, 0}, {"Itilde", 0x128, 0}, {"Iuml", 0xcf, 1}, {"Kappa", 0x39a, 0},
    {"Kcedil", 0x136, 0}, {"LT", 0x3c, 1}, {"Lacute", 0x139, 0}, {"Lambda", 0x39b, 0},
    {"Lcaron", 0x13d, 0}, {"Lcedil", 0x13b, 0}, {"Lstrok", 0x141, 0}, {"Mu", 0x39c, 0},
    {"Nacute", 0x143, 0}, {"Ncaron", 0x147, 0}, {"Ncedil", 0x145, 0}, {"NewLine", 0xa, 0},
    {"Ntilde", 0xd1, 1}, {"Nu", 0x39d, 0}, {"OElig", 0x152, 0}, {"Oacute", 0xd3, 1},
    {"Ocirc", 0xd4, 1}, {"Odblac", 0x150, 0}, {"Ograve", 0xd2, 1}, {"Omacr", 0x14c, 0},
    {"Omega", 0x3a9, 0}, {"Omicron", 0x39f, 0}, {"Oslash", 0xd8, 1}, {"Otilde", 0xd5, 1},
    {"Ouml", 0xd6, 1}, {"Phi", 0x3a6, 0}, {"Pi", 0x3a0, 0}, {"Prime", 0x2033, 0}, {"Psi", 0x3a8, 0},
    {"QUOT", 0x22, 1}, {"REG", 0xae, 1}, {"Racute", 0x154, 0}, {"Rcaron", 0x158, 0},
    {"Rcedil", 0x156, 0}, {"Rho", 0x3a1, 0}, {"Sacute", 0x15a, 0}, {"Scaron", 0x160, 0},
    {"Scedil", 0x15e, 0}, {"Scirc", 0x15c, 0}, {"Sigma", 0x3a3, 0}, {"THORN", 0xde, 1},
    {"TRADE", 0x2122, 0}, {"Tab", 0x9, 0}, {"Tau", 0x3a4, 0}, {"Tcaron", 0x164, 0},
    {"Tcedil", 0x162, 0}, {"Theta", 0x398, 0}, {"Tstrok", 0x166, 0}, {"Uacute", 0xda, 1},
    {"Ubreve", 0x16c, 0}, {"Ucirc", 0xdb, 1}, {"Udblac", 0x170, 0}, {"Ugrave", 0xd9, 1},
    {"Umacr", 0x16a, 0}, {"Uogon", 0x172, 0}, {"Upsilon", 0x3a5, 0}, {"Uring", 0x16e, 0},
    {"Utilde", 0x168, 0}, {"Uuml", 0xdc, 1}, {"Wcirc", 0x174, 0}, {"Xi", 0x39e, 0},
    {"Yacute", 0xdd, 1}, {"Ycirc", 0x176, 0}, {"Yuml", 0x178, 0}, {"Zacute", 0x179, 0},
    {"Zcaron", 0x17d, 0}, {"Zdot", 0x17b, 0}, {"Zeta", 0x396, 0}, {"aacute", 0xe1, 1},
    {"abreve", 0x103, 0}, {"acirc", 0xe2, 1}, {"acute", 0xb4, 1}, {"aelig", 0xe6, 1},
    {"agrave", 0xe0, 1}, {"alefsym", 0x2135, 0}, {"alpha", 0x3b1, 0}, {"amacr", 0x101, 0},
    {"amp", 0x26, 1}, {"and", 0x2227, 0}, {"ang", 0x2220, 0}, {"aogon", 0x105, 0},
    {"apos", 0x27, 0}, {"aring", 0xe5, 1}, {"ast", 0x2a, 0}, {"asymp", 0x2248, 0},
    {"atilde", 0xe3, 1}, {"auml", 0xe4, 1}, {"bdquo", 0x201e, 0}, {"beta", 0x3b2, 0},
    {"breve", 0x2d8, 0}, {"brvbar", 0xa6, 1}, {"bsol", 0x5c, 0}, {"bull", 0x2022, 0},
    {"cacute", 0x107, 0}, {"cap", 0x2229, 0}, {"caron", 0x2c7, 0}, {"ccaron", 0x10d, 0},
    {"ccedil", 0xe7, 1}, {"ccirc", 0x109, 0}, {"cdot", 0x10b, 0}, {"cedil", 0xb8, 1},
    {"cent", 0xa2, 1}, {"check", 0x2713, 0}, {"chi", 0x3c7, 0}, {"circ", 0x2c6, 0},
    {"clubs", 0x2663, 0}, {"colon", 0x3a, 0}, {"comma", 0x2c, 0}, {"commat", 0x40, 0},
    {"cong", 0x2245, 0}, {"copy", 0xa9, 1}, {"crarr", 0x21b5, 0}, {"cross", 0x2717, 0},
    {"cup", 0x222a, 0}, {"curren", 0xa4, 1}, {"dArr", 0x21d3, 0}, {"dagger", 0x2020, 0},
    {"darr", 0x2193, 0}, {"dash", 0x2010, 0}, {"dcaron", 0x10f, 0}, {"deg", 0xb0, 1},
    {"delta", 0x3b4, 0}, {"diams", 0x2666, 0}, {"divide", 0xf7, 1}, {"dollar", 0x24, 0},
    {"dstrok", 0x111, 0}, {"eacute", 0xe9, 1}, {"ecaron", 0x11b, 0}, {"ecirc", 0xea, 1},
    {"edot", 0x117, 0}, {"egrave", 0xe8, 1}, {"emacr", 0x113, 0}, {"empty", 0x2205, 0},
    {"emsp", 0x2003, 0}, {"ensp", 0x2002, 0}, {"eogon", 0x119, 0}, {"epsilon", 0x3b5, 0},
    {"equals", 0x3d, 0}, {"equiv", 0x2261, 0}, {"eta", 0x3b7, 0}, {"eth", 0xf0, 1},
    {"euml", 0xeb, 1}, {"euro", 0x20ac, 0}, {"excl", 0x21, 0}, {"exist", 0x2203, 0},
    {"fnof", 0x192, 0}, {"forall", 0x2200, 0}, {"frac12", 0xbd, 1}, {"frac13", 0x2153, 0},
    {"frac14", 0xbc, 1}, {"frac18", 0x215b, 0}, {"frac23", 0x2154, 0}, {"frac34", 0xbe, 1},
    {"frasl", 0x2044, 0}, {"gamma", 0x3b3, 0}, {"gbreve", 0x11f, 0}, {"gcirc", 0x11d, 0},
    {"gdot", 0x121, 0}, {"ge", 0x2265, 0}, {"grave", 0x60, 0}, {"gt", 0x3e, 1}, {"hArr", 0x21d4, 0},
    {"half", 0xbd, 0}, {"harr", 0x2194, 0}, {"hearts", 0x2665, 0}, {"hellip", 0x2026, 0},
    {"horbar", 0x2015, 0}, {"hstrok", 0x127, 0}, {"hyphen", 0x2010, 0}, {"iacute", 0xed, 1},
    {"icirc", 0xee, 1}, {"iexcl", 0xa1, 1}, {"igrave", 0xec, 1}, {"imacr", 0x12b, 0},
    {"image", 0x2111, 0}, {"infin", 0x221e, 0}, {"inodot", 0x131, 0}, {"int", 0x222b, 0},
    {"iogon", 0x12f, 0}, {"iota", 0x3b9, 0}, {"iquest", 0xbf, 1}, {"isin", 0x2208, 0},
    {"itilde", 0x129, 0}, {"iuml", 0xef, 1}, {"kappa", 0x3ba, 0}, {"kcedil", 0x137, 0},
    {"lArr", 0x21d0, 0}, {"lacute", 0x13a, 0}, {"lambda", 0x3bb, 0}, {"lang", 0x27e8, 0},
    {"laquo", 0xab, 1}, {"larr", 0x2190, 0}, {"lbrace", 0x7b, 0}, {"lbrack", 0x5b, 0},
    {"lcaron", 0x13e, 0}, {"lcedil", 0x13c, 0}, {"lceil", 0x2308, 0}, {"lcub", 0x7b, 0},
    {"ldquo", 0x201c, 0}, {"le", 0x2264, 0}, {"lfloor", 0x230a, 0}, {"lowast", 0x2217, 0},
    {"lowbar", 0x5f, 0}, {"loz", 0x25ca, 0}, {"lpar", 0x28, 0}, {"lrm", 0x200e, 0},
    {"lsaquo", 0x2039, 0}, {"lsqb", 0x5b, 0}, {"lsquo", 0x2018, 0}, {"lstrok", 0x142, 0},
    {"lt", 0x3c, 1}, {"macr", 0xaf, 1}, {"mdash", 0x2014, 0}, {"micro", 0xb5, 1},
    {"middot", 0xb7, 1}, {"minus", 0x2212, 0}, {"mldr", 0x2026, 0}, {"mu", 0x3bc, 0},
    {"nabla", 0x2207, 0}, {"nacute", 0x144, 0}, {"nbsp", 0xa0, 1}, {"ncaron", 0x148, 0},
    {"ncedil", 0x146, 0}, {"ndash", 0x2013, 0}, {"ne", 0x2260, 0}, {"ni", 0x220b, 0},
    {"nldr", 0x2025, 0}, {"not", 0xac, 1}, {"notin", 0x2209, 0}, {"nsub", 0x2284, 0},
    {"ntilde", 0xf1, 1}, {"nu", 0x3bd, 0}, {"num", 0x23, 0}, {"numero", 0x2116, 0},
    {"oacute", 0xf3, 1}, {"ocirc", 0xf4, 1}, {"odblac", 0x151, 0}, {"oelig", 0x153, 0},
    {"ograve", 0xf2, 1}, {"oline", 0x203e, 0}, {"omacr", 0x14d, 0}, {"omega", 0x3c9, 0},
    {"omicron", 0x3bf, 0}, {"oplus", 0x2295, 0}, {"or", 0x2228, 0}, {"ordf", 0xaa, 1},
    {"ordm", 0xba, 1}, {"oslash", 0xf8, 1}, {"otilde", 0xf5, 1}, {"otimes", 0x2297, 0},
    {"ouml", 0xf6, 1}, {"para", 0xb6, 1}, {"part", 0x2202, 0}, {"percnt", 0x25, 0},
    {"period", 0x2e, 0}, {"permil", 0x2030, 0}, {"perp", 0x22a5, 0}, {"phi", 0x3c6, 0},
    {"phone", 0x260e, 0}, {"pi", 0x3c0, 0}, {"piv", 0x3d6, 0}, {"plus", 0x2b, 0},
    {"plusmn", 0xb1, 1}, {"pound", 0xa3, 1}, {"prime", 0x2032, 0}, {"prod", 0x220f, 0},
    {"prop", 0x221d, 0}, {"psi", 0x3c8, 0}, {"quest", 0x3f, 0}, {"quot", 0x22, 1},
    {"rArr", 0x21d2, 0}, {"racute", 0x155, 0}, {"radic", 0x221a, 0}, {"rang", 0x27e9, 0},
    {"raquo", 0xbb, 1}, {"rarr", 0x2192, 0}, {"rbrace", 0x7d, 0}, {"rbrack", 0x5d, 0},
    {"rcaron", 0x159, 0}, {"rcedil", 0x157, 0}, {"rceil", 0x2309, 0}, {"rcub", 0x7d, 0},
    {"rdquo", 0x201d, 0}, {"real", 0x211c, 0}, {"reg", 0xae, 1}, {"rfloor", 0x230b, 0},
    {"rho", 0x3c1, 0}, {"rlm", 0x200f, 0}, {"rpar", 0x29, 0}, {"rsaquo", 0x203a, 0},
    {"rsqb", 0x5d, 0}, {"rsquo", 0x2019, 0}, {"sacute", 0x15b, 0}, {"sbquo", 0x201a, 0},
    {"scaron", 0x161, 0}, {"scedil", 0x15f, 0}, {"scirc", 0x15d, 0}, {"sdot", 0x22c5, 0},
    {"sect", 0xa7, 1}, {"semi", 0x3b, 0}, {"shy", 0xad, 1}, {"sigma", 0x3c3, 0},
    {"sigmaf", 0x3c2, 0}, {"sim", 0x223c, 0}, {"sol", 0x2f, 0}, {"spades", 0x2660, 0},
    {"star", 0x2606, 0}, {"starf", 0x2605, 0}, {"sub", 0x2282, 0}, {"sube", 0x2286, 0},
    {"sum", 0x2211, 0}, {"sup", 0x2283, 0}, {"sup1", 0xb9, 1}, {"sup2", 0xb2, 1}, {"sup3", 0xb3, 1},
    {"supe", 0x2287, 0}, {"szlig", 0xdf, 1}, {"tau", 0x3c4, 0}, {"tcaron", 0x165, 0},
    {"tcedil", 0x163, 0}, {"there4", 0x2234, 0}, {"theta", 0x3b8, 0}, {"thetasym", 0x3d1, 0},
    {"thinsp", 0x2009, 0}, {"thorn", 0xfe, 1}, {"tilde", 0x2dc, 0}, {"times", 0xd7, 1},
    {"trade", 0x2122, 0}, {"tstrok", 0x167, 0}, {"uArr", 0x21d1, 0}, {"uacute", 0xfa, 1},
    {"uarr", 0x2191, 0}, {"ubreve", 0x16d, 0}, {"ucirc", 0xfb, 1}, {"udblac", 0x171, 0},
    {"ugrave", 0xf9, 1}, {"umacr", 0x16b, 0}, {"uml", 0xa8, 1}, {"uogon", 0x173, 0},
    {"upsih", 0x3d2, 0}, {"upsilon", 0x3c5, 0}, {"uring", 0x16f, 0}, {"utilde", 0x169, 0},
    {"uuml", 0xfc, 1}, {"verbar", 0x7c, 0}, {"vert", 0x7c, 0}, {"wcirc", 0x175, 0},
    {"weierp", 0x2118, 0}, {"xi", 0x3be, 0}, {"yacute", 0xfd, 1}, {"ycirc", 0x177, 0},
    {"yen", 0xa5, 1}, {"yuml", 0xff, 1}, {"zacute", 0x17a, 0}, {"zcaron", 0x17e, 0},
    {"zdot", 0x17c, 0}, {"zeta", 0x3b6, 0}, {"zwj", 0x200d, 0}, {"zwnj", 0x200c, 0},
};
// clang-format on

const size_t html_name_count = sizeof html_names / sizeof *html_names;

typedef struct Key {
    const char *name;
    size_t length;
} Key;

static int compare(const void *a, const void *b)
{
    const Key *key = a;
    const char *name = ((const HtmlName *)b)->name;
    int order = strncmp(key->name, name, key->length);
    return order ? order : -(name[key->length] != '\0');
}

static const HtmlName *find(const char *name, size_t length)
{
    return bsearch(&(Key){name, length}, html_names, html_name_count, sizeof *html_names, compare);
}

// What browsers show for the numbers 0x80 … 0x9F, which are control characters: windows-1252's.
static uint32_t windows_1252(uint32_t number)
{
    static const uint16_t characters[32] = {
        0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
    return characters[number - 0x80];
}

// "&#233;", "&#xE9;": at `text`[0] is the &.
static uint32_t read_number(const char *text, size_t length, size_t *used)
{
    const int base = length > 2 && ascii_to_small(text[2]) == 'x' ? 16 : 10;
    size_t at = base == 16 ? 3 : 2, first = at;
    uint32_t number = 0;
    for (; at < length; at++) {
        int digit = ascii_hexadecimal(text[at]);
        if (digit < 0 || digit >= base) break;
        if (number <= 0x10FFFF) number = number * (uint32_t)base + (uint32_t)digit;
    }
    if (at == first) return '&';
    *used = at + (at < length && text[at] == ';');
    if (number >= 0x80 && number < 0xA0) return windows_1252(number);
    bool is_none = number == 0 || number > 0x10FFFF || (number >= 0xD800 && number < 0xE000);
    return is_none ? UTF8_REPLACEMENT : number;
}

// "&eacute;", or the longest name without a semicolon that needs none.
static uint32_t read_name(const char *text, size_t length, size_t *used)
{
    enum { MAX_NAME = 32 }; // HTML's longest is CounterClockwiseContourIntegral
    size_t end = 1;
    while (end < length && end <= MAX_NAME && ascii_is_alphanumeric(text[end])) end++;
    bool closed = end > 1 && end < length && text[end] == ';';
    const HtmlName *name = closed && end - 1 <= MAX_HTML_NAME ? find(text + 1, end - 1) : NULL;
    *used = end + closed;
    for (size_t l = end - 1 < MAX_HTML_NAME ? end - 1 : MAX_HTML_NAME; !name && l > 1; l--) {
        name = find(text + 1, l);
        if (name && !name->open) name = NULL;
        if (name) *used = 1 + l;
    }
    if (name) return name->character;
    if (closed) return HTML_UNKNOWN;
    *used = 1;
    return '&';
}

uint32_t html_character(const char *text, size_t length, size_t *at)
{
    const char *reference = text + *at;
    size_t left = length - *at, used = 1;
    if (*reference != '&') return utf8_next(text, length, at);
    bool numeric = left > 1 && reference[1] == '#';
    uint32_t character =
        numeric ? read_number(reference, left, &used) : read_name(reference, left, &used);
    *at += used;
    return character;
}
