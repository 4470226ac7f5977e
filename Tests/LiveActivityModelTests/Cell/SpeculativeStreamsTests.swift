import Quantities
import SimulationKernel
import Testing

@testable import LiveActivityModel

@Suite("Streams of speculation")
struct SpeculativeStreamsTests {
    private static func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: milliseconds * 1000) }

    /// Requests from 5 to 65 ms, from 25 to 30 ms, and from 70 ms on, in intervals of 20 ms.
    @Test("The bound of an interval is the streams at its start and those taken within it")
    func bound() {
        var streams = SpeculativeStreams(isUsed: true)
        var requests: Int32 = 0
        var areInUse = [streams.areInUse]
        for (begin, end) in [(70, 500), (5, 65), (25, 30)] as [(Int64, Int64)] {
            streams.take(at: Self.at(begin))
            streams.giveBack(at: Self.at(end))
        }
        areInUse.append(streams.areInUse)
        var peaks: [Int32] = []
        for interval in 0..<5 as Range<Int64> {
            peaks.append(streams.read(interval..<interval + 1, requests: &requests))
        }
        peaks.append(streams.read(5..<26, requests: &requests))
        areInUse.append(streams.areInUse)
        #expect(peaks == [1, 2, 1, 2, 1, 1] && requests == 3)
        #expect(areInUse == [false, true, false])
    }

    @Test("An interval that cannot count its requests says so", arguments: [65_535, 65_536])
    func overflow(requests: Int) {
        var streams = SpeculativeStreams(isUsed: true)
        for _ in 0..<requests { streams.take(at: Self.at(1)) }
        let hasOverflowed = streams.hasOverflowed
        #expect(hasOverflowed == (requests > 65_535))
    }
}
