import FreshnessCore
import Quantities
import SimulationKernel

/// Rides: requests, stages, cancellations, and the content that they cause.
extension CellSimulation {
    /// - Parameter subject: The subject of ``EventKind/arrival``.
    mutating func rideRequested(_ subject: UInt32) {
        guard subject == 0 else { return riderReturned(subject - 1) }
        guard let arrival = feed.next else { preconditionFailure("a request that was not announced") }
        if groups.isUsed { groupRequested(arrival) } else { request(arrival) }
        scheduleNextRequest()
    }

    /// Begins a ride.
    ///
    /// - Parameter group: The place of its group; nil if it belongs to none.
    /// - Returns: Its activity.
    @discardableResult
    mutating func request(_ arrival: ArrivalSequence.Arrival, in group: UInt32? = nil) -> Handle<Activity> {
        let activity = place(
            Activity(
                ride: arrival.ride,
                requestedAt: loop.now,
                traceRow: arrival.row ?? -1,
                segment: segment(ofRide: arrival.ride, city: arrival.city)
            )
        )
        begin(activity, in: group)
        return activity
    }

    /// Begins a ride that is requested now.
    mutating func begin(_ activity: Handle<Activity>, in group: UInt32? = nil) {
        enterCohort(of: activity)
        let leader = group.flatMap { joined(activity, group: $0) }
        if speculates { stepBegins(of: activity) }
        record(.arrival, of: activity)
        count(.ridesRequested)
        countInSegment(.ridesRequested, activity)
        log(activity, .requested)
        let number = cohort
        if number > 0 { log(activity, .joined(cohort: number)) }
        if groups.isUsed { logGroup(of: activity) }
        if isBookedAhead(activity) { count(.ridesBookedAhead) }
        if links.isUsed, RideNumber.count(before: activity.ride) > 0 {
            noteReturn(activity)
        } else {
            beginConnectivity(activity)
        }
        if let leader {
            follow(leader, activity)
        } else {
            let share = world.scenario.rides.cancellation.share
            activity.isToBeCancelled = activity.traceRow < 0 && happens(share, course(of: activity), .cancels)
            enterStage(activity)
            let start = PushIndex.push(kind: StoryLine.PushKind.start.rawValue, number: 0)
            setRefresh(activity, for: nextRefresh(activity, after: start))
        }
        beginStart(activity)
        scheduleRegistration(activity)
        activities.rest(activity.number, at: loop.now)
        population.advance(to: loop.now, &recorder)
    }

    /// Takes over the present stage and refresh of a ride with the same course.
    mutating func follow(_ leader: Handle<Activity>, _ activity: Handle<Activity>) {
        activity.stage = leader.stage
        activity.stageBeganAt = leader.stageBeganAt
        activity.movesOnAt = leader.movesOnAt
        activity.nextMove = leader.nextMove
        activity.isToBeCancelled = leader.isToBeCancelled
        activity.rematchCount = leader.rematchCount
        activity.refreshCount = leader.refreshCount
        activity.pushNumbers.follow(leader.pushNumbers)
        // Its screen cannot have shown the stage from the beginning on, so it has no lag.
        activity.isStageSeen = leader.stageBeganAt < loop.now
        log(activity, .stageBegan(activity.stage))
        schedule(.ride, subject: activity.number, at: activity.movesOnAt)
        setRefresh(activity, for: leader.refreshAlarm.due)
    }

    /// The segment of the fleet of a ride that is requested now.
    func segment(ofRide ride: UInt64, city: UInt8) -> UInt8 {
        world.cohorts.isEmpty
            ? city : city * UInt8(world.cohorts.count + 1) + world.cohort(ofRide: ride, at: loop.now, random)
    }

    /// Schedules the end of the current stage; a ride from a trace has it in its row.
    private mutating func enterStage(_ activity: Handle<Activity>) {
        let duration: TimeSpan
        if let trace = trace(of: activity) {
            duration = trace.duration
        } else {
            // A stage has a draw for each driver and each stop.
            let stop = stops.isUsed ? UInt32(stops[activity.number]) : 0
            let index = UInt32(activity.stage) | UInt32(activity.rematchCount) << 4 | stop << 20
            duration = span(own.samplers.stageDurations[activity.stage], course(of: activity), .stageDuration, index)
        }
        var end = loop.now + duration
        log(activity, .stageBegan(activity.stage))
        if !activity.isChannel { search?.stageBegan(activity, at: loop.now) }
        activity.nextMove = .onward
        if let rematching = world.rematching, rematching.from == activity.stage {
            let drop = dropInstant(activity)
            if drop < end { (end, activity.nextMove) = (drop, .rematching) }
        }
        if activity.isToBeCancelled, activity.stage <= world.lastCancellableStage {
            let after = span(own.samplers.cancelAfter, course(of: activity), .cancelAfter)
            let cancelAt = courseBegan(activity) + after
            // A cancellation time that passes during a stage without cancellations has no effect.
            if loop.now <= cancelAt, cancelAt < end { (end, activity.nextMove) = (cancelAt, .cancellation) }
        }
        activity.movesOnAt = end
        if !isSpeculating { schedule(.ride, subject: activity.number, at: end) }
        remindDevice(activity)
    }

