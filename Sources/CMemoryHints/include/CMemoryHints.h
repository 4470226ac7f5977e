#ifndef FRESHET_CMEMORYHINTS_H
#define FRESHET_CMEMORYHINTS_H

#include <stddef.h>
#include <sys/mman.h>

// Prefetches the cache line at an address for reading and writing. A hint: it never faults, whatever the address.
static inline void prefetch_line(const void *_Nonnull address) {
    __builtin_prefetch(address, 1, 3);
}

// Requests large pages for memory that begins at a page. A hint: it never changes the contents of the memory.
static inline void prefer_large_pages(void *_Nonnull address, size_t size) {
#ifdef MADV_HUGEPAGE
    (void)madvise(address, size, MADV_HUGEPAGE);
#endif
}

#endif
