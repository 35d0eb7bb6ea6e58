#include "linalg/backend/onednn_guard.h"

#include <atomic>
#include <cerrno>
#include <sys/mman.h>

static std::atomic<bool> memory_was_short;

bool guarded_memory_was_short(void)
{
    return memory_was_short.exchange(false);
}

void guarded_note_failure(void)
{
    memory_was_short = true;
}

// More than the code of any primitive; whether that much address space is left.
static bool has_room_for_code(void)
{
    const size_t bytes = size_t(32) << 20;
    void *room = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return room != MAP_FAILED && munmap(room, bytes) == 0;
}

/* Where memory for its best code is short, oneDNN may also take other code without a word, which
 * gives other bits: errno then tells that an allocation has failed. */
template <typename Function, typename... Arguments>
static dnnl_status_t guard(Function *function, Arguments... arguments)
{
    dnnl_status_t status = dnnl_out_of_memory;
    int before = errno;
    errno = 0;
    try {
        status = function(arguments...);
    } catch (...) {
    }
    if (status == dnnl_out_of_memory || errno == ENOMEM) guarded_note_failure();
    errno = before;
    return status;
}

dnnl_status_t guarded_engine_create(dnnl_engine_t *engine, dnnl_engine_kind_t kind, size_t index)
{
    return guard(dnnl_engine_create, engine, kind, index);
}

dnnl_status_t guarded_stream_create(dnnl_stream_t *stream, dnnl_engine_t engine, unsigned flags)
{
    return guard(dnnl_stream_create, stream, engine, flags);
}

dnnl_status_t guarded_memory_create(dnnl_memory_t *memory, const dnnl_memory_desc_t *descriptor,
                                    dnnl_engine_t engine, void *handle)
{
    return guard(dnnl_memory_create, memory, descriptor, engine, handle);
}

dnnl_status_t guarded_attr_create(dnnl_primitive_attr_t *attributes)
{
    return guard(dnnl_primitive_attr_create, attributes);
}

dnnl_status_t guarded_attr_set_post_ops(dnnl_primitive_attr_t attributes,
                                        const_dnnl_post_ops_t after)
{
    return guard(dnnl_primitive_attr_set_post_ops, attributes, after);
}

dnnl_status_t guarded_post_ops_create(dnnl_post_ops_t *after)
{
    return guard(dnnl_post_ops_create, after);
}

dnnl_status_t guarded_post_ops_append_sum(dnnl_post_ops_t after, float scale)
{
    return guard(dnnl_post_ops_append_sum, after, scale);
}

dnnl_status_t guarded_primitive_desc_create(dnnl_primitive_desc_t *described,
                                            const_dnnl_op_desc_t operation,
                                            const_dnnl_primitive_attr_t attributes,
                                            dnnl_engine_t engine,
                                            const_dnnl_primitive_desc_t forward_hint)
{
    return guard(dnnl_primitive_desc_create, described, operation, attributes, engine,
                 forward_hint);
}

dnnl_status_t guarded_reorder_desc_create(dnnl_primitive_desc_t *described,
                                          const dnnl_memory_desc_t *from, dnnl_engine_t from_engine,
                                          const dnnl_memory_desc_t *to, dnnl_engine_t to_engine,
                                          const_dnnl_primitive_attr_t attributes)
{
    return guard(dnnl_reorder_primitive_desc_create, described, from, from_engine, to, to_engine,
                 attributes);
}

dnnl_status_t guarded_primitive_create(dnnl_primitive_t *primitive,
                                       const_dnnl_primitive_desc_t described)
{
    if (!has_room_for_code()) {
        guarded_note_failure();
        return dnnl_out_of_memory;
    }
    return guard(dnnl_primitive_create, primitive, described);
}

dnnl_status_t guarded_primitive_execute(const_dnnl_primitive_t primitive, dnnl_stream_t stream,
                                        int count, const dnnl_exec_arg_t *arguments)
{
    return guard(dnnl_primitive_execute, primitive, stream, count, arguments);
}
