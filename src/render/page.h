/* The page of render/html.h: page.html with page.css and page.js in it, embedded by the build
 * (tools/embed). ASCII, NUL-terminated; PAGE_PAIRS marks the place of the JSON. */
#ifndef REGARD_RENDER_PAGE_H
#define REGARD_RENDER_PAGE_H

#define PAGE_PAIRS "{{pairs}}"

extern const char page_html[];

#endif
