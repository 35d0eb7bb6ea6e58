/* HTML in other encodings than UTF-8. */
#pragma once

#include "base/bytes.h"

enum { CHARSET_SIZE = 32 };

/* Makes a document UTF-8: from what its mark of byte order says, else <meta> in its first 1024 bytes,
 * else its bytes themselves (io/text_encoding.h). <meta> then says UTF-8, too. `charset` is what it
 * was in, empty if nothing has been done. */
Status html_decode(Bytes *html, char charset[CHARSET_SIZE], Error *error);
