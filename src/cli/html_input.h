/* A file or standard input as one HTML document: translate --html. */
#ifndef REGARD_CLI_HTML_INPUT_H
#define REGARD_CLI_HTML_INPUT_H

#include "cli/languages.h"
#include "cli/output.h"
#include "cli/work_progress.h"
#include "translate/html_translation.h"
#include "translate/session.h"

// Most bytes of a document, which is held in memory.
enum { HTML_LIMIT = 1 << 26 };

typedef struct HtmlInput {
    const char *path; // `-`: standard input
    Session *session;
    TranslateOptions translate; // one translation of each text
    const LinkReading *reading;
    size_t window; // segments translated together
    WorkProgress *progress;
    LanguageWatch *language;
    Output *output;
} HtmlInput;

/* Reads all of the document and writes its translation. STATUS_FORMAT if it is longer than
 * HTML_LIMIT. */
Status html_input_translate(const HtmlInput *input, Error *error);

#endif
