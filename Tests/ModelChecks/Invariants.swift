public import LiveActivityModel
import Quantities
import Statistics

/// The conservation laws of every history: pushes, episodes, activities and times must add up.
///
/// The sums are computed from the measurements, outside the model, so that the model does not check itself.
public struct Invariants {
    private let run: Measurements
    private let scenario: Scenario
    private var found: [String] = []

    /// The violated invariants, one line each; empty if there are none.
    ///
    /// - Parameters:
    ///   - run: The measurements of a cell, or the sum over several.
    ///   - left: The inventory of the cell at its horizon; nil for several cells.
    public static func violations(
        of run: Measurements,
        scenario: Scenario,
        left: CellSimulation.Inventory? = nil
    ) -> [String] {
        var invariants = Invariants(run: run, scenario: scenario)
        invariants.checkPushes()
        invariants.checkLives()
        invariants.checkTimes()
        invariants.checkAges()
        invariants.checkParts()
        invariants.checkEpisodes()
        invariants.checkSeries()
        invariants.checkSigns()
        if let left { invariants.checkPlaces(left) }
        if isDrained(scenario, after: run) { invariants.checkNothingIsLeft(left) }
        return invariants.found
    }

    /// `true` if the run continues long enough without arrivals for everything to have ended.
    ///
    /// Rides and faults are over by then if they take less than four hours; activities are, by Apple's limit. Pushes in
    /// the queues of the sender and of APNs are sent and served, regardless of their number: APNs serves even requests
    /// that its sender has given up on. An offline phone reports its ends once it is online; all phones are online by
    /// then, except for one offline interval in 10^12.
    public static func isDrained(_ scenario: Scenario, after run: Measurements) -> Bool {
        let requests = sent.reduce(0) { $0 + run[$1] } + run[.queuedAtHorizon] + run[.inOrbitAtHorizon]
        return isDrained(scenario, after: requests)
    }

    public static func isDrained(_ scenario: Scenario, after requests: Int64) -> Bool {
        let sender = scenario.sender
        var each = sender.requestTime.mean / Double(sender.connections * sender.streams)
        if let limit = sender.rateLimit { each += 1e6 / limit.perSecond }
        if let capacity = scenario.apns.capacity { each += capacity.serviceTime.mean / Double(capacity.servers) }
        let rest = scenario.clock.drain - scenario.devices.systemLimit - .hours(4)
        let connectivity = scenario.devices.connectivity
        let areBack = connectivity.offline.cumulative(Double(rest.microseconds)) >= 1 - 1e-12
        return rest >= .zero && areBack && Double(requests) * each <= Double(rest.microseconds)
    }

    /// `true` if events before the measured time are excluded from only one side of a sum.
    private var hasWarmUp: Bool { scenario.clock.warmUp > .zero }

    private mutating func balance(_ what: String, _ one: Int64, _ other: Int64) {
        require(one == other, "\(what): \(one) and \(other)")
    }

    private mutating func require(_ holds: Bool, _ what: String) {
        if !holds { found.append(what) }
    }

    private func sum(_ counters: [Counter]) -> Int64 { counters.reduce(0) { $0 + run[$1] } }

    // MARK: - Related counters

    private static let sent: [Counter] = [.updatesSent, .retriesSent, .endsSent, .startsSent]
    private static let fates: [Counter] = [
        .fateShown, .fateEnded, .fateStarted, .fateOlder, .fateThrottled, .fateUndecodable, .fateLost, .fateDeadToken,
        .fateAfterEnd, .fateReplacedInStore, .fateExpired, .fateNotStored, .fateStartIgnored, .fateWokeApp,
        .fateRefused,
        .fateNotAccepted, .fateCancelled, .fateSentOn, .inFlightAtHorizon,
    ]
    private static let unsent: [Counter] = [
        .pushesCoalesced, .pushesOverQueueLimit, .pushesDisplaced, .pushesRateLimited, .pushesOutOfPatience,
        .pushesWithinMinimumInterval, .pushesAbandonedUnsent, .queuedAtHorizon, .inOrbitAtHorizon,
    ]
    public static let refusals: [Counter] = [
        .responses400, .responses403, .responses410, .responses413, .responses429, .responses500, .responses503,
    ]
    private static let missing: [Counter] = [.responsesTimedOut, .responsesConnectionLost]
    private static let ends: [Counter] = [
        .endedRideOver, .endedCancelled, .endedSevere, .endedNoToken, .endedTokenNotPosted, .endedNoUpdate,
        .endedSwiped, .endedContentExpired, .endedSystemLimit, .endedRenewed, .endedLeftOver,
    ]
    private static let columns: [(SeriesColumn, [Counter])] = [
        (.activitiesStarted, [.activitiesStarted]), (.activitiesEnded, ends), (.updatesSent, [.updatesSent]),
        (.retriesSent, [.retriesSent]), (.endsSent, [.endsSent]), (.startsSent, [.startsSent]),
        (.responsesAccepted, [.responsesAccepted]), (.responsesRefused, refusals), (.responsesMissing, missing),
        (.updatesShown, [.fateShown]), (.episodesBegun, [.episodesBegun]), (.episodesRecovered, [.episodesRecovered]),
        (.retriesDecided, [.retriesDecided]), (.retriesWithheld, [.retriesWithheld]), (.repeatsSent, [.repeatsSent]),
        (.repeatsWithheld, [.repeatsWithheld]),
    ]

