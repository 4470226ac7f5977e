import FreshnessCore
import Quantities
import SimulationKernel

/// Measurement: exact integrals between events, never samples.
extension CellSimulation {
    /// Whether the warm-up is over.
    var isMeasured: Bool { loop.now >= rules.measuredFrom }

    // MARK: - Counts

    @inline(__always)
    mutating func count(_ counter: Counter) {
        if isMeasured {
            recorder.count(counter)
        }
    }

    /// Counts something rare enough that a ride is kept as an example of it.
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

    /// Counts what becomes of a push, if the push itself was counted.
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

    /// Counts something in the city of an activity, where there are cities.
    @inline(__always)
    mutating func countInCity(_ column: CityColumn, _ activity: Handle<Activity>) {
        guard rules.hasCities, isMeasured else { return }
        recorder.add(1, to: column, inCity: Int(activity.city), at: loop.now)
    }

    // MARK: - Episodes

    /// Counts the episode that begins now, or was found to have begun, unless it is counted already.
    mutating func beginEpisode(_ activity: Handle<Activity>, since: Instant) {
        guard isMeasured, activity.countedEpisode == .never else { return }
        activity.countedEpisode = since
        count(.episodesBegun, column: .episodesBegun)
    }

    /// Fresh again.
    mutating func recover(_ activity: Handle<Activity>, staleSince: Instant, byRetry: Bool) {
        guard activity.countedEpisode != .never else { return }
        activity.countedEpisode = .never
        count(.episodesRecovered, exampleAt: activity)
        if byRetry { count(.retriesRecovering) }
        count(in: .episodesRecovered)
        recorder.record((loop.now - staleSince).microseconds, as: .recoveryTime)
    }

    /// An episode has ended other than by recovery.
    mutating func closeEpisode(_ activity: Handle<Activity>, _ counter: Counter) {
        guard activity.countedEpisode != .never else { return }
        activity.countedEpisode = .never
        count(counter)
    }

    // MARK: - Times

    /// Adds the time since the last call to the totals of whatever held since then.
    ///
    /// Must be called before anything changes about what the server believes or the screen shows. Changes that come by the
    /// mere passing of time (a stale date, a lapse) need no call: the stretch is split there.
    mutating func account(_ activity: Handle<Activity>) {
        if let until = activity.instance?.freshUntil, until < loop.now {
            // No scan has come, or there is no monitor: the episode counts all the same.
            beginEpisode(activity, since: until)
        }
        addTimes(activity)
    }

    /// Adds the times alone: what is measured of where content is must not show in what else is measured.
    mutating func addTimes(_ activity: Handle<Activity>) {
        let from = max(activity.accountedUntil, rules.measuredFrom).microseconds
        assert(activity.accountedUntil <= loop.now, "an activity's times go on, whatever is worked out")
        activity.accountedUntil = loop.now
        let to = loop.now.microseconds
        guard from < to else { return }
        var believedFreshUntil: Int64 = 0
        if let until = activity.instance?.freshUntil {
            believedFreshUntil = until.microseconds
            recorder.add(from: from, to: min(to, believedFreshUntil), column: .freshTime)
            recorder.add(from: max(from, believedFreshUntil), to: to, column: .recoverableTime)
            recorder.add(from: from, to: to, column: .monitoredTime)
        } else if let belief = activity.instance?.classification(at: loop.now) {
            switch belief {
            case .fresh, .recoverable: recorder.add(from: from, to: to, column: .recoverableTime)
            case .severe: recorder.add(from: from, to: to, column: .severeTime)
            }
            recorder.add(from: from, to: to, column: .monitoredTime)
        }
        if rules.hasCities { addTimesInCity(of: activity, from: from, to: to, believedFreshUntil: believedFreshUntil) }
        let stage = measuredStage(of: activity)
        if !activity.isRideOver { recorder.add(to - from, to: .rideTime, part: stage) }
        guard activity.phone.phase == .live else { return }
        let content = activity.phone.content
        let staleDate = content.staleDate.microseconds
        let silentFrom = max(from, world.monitor.policy.lapse(of: content).microseconds)
        let silentUntil = min(to, believedFreshUntil)
        recorder.add(from: from, to: to, column: .displayedTime)
        recorder.add(from: from, to: min(to, staleDate), column: .displayedFreshTime)
        recorder.add(from: max(from, staleDate), to: to, column: .displayedStaleTime)
        recorder.add(from: silentFrom, to: silentUntil, column: .silentlyStaleTime)
        recorder.add(to - from, to: .displayedTime, part: stage)
        switch activity.contentSource {
        case .start: break
        case .app: recorder.add(to - from, to: .displayedFromAppTime, part: stage)
        case .push: recorder.add(to - from, to: .displayedFromPushTime, part: stage)
        }
        if !activity.showsStage, !activity.isRideOver {
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
            recorder.add(to - max(from, staleDate), to: .staleTimeByCause, part: activity.cause)
        }
        recorder.add(max(0, min(to, staleDate) - from), to: .displayedFreshTime, part: stage)
        recorder.add(max(0, silentUntil - silentFrom), to: .silentlyStaleTime, part: stage)
    }

