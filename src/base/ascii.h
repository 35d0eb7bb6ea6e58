// Letters and digits of ASCII, whatever the locale.
#pragma once

#include <stdbool.h>

static inline bool ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool ascii_is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

static inline bool ascii_is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool ascii_is_letter(char c)
{
    return ascii_is_small(c) || ascii_is_capital(c);
}

static inline bool ascii_is_alphanumeric(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c);
}

static inline char ascii_to_small(char c)
{
    return ascii_is_capital(c) ? (char)(c - 'A' + 'a') : c;
}

static inline bool ascii_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// What a hexadecimal digit stands for; −1 if it is none.
static inline int ascii_hexadecimal(char c)
{
    char small = ascii_to_small(c);
    return ascii_is_digit(c) ? c - '0' : small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}
