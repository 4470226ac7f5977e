import FreshnessCore
import Quantities
import SimulationKernel

/// Rides: requests, stages, cancellations, and the content that they give rise to.
extension CellSimulation {
    mutating func rideRequested() {
        guard let arrival = feed.next else { preconditionFailure("a request that was not announced") }
        let activity = place(
            Activity(
                ride: arrival.ride,
                requestedAt: loop.now,
                traceRow: Int32(arrival.row ?? -1),
                city: arrival.city
            )
        )
        record(.arrival, of: activity)
        count(.ridesRequested)
        countInCity(.ridesRequested, activity)
        tell(activity, .requested)
        if arrival.row == nil, happens(world.scenario.rides.cancellation.share, activity, .cancels) {
            activity.isToBeCancelled = true
        }
        beginConnectivity(activity)
        enterStage(activity)
        let start = PushIndex.push(kind: StoryLine.PushKind.start.rawValue, number: 0)
        setRefresh(activity, for: nextRefresh(activity, after: start))
        beginStart(activity)
        appointRegistration(activity)
        activities.rest(activity.number, at: loop.now)
        population.advance(to: loop.now, &recorder)
        scheduleNextRequest()
    }

    /// Sets the end of the current stage, which for a traced ride stands in the trace.
    private mutating func enterStage(_ activity: Handle<Activity>) {
        let duration: TimeSpan
        if let trace = trace(of: activity) {
            duration = trace.duration
        } else {
            // A stage has a draw for each driver.
            let index = UInt32(activity.stage) | UInt32(activity.rematchCount) << 4
            duration = span(world.samplers.stageDurations[activity.stage], activity, .stageDuration, index)
        }
        var end = loop.now + duration
        tell(activity, .stageBegan(activity.stage))
        search?.stageBegan(activity, at: loop.now)
        activity.nextMove = .onward
        if let rematching = world.rematching, rematching.from == activity.stage {
            let drop = dropInstant(activity)
            if drop < end { (end, activity.nextMove) = (drop, .rematching) }
        }
        if activity.isToBeCancelled, activity.stage <= world.lastCancellableStage {
            let cancelAt = activity.requestedAt + span(world.samplers.cancelAfter, activity, .cancelAfter)
            // A time to give up that passes in a stage without cancellations does not come again.
            if loop.now <= cancelAt, cancelAt < end { (end, activity.nextMove) = (cancelAt, .cancellation) }
        }
        activity.movesOnAt = end
        schedule(.ride, subject: activity.number, at: end)
        remindDevice(activity)
    }

    /// When the driver drops the ride, whose stage begins now, if nothing comes first; `never` if not at all.
    private mutating func dropInstant(_ activity: Handle<Activity>) -> Instant {
        let driver = UInt32(activity.rematchCount)
        guard happens(world.scenario.rides.rematching.share, activity, .driverDrops, driver) else { return .never }
        return loop.now + span(world.samplers.rematchAfter, activity, .driverDropsAfter, driver)
    }

    // MARK: - Traced rides

    /// What the trace says of a ride: how long its present stage takes, how many it has, and whether it was given up after them;
    /// nil for a ride of no trace.
    @inline(__always)
    private mutating func trace(of activity: Handle<Activity>) -> (
        duration: TimeSpan, stageCount: Int, isCancelled: Bool
    )? {
        activity.traceRow >= 0 ? tracedRide(activity) : nil
    }

    // Looked up out of line: references to the trace are counted, which rides without one are not to pay for. And mutating, though nothing is: what is called out of line without being mutating is handed a copy
    // of the whole cell.
    @inline(never)
    private mutating func tracedRide(_ activity: Handle<Activity>) -> (TimeSpan, Int, Bool) {
        guard let ride = world.scenario.rides.trace?.rides[Int(activity.traceRow)] else { return (.zero, 0, false) }
        return (ride.duration(ofStage: activity.stage), ride.stageCount, ride.isCancelled)
    }

    // MARK: - Stages

    mutating func rideMovesOn(_ activity: Handle<Activity>) {
        record(.ride, of: activity)
        account(activity)
        if activity.phone.phase == .live {
            // The rest of the tooth belongs to another stage.
            measureAge(activity)
        }
        leaveStage(activity)
        let trace = trace(of: activity)
        let isLast = activity.stage + 1 == trace?.stageCount ?? rules.stageCount
        switch activity.nextMove {
        case .cancellation:
            endRide(activity, isCancelled: true)
        case .rematching:
            dropDriver(activity)
        case .onward where isLast:
            endRide(activity, isCancelled: trace?.isCancelled ?? false)
        case .onward:
            moveOn(activity, to: activity.stage + 1)
        }
    }

    private mutating func moveOn(_ activity: Handle<Activity>, to stage: Int) {
        activity.stage = stage
        activity.stageBeganAt = loop.now
        activity.isStageAnnounced = false
        enterStage(activity)
        announceStage(activity)
        remindMonitor(activity)
    }

    /// The driver drops the ride: it waits for another one, whose photo is due once more.
    private mutating func dropDriver(_ activity: Handle<Activity>) {
        guard let rematching = world.rematching else { preconditionFailure("a driver who cannot drop the ride") }
        count(.ridesRematched, exampleAt: activity)
        tell(activity, .driverDropped)
        activity.rematchCount &+= 1
        activity.isPhotoSent = false
        moveOn(activity, to: rematching.to)
    }

