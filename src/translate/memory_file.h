// Reads files into a translation memory.
#pragma once

#include "translate/translation_memory.h"
#include "translate/translator.h"

/* Adds the pairs of a file (corpus/pair_reader.h), of a TMX in the languages of the translator, those
 * of the first two columns of a table; a pair with an empty side is left out. */
Status memory_file_read(TranslationMemory *memory, const char *path, const Translator *translator,
                        Error *error);
