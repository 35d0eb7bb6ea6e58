/* What the paths are answered with for which only models are needed, on a server and in a page that
 * translates by itself (browser/engine.c). A posted call has its parameters; then it is answered, or
 * waits. */
#pragma once

#include "serve/api/call.h"

// posted
void handle_translate(Call *call);
void handle_align(Call *call);
void handle_inspect(Call *call);
void handle_detect(Call *call);

// gotten
void handle_languages(Call *call);
void handle_settings(Call *call);
