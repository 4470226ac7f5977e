import Testing

@testable import SimulationKernel

@Suite("The memory of the calendar's slots")
struct EventChunksTests {
    @Test(
        "Chunks are aligned and disjoint, in small and large segments; the last one freed is reused first"
    )
    func chunks() {
        let cells = 64
        // Segments reach two megabytes at sixteen.
        let count = 40_000
        var chunks = EventChunks(cellsPerChunk: cells)
        var taken: [UnsafeMutablePointer<UInt64>] = []
        for number in 0..<count {
            let chunk = chunks.take()
            chunk[0] = UInt64(number)
            chunk[cells - 1] = UInt64(number)
            taken.append(chunk)
        }
        #expect(taken.allSatisfy { Int(bitPattern: $0) % (cells * 8) == 0 })
        #expect(taken.enumerated().allSatisfy { $1[0] == $0 && $1[cells - 1] == $0 })
        chunks.put(taken[7])
        chunks.put(taken[3])
        #expect(chunks.take() == taken[3] && chunks.take() == taken[7])
    }
}
