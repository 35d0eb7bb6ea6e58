/* What stands before the text of a line, is no part of its sentence, and stays:
 *
 *     > and >>           a quotation in a letter
 *     # to ######        a heading
 *     • - * – — © → ①    an item, or another symbol
 *     [ ] [x]            a task
 *     1. 2) (3) 4、 b)   a number of up to three digits, or a letter */
#pragma once

#include "language/language.h"

/* Where all such marks at the beginning of a text in normal form end; 0 if there is none, or no letter
 * behind them. Where 1. may be the first of a month instead, it is none. */
size_t line_mark_end(TextView text, const Language *language);
