import CHeapUsage

/// What the process has taken from malloc and not given back [bytes], the allocator's own overhead included.
///
/// Differences of it say what a value really occupies, whatever it is made of.
public func heapBytesInUse() -> Int {
    heap_bytes_in_use()
}
