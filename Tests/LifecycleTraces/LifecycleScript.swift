public import FreshnessCore
import Quantities
import TestSupport

/// What becomes of one push; times in microseconds after it was sent.
public enum PushFate: Hashable, Sendable {
    case shown(after: Int64)
    case lost
    case tokenDead(after: Int64)
    case refused(APNsReason, after: Int64)
}

/// One instance on a network without chance: each push meets the next fate, and is lost when none is left.
///
/// All times in microseconds.
public struct LifecycleScript: Sendable {
    /// From the generation of content to its stale date.
    public var timeToLive: Int64
    /// How far past its stale date content still counts as fresh.
    public var freshLimit: Int64
    /// How long an instance stays recoverable.
    public var recoveryWindow: Int64
    /// When retries go out, from the lapse on.
    public var retryOffsets: [Int64]
    /// When ends go out, from the decision to end on.
    public var endOffsets: [Int64]
    /// When the server sends regular updates; content is generated when it is sent.
    public var updates: [Int64]
    /// What becomes of pushes, in the order in which they are sent.
    public var fates: [PushFate]
    /// When the script is over.
    public var until: Int64

    // What the golden traces do not have.
    /// How retries are spread.
    public var jitter = Jitter.none
    /// The seed of the draws that spread them.
    public var drawSeed: UInt64 = 0
    /// See ``RetryPolicy/obeysFifteenMinutes``.
    public var obeysFifteenMinutes = false
    /// What retries may cost; nil: no limit.
    public var budget: RetryBudget?
    /// When the ride is over.
    public var ridesOver: [Int64] = []
    /// When a new token is published.
    public var tokensPublished: [Int64] = []

    /// A script as the golden traces have them.
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

    /// The thresholds and schedules.
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

/// What a script comes to.
public struct LifecycleTrace: Hashable, Sendable {
    /// Something that happened.
    public struct Line: Hashable, Sendable {
        /// When.
        public var microseconds: Int64
        /// What, in a few words.
        public var text: String

        /// Something that happened.
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

    /// What happened, in order.
    public var log: [Line]
    /// How long the instance was recoverable, all episodes together.
    public var staleMicroseconds: Int64
    /// The state at the end.
    public var outcome: Outcome

    /// A trace.
    public init(log: [Line], staleMicroseconds: Int64, outcome: Outcome) {
        self.log = log
        self.staleMicroseconds = staleMicroseconds
        self.outcome = outcome
    }
}

extension LifecycleScript {
    /// A script in which everything falls on few instants, so that ties are frequent.
    ///
    /// - Parameter shortestLatency: From sending a push to its fate [µs].
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

    /// A random script with all that the golden traces do not have: jitter, refusals, a budget, rides that are over,
    /// tokens that are published.
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

    /// The same with all times multiplied.
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
