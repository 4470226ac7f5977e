import FreshnessCore
public import LiveActivityModel
import ModelChecks
import Quantities

/// Checks the histories of a cell's rides against the rules of `docs/model.md`.
///
/// It receives the events line by line, and keeps for each ride the state that the rules refer to: whether the server
/// has a token, whether it was decided to end the activity, and the content of the screen. It is independent of the
/// model's implementation.
public struct HistoryChecker {
    private let scenario: Scenario
    /// The rules of the rides of each cohort, those without one first.
    private let rules: [Rules]
    /// The cohorts of rides that have one.
    private var cohorts: [UInt64: Int] = [:]
    private var rides: [UInt64: RideHistory] = [:]
    private var lastAt = Instant.start
    private var found: [String] = []

    /// The maximum number of violations that are listed for a cell.
    static let mostViolations = 20

    /// The violations of rules in these histories, one line each; empty if there are none.
    ///
    /// - Parameters:
    ///   - stories: The lines of all rides of a cell in order.
    ///   - run: The measurements of the same cell.
    public static func violations(of stories: [StoryLine], run: Measurements, scenario: Scenario) -> [String] {
        var checker = HistoryChecker(scenario)
        checker.take(stories)
        return checker.violations(closedBy: run)
    }

    init(_ scenario: Scenario) {
        self.scenario = scenario
        rules = (0...scenario.cohorts.count).map { Rules(scenario.scenario(ofCohort: $0)) }
    }

    /// Checks the next lines.
    mutating func take(_ lines: [StoryLine]) {
        for line in lines {
            take(line)
        }
        // The same mistake may occur a million times.
        if found.count > Self.mostViolations { found.removeLast(found.count - Self.mostViolations) }
    }

    /// The violations in all lines so far, one line each, given the cell's measurements.
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
        if case .joined(let cohort) = line.happening { cohorts[line.ride] = cohort }
        let rules = rules[cohorts[line.ride] ?? 0]
        for violation in rides[line.ride, default: RideHistory()].take(line, rules) {
            found.append("ride \(line.ride) at \(line.at.microseconds) us, \(line.happening): \(violation)")
        }
    }

    // MARK: - The end of the run

    /// Compares the histories with the measurements.
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
                found.append("\(what): \(told) in the stories, \(counted) counted")
            }
        }
        // Events of the warm-up are in the histories, but not counted.
        compare("activities on screens at the horizon", total[.started] - total[.ended], [.liveAtHorizon])
        guard scenario.clock.warmUp == .zero else { return }
        compare("drivers who dropped a ride", total[.driversDropped], [.ridesRematched])
        for source in StoryLine.ContentSource.allCases {
            let measured = run.displayedTime(from: source).reduce(0, +)
            let told = total.shown[Int(source.rawValue)]
            if told != measured {
                found.append("content from \(source) on screens: \(told) us in the stories, \(measured) us measured")
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
                .fateWokeApp,
            ]
        )
        guard Invariants.isDrained(scenario, after: run) else { return }
        if total[.sent] != total[.answered] + total[.unanswered] + total[.cancelled] {
            found.append("after the drain \(total[.sent]) requests, \(total[.answered]) responses")
        }
        if total[.endsReported] + run[.endsUnreported] != total[.ended] {
            found.append(
                "after the drain \(total[.ended]) activities have ended, \(total[.endsReported]) were reported"
            )
        }
    }

    /// The properties of a scenario that lines are checked against.
    struct Rules {
        let freshLimit: TimeSpan
        let ttl: TimeSpan
        let recoveryWindow: TimeSpan
        /// The maximum number of attempts in an episode; nil for no limit, or if a deferred push cannot be
        /// distinguished from a new one.
        let mostRetries: Int?
        /// The maximum number of ends per decision; nil if pushes can be deferred.
        let mostEnds: Int?
        /// `true` if the server knows the content of screens, so that its belief follows from the screen.
        let knowsScreens: Bool
        /// `true` if the monitor acts exactly at each deadline.
        let isPunctual: Bool
        /// `true` if a later payload timestamp implies content generated no earlier.
        let timestampsTell: Bool
        /// `true` if a later payload timestamp implies content generated later.
        let timestampsTellStrictly: Bool
        /// The stage in which a driver may drop a ride, and the stage that it returns to; nil if no driver drops rides.
        let rematching: (from: Int, to: Int)?
        /// The stage after which a ride may make another stop, and the stage that it goes back to; nil without stops.
        let stops: (from: Int, to: Int)?
        /// `true` if pushes can be deferred, so that they are queued more than once.
        let pushesComeBack: Bool
        /// `true` if the server sends the photo of each driver once.
        let sendsPhotosOnce: Bool
        /// `true` if reports of ends may fail.
        let reportsMayFail: Bool

        init(_ scenario: Scenario) {
            let monitor = scenario.monitor
            freshLimit = monitor.freshLimit
            reportsMayFail = scenario.devices.endReportFailure != nil
            sendsPhotosOnce = scenario.content.payload.photoPolicy == .once
            rematching = scenario.rides.rematchingStages
            stops = scenario.rides.stoppingStages
            ttl = scenario.content.ttl
            recoveryWindow = monitor.recoveryWindow
            pushesComeBack =
                scenario.sender.attempts > 1 || scenario.sender.requeueAfter != nil || scenario.content.endpoint != nil
            let limits = [monitor.retry.maxAttempts, monitor.retry.schedule?.count].compactMap(\.self)
            mostRetries = pushesComeBack ? nil : limits.min()
            mostEnds = pushesComeBack ? nil : monitor.endSchedule.count
            knowsScreens = monitor.feedback == .delivery
            isPunctual =
                monitor.enabled && monitor.scanInterval == nil
                && !scenario.faults.contains { $0.kind == .monitorPaused }
            // A timestamp in milliseconds is far in the future; one that had to increase may be ahead of the app's own
            // content.
            let risesBesideApp = scenario.content.timestampsRise && scenario.devices.localUpdates.enabled
            timestampsTell = scenario.content.timestampInMilliseconds == .never && !risesBesideApp
            timestampsTellStrictly = !scenario.content.timestampsRise
        }

        func lapse(of content: ContentStamp) -> Instant { content.staleDate + freshLimit }
    }
}
