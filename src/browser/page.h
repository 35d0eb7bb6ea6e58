// What the build embeds of a page that translates by itself (wasm.mk); `regard page` puts models into it.
#pragma once

#include <stddef.h>

extern const char
    browser_page[]; // that of the server with another transport; UTF-8, NUL-terminated
extern const char
    browser_page_policy[]; // the hashes of its style and script for a Content-Security-Policy

extern const unsigned char browser_engine[]; // the engine in gzip; empty if it could not be built
extern const size_t browser_engine_size;
