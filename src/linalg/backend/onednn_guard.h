/* The functions of oneDNN that allocate. Where memory is short, its C interface lets exceptions of
 * C++ out, which would end a program in C, and its compiler writes to where it could not map any:
 * these return dnnl_out_of_memory instead. Arguments and results are those of the dnnl_ functions
 * of the same name. */
#ifndef REGARD_LINALG_BACKEND_ONEDNN_GUARD_H
#define REGARD_LINALG_BACKEND_ONEDNN_GUARD_H

#include <dnnl.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

dnnl_status_t guarded_engine_create(dnnl_engine_t *engine, dnnl_engine_kind_t kind, size_t index);
dnnl_status_t guarded_stream_create(dnnl_stream_t *stream, dnnl_engine_t engine, unsigned flags);
dnnl_status_t guarded_memory_create(dnnl_memory_t *memory, const dnnl_memory_desc_t *descriptor,
                                    dnnl_engine_t engine, void *handle);
dnnl_status_t guarded_attr_create(dnnl_primitive_attr_t *attributes);
dnnl_status_t guarded_attr_set_post_ops(dnnl_primitive_attr_t attributes,
                                        const_dnnl_post_ops_t after);
dnnl_status_t guarded_post_ops_create(dnnl_post_ops_t *after);
dnnl_status_t guarded_post_ops_append_sum(dnnl_post_ops_t after, float scale);
dnnl_status_t guarded_primitive_desc_create(dnnl_primitive_desc_t *described,
                                            const_dnnl_op_desc_t operation,
                                            const_dnnl_primitive_attr_t attributes,
                                            dnnl_engine_t engine,
                                            const_dnnl_primitive_desc_t forward_hint);
dnnl_status_t guarded_reorder_desc_create(dnnl_primitive_desc_t *described,
                                          const dnnl_memory_desc_t *from, dnnl_engine_t from_engine,
                                          const dnnl_memory_desc_t *to, dnnl_engine_t to_engine,
                                          const_dnnl_primitive_attr_t attributes);
dnnl_status_t guarded_primitive_create(dnnl_primitive_t *primitive,
                                       const_dnnl_primitive_desc_t described);
dnnl_status_t guarded_primitive_execute(const_dnnl_primitive_t primitive, dnnl_stream_t stream,
                                        int count, const dnnl_exec_arg_t *arguments);

// Whether one of them has returned dnnl_out_of_memory, or guarded_note_failure was called, since it
// was last asked, on any thread.
bool guarded_memory_was_short(void);

void guarded_note_failure(void);

#ifdef __cplusplus
}
#endif

#endif
