import Quantities
import TestSupport
import Testing

@testable import LiveActivityModel

@Suite("Instants of which the first is at hand")
struct InstantHeapTests {
    @Test("They come out as sorted, whatever is put in between", arguments: 0..<20 as Range<UInt64>)
    func order(seed: UInt64) {
        var stream = TestStream(seed: seed)
        var heap = InstantHeap()
        var expected: [Instant] = []
        for _ in 0..<500 {
            if expected.isEmpty || stream.next() % 5 < 3 {
                let instant = Instant(microseconds: Int64(stream.next() % 100))
                heap.insert(instant)
                expected.append(instant)
                expected.sort()
            } else {
                let first = heap.removeFirst()
                #expect(first == expected.removeFirst())
            }
            #expect(heap.count == expected.count)
            #expect(heap.first == expected.first ?? .never)
        }
    }
}