    /// The server has something new to say, and the app too while it lives.
    private mutating func announceStage(_ activity: Handle<Activity>) {
        // A wait goes on over a state change only where it began before and there are refreshes after it.
        let isWaiting = activity.refreshAlarm.due != .never
        let hasRefreshes = world.samplers.stageRefreshes[activity.stage] != nil
        let restarts = rules.refreshesRestart || !isWaiting || !hasRefreshes
        let due = restarts ? nextRefresh(activity, after: activity.pushNumbers.nextOccasion) : activity.refreshAlarm.due
        updateLocally(activity)
        sendUpdate(activity, priority: world.scenario.content.stateChangePriority, before: due)
        if restarts { setRefresh(activity, for: due) }
    }

    private mutating func endRide(_ activity: Handle<Activity>, isCancelled: Bool) {
        population.advance(to: loop.now, &recorder)
        activity.isRideOver = true
        activity.movesOnAt = .never
        activity.isCancelled = isCancelled
        endOfRideArose(activity)
        activity.entity.pointee.refreshAlarm.callOff()
        count(isCancelled ? .ridesCancelled : .ridesCompleted)
        tell(activity, .rideEnded(isCancelled: isCancelled))
        if activity.phone.phase == .waiting {
            abandonStart(activity)
        }
        // An app that still lives ends its activity by itself; otherwise that is the server's task.
        if activity.phone.phase == .live, isAppAlive(activity) {
            endActivity(activity, reason: isCancelled ? .cancelled : .rideOver)
        }
        if !workOutEnd(activity) {
            endInstance(activity)
            remindDevice(activity)
        }
        appointRegistration(activity)
        releaseIfOver(activity)
    }

    // MARK: - Refreshes

    /// Sets the alarm for a refresh, or for the first after it that is not worked out at once; for `never` there is none.
    @inline(__always)
    private mutating func setRefresh(_ activity: Handle<Activity>, for instant: Instant) {
        guard instant != .never else {
            activity.entity.pointee.refreshAlarm.callOff()
            return
        }
        appointRefresh(activity, for: foresee(activity, from: instant))
    }

    /// Sets the alarm for a refresh.
    ///
    /// A refresh that is due after the ride's next move needs no event, because the move restarts the wait. One that is due at
    /// the move's instant has an event: the move comes first, but a wait may go on over it.
    @inline(__always)
    private mutating func appointRefresh(_ activity: Handle<Activity>, for instant: Instant) {
        if isOptimistic, rules.refreshesRestart, instant > activity.movesOnAt {
            activity.entity.pointee.refreshAlarm.note(instant)
        } else {
            set(&activity.entity.pointee.refreshAlarm, of: activity, for: instant, .refresh)
        }
    }

    /// When the next refresh is due, if the wait for it begins now; `never` when there is none.
    ///
    /// - Parameter index: That of the update after which it comes, or of the start: each has a wait of its own.
    @inline(__always)
    private mutating func nextRefresh(_ activity: Handle<Activity>, after index: UInt32) -> Instant {
        if rules.hasFixedUpdates {
            guard Int(activity.refreshCount) < world.scenario.content.updatesAt.count else { return .never }
            return max(loop.now, activity.requestedAt + world.scenario.content.updatesAt[Int(activity.refreshCount)])
        }
        guard let sampler = world.samplers.stageRefreshes[activity.stage] else { return .never }
        return loop.now + refreshPause(sampler, activity, after: index)
    }

    /// How long the wait for a refresh takes that begins with an update.
    ///
    /// A wait that a state change cuts short does not come again: the change has an index of its own.
    @inline(__always)
    mutating func refreshPause(_ pauses: SamplerID, _ activity: Handle<Activity>, after index: UInt32) -> TimeSpan {
        refreshPause(
            pauses,
            random.draws(entity: activity.ride, purpose: Purpose.content.rawValue, index: index).second
        )
    }

    /// The same by its draw: a wait without any pause would never let time pass.
    @inline(__always)
    func refreshPause(_ pauses: SamplerID, _ draw: @autoclosure () -> UInt64) -> TimeSpan {
        max(world.bank.timeSpan(pauses, draw()), TimeSpan(microseconds: 1))
    }

    mutating func refreshCameUp(_ activity: Handle<Activity>) {
        if rings(&activity.entity.pointee.refreshAlarm, of: activity, .refresh) { refresh(activity) }
        remindMonitor(activity)
    }

    @inline(__always)
    private mutating func refresh(_ activity: Handle<Activity>) {
        let due = foresee(activity, from: loop.now)
        guard due == loop.now else {
            appointRefresh(activity, for: due)
            return
        }
        record(.refresh, of: activity)
        activity.refreshCount += 1
        // Drawn before the push is made and needed after it: by then the draw is there.
        let next = nextRefresh(activity, after: activity.pushNumbers.nextOccasion)
        if isAppAlive(activity) { updateLocally(activity) }
        sendUpdate(activity, priority: rules.refreshPriority, before: next)
        setRefresh(activity, for: next)
    }

    // MARK: - Content

    /// Content generated now, with its stale date.
    mutating func currentContent() -> ContentStamp {
        ContentStamp(generatedAt: loop.now, staleDate: loop.now + rules.ttl)
    }

    /// Whether the server can generate content at all.
    @inline(__always)
    var canGenerateContent: Bool {
        !FaultTimeline.any(world.faults.contentDown, cover: loop.now)
    }
}
