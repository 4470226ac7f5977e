import Experiments
import Quantities
import Testing

@testable import LiveActivityModel

/// What must add up in any history whatever, tried on scenarios that are drawn from a seed.
@Suite("Conservation, in random scenarios")
struct ConservationTests {
    static let fates: [Counter] = [
        .fateShown, .fateEnded, .fateStarted, .fateOlder, .fateThrottled, .fateUndecodable, .fateLost, .fateDeadToken,
        .fateAfterEnd, .fateReplacedInStore, .fateExpired, .fateNotStored, .fateStartIgnored, .fateRefused,
        .fateNotAccepted, .fateCancelled,
    ]
    static let sent: [Counter] = [.updatesSent, .retriesSent, .endsSent, .startsSent]
    /// What was offered to the sender and never sent.
    static let unsent: [Counter] = [
        .pushesCoalesced, .pushesOverQueueLimit, .pushesDisplaced, .pushesRateLimited, .pushesOutOfPatience,
        .pushesWithinMinimumInterval, .pushesAbandonedUnsent, .queuedAtHorizon, .inOrbitAtHorizon,
    ]
    static let refusals: [Counter] = [
        .responses400, .responses403, .responses410, .responses413, .responses429, .responses500, .responses503,
    ]
    static let missing: [Counter] = [.responsesTimedOut, .responsesConnectionLost]
    static let ends: [Counter] = [
        .endedRideOver, .endedCancelled, .endedSevere, .endedNoToken, .endedTokenNotPosted, .endedNoUpdate,
        .endedSwiped,
        .endedContentExpired, .endedSystemLimit,
    ]

    /// A bucket of ages that begins near 24 s.
    private static let ageBucket = LogLinear.bucket(of: 24_000_000)

    /// What does not add up, as (what, left, right); empty when all is well.
    private static func imbalances(_ cell: FinishedCell, _ world: World) -> [String] {
        let m = cell.measurements
        let times = m.times
        let left = cell.leftOver
        var found: [String] = []
        func balance(_ what: String, _ one: Int64, _ other: Int64) {
            if one != other {
                found.append("\(what): \(one) and \(other)")
            }
        }
        balance("pushes sent and their fates", cell.sum(sent), cell.sum(fates + [.inFlightAtHorizon]))
        balance("monitored time and its classes", times.monitored, times.fresh + times.recoverable + times.severe)
        balance("displayed time and its parts", times.displayed, times.displayedFresh + times.displayedStale)
        balance("displayed time and the population", times.displayed, times.population)
        balance("displayed time and the age's", times.displayed, m.age.time)
        for (stage, age) in zip(m.stages, m.ageByStage) {
            balance("displayed time and the age's in a stage", stage.displayed, age.time)
        }
        balance("mean and largest ages of activities", m.activityAgeMean.count, m.activityPeakAge.count)
        // The first threshold is 0, the second the lower bound of a bucket, where the histogram is exact.
        balance("displayed time and the time over no age", times.displayed, m.timeOverAge[0])
        balance(
            "time over an age and the histogram's",
            m.timeOverAge[1],
            m.age.timePerBucket.reduce(0) { $0 + ($1.bucket >= ageBucket ? $1.time : 0) }
        )
        balance("activities over an age", m.activityAgeShares[1].count, m.activityAgeMean.count)
        balance("displayed time and the stages'", times.displayed, m.stages.reduce(0) { $0 + $1.displayed })
        balance("fresh time and the stages'", times.displayedFresh, m.stages.reduce(0) { $0 + $1.displayedFresh })
        balance("silent time and the stages'", times.silentlyStale, m.stages.reduce(0) { $0 + $1.silentlyStale })
        balance("waits and requests", m.sendWait.count, cell.sum(sent))
        balance("recoveries and their times", m.recoveryTime.count, m[.episodesRecovered])
        balance("ends and lifetimes", m.lifetime.count, cell.sum(ends))
        balance("streams and unanswered pushes", Int64(left.streams), Int64(left.unanswered))
        balance(
            "places of pushes",
            Int64(left.pushes),
            Int64(left.queued + left.interrupted + left.inOrbit + left.underWay)
        )
        balance("queued at the horizon", Int64(left.queued), m[.queuedAtHorizon])
        balance("in orbit at the horizon", Int64(left.inOrbit), m[.inOrbitAtHorizon])
        balance(
            "episodes and their ends",
            m[.episodesBegun],
            cell.sum([.episodesRecovered, .episodesEndedSevere, .episodesCutShort, .episodesAtHorizon])
        )
        for (column, counters) in columns {
            balance("column \(column)", m.series.total(column), cell.sum(counters))
        }
        for counter in Counter.allCases where m[counter] < 0 {
            found.append("\(counter) is \(m[counter])")
        }
        // Silence is a part of staleness unless content has no limit beyond its stale date.
        if times.silentlyStale > times.displayedStale {
            found.append("silently stale \(times.silentlyStale) of \(times.displayedStale)")
        }
        guard world.scenario.clock.warmUp == .zero else { return found }
        // An episode from before the warm-up is not counted, but its end falls into a window.
        balance("column endedSevere", m.series.total(.endedSevere), m[.episodesEndedSevere])
        balance(
            "answers and requests",
            cell.sum(sent),
            cell.sum([.responsesAccepted] + refusals + missing + [.requestsCancelled])
                + Int64(left.unanswered + left.interrupted)
        )
        balance("pushes offered and what became of them", m[.pushesOffered], cell.sum(sent + unsent))
        balance("answers and their times", m.sendTime.count, cell.sum([.responsesAccepted] + refusals))
        balance("starts and ends", m[.activitiesStarted], cell.sum(ends + [.liveAtHorizon]))
        balance("rides", m[.ridesRequested], cell.sum([.ridesCompleted, .ridesCancelled]) + Int64(left.rides))
        balance(
            "rides and activities",
            m[.ridesRequested],
            m[.activitiesStarted] - m[.activitiesRecreated] + m[.ridesWithoutActivity] + Int64(left.starts)
        )
        balance("peaks of age and new content", m.peakAge.count, cell.sum([.fateShown, .localUpdates]))
        for window in 0..<m.series.windowCount - 1 {
            let change = m.series[window, .activitiesStarted] - m.series[window, .activitiesEnded]
            balance(
                "live at the start of window \(window + 1)",
                m.series[window + 1, .liveAtStart],
                m.series[window, .liveAtStart] + change
            )
        }
        balance("tokens", m[.activitiesStartedByPush] + m[.duplicatesStarted], m[.fateStarted])
        return found
    }

