/* Variables in texts of interfaces, which stay as they are, and HTML tags:
 *
 *     {name} {{ a.b }} {0:.2f} ${name}   brackets, with no space among what is in them
 *     %d %1$s %(name)s                   of printf, of Python
 *     <b> </a> */
#pragma once

#include "base/bytes.h"

// Where the one ends that begins at a place; the place if there is none.
size_t variable_end(TextView text, size_t begin);
