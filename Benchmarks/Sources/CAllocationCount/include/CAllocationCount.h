#pragma once

/// How often the process has asked malloc and its kin for memory; 0 for ever where they cannot be replaced.
unsigned long allocation_count(void);
