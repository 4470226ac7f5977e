import FreshnessCore
import LifecycleTraces
import LiveActivityModel
import Quantities
import ScenarioLanguage
import SimulationKernel
import Testing
import Wire

@testable import MonitorServer

/// Scripted rides, and the log that every host of the monitor and its sender must produce, in the words of one of them.
struct ServiceHistory: Sendable, CustomTestStringConvertible {
    /// The party whose words a log has.
    enum Party {
        /// `60 send retry`; lines in the order of events.
        case monitor
        /// `70 send r0 update p10 #1`; lines of one instant in alphabetical order.
        case sender
    }

    let history: History
    private let party: Party

    var testDescription: String { history.name }

    static func read(as party: Party, _ text: String) -> [ServiceHistory] {
        History.read(text).map { ServiceHistory(history: $0, party: party) }
    }

    /// Returns the scenario of its rides.
    func scenario() throws -> Scenario {
        let yaml =
            switch party {
            case .monitor:
                """
                clock: {drain: 0s}
                rides: {arrivals: {process: even}, stages: [{name: trip, duration: 1000s}]}
                content: {ttl: 1m}
                devices: {initial_content_limit: off}
                sender: {timeout: 60s, request_time: 0.2s}
                apns: {latency: 1s}
                monitor: {fresh_limit: 0s, recovery_window: 100s, retry: {max_attempts: unlimited, schedule: [0s]}}
                """
            case .sender:
                """
                clock: {drain: 0s}
                rides: {arrivals: {process: even}, stages: [{name: trip, duration: 1000s}]}
                content: {ttl: 2h}
                devices: {initial_content_limit: off}
                sender: {streams: 1, timeout: 60s, request_time: 30s}
                apns: {latency: 1s}
                """
            }
        let settings = history.settings.filter { $0.contains("=") }
        return try ScenarioReader.read(yaml: yaml, named: history.name, settings: settings).scenario
    }

    /// The time at which the process is killed and restarted [s]; `nil` for never.
    var restartsAt: Int64? {
        history.log.first { $0.hasSuffix(" restart") }.flatMap { Int64($0.prefix { $0 != " " }) }
    }

    /// `true` if a GOAWAY names requests in flight as unprocessed when the connection is lost; the simulator's does not.
    var namesUnprocessed: Bool { history.settings.contains("unprocessed") }

    /// Returns the first line in which the log of a host differs; `nil` if it is the same.
    ///
    /// A service has a log of its own if one of its rules, which the history names, makes a difference.
    func difference(from log: [String], ofService isService: Bool = true) -> String? {
        let words: [String]
        switch party {
        case .monitor:
            words = log.filter { !$0.contains("unanswered") }
                .map { line in
                    // Without ride, priority and attempt.
                    line.split(separator: " ")
                        .filter { !("rp#".contains($0.first ?? " ") && Int($0.dropFirst()) != nil) }
                        .joined(separator: " ")
                }
        case .sender:
            func instant(_ line: String) -> Double { Double(line.prefix { $0 != " " }) ?? 0 }
            let kinds = ["send", "accepted", "refused", "unanswered", "not sent", "not repeated"]
            words = log.filter { line in kinds.contains { line.contains(" \($0)") } }
                .sorted { (instant($0), $0) < (instant($1), $1) }
        }
        return history.difference(from: words, expected: isService ? history.logs["service"] : nil)
    }

    // MARK: - Words

    /// Returns a request of a service.
    static func sent(_ push: OutgoingPush) -> String {
        // Requests of an update are eight attempts apart; see `PushNumbers.takeRequestIndex(for:)`.
        let attempt = push.decision.requestIndex & 7
        return sent(push.kind, push.decision.priority, attempt: attempt, ride: (push.token.token?.ride ?? 0))
    }

    private static func sent(
        _ kind: StoryLine.PushKind,
        _ priority: PushPriority,
        attempt: UInt32,
        ride: UInt64
    ) -> String {
        "send r\(ride) \(kind) p\(priority.rawValue) #\(attempt)"
    }

    /// Returns an answer to a service, if the sender used it, by its counts before and after.
    static func answered(
        _ push: OutgoingPush,
        _ answer: PushAnswer,
        from before: MonitorCounts,
        to after: MonitorCounts
    )
        -> [String]
    {
        func answers(_ counts: MonitorCounts) -> Int {
            counts.accepted + counts.refused.reduce(0, +) + counts.unanswered
        }
        // A request that is repeated because APNs had not processed it does not count as a request.
        guard answer.outcome == .notProcessed || answers(after) > answers(before) else { return [] }
        return ["\(answer.outcome.word) r\((push.token.token?.ride ?? 0)) \(push.kind)"]
    }

    /// Returns the actions of a service that no push shows, from two snapshots of its counts.
    static func lines(from before: MonitorCounts, to after: MonitorCounts) -> [String] {
        let changes = [
            (\MonitorCounts.episodes, "class stale"), (\.endedSevere, "class severe"), (\.recovered, "class fresh"),
            (\.invalidated, "token invalidated"), (\.discarded, "token discarded"),
        ]
        var lines = changes.filter { after[keyPath: $0.0] > before[keyPath: $0.0] }.map { $0.1 }
        for (reason, count) in after.notSent.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            lines += repeatElement(
                "not sent: \(reason.rawValue)",
                count: max(0, count - before.notSent[reason, default: 0])
            )
        }
        return lines + repeatElement("not repeated", count: max(0, after.repeatsWithheld - before.repeatsWithheld))
    }

    /// Returns a line of a cell's story; `nil` for lines that the histories omit.
    static func words(_ line: StoryLine) -> String? {
        let text: String? =
            switch line.happening {
            case .sent(let kind, let priority, let attempt):
                sent(kind, priority, attempt: UInt32(attempt), ride: line.ride)
            case .answered(let kind, nil): "accepted r\(line.ride) \(kind)"
            case .answered(let kind, .some): "refused r\(line.ride) \(kind)"
            case .unanswered(let kind): "unanswered r\(line.ride) \(kind)"
            case .notSent(_, let reason): "not sent: \(reason.rawValue)"
            case .repeatWithheld: "not repeated"
            case .classified(.recoverable): "class stale"
            case .classified(.severe): "class severe"
            case .confirmed(.recovered): "class fresh"
            case .tokenPosted: "token"
            case .tokenInvalidated: "token invalidated"
            case .tokenDiscarded: "token discarded"
            default: nil
            }
        return text.map { "\(line.at.seconds) \($0)" }
    }
}
