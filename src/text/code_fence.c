#include "text/code_fence.h"

bool code_fence_has(CodeFence *fence, TextView line)
{
    enum { MAX_INDENT = 3, LEAST = 3 };
    size_t begin = 0, end;
    while (begin < line.length && begin < MAX_INDENT && line.data[begin] == ' ') begin++;
    char mark = begin < line.length ? line.data[begin] : 0;
    for (end = begin; end < line.length && line.data[end] == mark; end++) {}
    size_t length = mark == '`' || mark == '~' ? end - begin : 0, rest = end;
    while (rest < line.length && strchr(" \t\r", line.data[rest])) rest++;
    if (fence->mark) {
        if (mark == fence->mark && length >= fence->length && rest == line.length) fence->mark = 0;
        return true;
    }
    if (length < LEAST || (mark == '`' && memchr(line.data + end, '`', line.length - end)))
        return false;
    *fence = (CodeFence){mark, length};
    return true;
}
