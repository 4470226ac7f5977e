// How much memory the process has taken from malloc and not given back.

#pragma once

#include <stddef.h>

/// Bytes in use of all arenas and of large blocks that were mapped one by one, the allocator's own overhead included.
size_t heap_bytes_in_use(void);
