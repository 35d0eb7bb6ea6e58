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
template <typename Type, Type *function> struct Guarded;
template <typename... Arguments, dnnl_status_t (*function)(Arguments...)>
struct Guarded<dnnl_status_t(Arguments...), function> {
    static dnnl_status_t call(Arguments... arguments)
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
};

static dnnl_status_t create_with_room(dnnl_primitive_t *primitive,
                                      const_dnnl_primitive_desc_t described)
{
    return has_room_for_code() ? dnnl_primitive_create(primitive, described) : dnnl_out_of_memory;
}

template <>
dnnl_status_t Guarded<decltype(dnnl_primitive_create), dnnl_primitive_create>::call(
    dnnl_primitive_t *primitive, const_dnnl_primitive_desc_t described)
{
    return Guarded<decltype(create_with_room), create_with_room>::call(primitive, described);
}

#define DEFINE_GUARDED(name)                                                                       \
    decltype(&dnnl_##name) const guarded_##name = Guarded<decltype(dnnl_##name), dnnl_##name>::call;

GUARDED_FUNCTIONS(DEFINE_GUARDED)
