import Quantities
import Testing

@testable import LiveActivityModel

@Suite("Increasing timestamps")
struct RisingTimestampsTests {
    @Test("A timestamp is the content's, or a step above the previous one")
    func rising() {
        var timestamps = RisingTimestamps()
        let given: [Int64] = [100, 100, 101, 90, 200]
        #expect(given.map { timestamps.next(for: $0, step: 1) } == [100, 101, 102, 103, 200])
        var coarse = RisingTimestamps()
        #expect([5, 0].map { coarse.next(for: $0, step: 10) } == [5, 15])
    }

    @Test("The first timestamp can be any, or must exceed the last one before a restart")
    func first() {
        var new = RisingTimestamps()
        #expect(new.next(for: .min + 1, step: 1) == .min + 1)
        var restarted = RisingTimestamps(above: 100)
        #expect([40, 40, 200].map { restarted.next(for: $0, step: 1) } == [101, 102, 200])
    }
}

@Suite("The clock of payload timestamps")
struct PayloadClockTests {
    @Test(
        "It shows whole steps, even if it goes back; without a resolution, microseconds",
        arguments: [
            (TimeSpan.seconds(1), 1_000_000), (.zero, 1), (TimeSpan(microseconds: 7), 7),
            (TimeSpan(microseconds: 1 << 40 + 1), 1 << 40 + 1),
        ] as [(TimeSpan, Int64)]
    )
    func steps(resolution: TimeSpan, step: Int64) {
        let clock = PayloadClock(resolution: resolution)
        #expect(clock.step == step)
        let near: [Int64] = [0, 1, 6, 7, 8, 999_999, 1_000_000, 1_999_999, 13, 14, 5_000_000]
        let far = (1..<62)
            .flatMap { (bit: Int64) -> [Int64] in
                let power: Int64 = 1 << bit
                return [power - 1, power, power / step * step, max(0, power / step * step - 1)]
            }
        for instant in near + far {
            #expect(clock.timestamp(of: Instant(microseconds: instant)) == instant / step * step)
        }
    }
}
