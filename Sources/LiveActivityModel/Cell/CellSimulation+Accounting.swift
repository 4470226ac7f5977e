import FreshnessCore
import Quantities
import SimulationKernel

/// Measurement: exact integrals between events, never samples.
extension CellSimulation {
    /// Whether the warm-up is over.
    var isMeasured: Bool { loop.now >= world.measuredFrom }

    /// The window of the time series that an instant falls into.
    func window(of instant: Instant) -> Int {
        Int(instant.microseconds / world.scenario.clock.window.microseconds)
    }

    // MARK: - Counts

    mutating func count(_ counter: Counter) {
        if isMeasured {
            measurements.count(counter)
        }
    }

    /// Counts something rare enough that a ride is kept as an example of it.
    mutating func count(_ counter: Counter, exampleAt slot: UInt32) {
        guard isMeasured else { return }
        measurements.count(counter)
        measurements.keepExample(activities[Int(slot)].ride, of: counter)
    }

    mutating func count(_ counter: Counter, column: SeriesColumn) {
        count(counter)
        count(in: column)
    }

    /// Counts what becomes of a push, if the push itself was counted.
    mutating func count(_ counter: Counter, column: SeriesColumn, of push: Push) {
        if push.isCounted {
            count(counter, column: column)
        }
    }

    mutating func count(in column: SeriesColumn) {
        if isMeasured {
            measurements.series.add(1, to: column, window: window(of: loop.now))
        }
    }

    // MARK: - Episodes

    /// Counts the episode that begins now, or was found to have begun, unless it is counted already.
    mutating func beginEpisode(_ slot: UInt32, since: Instant) {
        guard isMeasured, activities[Int(slot)].countedEpisode == nil else { return }
        activities[Int(slot)].countedEpisode = since
        count(.episodesBegun, column: .episodesBegun)
    }

    /// Fresh again.
    mutating func recover(_ slot: UInt32, staleSince: Instant) {
        guard activities[Int(slot)].countedEpisode != nil else { return }
        activities[Int(slot)].countedEpisode = nil
        count(.episodesRecovered, exampleAt: slot)
        count(in: .episodesRecovered)
        measurements.recoveryTime.record((loop.now - staleSince).microseconds)
    }

    /// An episode has ended other than by recovery.
    mutating func closeEpisode(_ slot: UInt32, _ counter: Counter) {
        guard activities[Int(slot)].countedEpisode != nil else { return }
        activities[Int(slot)].countedEpisode = nil
        count(counter)
    }

    // MARK: - Times

    /// Adds the time since the last call to the totals of whatever held since then.
    ///
    /// Must be called before anything changes about what the server believes or the screen shows. Changes that come by the
    /// mere passing of time (a stale date, a lapse) need no call: the stretch is split there.
    mutating func account(_ slot: UInt32) {
        let activity = activities[Int(slot)]
        activities[Int(slot)].accountedUntil = loop.now
        let from = max(activity.accountedUntil, world.measuredFrom)
        let to = loop.now
        guard from < to else { return }
        var believedFreshUntil = Instant.start
        if let instance = activity.instance {
            if let until = instance.freshUntil {
                if until < to {
                    // No scan has come, or there is no monitor: the episode counts all the same.
                    beginEpisode(slot, since: until)
                }
                believedFreshUntil = until
                add(from, min(to, until), to: .freshTime)
                add(max(from, until), to, to: .recoverableTime)
                add(from, to, to: .monitoredTime)
            } else if let belief = instance.classification(at: to) {
                switch belief {
                case .fresh, .recoverable: add(from, to, to: .recoverableTime)
                case .severe: add(from, to, to: .severeTime)
                }
                add(from, to, to: .monitoredTime)
            }
        }
        guard activity.phase == .live else { return }
        let content = activity.screen.content
        add(from, to, to: .displayedTime)
        add(from, min(to, content.staleDate), to: .displayedFreshTime)
        add(max(from, content.staleDate), to, to: .displayedStaleTime)
        let silentFrom = max(from, world.policy.lapse(of: content))
        let silentUntil = min(to, believedFreshUntil)
        add(silentFrom, silentUntil, to: .silentlyStaleTime)
        let stage = measuredStage(of: activity)
        measurements.stages[stage].displayed += length(from, to)
        measurements.stages[stage].displayedFresh += length(from, min(to, content.staleDate))
        measurements.stages[stage].silentlyStale += length(silentFrom, silentUntil)
    }

