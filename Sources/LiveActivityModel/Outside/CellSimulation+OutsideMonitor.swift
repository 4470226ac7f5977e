import FreshnessCore
import Quantities
import SimulationKernel

/// A cell whose monitor is outside: it has rides, phones and the app's server, and sends nothing itself.
///
/// ```
///   ride ─► content ─► outbox ─► shell ─► monitor, somewhere ─► APNs ─┐
///   phone ─► token, report ─►┘                                        │
///     ▲                                                               │
///     └──────────────────────────── pushed ◄──────────────────────────┘
/// ```
///
/// There are no instances in here then, so nothing of what the server believes is measured: that knows the monitor.
extension CellSimulation {
    // MARK: - What the app's server tells

    /// New content, unless there is none to be had or nobody to show it.
    mutating func announceOutside(_ activity: Place<Activity>, priority: PushPriority) {
        guard activity.serverToken != 0, !isWithinMinimumInterval(activity) else { return }
        guard canGenerateContent else {
            count(.pushesWithoutContent)
            tell(activity, .notSent(.update, reason: .noContent))
            return
        }
        let payload = makePayload(activity, kind: .update, index: nextIndex(activity, kind: .update))
        contentArose(activity, at: .inFlight)
        activity.lastUpdateAt = loop.now
        tellMonitor(activity, .content(payload.content, priority: priority, bytes: Int(payload.bytes)))
    }

    /// The phone's token has come in.
    ///
    /// - Parameter isFirst: Whether the activity had none before.
    mutating func publishOutside(_ activity: Place<Activity>, isFirst: Bool) {
        let shown = isFirst ? activity.firstContent : nil
        tellMonitor(activity, .token(number: activity.tokenNumber, shown: shown))
        if activity.isRideOver {
            tellMonitor(activity, .rideOver)
        } else if !activity.isStageAnnounced {
            // The ride has moved on since the content that the phone began with.
            announce(activity, priority: world.scenario.content.stateChangePriority)
        }
    }

    /// The phone has reported its own end; a monitor that never had a token needs not know.
    mutating func withdrawOutside(_ activity: Place<Activity>) {
        guard activity.serverToken != 0 else { return }
        tellMonitor(activity, .withdrawal)
    }

    /// The ride is over.
    mutating func endOutside(_ activity: Place<Activity>) {
        guard activity.serverToken != 0 else { return }
        tellMonitor(activity, .rideOver)
    }

    private mutating func tellMonitor(_ activity: Place<Activity>, _ message: ServerNews.Message) {
        let instance = ServerNews.Instance(ride: activity.ride, life: activity.life)
        outbox.append(.server(ServerNews(instance: instance, message: message, at: loop.now)))
    }

    // MARK: - What reaches phones

    /// A push is at a phone, or at APNs' store for it where it has no connection.
    mutating func reach(_ arrival: PhonePush, at instant: Instant) {
        guard let number = placesByRide[arrival.ride] else {
            count(.fateAfterEnd)
            return
        }
        let activity = activities[number]
        // A token from before a swipe belongs to the activity that was swiped away.
        let isCurrent = arrival.tokenNumber > activity.formerTokens
        var push = Push(
            activity: number,
            ride: activity.ride,
            life: isCurrent ? activity.life : activity.life &- 1,
            kind: arrival.isEnd ? .end : .update,
            priority: arrival.priority,
            index: 0,
            rank: 0,
            payload: Push.Payload(content: arrival.content, timestamp: arrival.timestamp, bytes: 0),
            queuedAt: loop.now
        )
        push.standing = .done
        push.token = arrival.tokenNumber
        push.sentAt = instant
        push.isCounted = isMeasured
        if arrival.isEnd, isCurrent {
            noteGivenUp(activity)
        }
        deliver(pushes.take(push), at: instant)
    }

    /// An end has come; while the ride goes on, only a monitor that has given the activity up sends one.
    private mutating func noteGivenUp(_ activity: Place<Activity>) {
        guard !activity.isRideOver, !activity.isGivenUp, activity.phone.phase == .live else { return }
        giveUp(activity)
        if isScreenFresh(activity) {
            count(.falseKills, exampleAt: activity)
        }
        count(in: .endedSevere)
    }

    // MARK: - Places

    @inline(__always)
    mutating func rememberPlace(of activity: Place<Activity>) {
        if hasOutsideMonitor { placesByRide[activity.ride] = activity.number }
    }

    @inline(__always)
    mutating func forgetPlace(of activity: Place<Activity>) {
        if hasOutsideMonitor { placesByRide[activity.ride] = nil }
    }
}
