/* A trained model as one file: everything that is needed to translate, in the safetensors format.
 *
 * Metadata, all strings: "format" is "regard", "format_version" a whole number, "config" the sizes
 * (config.h). Also JSON that this folder does not look into: "source_vocabulary",
 * "target_vocabulary" (absent if joint), and "training", how the model was trained. Tensors are
 * named and shaped as the parameter list (model/stored_tensor.h).
 *
 * There may be a shortlist (model/shortlist.h), a lexicon (model/lexicon.h) and a word aligner
 * (align/aligner_file.h), which is opaque here. Everything else is refused by name. */
#pragma once

#include "io/safetensors.h"
#include "model/lexicon.h"
#include "model/seq2seq.h"
#include "model/shortlist.h"
#include "model/stored_tensor.h"

// An aligner in the file: the beginning of its tensors' names, and its key in the metadata.
#define MODEL_ALIGNER_PREFIX "aligner."
#define MODEL_ALIGNER_KEY "aligner_version"

enum { MODEL_FORMAT_VERSION = 3 }; // files of any other are refused

// A model's texts, opaque here: strings of JSON, not owned.
typedef struct ModelTexts {
    const char *source_vocabulary;
    const char *target_vocabulary; // the same pointer as source_vocabulary if joint
    const char *training;
} ModelTexts;

/* An open model. Its parameters are views into the file in memory, or into dequantised copies, a
 * block that the parameters own; never write to them. Any number of threads may read it. */
typedef struct Model {
    SafetensorsFile *file; // owned
    RoundedRows *rounded;  // (params.list.count) owned; matrices in int8 or int4, in the file
    WeightType weights;    // in the file: WEIGHTS_REAL, or that of its matrices
    Seq2SeqParams params;
    Shortlist shortlist; // in the file; empty if it has none
    Lexicon lexicon;     // likewise
    ModelTexts texts;    // in the file
} Model;

/* Opens a model and checks everything: the format and its version, the config, that exactly its
 * tensors are there with their shapes, and that all numbers are finite. The error names the
 * file. */
Status model_open(Model *model, const char *path, Error *error);

/* The same in steps: the first reads the header, the second the data, and checks everything. Do not
 * use the model before the second has succeeded. Call model_close even if a step fails. Matrices
 * that are among `rounded` have no values, which take four times their memory and which products in
 * int8 do without, until the third gives them to the model's own parameters, or to others of the
 * same list, whose other tensors become the model's. */
Status model_open_unread(Model *model, const char *path, Error *error);
Status model_read(Model *model, const char *path, Error *error);
Status model_dequantise(Seq2SeqParams *params, const Model *model, Error *error);

void model_close(Model *model);

// Copies an open model's values into a block of its list.
void model_copy_values(real *block, const Model *model);

/* Writes a model atomically (io/file_writer.h): a file at the path is replaced only by a complete
 * one. Numbers that are not finite are STATUS_FORMAT, because model_open would refuse them. `words`,
 * unless it is NULL, is an open model of the same vocabularies, whose lexicon and aligner it gets. */
Status model_save(const char *path, const Seq2SeqParams *params, const ModelTexts *texts,
                  const Model *words, Error *error);

// Adds tensors and metadata to a writer, which may refer to them until it has saved.
typedef struct ModelAddition {
    Status (*write)(void *context, SafetensorsWriter *writer, Error *error);
    void *context;
} ModelAddition;

/* Writes an open model again with a shortlist, a lexicon and, unless `aligner` is NULL, another
 * aligner; it is otherwise unchanged. Atomically; `path` may be the file it was opened from. */
Status model_save_additions(const char *path, const Model *model, const Shortlist *shortlist,
                            const Lexicon *lexicon, const ModelAddition *aligner, Error *error);

/* Writes an open model again with its matrices in bf16, int8 or int4. Vectors, which are few, stay as
 * they are, and so does the file's aligner, unless `aligner`, which may be NULL, is another. The file
 * at `path` is replaced atomically and may be `source`, which the model was opened from. STATUS_FORMAT
 * if the model is already quantised, a number is too large for bf16, or int4 is wanted of a joint
 * vocabulary. */
Status quantise_model(const Model *model, const char *source, WeightType type,
                      const ModelAddition *aligner, const char *path, Error *error);

/* Adds the metadata and, each name after `prefix`, the tensors of `block` (list) to a writer: what
 * model_save does, and a checkpoint for several blocks. Data is kept by reference until the writer
 * has saved. `path` is for messages. */
Status model_write_metadata(SafetensorsWriter *writer, const ModelConfig *config,
                            const ModelTexts *texts, Error *error);
Status model_write_block(SafetensorsWriter *writer, const char *path, const ParamList *list,
                         const real *block, const char *prefix, Error *error);

/* Copies the tensors named prefix + name of a file into a block; every one must be there with its
 * shape. */
Status model_read_block(const SafetensorsFile *file, const char *path, const ParamList *list,
                        real *block, const char *prefix, Error *error);

// Reads and checks the metadata: format, version, config, texts (which point into the file).
Status model_read_metadata(const SafetensorsFile *file, const char *path, ModelConfig *config,
                           ModelTexts *texts, Error *error);
