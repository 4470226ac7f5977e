import FreshnessCore
import Quantities
import SimulationKernel

/// Measurement: exact integrals between events, never samples.
extension CellSimulation {
    /// `true` after the warm-up.
    var isMeasured: Bool { loop.now >= rules.measuredFrom }

    // MARK: - Counts

    @inline(__always)
    mutating func count(_ counter: Counter) {
        if isMeasured {
            recorder.count(counter)
        }
    }

    /// Counts an event that is rare enough to keep a ride as its example.
    mutating func count(_ counter: Counter, exampleAt activity: Handle<Activity>) {
        guard isMeasured else { return }
        recorder.count(counter)
        recorder.keepExample(activity.ride, of: counter)
    }

    @inline(__always)
    mutating func count(_ counter: Counter, column: SeriesColumn) {
        count(counter)
        count(in: column)
    }

    /// Counts an outcome of a push, if the push itself is counted.
    mutating func count(_ counter: Counter, column: SeriesColumn, of push: Handle<Push>) {
        if push.isCounted {
            count(counter, column: column)
        }
    }

    @inline(__always)
    mutating func count(in column: SeriesColumn) {
        if isMeasured {
            recorder.add(1, to: column, at: loop.now)
        }
    }

    /// Counts an event in the segment of an activity, if there are any.
    @inline(__always)
    mutating func countInSegment(_ column: SegmentColumn, _ activity: Handle<Activity>) {
        guard rules.hasSegments, isMeasured else { return }
        recorder.add(1, to: column, inSegment: Int(activity.segment), at: loop.now)
    }

    // MARK: - Episodes

    /// Counts an episode that begins now, or was found to have begun, unless it is already counted.
    mutating func beginEpisode(_ activity: Handle<Activity>, since: Instant) {
        guard isMeasured, activity.countedEpisode == .never else { return }
        activity.countedEpisode = since
        count(.episodesBegun, column: .episodesBegun)
    }

    /// Counts a recovery: the instance is fresh again.
    mutating func recover(_ activity: Handle<Activity>, staleSince: Instant, byRetry: Bool) {
        guard activity.countedEpisode != .never else { return }
        activity.countedEpisode = .never
        count(.episodesRecovered, exampleAt: activity)
        if byRetry { count(.retriesRecovering) }
        count(in: .episodesRecovered)
        recorder.record((loop.now - staleSince).microseconds, as: .recoveryTime)
    }

    /// Ends an episode without a recovery.
    mutating func closeEpisode(_ activity: Handle<Activity>, _ counter: Counter) {
        guard activity.countedEpisode != .never else { return }
        activity.countedEpisode = .never
        count(counter)
    }

    // MARK: - Times

    /// Adds the time since the last call to the totals of the state since then.
    ///
    /// Must be called before the server's belief or the screen changes. Changes through the mere passing of time (a
    /// stale date, a lapse) need no call, because the interval is split there.
    mutating func account(_ activity: Handle<Activity>) {
        if let until = activity.instance?.freshUntil, until < loop.now {
            // No scan has found it yet, or there is no monitor; the episode counts anyway.
            beginEpisode(activity, since: until)
        }
        addTimes(activity)
        // The belief about its members' screens changes with it.
        if activity.isChannel { addTimesOfMembers(of: activity) }
    }