    /// The stage under which times are kept; after the ride, the one past the last.
    func measuredStage(of activity: Activity) -> Int {
        activity.isRideOver ? world.scenario.rides.stages.count : activity.stage
    }

    private func length(_ from: Instant, _ to: Instant) -> Int64 {
        from < to ? (to - from).microseconds : 0
    }

    /// Adds a stretch to a column of the series, cut at the windows' borders.
    private mutating func add(_ from: Instant, _ to: Instant, to column: SeriesColumn) {
        guard from < to else { return }
        let width = world.scenario.clock.window.microseconds
        var start = from.microseconds
        while start < to.microseconds {
            let window = start / width
            let end = min(to.microseconds, (window + 1) * width)
            measurements.series.add(end - start, to: column, window: Int(window))
            start = end
        }
    }

    // MARK: - Population

    mutating func changePopulation(by change: Int64) {
        integratePopulation()
        population += change
        if isMeasured {
            measurements.peakPopulation = max(measurements.peakPopulation, population)
        }
    }

    private mutating func integratePopulation() {
        if populationChangedAt < world.measuredFrom, world.measuredFrom <= loop.now {
            measurements.count(.liveAtWarmUp, by: population)
            measurements.peakPopulation = max(measurements.peakPopulation, population)
        }
        while nextWindowStart <= loop.now, nextWindowStart < world.horizon {
            measurements.series.add(population, to: .liveAtStart, window: window(of: nextWindowStart))
            let next = (Int64(window(of: nextWindowStart)) + 1) * world.scenario.clock.window.microseconds
            nextWindowStart = Instant(microseconds: next)
        }
        let from = max(populationChangedAt, world.measuredFrom)
        if from < loop.now {
            measurements.population += population * (loop.now - from).microseconds
        }
        populationChangedAt = loop.now
    }

    // MARK: - The sender

    /// Adds the time since the last call to the integrals of what the sender holds.
    ///
    /// Must be called before any of it changes.
    @inline(__always)
    mutating func integrateSender() {
        guard sender.changedAt < loop.now else { return }
        let from = max(sender.changedAt, world.measuredFrom)
        if from < loop.now {
            let time = (loop.now - from).microseconds
            measurements.senderTimes.queued += Int64(sender.queue.count) * time
            measurements.senderTimes.busy += Int64(sender.inFlight) * time
            measurements.senderTimes.inOrbit += Int64(sender.inOrbit) * time
            if sender.inFlight >= streamLimit {
                measurements.senderTimes.saturated += time
            }
        }
        sender.changedAt = loop.now
    }

    // MARK: - The end of the run

    mutating func closeBooks() {
        integratePopulation()
        for slot in activities.indices where activities[slot].isInUse {
            account(UInt32(slot))
            closeEpisode(UInt32(slot), .episodesAtHorizon)
            if activities[slot].phase == .live {
                measureAge(UInt32(slot))
                closeAge(UInt32(slot))
                count(.liveAtHorizon)
            }
        }
        integrateSender()
        if world.measuredFrom < loop.now {
            measurements.measuredTime = (loop.now - world.measuredFrom).microseconds
        }
        for push in pushes where push.isInUse {
            switch push.standing {
            case .waiting: measurements.count(.queuedAtHorizon)
            case .inOrbit: measurements.count(.inOrbitAtHorizon)
            case .offered, .underWay, .interrupted, .done: break
            }
            if push.isCounted, !push.isConcluded {
                measurements.count(.inFlightAtHorizon)
            }
        }
        measurements.eventCount = loop.recordedCount
    }
}
