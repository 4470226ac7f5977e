package import FreshnessCore
import Quantities
import TestSupport

/// What becomes of one push; times in microseconds after it was sent.
package enum PushFate: Hashable {
    case shown(after: Int64)
    case lost
    case tokenDead(after: Int64)
    case refused(APNsReason, after: Int64)
}

/// One instance on a network without chance: each push meets the next fate, and is lost when none is left.
///
/// All times in microseconds.
package struct LifecycleScript {
    package var timeToLive: Int64
    package var freshLimit: Int64
    package var recoveryWindow: Int64
    package var retryOffsets: [Int64]
    package var endOffsets: [Int64]
    /// When the server sends regular updates; content is generated when it is sent.
    package var updates: [Int64]
    package var fates: [PushFate]
    package var until: Int64

    // What the golden traces do not have.
    package var jitter = Jitter.none
    package var drawSeed: UInt64 = 0
    package var obeysFifteenMinutes = false
    package var budget: RetryBudget?
    package var ridesOver: [Int64] = []
    package var tokensPublished: [Int64] = []

    package init(
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

    package func policy() throws -> FreshnessPolicy {
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
package struct LifecycleTrace: Hashable {
    package struct Line: Hashable {
        package var microseconds: Int64
        package var text: String

        package init(microseconds: Int64, text: String) {
            self.microseconds = microseconds
            self.text = text
        }
    }

    package enum Outcome: Hashable {
        case fresh
        case stale
        case severe
        case tokenInvalidated
        case tokenDead
        case rideOver
    }

    package var log: [Line]
    /// How long the instance was recoverable, all episodes together.
    package var staleMicroseconds: Int64
    package var outcome: Outcome

    package init(log: [Line], staleMicroseconds: Int64, outcome: Outcome) {
        self.log = log
        self.staleMicroseconds = staleMicroseconds
        self.outcome = outcome
    }
}

extension LifecycleScript {
    /// A script in which everything falls on few instants, so that ties are frequent.
    ///
    /// - Parameter shortestLatency: From sending a push to its fate [µs].
    package static func random(seed: UInt64, shortestLatency: Int64 = 0) -> LifecycleScript {
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
    package static func widerRandom(seed: UInt64) throws -> LifecycleScript {
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

    /// The same with all times so many times as long.
    package func scaled(by factor: Int64) -> LifecycleScript {
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