    /// Adds the times alone.
    ///
    /// The measurement of where content is must not affect any other measurement.
    mutating func addTimes(_ activity: Handle<Activity>) {
        let from = max(activity.accountedUntil, rules.measuredFrom).microseconds
        assert(activity.accountedUntil <= loop.now, "an activity's times are accounted for beyond the current instant")
        activity.accountedUntil = loop.now
        let to = loop.now.microseconds
        guard from < to else { return }
        let isInRow = recorder.isInRow(from: from, to: to)
        var (believedFreshUntil, isMonitored) = (0 as Int64, true)
        if let until = activity.instance?.freshUntil {
            believedFreshUntil = until.microseconds
            recorder.add(from: from, to: min(to, believedFreshUntil), column: .freshTime, isInRow: isInRow)
            recorder.add(from: max(from, believedFreshUntil), to: to, column: .recoverableTime, isInRow: isInRow)
            recorder.add(from: from, to: to, column: .monitoredTime, isInRow: isInRow)
        } else if let belief = activity.instance?.classification(at: loop.now) {
            switch belief {
            case .fresh, .recoverable: recorder.add(from: from, to: to, column: .recoverableTime, isInRow: isInRow)
            case .severe: recorder.add(from: from, to: to, column: .severeTime, isInRow: isInRow)
            }
            recorder.add(from: from, to: to, column: .monitoredTime, isInRow: isInRow)
        } else {
            isMonitored = false
        }
        if rules.hasSegments {
            addTimesInSegment(
                of: activity,
                from: from,
                to: to,
                monitored: isMonitored,
                believedFreshUntil: believedFreshUntil
            )
        }
        if rules.hasGroups {
            if activity.isChannel { return }
            if let until = channel(of: activity)?.instance?.freshUntil { believedFreshUntil = until.microseconds }
        }
        let stage = measuredStage(of: activity)
        if !activity.isRideOver {
            recorder.add(to - from, to: .rideTime, part: stage)
            if rules.hasPictures, activity.stage >= own.pictureStage { addPhotoTime(activity, from: from, to: to) }
        }
        guard activity.phone.phase == .live else {
            if !activity.isRideOver {
                recorder.add(from: from, to: to, column: .rideTime, isInRow: isInRow)
                if rules.leavesCards { addEndedCardTime(activity, from: from, to: to) }
            }
            return
        }
        let content = activity.phone.content
        let staleDate = content.staleDate.microseconds
        let silentFrom = max(from, own.monitor.policy.lapse(of: content).microseconds)
        let silentUntil = min(to, believedFreshUntil)
        recorder.add(from: from, to: to, column: .displayedTime, isInRow: isInRow)
        recorder.add(from: from, to: min(to, staleDate), column: .displayedFreshTime, isInRow: isInRow)
        recorder.add(to - from, to: .displayedTime, part: stage)
        switch activity.contentSource {
        case .start: break
        case .app: recorder.add(to - from, to: .displayedFromAppTime, part: stage)
        case .push: recorder.add(to - from, to: .displayedFromPushTime, part: stage)
        }
        if activity.isRideOver {
            // These columns have the rest: see `Series`.
            recorder.add(from: from, to: to, column: .rideDisplayedTime, isInRow: isInRow)
            recorder.add(from: from, to: min(to, staleDate), column: .rideDisplayedFreshTime, isInRow: isInRow)
        } else if !activity.showsStage {
            recorder.add(from: from, to: to, column: .rideWrongStageTime, isInRow: isInRow)
            recorder.add(to - from, to: .wrongStageTime, part: stage)
            recorder.add(to - from, to: .wrongStageTimeByCause, part: activity.cause)
        }
        search?
            .note(
                activity,
                displayed: to - from,
                stale: max(0, to - max(from, staleDate)),
                isWrongStage: !activity.showsStage && !activity.isRideOver
            )
        if staleDate < to {
            recorder.add(from: max(from, staleDate), to: to, column: .displayedStaleTime, isInRow: isInRow)
            recorder.add(to - max(from, staleDate), to: .staleTimeByCause, part: activity.cause)
            if let share = rules.rendersStale, !happens(share, activity, .rendersStale) {
                recorder.add(to - max(from, staleDate), to: .misleadingStaleTime, part: stage)
            }
        }
        recorder.add(max(0, min(to, staleDate) - from), to: .displayedFreshTime, part: stage)
        if silentFrom < silentUntil {
            recorder.add(from: silentFrom, to: silentUntil, column: .silentlyStaleTime, isInRow: isInRow)
            recorder.add(silentUntil - silentFrom, to: .silentlyStaleTime, part: stage)
        }
    }

