import FreshnessCore
import Quantities
import TestSupport
import Testing

@Suite struct RetryBudgetTests {
    @Test(
        arguments: [
            // capacity, thousandths per second, (instant [µs], may be spent)
            (
                2, 1,
                [(0, true), (0, true), (0, false), (999_999_999, false), (1_000_000_000, true), (1_000_000_000, false)]
            ),
            (1, 1000, [(5, true), (1_000_004, false), (1_000_005, true), (2_000_004, false), (2_000_005, true)]),
            // Three tokens per second: one every 333,333⅓ µs, and no third of a microsecond is lost.
            (
                2, 3000,
                [
                    (0, true), (0, true), (333_333, false), (333_334, true), (666_666, false), (666_667, true),
                    (999_999, false), (1_000_000, true),
                ]
            ),
            // Full again after a long pause, and not more than full.
            (2, 1000, [(0, true), (0, true), (60_000_000, true), (60_000_000, true), (60_000_000, false)]),
            // Gains that exceed 64 bits; the remainder of the second, 2^29, would not be a token.
            (1, 1_000_000_000, [(0, true), (315_360_000_000_000, true), (315_360_000_000_000, false)]),
            (1, 536_870_912, [(0, true), (34_359_738_369, true), (34_359_738_369, false)]),
            (1, 1_000_000_000, [(0, true), (0, false), (1, true), (1, false), (2, true)]),
            (1, 0, [(0, true), (315_360_000_000_000, false)]),
            (0, 1_000_000_000, [(0, false), (1_000_000, false), (315_360_000_000_000, false)]),
        ] as [(Int, Int, [(Int64, Bool)])]
    )
    func refillIsExact(capacity: Int, thousandthsPerSecond: Int, spends: [(at: Int64, granted: Bool)]) throws {
        var budget = try RetryBudget(capacityThousandths: capacity * 1000, thousandthsPerSecond: thousandthsPerSecond)
        var granted: [Bool] = []
        for spend in spends {
            granted.append(budget.spend(at: Instant(microseconds: spend.at)))
        }
        #expect(granted == spends.map(\.granted))
    }

    @Test func aFullBucketGrantsItsCapacityAtOnce() throws {
        var budget = try RetryBudget(capacityThousandths: 1_000_000, thousandthsPerSecond: 1)
        var grantedCount = 0
        while budget.spend(at: .start) { grantedCount += 1 }
        #expect(grantedCount == 1000)
    }

    @Test("Each push earns its part of a retry, and no retry uses the reserve")
    func earnings() throws {
        var budget = try RetryBudget(
            capacityThousandths: 2000,
            thousandthsPerSecond: 0,
            thousandthsPerPush: 400,
            reserveThousandths: 500
        )
        var granted: [Bool] = []
        for _ in 0..<7 {
            granted.append(budget.spend(at: .start))
            budget.earn(at: .start)
        }
        // Before each retry: 2, 1.4, 1.8, 1.2, 1.6, 1, 1.4 tokens; at least one and a half are needed.
        #expect(granted == [true, false, true, false, true, false, false])
    }

    /// Compared with a bucket in 128-bit integers that is filled from the very beginning each time.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func refillAgainstWideIntegers(seed: UInt64) throws {
        var stream = TestStream(seed: seed)
        let capacity = stream.next(below: 4)
        let rate = stream.next(below: 5000)
        var budget = try RetryBudget(capacityThousandths: capacity * 1000, thousandthsPerSecond: rate)
        let full = Int128(capacity) * 1_000_000_000
        var level = full
        var now: Int64 = 0
        for _ in 0..<200 {
            let elapsed = Int64(stream.next(below: 2_000_000))
            now += elapsed
            level = min(full, level + Int128(elapsed) * Int128(rate))
            let expected = level >= 1_000_000_000
            if expected { level -= 1_000_000_000 }
            #expect(budget.spend(at: Instant(microseconds: now)) == expected)
        }
    }
}
