/* Completion for shells, made from the tables that --help is made from: verbs, a verb's options, the
 * names of a choice, and files where a value or an operand is one. `list` ends with NULL. */
#ifndef REGARD_TOOLS_COMPLETION_H
#define REGARD_TOOLS_COMPLETION_H

#include "cli/verbs.h"

// Appends a script that bash reads; it needs nothing of the package bash-completion.
Status completion_bash(const Verb *const *list, Bytes *out, Error *error);

// Appends the function _regard, as compinit finds it in zsh's $fpath.
Status completion_zsh(const Verb *const *list, Bytes *out, Error *error);

/* For both. Whether what help calls so ("FILE.jsonl", "PAIRS"; may be NULL) is a file's name, and
 * text between single quotes in which the quote itself is escaped. */
bool completion_is_file(const char *value);
Status completion_quote(Bytes *out, const char *text, Error *error);

#endif
