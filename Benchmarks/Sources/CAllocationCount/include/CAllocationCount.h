#pragma once

/// The number of calls of malloc and related functions; always 0 on systems where they cannot be replaced.
unsigned long allocation_count(void);
