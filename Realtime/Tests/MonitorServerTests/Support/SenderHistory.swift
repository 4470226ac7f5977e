import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing
import Wire

@testable import MonitorServer

/// Rides whose pushes meet a sender with little capacity, and the log that every host of `SenderStation` must produce.
///
/// There is one stream, and a request is answered after 30 s, so pushes wait. Rides begin a second apart. Their content
/// is fresh for hours, so only regular updates and ends are sent. A line names a request's ride, kind, priority and
/// attempt: `70 send r0 update p10 #1`. Lines of one instant are in alphabetical order, because a service reports the
/// results of an instant without an order. For pushes that are not sent it reports only the reason.
struct SenderHistory: Sendable, CustomTestStringConvertible {
    let name: String
    let scenario: Scenario
    /// The expected log, with the time in seconds at the start of each line.
    let log: [String]
    /// The expected log of a service, if one of its rules, which the history names, makes a difference.
    let serviceLog: [String]
    /// `true` if a GOAWAY names requests in flight as unprocessed when the connection is lost; the simulator's does
    /// not.
    let namesUnprocessed: Bool

    var testDescription: String { name }

    /// All histories.
    static let all = queues + outages

    init(
        _ name: String,
        rides: Int = 1,
        updatesAt seconds: [Double],
        rideOverAt end: Double = 1000,
        until horizon: Int64,
        namesUnprocessed: Bool = false,
        _ change: (inout Scenario) -> Void = { _ in },
        log: [String],
        serviceLog: [String]? = nil
    ) {
        var scenario = Scenario()
        scenario.clock.duration = .seconds(horizon)
        scenario.clock.drain = .zero
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = rides
        scenario.rides.arrivals.spread = .seconds(Int64(rides))
        scenario.rides.stages = [Scenario.Stage(name: "trip", duration: .constant(end * 1e6))]
        scenario.content.ttl = .hours(2)
        scenario.content.updatesAt = seconds.map { TimeSpan(microseconds: Int64($0 * 1e6)) }
        scenario.devices.initialContentLimit = nil
        scenario.sender.streams = 1
        scenario.sender.timeout = .seconds(60)
        scenario.sender.requestTime = .constant(30e6)
        scenario.apns.latency = .constant(1e6)
        change(&scenario)
        self.name = name
        self.scenario = scenario
        self.log = log
        self.serviceLog = serviceLog ?? log
        self.namesUnprocessed = namesUnprocessed
    }

    /// Returns a request of a service in the words of these histories.
    static func sent(_ push: OutgoingPush) -> String {
        // Requests of an update are eight attempts apart; see `PushNumbers.takeRequestIndex(for:)`.
        let attempt = push.decision.requestIndex & 7
        return sent(push.kind, push.decision.priority, attempt: attempt, ride: push.token.token.ride)
    }

    private static func sent(
        _ kind: StoryLine.PushKind,
        _ priority: PushPriority,
        attempt: UInt32,
        ride: UInt64
    ) -> String {
        "send r\(ride) \(kind) p\(priority.rawValue) #\(attempt)"
    }

    /// Returns an answer to a service in the words of these histories.
    static func answered(_ push: OutgoingPush, _ answer: PushAnswer) -> String {
        "\(answer.outcome.word) r\(push.token.token.ride) \(push.kind)"
    }

    /// Returns `true` if the sender used an answer, by its counts before and after.
    static func isHeard(_ answer: PushAnswer, from before: MonitorCounts, to after: MonitorCounts) -> Bool {
        func answers(_ counts: MonitorCounts) -> Int {
            counts.accepted + counts.refused.reduce(0, +) + counts.unanswered
        }
        // A request that is repeated because APNs had not processed it does not count as a request.
        return answer.outcome == .notProcessed || answers(after) > answers(before)
    }

    /// Returns the actions of a sender that no push shows, from two snapshots of its counts.
    static func lines(from before: MonitorCounts, to after: MonitorCounts) -> [String] {
        var lines: [String] = []
        for (reason, count) in after.notSent.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            lines += repeatElement(
                "not sent: \(reason.rawValue)",
                count: max(0, count - before.notSent[reason, default: 0])
            )
        }
        lines += repeatElement("not repeated", count: max(0, after.repeatsWithheld - before.repeatsWithheld))
        return lines
    }

    /// Returns a line of a story in the words of these histories; `nil` for lines that they omit.
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
            default: nil
            }
        return text.map { "\(MonitorHistory.seconds(line.at)) \($0)" }
    }

    /// Returns a line without ride, priority and attempt, for histories of one ride and one attempt.
    static func short(_ line: String) -> String {
        line.split(separator: " ").filter { !("rp#".contains($0.first ?? " ") && Int($0.dropFirst()) != nil) }
            .joined(separator: " ")
    }

    /// Returns a log in the order of these histories, without the lines that they omit.
    static func ordered(_ log: [String]) -> [String] {
        func instant(_ line: String) -> Double { Double(line.prefix { $0 != " " }) ?? 0 }
        let words = ["send", "accepted", "refused", "unanswered", "not sent", "not repeated"]
        return log.filter { line in words.contains { line.contains(" \($0)") } }
            .sorted { (instant($0), $0) < (instant($1), $1) }
    }
}
