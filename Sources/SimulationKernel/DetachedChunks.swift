/// The chunks of a slot, in order.
struct DetachedChunks {
    private(set) var next: UnsafeMutablePointer<UInt64>?
    private let last: UnsafeMutablePointer<UInt64>
    private let endInLast: Int

    /// - Parameter cursor: The address at which the next event would have been written.
    init(cursor: UnsafeMutablePointer<UInt64>, chunkMask: UInt) {
        let offset = (UInt(bitPattern: cursor) &- 8) & chunkMask
        last = cursor - Int(offset / 8 + 1)
        endInLast = Int(offset / 8 + 1)
        next = EventChunks.link(of: last)
    }

    /// The next chunk, and the end of its cells, which begin at 1.
    mutating func next(cellsPerChunk: Int) -> (chunk: UnsafeMutablePointer<UInt64>, end: Int)? {
        guard let chunk = next else { return nil }
        guard chunk != last else {
            next = nil
            return (chunk, endInLast)
        }
        next = EventChunks.link(of: chunk)
        return (chunk, cellsPerChunk)
    }
}
