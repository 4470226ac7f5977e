import FreshnessCore
import Quantities
import Testing

@Suite struct PolicyErrorTests {
    private static let longest = TimeSpan.longest.microseconds
    private static let tooLong = TimeSpan(microseconds: longest + 1)
    private static let minusOne = TimeSpan(microseconds: -1)

    private static func schedule(_ schedule: [TimeSpan], maxAttempts: Int = 3) throws(PolicyError) {
        _ = try RetryPolicy(schedule: schedule, maxAttempts: maxAttempts)
    }

    private static func backoff(
        maxAttempts: Int? = 3,
        base: TimeSpan = .seconds(1),
        factorThousandths: Int = 2000,
        cap: TimeSpan = .seconds(9),
        priorities: [PushPriority] = [.immediate]
    ) throws(PolicyError) {
        _ = try RetryPolicy(
            maxAttempts: maxAttempts,
            base: base,
            factorThousandths: factorThousandths,
            cap: cap,
            priorities: priorities
        )
    }

    private static func policy(
        freshLimit: TimeSpan = .zero,
        recoveryWindow: TimeSpan = .zero,
        endSchedule: [TimeSpan] = [.zero]
    ) throws(PolicyError) {
        _ = try FreshnessPolicy(
            freshLimit: freshLimit,
            recoveryWindow: recoveryWindow,
            retry: RetryPolicy(schedule: []),
            endSchedule: endSchedule
        )
    }

    private static func grid(first: Instant, interval: TimeSpan) throws(PolicyError) {
        _ = try ScanGrid(first: first, interval: interval)
    }

    private typealias Row = (PolicyError, @Sendable () throws -> Void)

    private static func range(_ name: String, _ got: Int64, _ allowed: ClosedRange<Int64>) -> PolicyError {
        .outOfRange(name: name, got: got, allowed: allowed)
    }

    private static let retryRows: [Row] = [
        (range("schedule", -1, 0...longest), { try schedule([minusOne]) }),
        (range("schedule", longest + 1, 0...longest), { try schedule([.zero, tooLong]) }),
        (.notAscending(name: "schedule", index: 2), { try schedule([.zero, .seconds(2), .seconds(1)]) }),
        (range("schedule.count", 101, 0...100), { try schedule(Array(repeating: .zero, count: 101)) }),
        (range("maxAttempts", 1_000_001, 0...1_000_000), { try schedule([.zero], maxAttempts: 1_000_001) }),
        (range("maxAttempts", -1, 0...1_000_000), { try schedule([.zero], maxAttempts: -1) }),
        (.empty(name: "priorities"), { _ = try RetryPolicy(schedule: [.zero], priorities: []) }),
        (range("maxAttempts", -1, 0...1_000_000), { try backoff(maxAttempts: -1) }),
        (range("maxAttempts", 1_000_001, 0...1_000_000), { try backoff(maxAttempts: 1_000_001) }),
        (range("base", -1, 0...longest), { try backoff(base: minusOne) }),
        (range("base", 0, 1...longest), { try backoff(maxAttempts: nil, base: .zero) }),
        (range("base", longest + 1, 0...longest), { try backoff(base: tooLong) }),
        (range("cap", 999_999, 1_000_000...longest), { try backoff(cap: TimeSpan(microseconds: 999_999)) }),
        (range("cap", longest + 1, 1_000_000...longest), { try backoff(cap: tooLong) }),
        (range("factorThousandths", 999, 1000...100_000), { try backoff(factorThousandths: 999) }),
        (range("factorThousandths", 100_001, 1000...100_000), { try backoff(factorThousandths: 100_001) }),
        (.empty(name: "priorities"), { try backoff(priorities: []) }),
    ]

