import TestSupport
import Testing

@testable import LiveActivityModel

@Suite("The sender's queue, as a data structure")
struct RankedQueueTests {
    /// Compared with arrays, in random operations.
    @Test("It behaves like an array for each rank", .enabled(if: Loop.isFull), arguments: 0..<50 as Range<UInt64>)
    func againstArrays(seed: UInt64) {
        var stream = TestStream(seed: seed)
        var queue = RankedQueue()
        var lines = [[UInt32]](repeating: [], count: RankedQueue.rankCount)
        let rankCount = 1 + stream.next(below: RankedQueue.rankCount)
        for _ in 0..<300 {
            let place = UInt32(stream.next(below: 20))
            if let rank = lines.firstIndex(where: { $0.contains(place) }) {
                queue.remove(place, rank: rank)
                lines[rank].removeAll { $0 == place }
            } else {
                let rank = stream.next(below: rankCount)
                if stream.next(below: 3) == 0 {
                    queue.prepend(place, rank: rank)
                    lines[rank].insert(place, at: 0)
                } else {
                    queue.append(place, rank: rank)
                    lines[rank].append(place)
                }
            }
            #expect(queue.count == lines.reduce(0) { $0 + $1.count })
            #expect(queue.first == lines.first { !$0.isEmpty }?.first)
            #expect(queue.oldestOfWorstRank == lines.last { !$0.isEmpty }?.first)
            #expect(queue.newestOfWorstRank == lines.last { !$0.isEmpty }?.last)
            #expect(queue.bestRank == lines.firstIndex { !$0.isEmpty } ?? RankedQueue.rankCount)
            #expect(queue.worstRank == lines.lastIndex { !$0.isEmpty } ?? -1)
            #expect(lines.indices.map { Self.places(queue, rank: $0) } == lines)
        }
    }

    private static func places(_ queue: RankedQueue, rank: Int) -> [UInt32] {
        Array(
            sequence(state: queue.first(ofRank: rank)) { place in
                defer { place = place.flatMap(queue.next) }
                return place
            }
        )
    }
}