    /// When the driver drops the ride, whose stage begins now, unless something else comes first; `never` if they do
    /// not.
    private func dropInstant(_ activity: Handle<Activity>) -> Instant {
        let driver = UInt32(activity.rematchCount)
        guard happens(world.scenario.rides.rematching.share, course(of: activity), .driverDrops, driver) else {
            return .never
        }
        return loop.now + span(own.samplers.rematchAfter, course(of: activity), .driverDropsAfter, driver)
    }

    // MARK: - Traced rides

    /// The trace row of a ride: the length of its current stage, the number of stages, and whether the ride was
    /// cancelled after them.
    ///
    /// Nil for a ride that is not from a trace.
    @inline(__always)
    private func trace(of activity: Handle<Activity>) -> (
        duration: TimeSpan, stageCount: Int, isCancelled: Bool
    )? {
        activity.traceRow >= 0 ? tracedRide(activity) : nil
    }

    // Not inlined, because references to the trace are counted and rides without a trace should not pay for that.
    @inline(never)
    private func tracedRide(_ activity: Handle<Activity>) -> (TimeSpan, Int, Bool) {
        guard let ride = world.scenario.rides.trace?.rides[Int(activity.traceRow)] else { return (.zero, 0, false) }
        return (ride.duration(ofStage: activity.stage), ride.stageCount, ride.isCancelled)
    }

    // MARK: - Stages

