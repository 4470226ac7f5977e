import FreshnessCore
import Quantities
import Testing

@Suite struct JitterTests {
    /// Base 2 s, factor 5, cap 10 s: pauses of 0, 2, 10, 10 s.
    private func policy(_ jitter: Jitter) throws -> RetryPolicy {
        try RetryPolicy(maxAttempts: 4, base: .seconds(2), factorThousandths: 5000, cap: .seconds(10), jitter: jitter)
    }

    @Test(
        arguments: [
            // jitter, attempt, previous pause [s], pauses for the lowest, the middle and the highest draw [µs]
            (.none, 1, 2, [2_000_000, 2_000_000, 2_000_000]),
            (.none, 2, 2, [10_000_000, 10_000_000, 10_000_000]),
            (.full, 1, 2, [0, 1_000_000, 2_000_000]),
            (.full, 2, 2, [0, 5_000_000, 10_000_000]),
            (.equal, 1, 2, [1_000_000, 1_500_000, 2_000_000]),
            (.equal, 2, 2, [5_000_000, 7_500_000, 10_000_000]),
            (.decorrelated, 1, 2, [2_000_000, 4_000_000, 6_000_000]),
            (.decorrelated, 2, 3, [2_000_000, 5_500_000, 9_000_000]),
            // 2...18 s, with all pauses above 10 s reduced to 10 s.
            (.decorrelated, 2, 6, [2_000_000, 10_000_000, 10_000_000]),
            // A previous pause whose triple is below the base.
            (.decorrelated, 3, 0, [2_000_000, 2_000_000, 2_000_000]),
            // Pause × 0, × ln 2 and × 64 ln 2, which is beyond the cap.
            (.exponential, 1, 2, [0, 1_386_294, 88_722_839]),
            (.exponential, 2, 2, [0, 6_931_472, 443_614_196]),
        ] as [(Jitter, Int, Int64, [Int64])]
    )
    func pauses(jitter: Jitter, attempt: Int, previous: Int64, pauses: [Int64]) throws {
        let policy = try policy(jitter)
        let drawn = [0, 1 << 63, .max]
            .map { draw in
                policy.pause(beforeAttempt: attempt, previous: .seconds(previous), draw: draw).microseconds
            }
        #expect(drawn == pauses)
    }

    /// The first attempt is made for the instance's own deadline, which no other instance shares.
    @Test(arguments: Jitter.allCases)
    func theFirstAttemptIsNotMoved(jitter: Jitter) throws {
        let policy = try RetryPolicy(schedule: [.seconds(7), .seconds(9)], jitter: jitter)
        for draw in [0, 1 << 63, .max] as [UInt64] {
            #expect(policy.pause(beforeAttempt: 0, previous: .seconds(3), draw: draw) == .seconds(7))
        }
    }

    /// U(0, 3 µs): four values, each for a quarter of all draws, with exact boundaries.
    @Test func bothBoundsAreIncludedAndEquallyLikely() throws {
        let spans = [0, 3].map(TimeSpan.init(microseconds:))
        let policy = try RetryPolicy(schedule: spans, jitter: .full)
        let quarter: UInt64 = 1 << 62
        let draws = [0, quarter - 1, quarter, 2 * quarter - 1, 2 * quarter, 3 * quarter - 1, 3 * quarter, .max]
        let drawn = draws.map { policy.pause(beforeAttempt: 1, previous: .zero, draw: $0).microseconds }
        #expect(drawn == [0, 0, 1, 1, 2, 2, 3, 3])
    }

    @Test func equalJitterOfAnOddPauseStartsBelowItsHalf() throws {
        let spans = [0, 5].map(TimeSpan.init(microseconds:))
        let policy = try RetryPolicy(schedule: spans, jitter: .equal)
        let drawn = [0, .max].map { policy.pause(beforeAttempt: 1, previous: .zero, draw: $0).microseconds }
        #expect(drawn == [2, 5])
    }

    @Test func exponentialPausesEndAtTheLongestSpan() throws {
        let spans = [TimeSpan.zero, .longest]
        let policy = try RetryPolicy(schedule: spans, jitter: .exponential)
        #expect(policy.pause(beforeAttempt: 1, previous: .zero, draw: .max) == .longest)
    }

    @Test func namesAreThoseOfScenarioFiles() {
        #expect(Jitter.allCases.map(\.rawValue) == ["none", "full", "equal", "decorrelated", "exponential"])
    }
}