    /// Adds the same interval [µs] to the windows of the activity's segment.
    ///
    /// Never inlined, so that scenarios without cities do not pay for it.
    @inline(never)
    private mutating func addTimesInSegment(
        of activity: Handle<Activity>,
        from: Int64,
        to: Int64,
        monitored: Bool,
        believedFreshUntil: Int64
    ) {
        let times = SegmentTimes(
            isMonitored: monitored,
            isRiding: !activity.isRideOver && !activity.isChannel,
            isDisplayed: activity.phone.phase == .live,
            showsStage: activity.showsStage,
            believedFreshUntil: believedFreshUntil,
            freshUntil: activity.phone.content.staleDate.microseconds
        )
        recorder.add(times, from: from, to: to, inSegment: Int(activity.segment))
    }

    /// Accounts before content is confirmed, if that makes a difference.
    ///
    /// While the server believes the instance fresh, newer content only extends that belief. The interval continues and
    /// is added as a whole later.
    @inline(__always)
    mutating func accountUnlessFresh(_ activity: Handle<Activity>) {
        if let until = activity.instance?.freshUntil, loop.now <= until { return }
        account(activity)
    }

    /// Accounts before newer content is shown, if that makes a difference.
    ///
    /// It makes none if both contents are before their stale dates, show the current stage and have the same source.
    @inline(__always)
    mutating func accountUnlessFresh(
        _ activity: Handle<Activity>,
        before content: ContentStamp,
        from source: StoryLine.ContentSource
    ) {
        let isFresh = loop.now <= activity.phone.content.staleDate && loop.now <= content.staleDate
        let isAlike = activity.showsStage && source == activity.contentSource
        if isFresh, isAlike, content.generatedAt >= activity.stageBeganAt { return }
        account(activity)
    }

    // MARK: - Stages on screens

    /// Records the lag of a stage if this is the first time a screen shows it.
    mutating func noteStageShown(_ activity: Handle<Activity>) {
        guard activity.showsStage, !activity.isStageSeen, !activity.isRideOver else { return }
        activity.isStageSeen = true
        recordStageLag(activity)
    }

    /// Records the lag of a stage that no screen has shown, which is its length, when the stage is over.
    mutating func leaveStage(_ activity: Handle<Activity>) {
        guard !activity.isChannel else { return }
        if !activity.isStageSeen {
            recordStageLag(activity)
            if isMeasured { recorder.add(1, to: .stagesNeverShown, part: measuredStage(of: activity)) }
        }
        activity.isStageSeen = false
    }

    /// Records the time since the beginning of a stage.
    ///
    /// Like a recovery, it counts at the instant at which it becomes known.
    private mutating func recordStageLag(_ activity: Handle<Activity>) {
        guard isMeasured else { return }
        recorder.record(
            (loop.now - activity.stageBeganAt).microseconds,
            as: .stageLag,
            part: measuredStage(of: activity)
        )
    }

    /// The part that times are kept under: the stage, within those of the segment; after the ride, the part past the last
    /// stage.
    @inline(__always)
    func measuredStage(of activity: Handle<Activity>) -> Int {
        Int(activity.segment) &* (rules.stageCount &+ 1) &+ (activity.isRideOver ? rules.stageCount : activity.stage)
    }

    /// The part of totals that are kept by segment alone.
    @inline(__always)
    func segmentPart(of activity: Handle<Activity>) -> Int { Int(activity.segment) &* (rules.stageCount &+ 1) }

    /// Counts the lives, and the requests, of an activity that is measured from beginning to end.
    mutating func countWholeLife(_ activity: Handle<Activity>) {
        guard rules.measuredFrom <= activity.requestedAt, activity.life > 0 || activity.isChannel else { return }
        recorder.add(Int64(activity.life), to: .wholeLives, part: segmentPart(of: activity))
        recorder.add(Int64(activity.requestCount), to: .requestsOfWholeLives, part: segmentPart(of: activity))
    }

    // MARK: - Ages

    // The age of information is exact between events. The age of the content on a screen is a sawtooth. A tooth is
    // measured when it ends, and when the ride enters another stage: the rest of it counts in the new stage.

    /// Begins the age account of a new life of an activity.
    mutating func beginAge(_ activity: Handle<Activity>) {
        activity.age = Activity.Age()
        activity.ageMeasuredUntil = loop.now
        recorder.beginAge(inPlace: activity.number)
    }

