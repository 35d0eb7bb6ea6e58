/* Numbers below 10,000 in words (English and French below 1,000). French 21, 31 … are never asked
 * for. */
#include "render.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char *const english_small[] = {
    "zero",     "one",     "two",     "three",     "four",     "five",    "six",
    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
static const char *const english_tens[] = {"",      "",      "twenty",  "thirty", "forty",
                                           "fifty", "sixty", "seventy", "eighty", "ninety"};

void english_number(char *text, unsigned number)
{
    assert(number < 1000);
    *text = '\0';
    if (number >= 100) {
        text += sprintf(text, "%s hundred", english_small[number / 100]);
        number %= 100;
        if (number == 0) return;
        text += sprintf(text, " and ");
    }
    if (number < 20)
        strcpy(text, english_small[number]);
    else if (number % 10 == 0)
        strcpy(text, english_tens[number / 10]);
    else
        sprintf(text, "%s-%s", english_tens[number / 10], english_small[number % 10]);
}

static const char *const french_small[] = {"zéro",   "un",    "deux",     "trois",    "quatre",
                                           "cinq",   "six",   "sept",     "huit",     "neuf",
                                           "dix",    "onze",  "douze",    "treize",   "quatorze",
                                           "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf"};
static const char *const french_tens[] = {
    "",          "",         "vingt",    "trente",       "quarante",
    "cinquante", "soixante", "soixante", "quatre-vingt", "quatre-vingt"};

void french_number(char *text, unsigned number, bool feminine)
{
    assert(number < 1000);
    *text = '\0';
    if (number >= 100) {
        unsigned hundreds = number / 100;
        number %= 100;
        if (hundreds > 1) text += sprintf(text, "%s ", french_small[hundreds]);
        text += sprintf(text, number == 0 && hundreds > 1 ? "cents" : "cent");
        if (number == 0) return;
        text += sprintf(text, " ");
    }
    unsigned tens = number / 10, rest = tens == 7 || tens == 9 ? number % 10 + 10 : number % 10;
    if (number < 20)
        strcpy(text, number == 1 && feminine ? "une" : french_small[number]);
    else if (number == 80)
        strcpy(text, "quatre-vingts");
    else if (number == 71)
        strcpy(text, "soixante et onze");
    else if (rest == 0)
        strcpy(text, french_tens[tens]);
    else
        sprintf(text, "%s-%s", french_tens[tens], french_small[rest]);
}

static const char *const chinese_digits[] = {"零", "一", "二", "三", "四",
                                             "五", "六", "七", "八", "九"};

void chinese_number(char *text, unsigned number, bool counting)
{
    assert(number < 10000);
    if (number == 2 && counting) {
        strcpy(text, "两");
        return;
    }
    if (number == 0) strcpy(text, chinese_digits[0]);
    static const struct {
        unsigned value;
        const char *name;
    } places[] = {{1000, "千"}, {100, "百"}, {10, "十"}, {1, ""}};
    bool begun = false, gap = false;
    for (size_t i = 0; i < 4; i++) {
        unsigned digit = number / places[i].value % 10;
        if (digit == 0) {
            gap = begun;
            continue;
        }
        if (gap) text += sprintf(text, "零");
        gap = false;
        bool bare = places[i].value == 10 && digit == 1 && !begun; // 十五, not 一十五
        bool two = digit == 2 && places[i].value >= 100;
        text += sprintf(text, "%s%s",
                        bare  ? ""
                        : two ? "两"
                              : chinese_digits[digit],
                        places[i].name);
        begun = true;
    }
}
