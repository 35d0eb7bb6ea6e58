/* The page of render/html.h: page.html with page.css and page.js in it, which the build puts into the
 * program (tools/embed). ASCII, NUL-terminated; PAGE_PAIRS stands where the JSON belongs. */
#ifndef REGARD_RENDER_PAGE_H
#define REGARD_RENDER_PAGE_H

#define PAGE_PAIRS "{{pairs}}"

extern const char page_html[];

#endif
