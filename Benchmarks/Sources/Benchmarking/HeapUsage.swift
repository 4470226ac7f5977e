import CHeapUsage

/// The memory that the process has allocated with malloc and not freed [bytes], including the allocator's own overhead.
///
/// Differences show the actual size of a value, whatever it consists of.
public func heapBytesInUse() -> Int {
    heap_bytes_in_use()
}
