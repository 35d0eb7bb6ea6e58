// Making an aligner small enough to travel with a model.
#ifndef REGARD_ALIGN_ALIGNER_TRIM_H
#define REGARD_ALIGN_ALIGNER_TRIM_H

#include "align/aligner_file.h"

/* Leaves out the entries with the fewest links, and then the types without an entry, until the
 * aligner takes at most so many bytes in a file of that form, its few fixed ones aside. */
Status aligner_trim(Aligner *aligner, AlignerForm form, size_t bytes, Error *error);

#endif
