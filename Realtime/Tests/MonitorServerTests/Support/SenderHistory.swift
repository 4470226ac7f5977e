import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@testable import MonitorServer

/// One ride whose pushes meet a sender with little room, and what every host of `SenderStation` has to make of it.
///
/// There is one stream; a request is answered after 30 s, so pushes wait. The ride's content is fresh for hours: only regular
/// updates and the end are sent. Lines of one instant are in alphabetical order, since a service tells what came of an instant
/// and not in which order.
struct SenderHistory: Sendable, CustomTestStringConvertible {
    let name: String
    let scenario: Scenario
    /// What must happen, with the time in seconds in front.
    let log: [String]
    /// The same in a service, which sends a new token what may not have arrived; see `MonitorRules.sendsUnconfirmed`.
    let serviceLog: [String]

    var testDescription: String { name }

    private init(
        _ name: String,
        updatesAt seconds: [Double],
        rideOverAt end: Double = 1000,
        until horizon: Int64,
        _ change: (inout Scenario) -> Void = { _ in },
        log: [String],
        serviceLog: [String]? = nil
    ) {
        var scenario = Scenario()
        scenario.clock.duration = .seconds(horizon)
        scenario.clock.drain = .zero
        scenario.rides.arrivals.process = .even
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
    }

    /// How many answers there were between two counts.
    static func answers(from before: MonitorCounts, to after: MonitorCounts) -> Int {
        func answers(_ counts: MonitorCounts) -> Int {
            counts.accepted + counts.refused.reduce(0, +) + counts.unanswered
        }
        return answers(after) - answers(before)
    }

    /// What a sender does that no push tells of, between two counts of it.
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

    /// A line of a story in the words of these histories; nil for what they leave out.
    static func words(_ line: StoryLine) -> String? {
        let text: String? =
            switch line.happening {
            case .sent(let kind, _): "send \(kind)"
            case .answered(let kind, nil): "accepted \(kind)"
            case .answered(let kind, .some): "refused \(kind)"
            case .unanswered(let kind): "unanswered \(kind)"
            case .notSent(_, let reason): "not sent: \(reason.rawValue)"
            case .repeatWithheld: "not repeated"
            default: nil
            }
        return text.map { "\(MonitorHistory.seconds(line.at)) \($0)" }
    }

    /// A log in the order of these histories, without what they leave out.
    static func ordered(_ log: [String]) -> [String] {
        func instant(_ line: String) -> Double { Double(line.prefix { $0 != " " }) ?? 0 }
        let words = ["send", "accepted", "refused", "unanswered", "not sent", "not repeated"]
        return log.filter { line in words.contains { line.contains(" \($0)") } }
            .sorted { (instant($0), $0) < (instant($1), $1) }
    }

    private static func silence(_ scenario: inout Scenario, from: Int64, to: Int64) {
        var silence = Scenario.Fault(kind: .apnsSilent, at: .seconds(from), duration: .seconds(to - from))
        silence.share = .always
        scenario.faults = [silence]
    }

