import Testing

@testable import LiveActivityModel

@Suite("Timestamps that rise")
struct RisingTimestampsTests {
    @Test("A timestamp is that of its content, or a step above the one before")
    func rising() {
        var timestamps = RisingTimestamps()
        let given: [Int64] = [100, 100, 101, 90, 200]
        #expect(given.map { timestamps.next(for: $0, step: 1) } == [100, 101, 102, 103, 200])
        var coarse = RisingTimestamps()
        #expect([5, 0].map { coarse.next(for: $0, step: 10) } == [5, 15])
    }

    @Test("The first one may be any, or has to be above what came before a restart")
    func first() {
        var new = RisingTimestamps()
        #expect(new.next(for: .min + 1, step: 1) == .min + 1)
        var restarted = RisingTimestamps(above: 100)
        #expect([40, 40, 200].map { restarted.next(for: $0, step: 1) } == [101, 102, 200])
    }
}
