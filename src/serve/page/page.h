/* The page that translates while one types: page.html with its style and script, embedded by the
 * build (tools/embed). */
#ifndef REGARD_SERVE_PAGE_PAGE_H
#define REGARD_SERVE_PAGE_PAGE_H

extern const char serve_page[];        // UTF-8, NUL-terminated
extern const char serve_page_policy[]; // the Content-Security-Policy that it works under

#endif