    /// All of them.
    static let all: [SenderHistory] = [
        SenderHistory(
            "in turn: what waits goes in its order, and an end before updates, which nothing takes then",
            updatesAt: [10, 12, 14],
            rideOverAt: 50,
            until: 200,
            log: [
                "10 send update", "40 accepted update", "40 send update", "70 accepted update", "70 send end",
                "100 accepted end", "100 not sent: abandoned",
            ]
        ),
        SenderHistory(
            "a rank of its own: where ends come last they wait for updates that are not wanted any more",
            updatesAt: [10, 12],
            rideOverAt: 35,
            until: 200,
            { ($0.sender.ranks.end, $0.sender.ranks.update) = (7, 0) },
            log: ["10 send update", "40 accepted update", "40 not sent: abandoned", "40 send end", "70 accepted end"]
        ),
        SenderHistory(
            "a full queue turns away what comes",
            updatesAt: [10, 12, 14],
            until: 100,
            { $0.sender.queueLimit = 1 },
            log: [
                "10 send update", "14 not sent: queue_full", "40 accepted update", "40 send update",
                "70 accepted update",
            ]
        ),
        SenderHistory(
            "a full queue drops the oldest for what comes",
            updatesAt: [10, 12, 14],
            until: 100,
            {
                $0.sender.queueLimit = 1
                $0.sender.overflow = .dropOldest
            },
            log: [
                "10 send update", "14 not sent: displaced", "40 accepted update", "40 send update",
                "70 accepted update",
            ]
        ),
        SenderHistory(
            "a full queue: what finds no place comes again until it has one",
            updatesAt: [10, 12],
            until: 100,
            {
                $0.sender.queueLimit = 0
                $0.sender.requeueAfter = .constant(13e6)
            },
            log: ["10 send update", "40 accepted update", "51 send update", "81 accepted update"]
        ),
        SenderHistory(
            "patience ends, in the queue and away from it",
            updatesAt: [10, 12, 14],
            until: 100,
            {
                $0.sender.queueLimit = 1
                $0.sender.requeueAfter = .constant(7e6)
                $0.sender.patience = .constant(12e6)
            },
            log: ["10 send update", "24 not sent: expired", "26 not sent: expired", "40 accepted update"]
        ),
        SenderHistory(
            "updates that wait become one",
            updatesAt: [10, 12, 14],
            until: 100,
            { $0.sender.coalesce = true },
            log: [
                "10 send update", "14 not sent: coalesced", "40 accepted update", "40 send update",
                "70 accepted update",
            ]
        ),
        SenderHistory(
            "above the rate: dropped",
            updatesAt: [10, 12, 14, 25],
            until: 100,
            {
                $0.sender.streams = 100
                $0.sender.rateLimit = Scenario.RateLimit()
                $0.sender.rateLimit?.perSecond = 0.1
                $0.sender.rateLimit?.burst = 1
                $0.sender.rateLimit?.excess = .drop
            },
            log: [
                "10 send update", "12 not sent: rate_limited", "14 not sent: rate_limited", "25 send update",
                "40 accepted update", "55 accepted update",
            ]
        ),
        SenderHistory(
            "above the rate: waits for the next token",
            updatesAt: [10, 12, 14],
            until: 100,
            {
                $0.sender.streams = 100
                $0.sender.rateLimit = Scenario.RateLimit()
                $0.sender.rateLimit?.perSecond = 0.1
                $0.sender.rateLimit?.burst = 1
            },
            log: [
                "10 send update", "20 send update", "30 send update", "40 accepted update", "50 accepted update",
                "60 accepted update",
            ]
        ),
        SenderHistory(
            "outage: a request that timed out is repeated until the attempts are used up",
            updatesAt: [10],
            until: 250,
            {
                $0.sender.attempts = 3
                silence(&$0, from: 5, to: 300)
            },
            log: [
                "10 send update", "70 send update", "70 unanswered update", "130 send update", "130 unanswered update",
                "190 unanswered update",
            ]
        ),
        SenderHistory(
            "outage: the repeat meets APNs again",
            updatesAt: [10],
            until: 250,
            {
                $0.sender.attempts = 3
                silence(&$0, from: 5, to: 60)
            },
            log: ["10 send update", "70 send update", "70 unanswered update", "100 accepted update"]
        ),
        SenderHistory(
            "outage: a budget withholds repeats, and what waits takes the stream",
            updatesAt: [10, 12],
            until: 250,
            {
                $0.sender.attempts = 3
                $0.sender.retryBudget = Scenario.Budget()
                $0.sender.retryBudget?.capacity = 1
                $0.sender.retryBudget?.perSecond = 0
                silence(&$0, from: 5, to: 300)
            },
            log: [
                "10 send update", "70 send update", "70 unanswered update", "130 not repeated", "130 send update",
                "130 unanswered update", "190 not repeated", "190 unanswered update",
            ]
        ),
        SenderHistory(
            "rotation: what waits is not dropped with the old token",
            updatesAt: [10, 12],
            until: 41,
            {
                $0.devices.token.post = .constant(2e6)
                $0.devices.token.rotation = .constant(21e6)
                $0.apns.expiredTokenLag = .constant(3600e6)
                $0.sender.coalesce = true
            },
            log: ["10 send update", "40 accepted update", "40 send update"],
            serviceLog: ["10 send update", "23 not sent: coalesced", "40 accepted update", "40 send update"]
        ),
    ]
}
