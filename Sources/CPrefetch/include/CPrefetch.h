#ifndef FRESHET_CPREFETCH_H
#define FRESHET_CPREFETCH_H

// Asks for the cache line at an address, to be read and written soon. A hint: it never faults, whatever the address.
static inline void prefetch_line(const void *_Nonnull address) {
    __builtin_prefetch(address, 1, 3);
}

#endif
