/* Addresses and file names, as people write them in a text:
 *
 *     https://example.com/a(b)   any scheme with ://, then what an address may have
 *     www.example.org/a?b=c      www. and a domain
 *     example.com, t.co/a        a domain that ends as domains often do, or that a path follows
 *     d.f@example.org            e-mail
 *     file.tar.gz, src/main.c    a known ending, or
 *     /usr/bin, ./a, C:\b        a path with its beginning
 *
 * What ends a clause does not belong to an address at whose end it stands, nor does a bracket that
 * was opened before it. Han characters and their punctuation end an address. An ending must be in
 * lower case, or all of it in capitals: a full stop without its space, as in "word.Next", is more
 * frequent than such a name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Characters of the words that addresses begin with.
bool address_is_word_character(uint32_t code_point);

/* Where the address ends that begins with the word from `begin` to `end`, all of whose characters
 * are word characters and which stands between others; `begin` if it begins none. */
size_t address_end(const char *text, size_t length, size_t begin, size_t end);
