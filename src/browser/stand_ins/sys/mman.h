// Stands in for the header of mapped memory, which there is none of (base/memory.c).
