public import FreshnessCore
import Quantities
import TestSupport

/// The fate of one push; times in microseconds after it was sent.
public enum PushFate: Hashable, Sendable {
    case shown(after: Int64)
    case lost
    case tokenDead(after: Int64)
    case refused(APNsReason, after: Int64)
}

/// The script of one instance on a deterministic network: each push has the next fate, and is lost when none is left.
///
/// All times are in microseconds.
public struct LifecycleScript: Sendable {
    /// The time from the generation of content to its stale date.
    public var timeToLive: Int64
    /// The time past its stale date for which content still counts as fresh.
    public var freshLimit: Int64
    /// The time for which an instance stays recoverable.
    public var recoveryWindow: Int64
    /// The times of retries, from the lapse on.
    public var retryOffsets: [Int64]
    /// The times of ends, from the decision to end on.
    public var endOffsets: [Int64]
    /// The times at which the server sends regular updates; their content is generated then.
    public var updates: [Int64]
    /// The fates of pushes, in sending order.
    public var fates: [PushFate]
    /// The end of the script.
    public var until: Int64

    // Features that the golden traces do not use.
    /// The randomization of retries.
    public var jitter = Jitter.none
    /// The seed of the jitter's draws.
    public var drawSeed: UInt64 = 0
    /// See ``RetryPolicy/obeysFifteenMinutes``.
    public var obeysFifteenMinutes = false
    /// The budget of retries; nil for no limit.
    public var budget: RetryBudget?
    /// The times at which the ride is over.
    public var ridesOver: [Int64] = []
    /// The times at which a new token is published.
    public var tokensPublished: [Int64] = []

    /// Creates a script in the form of the golden traces.
    public init(
        timeToLive: Int64,
        freshLimit: Int64,
        recoveryWindow: Int64,
        retryOffsets: [Int64],
        endOffsets: [Int64],
        updates: [Int64],
        fates: [PushFate],
        until: Int64
    ) {
        self.timeToLive = timeToLive
        self.freshLimit = freshLimit
        self.recoveryWindow = recoveryWindow
        self.retryOffsets = retryOffsets
        self.endOffsets = endOffsets
        self.updates = updates
        self.fates = fates
        self.until = until
    }

    /// The thresholds and schedules as a policy.
    public func policy() throws -> FreshnessPolicy {
        try FreshnessPolicy(
            freshLimit: TimeSpan(microseconds: freshLimit),
            recoveryWindow: TimeSpan(microseconds: recoveryWindow),
            retry: RetryPolicy(
                schedule: retryOffsets.map(TimeSpan.init(microseconds:)),
                jitter: jitter,
                obeysFifteenMinutes: obeysFifteenMinutes
            ),
            endSchedule: endOffsets.map(TimeSpan.init(microseconds:))
        )
    }
}

/// The result of a script.
public struct LifecycleTrace: Hashable, Sendable {
    /// An event.
    public struct Line: Hashable, Sendable {
        /// Its time.
        public var microseconds: Int64
        /// A short description.
        public var text: String

        /// Creates an event.
        public init(microseconds: Int64, text: String) {
            self.microseconds = microseconds
            self.text = text
        }
    }

    /// The state at the end.
    public enum Outcome: Hashable, Sendable {
        case fresh
        case stale
        case severe
        case tokenInvalidated
        case tokenDead
        case rideOver
    }

    /// The events in order.
    public var log: [Line]
    /// The time for which the instance was recoverable, over all episodes.
    public var staleMicroseconds: Int64
    /// The state at the end.
    public var outcome: Outcome

    /// Creates a trace.
    public init(log: [Line], staleMicroseconds: Int64, outcome: Outcome) {
        self.log = log
        self.staleMicroseconds = staleMicroseconds
        self.outcome = outcome
    }

    /// Returns the trace in the words of ``History/goldenTraces``, from its end [µs].
    public func lines(until end: Int64) -> [String] {
        let stale = "stale for \(Instant(microseconds: staleMicroseconds).seconds)"
        return (log + ["\(outcome)", stale].map { Line(microseconds: end, text: $0) })
            .map { "\(Instant(microseconds: $0.microseconds).seconds) \($0.text)" }
    }
}

