import FreshnessCore
import Quantities
import Testing

@Suite struct FreshnessPolicyTests {
    @Test(
        arguments: [
            // stale date, fresh limit, lapse [µs]
            (0, 0, 0),
            (60_000_000, 30_000_000, 90_000_000),
            (60_000_000, 0, 60_000_000),
            (.max, 30_000_000, .max),
            (.max - 5, 4, .max - 1),
            (.max - 5, 30_000_000, .max),
        ] as [(Int64, Int64, Int64)]
    )
    func lapseIsTheStaleDatePlusTheFreshLimit(staleDate: Int64, freshLimit: Int64, lapse: Int64) throws {
        let policy = try FreshnessPolicy(
            freshLimit: TimeSpan(microseconds: freshLimit),
            recoveryWindow: .zero,
            retry: RetryPolicy(schedule: []),
            endSchedule: [.zero]
        )
        let content = ContentStamp(generatedAt: .start, staleDate: Instant(microseconds: staleDate))
        #expect(policy.lapse(of: content) == Instant(microseconds: lapse))
    }

    @Test func keepsWhatItIsGiven() throws {
        let retry = try RetryPolicy(schedule: [.seconds(1)])
        let policy = try FreshnessPolicy(
            freshLimit: .longest,
            recoveryWindow: .zero,
            retry: retry,
            endSchedule: [.zero, .zero, .longest]
        )
        #expect(policy.freshLimit == .longest)
        #expect(policy.recoveryWindow == .zero)
        #expect(policy.retry == retry)
        #expect(policy.endSchedule == [.zero, .zero, .longest])
    }
}
