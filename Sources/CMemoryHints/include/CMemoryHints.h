#ifndef FRESHET_CMEMORYHINTS_H
#define FRESHET_CMEMORYHINTS_H

#include <stddef.h>
#include <sys/mman.h>

// Asks for the cache line at an address, to be read and written soon. A hint: it never faults, whatever the address.
static inline void prefetch_line(const void *_Nonnull address) {
    __builtin_prefetch(address, 1, 3);
}

// Asks for large pages behind memory that begins at a page. A hint: whatever comes of it, the memory holds what it did.
static inline void prefer_large_pages(void *_Nonnull address, size_t size) {
#ifdef MADV_HUGEPAGE
    (void)madvise(address, size, MADV_HUGEPAGE);
#endif
}

#endif
