private import CMemoryHints

/// The memory of the calendar's slots: chunks of equal size, taken from and returned to a free list.
///
/// A chunk is aligned to its size, so that a pointer into it determines where the chunk begins and ends. Its first cell
/// holds a link, all others hold events. Chunks are carved from segments; a new segment is an eighth of the existing
/// chunks, so that growth costs neither copies nor much unused memory.
@usableFromInline
struct EventChunks: ~Copyable {
    /// Size of a chunk [cells of 8 B], a power of two.
    let cellsPerChunk: Int
    private var free: UnsafeMutablePointer<UInt64>?
    private var fresh: UnsafeMutablePointer<UInt64>
    private var freshCount = 0
    private var segments: UnsafeMutablePointer<UInt64>?
    private var chunkCount = 0

    init(cellsPerChunk: Int) {
        self.cellsPerChunk = cellsPerChunk
        // Never read: `freshCount` is 0.
        fresh = EventChunks.noChunk(of: cellsPerChunk)
    }

    deinit {
        var next = segments
        while let segment = next {
            next = EventChunks.link(of: segment)
            segment.deallocate()
        }
    }

    /// The size of a large page, on systems that have them [bytes].
    private static var largePage: Int { 2 << 20 }

    /// An address with the alignment of a chunk, but without a chunk: the cursor of an empty slot.
    static func noChunk(of cellsPerChunk: Int) -> UnsafeMutablePointer<UInt64> {
        UnsafeMutablePointer(bitPattern: cellsPerChunk * 8) ?? UnsafeMutablePointer.allocate(capacity: 0)
    }

    static func link(of chunk: UnsafeMutablePointer<UInt64>) -> UnsafeMutablePointer<UInt64>? {
        UnsafeMutablePointer(bitPattern: UInt(chunk.pointee))
    }

    static func setLink(of chunk: UnsafeMutablePointer<UInt64>, to other: UnsafeMutablePointer<UInt64>?) {
        chunk.pointee = UInt64(UInt(bitPattern: other))
    }

    /// A chunk with undefined content.
    mutating func take() -> UnsafeMutablePointer<UInt64> {
        if let chunk = free {
            free = EventChunks.link(of: chunk)
            return chunk
        }
        if freshCount == 0 {
            addSegment()
        }
        defer {
            fresh += cellsPerChunk
            freshCount -= 1
        }
        return fresh
    }

    /// Returns a chunk to the free list.
    mutating func put(_ chunk: UnsafeMutablePointer<UInt64>) {
        EventChunks.setLink(of: chunk, to: free)
        free = chunk
    }

    private mutating func addSegment() {
        let bytesPerChunk = cellsPerChunk * 8
        let count = max(2048 / bytesPerChunk, chunkCount / 8, 4)
        // The first chunk of a segment links the segments.
        let bytes = (count + 1) * bytesPerChunk
        let isLarge = bytes >= EventChunks.largePage
        let alignment = isLarge ? EventChunks.largePage : bytesPerChunk
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: alignment)
        // Thousands of slots grow in turn, each in its own page: more small pages than a TLB holds.
        if isLarge { prefer_large_pages(memory, bytes) }
        let segment = memory.bindMemory(to: UInt64.self, capacity: (count + 1) * cellsPerChunk)
        EventChunks.setLink(of: segment, to: segments)
        segments = segment
        fresh = segment + cellsPerChunk
        freshCount = count
        chunkCount += count
    }
}