    // MARK: - Sums

    private mutating func checkPushes() {
        let sent = sum(Self.sent)
        let answers = sum(Self.refusals + [.responsesAccepted])
        balance("pushes sent and their fates", sent + run[.pushesSentOn], sum(Self.fates))
        // The response of a rejection may come too late, or its connection may be lost.
        require(
            sum(Self.refusals) <= run[.fateRefused],
            "\(sum(Self.refusals)) of \(run[.fateRefused]) rejections were received"
        )
        balance("waits and requests", run[.sendWait].count, sent)
        balance("responses and their times", run[.sendTime].count, answers)
        require(
            answers + sum(Self.missing) + run[.requestsCancelled] <= sent,
            "more than \(sent) requests got a response"
        )
        let repeats = run[.repeatsSent]
        require(repeats <= sent, "\(repeats) retries of \(sent) requests")
        for over in run.parts(of: .waitsOver) {
            require(over <= sent - repeats, "\(over) of \(sent - repeats) first requests waited for longer")
        }
        if !hasWarmUp {
            balance("pushes offered and their outcomes", run[.pushesOffered], sent + sum(Self.unsent))
        }
    }

    private mutating func checkLives() {
        let started = run[.activitiesStarted]
        let ended = sum(Self.ends)
        balance("activities and their ends", started + run[.liveAtWarmUp], ended + run[.liveAtHorizon])
        balance("ends and lifetimes", run[.lifetime].count, ended)
        require(run[.endedRenewed] <= run[.activitiesRenewed], "more ends by renewal than renewals")
        guard !hasWarmUp else { return }
        let ignored = sum([.startsOverBudget, .startsStale, .startsWithoutAlert, .startsAtCardLimit])
        require(
            ignored <= run[.fateStartIgnored],
            "\(ignored) of \(run[.fateStartIgnored]) ignored starts were dropped"
        )
        balance(
            "starts by push and their pushes",
            run[.activitiesStartedByPush] + run[.duplicatesStarted],
            run[.fateStarted]
        )
        require(
            run[.ridesRequested] >= sum([.ridesCompleted, .ridesCancelled]),
            "more rides ended than \(run[.ridesRequested]) requested"
        )
        require(
            run[.ridesRequested] >= started - sum([.activitiesRecreated, .activitiesRenewed])
                + run[.ridesWithoutActivity],
            "more activities than \(run[.ridesRequested]) rides"
        )
    }

