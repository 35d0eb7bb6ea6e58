// Pairs from which `regard align` learns all their links.
#ifndef REGARD_TESTS_CLI_FEW_PAIRS_H
#define REGARD_TESTS_CLI_FEW_PAIRS_H

static const char pairs[] = "the house\tla maison\n"
                            "the book\tle livre\n"
                            "\tseul\n"
                            "a house\tune maison\n"
                            "a book\tun livre\n"
                            "my house is here\tma maison est ici\n";

#endif
