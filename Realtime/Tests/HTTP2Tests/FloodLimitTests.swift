import HTTP2
import NIOCore
import Testing

/// The decisions of a limit, by the time of each attempt.
@Suite struct FloodLimitTests {
    @Test(arguments: [
        (3, [0, 0, 0, 0], [true, true, true, false]),
        // The span begins with the first attempt; after it, all are allowed again.
        (3, [5, 6, 7, 14, 15, 15, 15, 15], [true, true, true, false, true, true, true, false]),
        // Unused attempts of a quiet period do not add up.
        (2, [0, 100, 100, 100, 100], [true, true, true, true, false]), (0, [0, 0], [false, false]),
    ])
    func takes(most: Int, seconds: [Int64], wanted: [Bool]) {
        var limit = FloodLimit(most, in: .seconds(10))
        #expect(seconds.map { limit.take(at: .uptimeNanoseconds(0) + .seconds($0)) } == wanted)
    }

    @Test func earnsUpToItsBeginning() {
        var limit = FloodLimit(3, in: .seconds(10))
        let now = NIODeadline.uptimeNanoseconds(0)
        #expect([limit.take(at: now), limit.take(at: now)] == [true, true])
        limit.earn(1000)
        #expect((0..<4).map { _ in limit.take(at: now) } == [true, true, true, false])
    }

    @Test func noneIsNoLimit() {
        var limit = FloodLimit.none
        limit.earn(.max)
        #expect((0..<100_000).allSatisfy { _ in limit.take(at: .uptimeNanoseconds(0)) })
    }
}