    private mutating func checkTimes() {
        let time = run.time(_:)
        balance(
            "monitored time and its classes",
            time(.monitoredTime),
            time(.freshTime) + time(.recoverableTime) + time(.severeTime)
        )
        balance(
            "displayed time and its parts",
            time(.displayedTime),
            time(.displayedFreshTime) + time(.displayedStaleTime)
        )
        for source in StoryLine.ContentSource.allCases {
            for time in run.displayedTime(from: source) {
                require(time >= 0, "content from \(source) for \(time)")
            }
        }
        balance("displayed time and the stages'", time(.displayedTime), run[.displayedTime])
        balance("fresh time and the stages'", time(.displayedFreshTime), run[.displayedFreshTime])
        balance("silent time and the stages'", time(.silentlyStaleTime), run[.silentlyStaleTime])
        balance("stale time and its causes", time(.displayedStaleTime), run[.staleTimeByCause])
        balance("time of wrong stages and its causes", run[.wrongStageTime], run[.wrongStageTimeByCause])
        let staleAfter = Whereabouts.allCases.reduce(0) { $0 + run[.staleTimeByCause, $1, isAfterRide: true] }
        balance(
            "stale time after rides and its causes",
            run.afterRide(.displayedTime) - run.afterRide(.displayedFreshTime),
            staleAfter
        )
        // Content lapses after its stale date, never before.
        require(
            time(.silentlyStaleTime) <= time(.displayedStaleTime),
            "silently stale \(time(.silentlyStaleTime)) of \(time(.displayedStaleTime))"
        )
        // Little's law: the integral of the population is the sum of the lives, if those are complete.
        balance("displayed time and the population", time(.displayedTime), run[.populationTime])
        if !hasWarmUp, run[.liveAtHorizon] == 0 {
            balance("lifetimes and the population", run[.lifetime].sum, run[.populationTime])
        }
        let (peak, overflow) = run[.population].multipliedReportingOverflow(by: max(run[.measuredTime], 0))
        require(
            overflow || run[.populationTime] <= peak,
            "a population of more than its peak \(run[.population])"
        )
        for (what, time) in [
            ("queued", run.time(.queuedTime)), ("busy", run.time(.busyTime)), ("in orbit", run.time(.orbitTime)),
        ] {
            require(time >= 0, "\(what) for \(time)")
        }
    }

    /// Each part of a division of the fleet adds up to the whole.
    private mutating func checkParts() {
        for division in [scenario.cityParts, scenario.cohortParts] where !division.isEmpty {
            let parts = division.map(\.part)
            func sum(_ value: (FleetPart) -> Int64) -> Int64 { parts.reduce(0) { $0 + value($1) } }
            let run = run
            balance("rides and those of all parts", run[.ridesRequested], sum { run.total(.ridesRequested, in: $0) })
            for column in SegmentColumn.allCases {
                guard let whole = column.whole else { continue }
                for window in 0..<run.series.windowCount {
                    balance(
                        "column \(whole) and that of all parts in window \(window)",
                        run.series[window, whole],
                        sum { run[window, $0, column] }
                    )
                }
            }
            for total in [Total.rideTime, .displayedTime, .displayedFreshTime, .wrongStageTime, .stagesNeverShown] {
                balance("\(total) and that of all parts", run[total], sum { run.all(total, in: $0) })
            }
            balance(
                "stage lags and those of all parts",
                run[.stageLag].count,
                sum { Int64(run.all(.stageLag, in: $0).count) }
            )
            for part in parts { check(part) }
        }
    }

    private mutating func check(_ part: FleetPart) {
        for (column, time) in [
            (SegmentColumn.rideTime, run.duringRide(.rideTime, in: part)),
            (.rideDisplayedTime, run.duringRide(.displayedTime, in: part)),
            (.rideDisplayedFreshTime, run.duringRide(.displayedFreshTime, in: part)),
            (.rideWrongStageTime, run.duringRide(.wrongStageTime, in: part)),
            (.displayedTime, run.all(.displayedTime, in: part)),
            (.displayedFreshTime, run.all(.displayedFreshTime, in: part)),
        ] {
            balance("column \(column) of \(part) and its whole", run.total(column, in: part), time)
        }
        balance("displayed time and the age's in \(part)", run.all(.displayedTime, in: part), run.age(in: part).time)
    }

    private mutating func checkAges() {
        let displayed = run.time(.displayedTime)
        balance("displayed time and the age's", displayed, run.age.time)
        for (stage, age) in run.ageByStage.enumerated() {
            balance("displayed time and the age's in a stage", run[.displayedTime, stage], age.time)
        }
        balance("mean and largest ages of activities", run[.activityAgeMean].count, run[.activityPeakAge].count)
        for shares in run.activityAgeShares {
            balance("activities over an age", shares.count, run[.activityAgeMean].count)
            require(shares.total <= Double(shares.count), "shares above 1 over an age")
        }
        for (index, limit) in scenario.measure.ageOver.enumerated() {
            let time = run.timeOverAge(threshold: index)
            require(time <= displayed, "\(time) of \(displayed) over an age")
            if limit == .zero {
                balance("displayed time and the time over no age", displayed, time)
            }
            let above = run.age.timePerBucket
                .reduce(0) {
                    $0 + (LogLinear.lowerBound(ofBucket: $1.bucket) >= limit.microseconds ? $1.time : 0)
                }
            if LogLinear.isLowerBound(limit.microseconds) {
                balance("time over an age and the histogram's", time, above)
            } else {
                require(above <= time, "time over an age: \(time), the histogram's \(above)")
            }
        }
        if !hasWarmUp {
            balance(
                "peaks of age and new content",
                run[.peakAge].count,
                sum([.fateShown, .localUpdates]) - run[.localUpdatesUndrawn]
            )
        }
    }