    static let columns: [(SeriesColumn, [Counter])] = [
        (.activitiesStarted, [.activitiesStarted]), (.activitiesEnded, ends), (.updatesSent, [.updatesSent]),
        (.retriesSent, [.retriesSent]), (.endsSent, [.endsSent]), (.startsSent, [.startsSent]),
        (.responsesAccepted, [.responsesAccepted]), (.responsesRefused, refusals), (.responsesMissing, missing),
        (.updatesShown, [.fateShown]), (.episodesBegun, [.episodesBegun]), (.episodesRecovered, [.episodesRecovered]),
    ]

    private static func expectBalance(_ scenario: Scenario, isDrained: Bool, _ what: Comment) throws {
        var scenario = scenario
        let bound = TimeSpan(microseconds: LogLinear.lowerBound(ofBucket: ageBucket))
        scenario.measure.ageOver = [.zero, bound]
        let world = try ScenarioLoader.world(scenario)
        for cell in 0..<scenario.cells {
            let run = FinishedCell(world, ride: nil, cell: cell)
            let found = imbalances(run, world)
            #expect(found.isEmpty, "\(what), cell \(cell):\n\(ScenarioWriter.resolvedYAML(scenario))")
            if isDrained {
                #expect(run.leftOver == .init(), "\(what), cell \(cell):\n\(ScenarioWriter.resolvedYAML(scenario))")
                #expect(run.measurements.lifetime.sum == run.measurements.times.displayed, "\(what)")
            }
        }
    }

    @Test("Everything adds up when all has come to its end, and no place is left taken", arguments: 0..<200)
    func drained(seed: UInt64) throws {
        try Self.expectBalance(.random(seed: seed), isDrained: true, "seed \(seed)")
    }

    @Test("Everything adds up when the run stops in the middle", arguments: 0..<100)
    func cutOff(seed: UInt64) throws {
        var scenario = Scenario.random(seed: seed)
        scenario.clock.drain = .milliseconds(Int64(seed) * 1777)
        try Self.expectBalance(
            scenario,
            isDrained: false,
            "seed \(seed), drain \(scenario.clock.drain.microseconds) µs"
        )
    }

    @Test("What a warm-up leaves out, it leaves out on both sides", arguments: 0..<100)
    func warmUp(seed: UInt64) throws {
        var scenario = Scenario.random(seed: seed)
        scenario.clock.warmUp = .milliseconds(Int64(seed) * 977)
        try Self.expectBalance(
            scenario,
            isDrained: false,
            "seed \(seed), warm-up \(scenario.clock.warmUp.microseconds) µs"
        )
    }

    @Test("The generator reaches every end, fate and answer, so that the tests above mean something")
    func reach() throws {
        var total: [Int64] = Counter.allCases.map { _ in 0 }
        for seed in UInt64(0)..<200 {
            let world = try ScenarioLoader.world(.random(seed: seed))
            for cell in 0..<world.scenario.cells {
                let run = FinishedCell(world, ride: nil, cell: cell)
                for (index, counter) in Counter.allCases.enumerated() {
                    total[index] += run[counter]
                }
            }
        }
        let unreached = zip(Counter.allCases, total).filter { $0.1 == 0 }.map(\.0)
        #expect(
            unreached == [
                .liveAtWarmUp, .liveAtHorizon, .inFlightAtHorizon, .queuedAtHorizon, .inOrbitAtHorizon,
                .episodesAtHorizon,
            ]
        )
    }
}
