/* Names of people and places as languages spell them, made of data/everyday/names.tsv: the rows of
 * WORDS_NAMES. Chinese names are only said, since among other characters they are not told from words. */
#pragma once

extern const char names_en[], names_fr[], names_zh[];
