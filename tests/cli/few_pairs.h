// Pairs from which `regard align` learns all their links.
#pragma once

static const char pairs[] = "the house\tla maison\n"
                            "the book\tle livre\n"
                            "\tseul\n"
                            "a house\tune maison\n"
                            "a book\tun livre\n"
                            "my house is here\tma maison est ici\n";
