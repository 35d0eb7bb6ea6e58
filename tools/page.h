/* The manual's pages, in the macros of man(7), made from the tables that --help is made from. They
 * hold no date, so that the same sources give the same bytes. `list` ends with NULL. */
#ifndef REGARD_TOOLS_PAGE_H
#define REGARD_TOOLS_PAGE_H

#include "cli/verbs.h"

// Appends regard.1: the program as a whole.
Status page_of_program(const Verb *const *list, Bytes *out, Error *error);

// Appends regard-VERB.1.
Status page_of_verb(const Verb *const *list, const Verb *verb, Bytes *out, Error *error);

#endif