    /// Adds the same stretch [µs] to the windows of the activity's city.
    ///
    /// Never inlined: scenarios without cities are not to carry it along.
    @inline(never)
    private mutating func addTimesInCity(
        of activity: Handle<Activity>,
        from: Int64,
        to: Int64,
        believedFreshUntil: Int64
    ) {
        let city = Int(activity.city)
        let isRiding = !activity.isRideOver
        if activity.instance?.classification(at: loop.now) != nil {
            recorder.add(from: from, to: to, column: .monitoredTime, inCity: city)
            recorder.add(from: from, to: min(to, believedFreshUntil), column: .freshTime, inCity: city)
        }
        if isRiding { recorder.add(from: from, to: to, column: .rideTime, inCity: city) }
        guard activity.phone.phase == .live else { return }
        let freshUntil = min(to, activity.phone.content.staleDate.microseconds)
        recorder.add(from: from, to: to, column: .displayedTime, inCity: city)
        recorder.add(from: from, to: freshUntil, column: .displayedFreshTime, inCity: city)
        guard isRiding else { return }
        recorder.add(from: from, to: to, column: .rideDisplayedTime, inCity: city)
        recorder.add(from: from, to: freshUntil, column: .rideDisplayedFreshTime, inCity: city)
        if !activity.showsStage { recorder.add(from: from, to: to, column: .rideWrongStageTime, inCity: city) }
    }

    /// Accounts before content is confirmed, where that makes a difference.
    ///
    /// As long as the server believes the instance fresh, newer content only moves the end of that belief: the stretch
    /// goes on, and is added as one later.
    @inline(__always)
    mutating func accountUnlessFresh(_ activity: Handle<Activity>) {
        if let until = activity.instance?.freshUntil, loop.now <= until { return }
        account(activity)
    }

    /// Accounts before newer content is shown, where that makes a difference: not if both are before their stale dates, show
    /// the ride's stage and come from one source.
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

    /// Takes the lag of a stage that a screen may show for the first time.
    mutating func noteStageShown(_ activity: Handle<Activity>) {
        guard activity.showsStage, !activity.isStageSeen, !activity.isRideOver else { return }
        activity.isStageSeen = true
        recordStageLag(activity)
    }

    /// The stage of a ride is over: where no screen has shown it, that took as long as the stage itself.
    mutating func leaveStage(_ activity: Handle<Activity>) {
        if !activity.isStageSeen {
            recordStageLag(activity)
            if isMeasured { recorder.add(1, to: .stagesNeverShown, part: measuredStage(of: activity)) }
        }
        activity.isStageSeen = false
    }

    /// Takes the time since the beginning of a stage.
    ///
    /// It belongs to the instant at which it is known, as a recovery does.
    private mutating func recordStageLag(_ activity: Handle<Activity>) {
        guard isMeasured else { return }
        recorder.record(
            (loop.now - activity.stageBeganAt).microseconds,
            as: .stageLag,
            part: measuredStage(of: activity)
        )
    }

    /// The part under which times are kept: the stage, after the ride the one past the last, among those of the city.
    @inline(__always)
    mutating func measuredStage(of activity: Handle<Activity>) -> Int {
        Int(activity.city) &* (rules.stageCount &+ 1) &+ (activity.isRideOver ? rules.stageCount : activity.stage)
    }

