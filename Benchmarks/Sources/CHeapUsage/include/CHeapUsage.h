// The memory that the process has allocated with malloc and not freed.

#pragma once

#include <stddef.h>

/// The bytes in use in all arenas and in large blocks that were mapped individually, including the allocator's own
/// overhead.
size_t heap_bytes_in_use(void);
