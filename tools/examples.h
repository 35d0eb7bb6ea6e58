// Commands to begin with, for the EXAMPLES of the manual.
#ifndef REGARD_TOOLS_EXAMPLES_H
#define REGARD_TOOLS_EXAMPLES_H

typedef struct Example {
    const char *page;    // the verb, or "regard" for the page of the whole program
    const char *purpose; // ends with a colon
    const char *command; // a line for the shell
} Example;

// In the order of each page; the `page` behind the last is NULL.
extern const Example examples[];

#endif