    /// Takes the activities of a ride for which nothing is left to be sent.
    mutating func countWholeLife(_ activity: Handle<Activity>) {
        guard rules.measuredFrom <= activity.requestedAt, activity.life > 0 else { return }
        recorder.count(.wholeLives, by: Int64(activity.life))
        recorder.count(.requestsOfWholeLives, by: Int64(activity.requestCount))
    }

    // MARK: - Ages

    // Age of information is exact between events. The age of what a screen shows is a sawtooth: a tooth is measured when it
    // ends or when the ride passes to another stage, in whose name the rest of it is kept.

    /// Begins the account of a new life of an activity.
    mutating func beginAge(_ activity: Handle<Activity>) {
        activity.age = Activity.Age()
        activity.ageMeasuredUntil = loop.now
        recorder.beginAge(inPlace: activity.number)
    }

    /// Takes in how the age has grown since the last call.
    ///
    /// - Precondition: The activity is on the screen.
    @inline(__always)
    mutating func measureAge(_ activity: Handle<Activity>) {
        let from = max(activity.ageMeasuredUntil, rules.measuredFrom)
        guard from < loop.now else { return }
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

    /// Counts the age at which newer content takes over, in the stage in which it does.
    @inline(__always)
    mutating func countPeakAge(_ activity: Handle<Activity>) {
        guard isMeasured else { return }
        let age = (loop.now - activity.phone.content.generatedAt).microseconds
        recorder.record(age, as: .peakAge, part: measuredStage(of: activity))
    }

    /// Takes an activity that leaves the screen into the statistics in which every activity weighs the same.
    ///
    /// One without any measured time on the screen has no mean over time and is left out.
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

    /// Adds the time since the last call to the integrals of what the sender holds.
    ///
    /// Must be called before any of it changes.
    @inline(__always)
    mutating func integrateSender() {
        if streams.bound <= loop.now { bringSenderUp() }
        books.advance(to: loop.now, sender, &recorder)
    }

    /// Brings the sender up to now: streams are taken and come back as was worked out.
    ///
    /// What comes back at an instant comes before what is taken at it, and what is answered at it as an event, too.
    @inline(never)
    private mutating func bringSenderUp() {
        books.begin(at: loop.now, streams: sender.inFlight)
        // Where no stream is free, the first to come back ends that time: one that is taken before is a mistake.
        if sender.isSaturated { books.advance(to: min(streams.nextReturn, loop.now), sender, &recorder) }
        while true {
            // What happens at the end of a second is of the next one.
            let end = books.secondOver(at: loop.now)
            var level = StreamCalendar.Level(streams: sender.inFlight, most: 0)
            streams.follow(before: end ?? loop.now, includesReturns: end == nil, &level)
            books.requestsBegan(level.requests, most: level.most)
            if level.requests > 0, !sender.canHold(level.most) { hasErred = true }
            sender.changeAhead(to: level.streams)
            guard end != nil else { return }
            books.advance(to: min(streams.bound, loop.now), sender, &recorder)
        }
    }

    // MARK: - The end of the run

    mutating func closeBooks() {
        population.advance(to: loop.now, &recorder)
        for number in 0..<activities.count {
            guard let activity = activities.wake(number) else { continue }
            account(activity)
            closeEpisode(activity, .episodesAtHorizon)
            // Of a card that is left behind nothing more will come, however long it stays.
            if activity.isRideOver, activity.registration == .idle, activity.instance?.isClosed ?? true {
                countWholeLife(activity)
            } else if activity.life > 0 {
                count(.livesOpenAtHorizon)
            }
            if activity.phone.phase == .live {
                measureAge(activity)
                closeAge(activity)
                count(.liveAtHorizon)
            }
            search?.close(activity)
            activities.rest(number, at: loop.now)
        }
        integrateSender()
        books.finish(at: loop.now, &recorder)
        if rules.measuredFrom < loop.now {
            recorder.add((loop.now - rules.measuredFrom).microseconds, to: .measuredTime)
        }
        for number in 0..<pushes.count where pushes[number].isInUse {
            let push = pushes[number]
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
