import LiveActivityModel
import Testing

/// The sums that must come out even in a run that goes on until nothing is left to happen, whatever the scenario.
struct Conservation {
    let run: Measurements

    init(_ run: Measurements) {
        self.run = run
    }

    func check() {
        checkLives()
        checkPushes()
        checkTimes()
        checkEpisodes()
        checkSeries()
    }

    private func sum(_ counters: Counter...) -> Int64 {
        counters.reduce(0) { $0 + run[$1] }
    }

    private var started: Int64 { run[.activitiesStarted] }
    private var sent: Int64 { sum(.updatesSent, .retriesSent, .endsSent, .startsSent) }

    private func checkLives() {
        #expect(started > 0)
        #expect(run[.ridesRequested] == sum(.ridesCompleted, .ridesCancelled))
        #expect(run[.ridesRequested] == started - run[.activitiesRecreated] + run[.ridesWithoutActivity])
        let ended = sum(
            .endedRideOver,
            .endedCancelled,
            .endedSevere,
            .endedNoToken,
            .endedTokenNotPosted,
            .endedNoUpdate,
            .endedSwiped,
            .endedContentExpired,
            .endedSystemLimit
        )
        #expect(ended == started)
        #expect(run[.liveAtHorizon] == 0)
        #expect(run.lifetime.count == started)
    }

    private func checkPushes() {
        let fates = sum(
            .fateShown,
            .fateEnded,
            .fateStarted,
            .fateOlder,
            .fateThrottled,
            .fateUndecodable,
            .fateLost,
            .fateDeadToken,
            .fateAfterEnd,
            .fateReplacedInStore,
            .fateExpired,
            .fateNotStored,
            .fateStartIgnored,
            .fateRefused,
            .fateNotAccepted,
            .fateCancelled,
            .inFlightAtHorizon
        )
        #expect(fates == sent)
        let refused = sum(
            .responses400,
            .responses403,
            .responses410,
            .responses413,
            .responses429,
            .responses500,
            .responses503
        )
        #expect(refused == run[.fateRefused])
        let missing = sum(.responsesTimedOut, .responsesConnectionLost)
        #expect(run[.responsesAccepted] + refused + missing + run[.requestsCancelled] == sent)
        let unsent = sum(
            .pushesCoalesced,
            .pushesOverQueueLimit,
            .pushesDisplaced,
            .pushesRateLimited,
            .pushesOutOfPatience,
            .pushesWithinMinimumInterval,
            .pushesAbandonedUnsent
        )
        #expect(run[.pushesOffered] == sent + unsent)
        #expect(run[.inOrbitAtHorizon] == 0)
        #expect(run[.inFlightAtHorizon] == 0)
        #expect(run[.queuedAtHorizon] == 0)
        #expect(run.sendWait.count == sent)
    }

    private func checkTimes() {
        let times = run.times
        #expect(times.monitored == times.fresh + times.recoverable + times.severe)
        #expect(times.displayed == times.displayedFresh + times.displayedStale)
        #expect(times.displayed == run.stages.reduce(0) { $0 + $1.displayed })
        #expect(times.displayedFresh == run.stages.reduce(0) { $0 + $1.displayedFresh })
        #expect(times.silentlyStale == run.stages.reduce(0) { $0 + $1.silentlyStale })
        // Little's law, three times over: seen by the population, by the screens and by the lives.
        #expect(times.population == times.displayed)
        #expect(run.lifetime.sum == times.displayed)
        #expect(run.age.time == times.displayed)
    }

    private func checkEpisodes() {
        #expect(
            run[.episodesBegun]
                == sum(.episodesRecovered, .episodesEndedSevere, .episodesCutShort, .episodesAtHorizon)
        )
        #expect(run.recoveryTime.count == run[.episodesRecovered])
    }

    private func checkSeries() {
        func expect(_ column: SeriesColumn, _ count: Int64) {
            #expect(run.series.total(column) == count, "\(column)")
        }
        expect(.activitiesStarted, started)
        expect(.activitiesEnded, started)
        expect(.updatesSent, run[.updatesSent])
        expect(.retriesSent, run[.retriesSent])
        expect(.endsSent, run[.endsSent])
        expect(.startsSent, run[.startsSent])
        expect(.updatesShown, run[.fateShown])
        expect(.responsesAccepted, run[.responsesAccepted])
        expect(.responsesRefused, run[.fateRefused])
        expect(.episodesBegun, run[.episodesBegun])
        expect(.episodesRecovered, run[.episodesRecovered])
    }
}
