import FreshnessCore
import Quantities
import RandomStreams
import SimulationKernel

/// Rides: requests, stages, cancellations, and the content that they give rise to.
extension CellSimulation {
    /// Finds this cell's next ride and schedules its request.
    mutating func scheduleNextArrival() {
        repeat {
            nextArrival = arrivals.next()
        } while nextArrival.map { world.cell(ofRide: $0.ride) != cell } ?? false
        if let nextArrival {
            schedule(.arrival, subject: 0, at: nextArrival.at, priority: .update)
        }
    }

    mutating func rideRequested() {
        guard let arrival = nextArrival else { preconditionFailure("an arrival that nobody announced") }
        let slot = place(Activity(ride: arrival.ride, requestedAt: loop.now, traceRow: arrival.row ?? -1))
        record(.arrival, of: slot)
        count(.ridesRequested)
        tell(slot, .requested)
        if arrival.row == nil, happens(world.scenario.rides.cancellation.share, slot, .cancels) {
            activities[Int(slot)].cancelAt = loop.now + span(world.samplers.cancelAfter, slot, .cancelAfter)
        }
        beginConnectivity(slot)
        enterStage(slot)
        restartRefreshes(slot)
        beginStart(slot)
        scheduleNextArrival()
    }

    /// Sets the end of the current stage, which for a traced ride stands in the trace.
    private mutating func enterStage(_ slot: UInt32) {
        let activity = activities[Int(slot)]
        let duration: TimeSpan
        if let ride = tracedRide(activity) {
            duration = activity.stage < ride.stages.count ? ride.stages[activity.stage] : .zero
        } else {
            duration = span(
                world.samplers.stageDurations[activity.stage],
                slot,
                .stageDuration,
                UInt32(activity.stage)
            )
        }
        let end = loop.now + duration
        activities[Int(slot)].stageEnd = end
        tell(slot, .stageBegan(activity.stage))
        let isCancellable = activity.stage <= world.lastCancellableStage
        let next = isCancellable ? min(end, max(loop.now, activity.cancelAt)) : end
        setAlarm(.ride, of: slot, for: next)
    }

    private func tracedRide(_ activity: Activity) -> TracedRide? {
        activity.traceRow < 0 ? nil : world.scenario.rides.trace?.rides[activity.traceRow]
    }

    mutating func rideAlarmRang(_ slot: UInt32) {
        record(.ride, of: slot)
        account(slot)
        if activities[Int(slot)].phase == .live {
            // The rest of the tooth belongs to another stage.
            measureAge(slot)
        }
        let activity = activities[Int(slot)]
        let traced = tracedRide(activity)
        let isLast = activity.stage + 1 == (traced?.stages.count ?? world.scenario.rides.stages.count)
        if loop.now < activity.stageEnd {
            endRide(slot, isCancelled: true)
        } else if isLast {
            endRide(slot, isCancelled: traced?.isCancelled ?? false)
        } else {
            activities[Int(slot)].stage += 1
            enterStage(slot)
            announceStage(slot)
        }
    }

    /// The server has something new to say, and the app too while it lives.
    private mutating func announceStage(_ slot: UInt32) {
        // A wait goes on over a state change only where it began before and there are refreshes after it.
        let activity = activities[Int(slot)]
        let isWaiting = activity.alarms[.refresh].due != .never
        let hasRefreshes = world.samplers.stageRefreshes[activity.stage] != nil
        if world.scenario.content.refreshRestartsAtStateChange || !isWaiting || !hasRefreshes {
            restartRefreshes(slot)
        }
        updateLocally(slot)
        sendUpdate(slot, priority: world.scenario.content.stateChangePriority)
    }

    private mutating func endRide(_ slot: UInt32, isCancelled: Bool) {
        activities[Int(slot)].isRideOver = true
        activities[Int(slot)].isCancelled = isCancelled
        callOffAlarm(.refresh, of: slot)
        count(isCancelled ? .ridesCancelled : .ridesCompleted)
        tell(slot, .rideEnded(isCancelled: isCancelled))
        if activities[Int(slot)].phase == .starting {
            abandonStart(slot)
        }
        // An app that still lives ends its activity by itself; otherwise that is the server's task.
        if activities[Int(slot)].phase == .live, isAppAlive(slot) {
            endActivity(slot, reason: isCancelled ? .cancelled : .rideOver)
        }
        endInstance(slot)
        releaseIfOver(slot)
    }

    // MARK: - Refreshes

    /// Starts the wait for the next ETA refresh anew.
    mutating func restartRefreshes(_ slot: UInt32) {
        let activity = activities[Int(slot)]
        guard !activity.isRideOver else { return }
        let due: Instant
        if !world.scenario.content.updatesAt.isEmpty {
            guard Int(activity.refreshCount) < world.scenario.content.updatesAt.count else { return }
            due = activity.requestedAt + world.scenario.content.updatesAt[Int(activity.refreshCount)]
        } else if let sampler = world.samplers.stageRefreshes[activity.stage] {
            // A refresh without any pause would never let time pass.
            let pause = span(sampler, slot, .refreshInterval, activity.refreshWaits)
            activities[Int(slot)].refreshWaits += 1
            due = loop.now + max(pause, TimeSpan(microseconds: 1))
        } else {
            callOffAlarm(.refresh, of: slot)
            return
        }
        setAlarm(.refresh, of: slot, for: max(due, loop.now))
    }

    mutating func refreshAlarmRang(_ slot: UInt32) {
        record(.refresh, of: slot)
        activities[Int(slot)].refreshCount += 1
        restartRefreshes(slot)
        updateLocally(slot)
        sendUpdate(slot, priority: world.scenario.content.refreshPriority)
    }

    // MARK: - Content

    /// Content generated now, with its stale date.
    func currentContent() -> ContentStamp {
        ContentStamp(generatedAt: loop.now, staleDate: loop.now + world.scenario.content.ttl)
    }

    /// Whether the server can generate content at all.
    var canGenerateContent: Bool {
        !FaultTimeline.any(world.faults.contentDown, cover: loop.now)
    }
}
