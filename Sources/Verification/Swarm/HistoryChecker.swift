import FreshnessCore
public import LiveActivityModel
import Quantities

/// Holds the stories of a cell's rides against the rules of `docs/model.md`.
///
/// It is told what happened, line by line, and keeps for each ride what the rules speak of: whether the server has a token,
/// whether the decision to end was taken, what the screen shows. It knows nothing of how the model comes to it.
public struct HistoryChecker {
    private let scenario: Scenario
    private let rules: Rules
    private var rides: [UInt64: RideHistory] = [:]
    private var lastAt = Instant.start
    private var found: [String] = []

    /// More violations of one cell are not listed.
    static let mostViolations = 20

    /// What in these stories breaks a rule, a line each; empty when all is well.
    ///
    /// - Parameters:
    ///   - stories: The lines of all rides of a cell, as they happened.
    ///   - run: What the same cell measured.
    public static func violations(of stories: [StoryLine], run: Measurements, scenario: Scenario) -> [String] {
        var checker = HistoryChecker(scenario)
        checker.take(stories)
        return checker.violations(closedBy: run)
    }

    init(_ scenario: Scenario) {
        self.scenario = scenario
        rules = Rules(scenario)
    }

    /// Takes the next lines.
    mutating func take(_ lines: [StoryLine]) {
        for line in lines {
            take(line)
        }
        // One mistake may be made a million times.
        if found.count > Self.mostViolations { found.removeLast(found.count - Self.mostViolations) }
    }

    /// What breaks a rule in all lines that were taken, a line each, given what the cell measured.
    mutating func violations(closedBy run: Measurements) -> [String] {
        close(run)
        return Array(found.prefix(Self.mostViolations))
    }

    private mutating func take(_ line: StoryLine) {
        if line.at < lastAt {
            found.append(
                "ride \(line.ride) at \(line.at.microseconds) us: time went back from \(lastAt.microseconds) us"
            )
        }
        lastAt = line.at
        for violation in rides[line.ride, default: RideHistory()].take(line, rules) {
            found.append("ride \(line.ride) at \(line.at.microseconds) us, \(line.happening): \(violation)")
        }
    }

    // MARK: - The end of the run

    /// Compares what the stories told with what was measured.
    private mutating func close(_ run: Measurements) {
        var total = RideHistory.Told()
        let horizon = Instant.start + scenario.clock.duration + scenario.clock.drain
        for var ride in rides.values {
            ride.closeScreen(at: horizon)
            total.add(ride.told)
        }
        func compare(_ what: String, _ told: Int64, _ counters: [Counter]) {
            let counted = counters.reduce(0) { $0 + run[$1] }
            if told != counted {
                found.append("\(what): told \(told), counted \(counted)")
            }
        }
        // A warm-up is told of and not counted.
        compare("activities on screens at the horizon", total[.started] - total[.ended], [.liveAtHorizon])
        guard scenario.clock.warmUp == .zero else { return }
        compare("drivers who dropped a ride", total[.driversDropped], [.ridesRematched])
        for source in StoryLine.ContentSource.allCases {
            let measured = run.displayedTime(from: source).reduce(0, +)
            let told = total.shown[Int(source.rawValue)]
            if told != measured {
                found.append("content from \(source) on screens: told for \(told) us, measured \(measured) us")
            }
        }
        compare("requests", total[.sent], [.updatesSent, .retriesSent, .endsSent, .startsSent])
        compare("activities", total[.started], [.activitiesStarted])
        compare("responses missing", total[.unanswered], [.responsesTimedOut, .responsesConnectionLost])
        compare("requests cancelled", total[.cancelled], [.requestsCancelled])
        compare("requests interrupted", total[.interrupted], [.requestsInterrupted])
        compare("accepted or refused", total[.answered], Invariants.refusals + [.responsesAccepted])
        compare(
            "fates",
            total[.fates],
            [
                .fateShown, .fateEnded, .fateStarted, .fateOlder, .fateThrottled, .fateUndecodable, .fateLost,
                .fateDeadToken, .fateAfterEnd, .fateReplacedInStore, .fateExpired, .fateNotStored, .fateStartIgnored,
            ]
        )
        guard Invariants.isDrained(scenario, after: run) else { return }
        if total[.sent] != total[.answered] + total[.unanswered] + total[.cancelled] {
            found.append("after the drain \(total[.sent]) requests, \(total[.answered]) answers")
        }
        if total[.endsReported] != total[.ended] {
            found.append(
                "after the drain \(total[.ended]) activities have ended, \(total[.endsReported]) were reported"
            )
        }
    }

    /// What a scenario says, in the form in which every line is held against it.
    struct Rules {
        let freshLimit: TimeSpan
        let ttl: TimeSpan
        let recoveryWindow: TimeSpan
        /// The most attempts of one episode; nil for no limit, or where a push comes back and cannot be told from a new one.
        let mostRetries: Int?
        /// The most ends of one decision; nil where a push comes back.
        let mostEnds: Int?
        /// Whether the server knows what phones show, so that its belief can be told from the screen.
        let knowsScreens: Bool
        /// Whether the monitor acts at the very instant.
        let isPunctual: Bool
        /// Whether a later payload timestamp means content generated no earlier.
        let timestampsTell: Bool
        /// Whether it means content generated later.
        let timestampsTellStrictly: Bool
        /// From which stage to which a ride goes back that its driver drops; nil where no driver does.
        let rematching: (from: Int, to: Int)?
        /// Whether pushes come back to the sender, so that they are queued more than once.
        let pushesComeBack: Bool

        init(_ scenario: Scenario) {
            let monitor = scenario.monitor
            freshLimit = monitor.freshLimit
            rematching = scenario.rides.rematchingStages
            ttl = scenario.content.ttl
            recoveryWindow = monitor.recoveryWindow
            pushesComeBack = scenario.sender.attempts > 1 || scenario.sender.requeueAfter != nil
            let limits = [monitor.retry.maxAttempts, monitor.retry.schedule?.count].compactMap(\.self)
            mostRetries = pushesComeBack ? nil : limits.min()
            mostEnds = pushesComeBack ? nil : monitor.endSchedule.count
            knowsScreens = monitor.feedback == .delivery
            isPunctual =
                monitor.enabled && monitor.scanInterval == nil
                && !scenario.faults.contains { $0.kind == .monitorPaused }
            // A timestamp in milliseconds is far ahead; one that had to rise may be ahead of what the app shows by itself.
            let risesBesideApp = scenario.content.timestampsRise && scenario.devices.localUpdates.enabled
            timestampsTell = scenario.content.timestampInMilliseconds == .never && !risesBesideApp
            timestampsTellStrictly = !scenario.content.timestampsRise
        }

        func lapse(of content: ContentStamp) -> Instant { content.staleDate + freshLimit }
    }
}
