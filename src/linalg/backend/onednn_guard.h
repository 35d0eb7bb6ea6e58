/* The functions of oneDNN that allocate: guarded_X is dnnl_X. Where memory is short, its C interface
 * lets exceptions of C++ out, which would end a program in C, and its compiler writes to where it
 * could not map any: these return dnnl_out_of_memory instead. */
#pragma once

#include <dnnl.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GUARDED_FUNCTIONS(X)                                                                       \
    X(engine_create)                                                                               \
    X(stream_create)                                                                               \
    X(memory_create)                                                                               \
    X(primitive_attr_create)                                                                       \
    X(primitive_attr_set_post_ops)                                                                 \
    X(post_ops_create)                                                                             \
    X(post_ops_append_sum)                                                                         \
    X(primitive_desc_create)                                                                       \
    X(reorder_primitive_desc_create)                                                               \
    X(primitive_create)                                                                            \
    X(primitive_execute)

#define DECLARE_GUARDED(name) extern __typeof__(&dnnl_##name) const guarded_##name;
GUARDED_FUNCTIONS(DECLARE_GUARDED)
#undef DECLARE_GUARDED

// Whether one of them has returned dnnl_out_of_memory, or guarded_note_failure has been called, since
// the last call of this, on any thread.
bool guarded_memory_was_short(void);

void guarded_note_failure(void);

#ifdef __cplusplus
}
#endif