    /// Adds the growth of the age since the last call.
    ///
    /// - Precondition: The activity is on the screen.
    @inline(__always)
    mutating func measureAge(_ activity: Handle<Activity>) {
        let from = max(activity.ageMeasuredUntil, rules.measuredFrom)
        guard from < loop.now else { return }
        if rules.hasETA { measureETA(activity, from: from, to: loop.now) }
        activity.ageMeasuredUntil = loop.now
        let low = (from - activity.phone.content.generatedAt).microseconds
        let high = (loop.now - activity.phone.content.generatedAt).microseconds
        recorder.recordAge(
            from: low,
            to: high,
            part: measuredStage(of: activity),
            isAfterRide: activity.isRideOver,
            inPlace: activity.number
        )
        activity.age.record(from: low, to: high)
    }

    /// Counts the peak age at which newer content replaces older, under the current stage.
    @inline(__always)
    mutating func countPeakAge(_ activity: Handle<Activity>) {
        guard isMeasured else { return }
        let age = (loop.now - activity.phone.content.generatedAt).microseconds
        recorder.record(age, as: .peakAge, part: measuredStage(of: activity))
    }

    /// Adds an activity that leaves the screen to the statistics that weigh every activity equally.
    ///
    /// An activity without measured time on the screen has no time average and is left out.
    mutating func closeAge(_ activity: Handle<Activity>) {
        let age = activity.age
        guard age.time > 0 else { return }
        let doubledTime = 2 * Int128(age.time)
        recorder.record(Int64((age.doubledIntegral + Int128(age.time)) / doubledTime), as: .activityAgeMean)
        recorder.record(age.largest, as: .activityPeakAge)
        search?.note(activity, largestAge: age.largest)
        recorder.endAge(inPlace: activity.number, after: age.time)
    }

    // MARK: - The sender

    /// Adds the time since the last call to the integrals of the sender's state.
    ///
    /// Must be called before that state changes.
    @inline(__always)
    mutating func integrateSender() {
        guard !isAhead else { return }
        meter.advance(to: loop.now, sender, &speculative, &recorder)
        if meter.hasRunOut { hasMisspeculated = true }
    }

    // MARK: - The end of the run

    mutating func finishMeasurement() {
        population.advance(to: loop.now, &recorder)
        for number in 0..<activities.count {
            guard let activity = activities.wake(number) else { continue }
            enterCohort(of: activity)
            account(activity)
            closeEpisode(activity, .episodesAtHorizon)
            // Nothing more will happen to a card that is left behind, however long it stays.
            if activity.isRideOver, activity.registration == .idle, activity.instance?.isClosed ?? true {
                countWholeLife(activity)
            } else if activity.life > 0, isMeasured {
                recorder.add(1, to: .cutLives, part: segmentPart(of: activity))
            }
            if activity.phone.phase == .live {
                measureAge(activity)
                closeBar(activity)
                closeAge(activity)
                count(.liveAtHorizon)
                discardDrawing(activity)
            }
            if links.isUsed { finishPhone(of: activity) }
            if !activity.isChannel { search?.close(activity) }
            activities.rest(number, at: loop.now)
        }
        closeContents()
        integrateSender()
        meter.finish(at: loop.now, sender, &speculative, &recorder)
        if meter.hasRunOut { hasMisspeculated = true }
        if rules.measuredFrom < loop.now {
            recorder.add((loop.now - rules.measuredFrom).microseconds, to: .measuredTime)
        }
        for number in 0..<pushes.count where pushes[number].isInUse {
            let push = pushes[number]
            assert(!push.isSpeculative || push.responseDue == .never, "a request of speculation after the horizon")
            switch push.passage.standing {
            case .waiting:
                recorder.count(.queuedAtHorizon)
                recordUnsentWait(of: push)
            case .inOrbit:
                recorder.count(.inOrbitAtHorizon)
                recordUnsentWait(of: push)
            case .offered, .underWay, .interrupted, .done: break
            }
            if push.isCounted, !push.isConcluded {
                recorder.count(push.service == .void ? .fateNotAccepted : .inFlightAtHorizon)
            }
        }
        recorder.add(Int64(loop.recordedCount), to: .events)
    }
}