    private static let otherRows: [Row] = [
        (range("freshLimit", -1, 0...longest), { try policy(freshLimit: minusOne) }),
        (range("freshLimit", longest + 1, 0...longest), { try policy(freshLimit: tooLong) }),
        (range("recoveryWindow", -1, 0...longest), { try policy(recoveryWindow: minusOne) }),
        (range("recoveryWindow", longest + 1, 0...longest), { try policy(recoveryWindow: tooLong) }),
        (.empty(name: "endSchedule"), { try policy(endSchedule: []) }),
        (range("endSchedule", -1, 0...longest), { try policy(endSchedule: [minusOne]) }),
        (.notAscending(name: "endSchedule", index: 1), { try policy(endSchedule: [.seconds(1), .zero]) }),
        (range("endSchedule.count", 101, 0...100), { try policy(endSchedule: Array(repeating: .zero, count: 101)) }),
        (
            range("capacityThousandths", -1, 0...1_000_000_000_000),
            { _ = try RetryBudget(capacityThousandths: -1, thousandthsPerSecond: 0) }
        ),
        (
            range("capacityThousandths", 1_000_000_000_001, 0...1_000_000_000_000),
            { _ = try RetryBudget(capacityThousandths: 1_000_000_000_001, thousandthsPerSecond: 0) }
        ),
        (
            range("capacityThousandths", 1_000_000_000_001, 0...1_000_000_000_000),
            { _ = try TokenBucket(capacityThousandths: 1_000_000_000_001, thousandthsPerSecond: 0) }
        ),
        (
            range("capacityThousandths", -1, 0...1_000_000_000_000),
            { _ = try TokenBucket(capacityThousandths: -1, thousandthsPerSecond: 0) }
        ),
        (
            range("thousandthsPerPush", 1_000_001, 0...1_000_000),
            { _ = try RetryBudget(capacityThousandths: 1000, thousandthsPerSecond: 0, thousandthsPerPush: 1_000_001) }
        ),
        (
            range("reserveThousandths", -1, 0...1_000_000_000_000),
            { _ = try RetryBudget(capacityThousandths: 1000, thousandthsPerSecond: 0, reserveThousandths: -1) }
        ),
        (
            range("thousandthsPerSecond", -1, 0...1_000_000_000),
            { _ = try RetryBudget(capacityThousandths: 1000, thousandthsPerSecond: -1) }
        ),
        (
            range("thousandthsPerSecond", 1_000_000_001, 0...1_000_000_000),
            { _ = try RetryBudget(capacityThousandths: 1000, thousandthsPerSecond: 1_000_000_001) }
        ),
        (range("interval", 0, 1...longest), { try grid(first: .start, interval: .zero) }),
        (range("interval", longest + 1, 1...longest), { try grid(first: .start, interval: tooLong) }),
        (range("first", -1, 0...longest), { try grid(first: Instant(microseconds: -1), interval: .seconds(1)) }),
        (range("first", .max, 0...longest), { try grid(first: .never, interval: .seconds(1)) }),
    ]

    @Test(arguments: retryRows.indices)
    func impossibleRetryPoliciesAreRefused(row: Int) {
        #expect(throws: PolicyErrorTests.retryRows[row].0) { try PolicyErrorTests.retryRows[row].1() }
    }

    @Test(arguments: otherRows.indices)
    func otherImpossiblePoliciesAreRefused(row: Int) {
        #expect(throws: PolicyErrorTests.otherRows[row].0) { try PolicyErrorTests.otherRows[row].1() }
    }

    @Test func theLimitsThemselvesAreAllowed() throws {
        try PolicyErrorTests.schedule(Array(repeating: .longest, count: 100), maxAttempts: 100)
        try PolicyErrorTests.schedule([], maxAttempts: 0)
        try PolicyErrorTests.backoff(maxAttempts: 0)
        try PolicyErrorTests.backoff(maxAttempts: nil, base: TimeSpan(microseconds: 1))
        try PolicyErrorTests.backoff(maxAttempts: 1_000_000, base: .longest, factorThousandths: 100_000, cap: .longest)
        try PolicyErrorTests.backoff(base: .zero, factorThousandths: 1000, cap: .zero)
        try PolicyErrorTests.policy(freshLimit: .longest, recoveryWindow: .longest, endSchedule: [.longest])
        try PolicyErrorTests.grid(first: .start + .longest, interval: .longest)
        try PolicyErrorTests.grid(first: .start, interval: TimeSpan(microseconds: 1))
        _ = try RetryBudget(capacityThousandths: 1_000_000_000_000, thousandthsPerSecond: 1_000_000_000)
    }
}
