/* An aligner as tensors of a safetensors file, alone or beside those of a model.
 *
 *     aligner.jumps              F64 (2, JUMP_WIDTHS)   w of the sources, of the targets
 *     aligner.null               F64 (2)                p_0 of both directions
 *     aligner.source.counts      U32 (sources)          how often each type occurs
 *     aligner.source.links       F32 (sources)          c(x)
 *     aligner.source.unlinked    F32 (sources)          expected occurrences without a link
 *     aligner.target.…           likewise               (targets)
 *     aligner.rows               U32 (sources)          how many entries each source type has
 *     aligner.columns            U32 (entries)          their target types, ascending in a row
 *     aligner.links              F32 (entries)          c(x, y)
 *     aligner.source.types       U8 (bytes)             the types' spellings, a newline after each
 *     aligner.target.types       likewise
 *
 * These are of version 1, which loses nothing. In version 2, whose numbers take half the room,
 * counts and links are BF16, rounded to 8 bits, and rows and columns U16 unless there are more
 * target types than that holds. The metadata has "aligner_version". In a file of its own "format"
 * is "regard aligner". */
#pragma once

#include "align/aligner.h"
#include "io/safetensors.h"

// How the numbers are stored, by the version; files of any other are refused.
typedef enum AlignerForm { ALIGNER_EXACT = 1, ALIGNER_ROUNDED } AlignerForm;

enum { ALIGNER_ROUNDED_VECTORS = 9 }; // three of each side, rows, columns, links

/* An aligner to be written, and what a writer keeps of it by reference until it has saved. Start from
 * {.aligner = …, .form = …}, end with aligner_tensors_free. */
typedef struct AlignerTensors {
    const Aligner *aligner;
    AlignerForm form;
    uint32_t *counts[2]; // (types)
    uint16_t *rounded[ALIGNER_ROUNDED_VECTORS];
    size_t rounded_count;
    Bytes spellings[2];
    double jumps[2][JUMP_WIDTHS];
    double null[2];
} AlignerTensors;

/* Adds an aligner's tensors and its version to a writer, which refers to both the AlignerTensors and
 * the aligner until it has saved: the function of a ModelAddition (model/model_file.h). */
Status aligner_write(void *tensors, SafetensorsWriter *writer, Error *error);

void aligner_tensors_free(AlignerTensors *tensors);

// Whether a file has an aligner.
bool aligner_is_in(const SafetensorsFile *file);

/* Reads an aligner from a file, which may then be closed. STATUS_FORMAT, with the path, if there is
 * none, or one of another version or with wrong contents. After a failure there is nothing to
 * free. */
Status aligner_read(Aligner *aligner, const SafetensorsFile *file, const char *path, Error *error);

/* A file of its own, written completely or not at all (io/file_writer.h): a file at the path is
 * replaced. */
Status aligner_save(const char *path, const Aligner *aligner, Error *error);

Status aligner_open(Aligner *aligner, const char *path, Error *error);

/* Makes an aligner small enough to travel with a model: leaves out the entries with the fewest links,
 * and then the types without an entry, until it takes at most so many bytes in a file of that form,
 * its few fixed ones aside. */
Status aligner_trim(Aligner *aligner, AlignerForm form, size_t bytes, Error *error);
