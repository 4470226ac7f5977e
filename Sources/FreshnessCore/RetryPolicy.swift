public import Quantities

/// The number, times and priorities of the monitor's attempts to recover one instance.
///
/// Attempts are planned as a chain of pauses: the first pause runs from the beginning of the episode to the first
/// attempt, each further one from attempt to attempt. A schedule and an exponential backoff are both such chains.
public struct RetryPolicy: Hashable, Sendable {
    /// The pauses before attempts, without jitter; the last one applies to all further attempts.
    ///
    /// Empty only if no attempt is made.
    private let pauses: [TimeSpan]
    /// The maximum number of attempts in an episode; nil for as many as fit into its recovery window.
    public let maxAttempts: Int?
    /// The randomization of pauses.
    ///
    /// It does not apply to the first attempt, which is made at the instance's own deadline, shared by no other
    /// instance.
    public let jitter: Jitter
    /// The minimum of decorrelated jitter.
    public let base: TimeSpan
    /// The maximum of decorrelated jitter.
    public let cap: TimeSpan
    /// The priority of each attempt; the last one applies to all further attempts.
    ///
    /// Never empty.
    public let priorities: [PushPriority]
    /// `true` if attempts wait 15 minutes after a 429 or 5xx.
    ///
    /// Apple's documentation says that one can retry "after 15 minutes". An activity that is stale after three minutes
    /// cannot wait that long, so each service has to choose.
    public let obeysFifteenMinutes: Bool

    /// The maximum length of a schedule.
    public static let scheduleLimit = 100
    /// The largest limit for attempts.
    public static let attemptLimit = 1_000_000
}

extension RetryPolicy {
    /// Creates a policy with attempts at fixed times after the beginning of the episode.
    ///
    /// - Parameters:
    ///   - schedule: The times from the beginning of the episode to each attempt; ascending, at most ``scheduleLimit``.
    ///   - maxAttempts: The number of attempts made, 0...``attemptLimit``; nil for all.
    ///   - jitter: The randomization of pauses.
    ///   - priorities: The priority of each attempt, not empty; the last one applies to all further attempts.
    ///   - obeysFifteenMinutes: `true` if attempts wait 15 minutes after a 429 or 5xx.
    /// - Throws: `PolicyError` for numbers out of range, a schedule that is not ascending, or no priority.
    public init(
        schedule: [TimeSpan],
        maxAttempts: Int? = nil,
        jitter: Jitter = .none,
        priorities: [PushPriority] = [.immediate],
        obeysFifteenMinutes: Bool = false
    ) throws(PolicyError) {
        try PolicyError.checkAscending(schedule, name: "schedule")
        try PolicyError.checkAttempts(maxAttempts, priorities)
        var pauses: [TimeSpan] = []
        var previous = TimeSpan.zero
        for offset in schedule.prefix(maxAttempts ?? schedule.count) {
            pauses.append(offset - previous)
            previous = offset
        }
        let longest = pauses.max() ?? .zero
        self.init(
            pauses: pauses,
            maxAttempts: pauses.count,
            jitter: jitter,
            base: pauses.dropFirst().min() ?? longest,
            cap: longest,
            priorities: priorities,
            obeysFifteenMinutes: obeysFifteenMinutes
        )
    }

    /// Creates a policy with an immediate first attempt, then pauses that grow by a factor up to a cap.
    ///
    /// - Parameters:
    ///   - maxAttempts: The number of attempts, 0...``attemptLimit``; nil for no limit.
    ///   - base: The pause after the first attempt; above zero if attempts have no limit, because otherwise time would
    ///     not advance.
    ///   - factorThousandths: The ratio of each pause to the previous one, in thousandths, 1,000...100,000.
    ///   - cap: The longest pause, not shorter than `base`.
    ///   - jitter: The randomization of pauses.
    ///   - priorities: The priority of each attempt, not empty; the last one applies to all further attempts.
    ///   - obeysFifteenMinutes: `true` if attempts wait 15 minutes after a 429 or 5xx.
    /// - Throws: `PolicyError` for numbers out of range or no priority.
    public init(
        maxAttempts: Int?,
        base: TimeSpan,
        factorThousandths: Int,
        cap: TimeSpan,
        jitter: Jitter = .none,
        priorities: [PushPriority] = [.immediate],
        obeysFifteenMinutes: Bool = false
    ) throws(PolicyError) {
        try PolicyError.check(factorThousandths, in: 1000...100_000, name: "factorThousandths")
        try PolicyError.checkAttempts(maxAttempts, priorities)
        let shortest: Int64 = maxAttempts == nil ? 1 : 0
        try PolicyError.check(base.microseconds, in: shortest...TimeSpan.longest.microseconds, name: "base")
        try PolicyError.check(cap.microseconds, in: base.microseconds...TimeSpan.longest.microseconds, name: "cap")
        var pauses = RetryPolicy.growingPauses(from: base, factorThousandths: factorThousandths, cap: cap)
        if let maxAttempts {
            pauses = Array(pauses.prefix(maxAttempts))
        }
        self.init(
            pauses: pauses,
            maxAttempts: maxAttempts,
            jitter: jitter,
            base: base,
            cap: cap,
            priorities: priorities,
            obeysFifteenMinutes: obeysFifteenMinutes
        )
    }