    private mutating func checkEpisodes() {
        balance(
            "episodes and their ends",
            run[.episodesBegun],
            sum([.episodesRecovered, .episodesEndedSevere, .episodesCutShort, .episodesAtHorizon])
        )
        balance("recoveries and their times", run[.recoveryTime].count, run[.episodesRecovered])
        if !hasWarmUp {
            require(
                run[.falseKills] <= run[.episodesEndedSevere],
                "\(run[.falseKills]) of \(run[.episodesEndedSevere]) given up by mistake"
            )
        }
    }

    private mutating func checkSeries() {
        for (column, counters) in Self.columns {
            balance("column \(column)", run.series.total(column), sum(counters))
        }
        for (column, time) in [
            (SeriesColumn.rideTime, run.duringRide(.rideTime)), (.rideDisplayedTime, run.duringRide(.displayedTime)),
            (.rideDisplayedFreshTime, run.duringRide(.displayedFreshTime)),
            (.rideWrongStageTime, run.duringRide(.wrongStageTime)),
        ] {
            balance("column \(column)", run.time(column), time)
        }
        guard !hasWarmUp else { return }
        // An episode from before the warm-up is not counted, but its end is in a window.
        balance("column endedSevere", run.series.total(.endedSevere), run[.episodesEndedSevere])
        for window in 0..<run.series.windowCount - 1 {
            let change = run.series[window, .activitiesStarted] - run.series[window, .activitiesEnded]
            balance(
                "live at the start of window \(window + 1)",
                run.series[window + 1, .liveAtStart],
                run.series[window, .liveAtStart] + change
            )
        }
    }

    private mutating func checkSigns() {
        for counter in Counter.allCases where run[counter] < 0 {
            found.append("\(counter) is \(run[counter])")
        }
        for column in SeriesColumn.allCases {
            for window in 0..<run.series.windowCount where run.series[window, column] < 0 {
                found.append("\(column) is \(run.series[window, column]) in window \(window)")
            }
        }
    }

    // MARK: - Slots

    private mutating func checkPlaces(_ left: CellSimulation.Inventory) {
        balance("streams and unanswered pushes", Int64(left.streams), Int64(left.unanswered))
        balance(
            "places of pushes",
            Int64(left.pushes),
            Int64(left.awaitingContent + left.queued + left.interrupted + left.inOrbit + left.underWay)
        )
        balance("queued at the horizon", Int64(left.queued), run[.queuedAtHorizon])
        balance("in orbit at the horizon", Int64(left.inOrbit), run[.inOrbitAtHorizon])
        balance("on screens at the horizon", Int64(left.screens), run[.liveAtHorizon])
        require(left.inService <= scenario.apns.capacity?.servers ?? 0, "\(left.inService) requests are in service")
        guard !hasWarmUp else { return }
        balance(
            "requests and answers",
            sum(Self.sent),
            sum([.responsesAccepted, .requestsCancelled] + Self.refusals + Self.missing)
                + Int64(left.unanswered + left.interrupted)
        )
        balance("rides", run[.ridesRequested], sum([.ridesCompleted, .ridesCancelled]) + Int64(left.rides))
        balance(
            "rides and activities",
            run[.ridesRequested],
            run[.activitiesStarted] - sum([.activitiesRecreated, .activitiesRenewed]) + run[.ridesWithoutActivity]
                + Int64(left.starts)
        )
    }

    private mutating func checkNothingIsLeft(_ left: CellSimulation.Inventory?) {
        for counter in [Counter.liveAtHorizon, .inFlightAtHorizon, .queuedAtHorizon, .inOrbitAtHorizon] {
            require(run[counter] == 0, "after the drain \(counter) is \(run[counter])")
        }
        require(left ?? .init() == .init(), "after the drain places are taken: \(left.map { "\($0)" } ?? "")")
    }
}

extension LogLinear {
    /// Returns `true` if a bucket begins with a value.
    fileprivate static func isLowerBound(_ value: Int64) -> Bool {
        var range = 0..<bucketCount
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            range = lowerBound(ofBucket: middle) <= value ? middle..<range.upperBound : range.lowerBound..<middle
        }
        return lowerBound(ofBucket: range.lowerBound) == value
    }
}
