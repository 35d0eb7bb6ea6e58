// RegardOptions of include/regard.h: defaults, sizes, ranges.
#ifndef REGARD_API_OPTIONS_H
#define REGARD_API_OPTIONS_H

#include "base/status.h"
#include "regard.h"

/* Sets `options` (all members of this version) from the caller's: NULL is the defaults, an older
 * struct leaves the newer members at their defaults, a newer one must not set members unknown here.
 * STATUS_ARGUMENT names what is out of range. */
Status options_read(RegardOptions *options, const RegardOptions *given, Error *error);

#endif
