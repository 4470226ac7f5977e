import FreshnessCore
import Quantities
import Testing

@Suite struct RetryPolicyTests {
    @Test(
        arguments: [
            // schedule, attempts allowed, pauses, base, cap [s]
            ([], 100, [], 0, 0),
            ([0], 100, [0], 0, 0),
            ([7], 100, [7], 7, 7),
            ([0, 10, 30], 100, [0, 10, 20], 10, 20),
            ([5, 5, 25, 26], 100, [5, 0, 20, 1], 0, 20),
            ([0, 10, 30], 2, [0, 10], 10, 10),
            ([0, 10, 30], 0, [], 0, 0),
            ([0, 10, 30], 3, [0, 10, 20], 10, 20),
        ] as [([Int64], Int, [Int64], Int64, Int64)]
    )
    func aScheduleIsAChainOfPauses(
        schedule: [Int64],
        maxAttempts: Int,
        pauses: [Int64],
        base: Int64,
        cap: Int64
    ) throws {
        let policy = try RetryPolicy(schedule: schedule.map(TimeSpan.seconds), maxAttempts: maxAttempts)
        #expect(pauses.indices.map(policy.plannedPause(beforeAttempt:)) == pauses.map(TimeSpan.seconds))
        #expect(policy.maxAttempts == pauses.count)
        #expect(policy.base == .seconds(base))
        #expect(policy.cap == .seconds(cap))
    }

    @Test(
        arguments: [
            // attempts, base, factor in thousandths, cap, pauses [µs]
            (0, 1_000_000, 2000, 9_000_000, []),
            (1, 1_000_000, 2000, 9_000_000, [0]),
            (6, 1_000_000, 2000, 9_000_000, [0, 1_000_000, 2_000_000, 4_000_000, 8_000_000, 9_000_000]),
            (4, 1_000_000, 1000, 9_000_000, [0, 1_000_000, 1_000_000, 1_000_000]),
            // Fractions of a microsecond are dropped at each step.
            (5, 3, 1500, 1000, [0, 3, 4, 6, 9]),
            (3, 9_000_000, 2000, 9_000_000, [0, 9_000_000, 9_000_000]),
            (3, 0, 2000, 9_000_000, [0, 0, 0]),
            // The product would exceed 64 bits.
            (
                4, 315_360_000_000_000, 100_000, 315_360_000_000_000,
                [0, 315_360_000_000_000, 315_360_000_000_000, 315_360_000_000_000]
            ),
        ] as [(Int, Int64, Int, Int64, [Int64])]
    )
    func backoffGrowsByItsFactorUpToItsCap(
        maxAttempts: Int,
        base: Int64,
        factorThousandths: Int,
        cap: Int64,
        pauses: [Int64]
    ) throws {
        let policy = try RetryPolicy(
            maxAttempts: maxAttempts,
            base: TimeSpan(microseconds: base),
            factorThousandths: factorThousandths,
            cap: TimeSpan(microseconds: cap)
        )
        #expect(pauses.indices.map { policy.plannedPause(beforeAttempt: $0).microseconds } == pauses)
        #expect(policy.maxAttempts == maxAttempts)
        #expect(policy.base.microseconds == base)
        #expect(policy.cap.microseconds == cap)
    }

    @Test func withoutLimitTheLastPauseHoldsForEver() throws {
        let policy = try RetryPolicy(
            maxAttempts: nil,
            base: .seconds(2),
            factorThousandths: 2000,
            cap: .seconds(7)
        )
        let attempts = [0, 1, 2, 3, 4, 1_000_000_000]
        #expect(attempts.map(policy.plannedPause(beforeAttempt:)) == [0, 2, 4, 7, 7, 7].map(TimeSpan.seconds))
        #expect(attempts.allSatisfy(policy.hasAttempt))
        #expect(policy.maxAttempts == nil)
    }

    @Test func aLimitCountsAttempts() throws {
        let policy = try RetryPolicy(maxAttempts: 1_000_000, base: .zero, factorThousandths: 1000, cap: .zero)
        #expect(policy.hasAttempt(999_999))
        #expect(!policy.hasAttempt(1_000_000))
        let none = try RetryPolicy(maxAttempts: 0, base: .zero, factorThousandths: 1000, cap: .zero)
        #expect(!none.hasAttempt(0))
    }

    @Test(
        arguments: [
            ([.immediate], [.immediate, .immediate, .immediate, .immediate]),
            ([.considerate, .immediate], [.considerate, .immediate, .immediate, .immediate]),
            (
                [.immediate, .considerate, .immediate, .considerate, .immediate],
                [.immediate, .considerate, .immediate, .considerate]
            ),
        ] as [([PushPriority], [PushPriority])]
    )
    func theLastPriorityHoldsForAllThatFollow(priorities: [PushPriority], perAttempt: [PushPriority]) throws {
        let policy = try RetryPolicy(schedule: Array(repeating: .zero, count: 4), priorities: priorities)
        #expect((0..<4).map(policy.priority(ofAttempt:)) == perAttempt)
    }

    @Test func defaults() throws {
        let policy = try RetryPolicy(schedule: [.zero])
        #expect(policy.jitter == .none)
        #expect(policy.priorities == [.immediate])
        #expect(!policy.obeysFifteenMinutes)
    }
}