    mutating func rideMovesOn(_ activity: Handle<Activity>) {
        // Speculation may have been here before the event.
        guard activity.isInUse, activity.movesOnAt == loop.now else { return }
        record(.ride, of: activity)
        account(activity)
        if activity.phone.phase == .live {
            // The rest of the tooth belongs to the next stage.
            measureAge(activity)
            closeBar(activity)
        }
        leaveStage(activity)
        let trace = trace(of: activity)
        let isLast = activity.stage + 1 == trace?.stageCount ?? rules.stageCount
        switch activity.nextMove {
        case .cancellation:
            endRide(activity, isCancelled: true)
        case .rematching:
            dropDriver(activity)
        case .onward where makesStop(activity):
            moveOn(activity, to: world.stops?.to ?? activity.stage)
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
        downloadPhoto(activity)
        announceStage(activity)
        remindMonitor(activity)
    }

    /// Returns `true` if the ride makes another stop after a stage that is over, which is counted.
    @inline(__always)
    private mutating func makesStop(_ activity: Handle<Activity>) -> Bool {
        guard stops.isUsed, let rule = world.stops, activity.stage == rule.from, stops[activity.number] < rule.most,
            happens(rule.share, activity, .makesStop, UInt32(stops[activity.number]))
        else { return false }
        stops[activity.number] += 1
        count(.stopsMade, exampleAt: activity)
        return true
    }

    /// The driver drops the ride; it waits for another driver, whose photo must be sent.
    private mutating func dropDriver(_ activity: Handle<Activity>) {
        guard let rematching = world.rematching else { preconditionFailure("a driver who cannot drop the ride") }
        if !activity.isChannel { count(.ridesRematched, exampleAt: activity) }
        log(activity, .driverDropped)
        activity.rematchCount &+= 1
        activity.isPhotoSent = false
        driverChanged(activity)
        if pictures.isUsed { pictures[activity.number].isCarSent = false }
        moveOn(activity, to: rematching.to)
    }

    /// Announces the new stage through the server, and through the app while it is running.
    private mutating func announceStage(_ activity: Handle<Activity>) {
        // A refresh interval continues across a stage change only if it began before and the new stage has refreshes.
        let isWaiting = activity.refreshAlarm.due != .never
        let hasRefreshes =
            own.samplers.stageRefreshes[activity.stage] != nil || rules.refreshWhenMoved != nil
        let restarts = rules.refreshesRestart || !isWaiting || !hasRefreshes
        let due = restarts ? nextRefresh(activity, after: activity.pushNumbers.nextOccasion) : activity.refreshAlarm.due
        updateLocally(activity)
        sendUpdate(activity, priority: own.content.stateChangePriority)
        if restarts { setRefresh(activity, for: due) }
    }

    private mutating func endRide(_ activity: Handle<Activity>, isCancelled: Bool) {
        if !isAhead { population.advance(to: loop.now, &recorder) }
        activity.isRideOver = true
        activity.movesOnAt = .never
        if endedCards.isUsed { endedCards[activity.number].rideEndedAt = loop.now }
        activity.isCancelled = isCancelled
        endOfRideArose(activity)
        activity.entity.pointee.refreshAlarm.callOff()
        if !activity.isChannel { count(isCancelled ? .ridesCancelled : .ridesCompleted) }
        log(activity, .rideEnded(isCancelled: isCancelled))
        if activity.phone.phase == .waiting {
            abandonStart(activity)
        }
        // An app that is still running ends its activity itself; otherwise the server must.
        if activity.phone.phase == .live, isAppAlive(activity) {
            // An app that asks the server for content ends its card without any while it cannot.
            let hasContent =
                rules.leavesCards
                && (!rules.appNeedsConnection
                    || connected(activity, notBefore: loop.now) == loop.now && appGetsContent(activity))
            endActivity(
                activity,
                reason: isCancelled ? .cancelled : .rideOver,
                by: .app,
                showing: hasContent ? currentContent() : nil
            )
        }
        endInstance(activity)
        if activity.isChannel { closeLostChannel(activity) }
        remindDevice(activity)
        scheduleRegistration(activity)
        if links.isUsed { rideEndedOnPhone(activity) }
        releaseIfOver(activity)
    }

    // MARK: - Refreshes

    /// Sets the next refresh; none for `never`.
    @inline(__always)
    private mutating func setRefresh(_ activity: Handle<Activity>, for instant: Instant) {
        guard instant != .never else {
            activity.entity.pointee.refreshAlarm.callOff()
            return
        }
        set(&activity.entity.pointee.refreshAlarm, of: activity, for: instant, .refresh)
    }

    /// When the next refresh is due if its interval begins now; `never` if there is none.
    ///
    /// - Parameter index: The index of the update, or of the start, that begins the interval; each has an interval of
    ///   its own.
    @inline(__always)
    private func nextRefresh(_ activity: Handle<Activity>, after index: UInt32) -> Instant {
        if rules.hasFixedUpdates {
            guard Int(activity.refreshCount) < own.content.updatesAt.count else { return .never }
            return max(loop.now, courseBegan(activity) + own.content.updatesAt[Int(activity.refreshCount)])
        }
        guard let sampler = own.samplers.stageRefreshes[activity.stage] else {
            guard let eta = own.eta, let policy = rules.refreshWhenMoved else { return .never }
            return refreshWhenMoved(activity, policy, eta)
        }
        return loop.now + refreshPause(sampler, activity, after: index)
    }

    /// The length of the refresh interval that begins with an update.
    ///
    /// An interval that is cut short by a stage change is not drawn again, because the change has an index of its own.
    @inline(__always)
    func refreshPause(_ pauses: SamplerID, _ activity: Handle<Activity>, after index: UInt32) -> TimeSpan {
        refreshPause(
            pauses,
            random.draws(entity: course(of: activity), purpose: Purpose.content.rawValue, index: index).second
        )
    }

    /// The length of the refresh interval for a draw; at least one microsecond, because otherwise time would not
    /// advance.
    @inline(__always)
    func refreshPause(_ pauses: SamplerID, _ draw: @autoclosure () -> UInt64) -> TimeSpan {
        max(own.bank.timeSpan(pauses, draw()), TimeSpan(microseconds: 1))
    }

    mutating func refreshCameUp(_ activity: Handle<Activity>) {
        guard rings(&activity.entity.pointee.refreshAlarm, of: activity, .refresh) else { return }
        if isSpeculating, refreshFast(activity) { return }
        refresh(activity)
        remindMonitor(activity)
    }

    @inline(__always)
    private mutating func refresh(_ activity: Handle<Activity>) {
        record(.refresh, of: activity)
        activity.refreshCount += 1
        // Computed early, so that the draw is available by the time the push has been created.
        let next = nextRefresh(activity, after: activity.pushNumbers.nextOccasion)
        if isAppAlive(activity) { updateLocally(activity) }
        sendUpdate(activity, priority: rules.refreshPriority)
        setRefresh(activity, for: next)
    }

    // MARK: - Content

    /// Content that is generated now, with its stale date.
    @inline(__always)
    func currentContent() -> ContentStamp { content(generatedAt: loop.now) }

    /// Content with its stale date.
    @inline(__always)
    func content(generatedAt instant: Instant) -> ContentStamp {
        ContentStamp(generatedAt: instant, staleDate: instant + rules.ttl)
    }

    /// `true` if the server can generate content.
    @inline(__always)
    var canGenerateContent: Bool {
        !FaultTimeline.any(world.faults.contentDown, cover: loop.now)
    }
}