    /// The pauses until they reach the cap.
    ///
    /// - Complexity: O(log(cap/base)/log(factor)); about ten thousand pauses for the slowest growth to the longest cap.
    private static func growingPauses(from base: TimeSpan, factorThousandths: Int, cap: TimeSpan) -> [TimeSpan] {
        var pauses: [TimeSpan] = [.zero, base]
        var pause = base
        while true {
            // The product of the longest pause and the largest factor exceeds 64 bits.
            let (product, overflow) = pause.microseconds.multipliedReportingOverflow(by: Int64(factorThousandths))
            let next = overflow ? cap : min(cap, TimeSpan(microseconds: product / 1000))
            guard next > pause else { return pauses }
            pauses.append(next)
            pause = next
        }
    }

    /// Returns `true` if an episode has an attempt of this number, counted from 0.
    public func hasAttempt(_ attempt: Int) -> Bool {
        maxAttempts.map { attempt < $0 } ?? true
    }

    /// The pause before an attempt, counted from 0, without jitter.
    ///
    /// - Precondition: ``hasAttempt(_:)``.
    public func plannedPause(beforeAttempt attempt: Int) -> TimeSpan {
        pauses[min(attempt, pauses.count - 1)]
    }

    /// The priority of an attempt, counted from 0.
    public func priority(ofAttempt attempt: Int) -> PushPriority {
        priorities[min(attempt, priorities.count - 1)]
    }

    /// The pause before an attempt, with jitter.
    ///
    /// - Parameters:
    ///   - attempt: An attempt of the policy, counted from 0.
    ///   - previous: The pause before the previous attempt, with its jitter.
    ///   - draw: Uniform on all 64-bit integers; an argument, so that the same draw gives the same pause.
    public func pause(beforeAttempt attempt: Int, previous: TimeSpan, draw: UInt64) -> TimeSpan {
        let planned = plannedPause(beforeAttempt: attempt)
        guard attempt > 0 else { return planned }
        switch jitter {
        case .none:
            return planned
        case .full:
            return RetryPolicy.uniform(from: .zero, through: planned, draw: draw)
        case .equal:
            let half = TimeSpan(microseconds: planned.microseconds / 2)
            return RetryPolicy.uniform(from: half, through: planned, draw: draw)
        case .decorrelated:
            let high = max(base, TimeSpan(microseconds: previous.microseconds * 3))
            return min(cap, RetryPolicy.uniform(from: base, through: high, draw: draw))
        case .exponential:
            // Rounded to the nearest microsecond; at most 44.4 times the longest span, which fits 64 bits.
            let drawn = Double(planned.microseconds) * UnitExponential.value(for: draw)
            return min(.longest, TimeSpan(microseconds: Int64(drawn + 0.5)))
        }
    }

    /// A whole number of microseconds between two bounds, both included, each equally likely.
    private static func uniform(from low: TimeSpan, through high: TimeSpan, draw: UInt64) -> TimeSpan {
        let count = UInt64(high.microseconds - low.microseconds) + 1
        return TimeSpan(microseconds: low.microseconds + Int64(count.multipliedFullWidth(by: draw).high))
    }
}

extension PolicyError {
    fileprivate static func checkAttempts(_ maxAttempts: Int?, _ priorities: [PushPriority]) throws(PolicyError) {
        guard !priorities.isEmpty else { throw .empty(name: "priorities") }
        guard let maxAttempts else { return }
        try check(maxAttempts, in: 0...Int64(RetryPolicy.attemptLimit), name: "maxAttempts")
    }

    static func checkAscending(_ schedule: [TimeSpan], name: String) throws(PolicyError) {
        try check(schedule.count, in: 0...Int64(RetryPolicy.scheduleLimit), name: "\(name).count")
        var previous = TimeSpan.zero
        for (index, offset) in schedule.enumerated() {
            try check(offset.microseconds, in: 0...TimeSpan.longest.microseconds, name: name)
            guard offset >= previous else { throw .notAscending(name: name, index: index) }
            previous = offset
        }
    }
}