extension LifecycleScript {
    /// Reads the script of a golden trace.
    public init(_ history: History) {
        func time(_ seconds: Substring) -> Int64 { Int64(((Double(seconds) ?? .nan) * 1e6).rounded()) }
        func times(_ key: String) -> [Int64] { history[setting: key].split(separator: " ").map(time) }
        self.init(
            timeToLive: time(history[setting: "ttl"]),
            freshLimit: time(history[setting: "fresh_limit"]),
            recoveryWindow: time(history[setting: "recovery_window"]),
            retryOffsets: times("retries"),
            endOffsets: times("ends"),
            updates: times("updates"),
            fates: history[setting: "fates"].split(separator: ", ")
                .map { fate in
                    let words = fate.split(separator: " ")
                    return switch words[0] {
                    case "shown": .shown(after: time(words[1]))
                    case "dead": .tokenDead(after: time(words[1]))
                    default: .lost
                    }
                },
            until: time(history[setting: "until"])
        )
    }
}

extension LifecycleScript {
    /// A script in which everything happens at few instants, so that ties are frequent.
    ///
    /// - Parameter shortestLatency: The minimum time from sending a push to its fate [µs].
    public static func random(seed: UInt64, shortestLatency: Int64 = 0) -> LifecycleScript {
        var stream = TestStream(seed: seed)
        func number(_ range: ClosedRange<Int64>) -> Int64 {
            range.lowerBound + Int64(stream.next(below: Int(range.upperBound - range.lowerBound + 1)))
        }
        func ascending(_ counts: ClosedRange<Int64>, in range: ClosedRange<Int64>) -> [Int64] {
            (0..<number(counts)).map { _ in number(range) }.sorted()
        }
        func fate() -> PushFate {
            let latency = number(shortestLatency...shortestLatency + (number(0...3) == 0 ? 40 : 6))
            return switch number(0...19) {
            case 0...9: .shown(after: latency)
            case 10...18: .lost
            default: .tokenDead(after: latency)
            }
        }
        return LifecycleScript(
            timeToLive: number(0...25),
            freshLimit: number(0...8),
            recoveryWindow: number(0...30),
            retryOffsets: ascending(0...4, in: 0...32),
            endOffsets: ascending(1...4, in: 0...20),
            updates: ascending(0...8, in: 0...150),
            fates: (0..<number(0...25)).map { _ in fate() },
            until: number(0...250)
        )
    }

    /// A random script with all features that the golden traces do not use: jitter, rejections, a budget, ends of
    /// rides, new tokens.
    public static func widerRandom(seed: UInt64) throws -> LifecycleScript {
        var script = random(seed: seed, shortestLatency: 1)
        var stream = TestStream(seed: ~seed)
        script.jitter = Jitter.allCases[stream.next(below: Jitter.allCases.count)]
        script.drawSeed = stream.next()
        script.obeysFifteenMinutes = stream.next(below: 4) == 0
        if stream.next(below: 2) == 0 {
            script.budget = try RetryBudget(
                capacityThousandths: 1000 * stream.next(below: 4),
                thousandthsPerSecond: 50_000_000
            )
        }
        for index in script.fates.indices where stream.next(below: 6) == 0 {
            let reason = APNsReason.allCases[stream.next(below: APNsReason.allCases.count)]
            script.fates[index] = .refused(reason, after: 1 + Int64(stream.next(below: 20)))
        }
        if stream.next(below: 3) == 0 {
            script.ridesOver = [Int64(stream.next(below: 200))]
        }
        script.tokensPublished = (0..<stream.next(below: 4)).map { _ in Int64(stream.next(below: 200)) }.sorted()
        return script
    }

    /// Returns the script with all times multiplied.
    public func scaled(by factor: Int64) -> LifecycleScript {
        var script = self
        script.timeToLive *= factor
        script.freshLimit *= factor
        script.recoveryWindow *= factor
        script.retryOffsets = retryOffsets.map { $0 * factor }
        script.endOffsets = endOffsets.map { $0 * factor }
        script.updates = updates.map { $0 * factor }
        script.until *= factor
        script.ridesOver = ridesOver.map { $0 * factor }
        script.tokensPublished = tokensPublished.map { $0 * factor }
        script.fates = fates.map { fate in
            switch fate {
            case .shown(let after): .shown(after: after * factor)
            case .lost: .lost
            case .tokenDead(let after): .tokenDead(after: after * factor)
            case .refused(let reason, let after): .refused(reason, after: after * factor)
            }
        }
        return script
    }
}
