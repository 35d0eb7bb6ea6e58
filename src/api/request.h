// Checks the arguments of a call before any work is done.
#ifndef REGARD_API_REQUEST_H
#define REGARD_API_REQUEST_H

#include "regard.h"
#include "translate/session.h"

/* Sets `options` (all members of this version) from the caller's: NULL is the defaults, an older struct leaves
 * the newer members at their defaults, a newer one must not set members unknown here. STATUS_ARGUMENT for
 * values out of range, with the member's name. */
Status request_read_options(RegardOptions *options, const RegardOptions *given, Error *error);

/* Sets *views (count), freed by memory_free, from the caller's texts. STATUS_ARGUMENT for a text
 * that is NULL or too long; `name` is the parameter's in the message. */
Status request_read_texts(TextView **views, const RegardText *texts, size_t count, const char *name,
                          Error *error);

#endif
