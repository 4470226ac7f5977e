import Benchmarking
import Testing

/// The memory that is counted.
@Suite("Heap usage")
struct HeapUsageTests {
    @Test("A block is counted while it exists")
    func block() {
        // Other tests allocate meanwhile, but much smaller blocks.
        let bytes = 200_000_000
        let before = heapBytesInUse()
        let block = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
        let during = heapBytesInUse()
        block.deallocate()
        #expect(during - before > bytes / 2)
        #expect(heapBytesInUse() - before < bytes / 2)
    }
}
