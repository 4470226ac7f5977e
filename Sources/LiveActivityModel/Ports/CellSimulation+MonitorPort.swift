import FreshnessCore
import Quantities
import SimulationKernel

/// The monitor port: what the app's server tells a monitor goes out through it, and pushes to phones come in.
///
/// ```
///   ride ─► content ─► port ─► host ─► monitor ─► APNs ─┐
///   phone ─► token, report ─►┘                          │
///     ▲                                                 │
///     └──────────────────── pushed ◄────────────────────┘
/// ```
///
/// A cell without a monitor has no instances, so it measures nothing of what the server believes: that is the monitor's.
extension CellSimulation {
    // MARK: - What the app's server tells

    /// New content for a remote monitor, if it has the activity's token and content can be generated.
    mutating func announceThroughPort(_ activity: Handle<Activity>, priority: PushPriority) {
        guard ports.hasRemoteMonitor, activity.serverToken != 0, !isWithinMinimumInterval(activity) else { return }
        guard canGenerateContent else {
            count(.pushesWithoutContent)
            tell(activity, .notSent(.update, reason: .noContent))
            return
        }
        let payload = makePayload(activity, kind: .update, index: nextIndex(activity, kind: .update))
        contentArose(activity, at: .inFlight)
        activity.pace.updated(at: loop.now)
        tellRemoteMonitor(activity, .content(payload.content, priority: priority, bytes: Int(payload.bytes)))
    }

    /// The phone's token has come in.
    ///
    /// - Parameter isFirst: Whether the activity had none before.
    mutating func publishThroughPort(_ activity: Handle<Activity>, isFirst: Bool) {
        activity.monitor.tokenNoted(activity.tokenNumber)
        tellRemoteMonitor(activity, .token(number: activity.tokenNumber, shown: isFirst ? activity.firstContent : nil))
        if activity.isRideOver {
            tellRemoteMonitor(activity, .rideOver)
        } else if !activity.isStageAnnounced {
            // The ride has moved on since the content that the phone began with.
            announce(activity, priority: world.scenario.content.stateChangePriority)
        }
    }

    /// Tells a remote monitor about an activity whose token it has; the cell's own is told where this is called.
    @inline(__always)
    mutating func tellRemoteMonitor(_ activity: Handle<Activity>, _ message: @autoclosure () -> ServerNews.Message) {
        guard ports.hasRemoteMonitor, activity.serverToken != 0 else { return }
        let instance = ServerNews.Instance(ride: activity.ride, life: activity.life)
        ports.send(.server(ServerNews(instance: instance, message: message(), at: loop.now)))
    }

    // MARK: - What reaches phones

    /// A push is at a phone, or at APNs' store for it where it has no connection.
    mutating func reach(_ arrival: PhonePush, at instant: Instant) {
        guard let number = ports.number(ofRide: arrival.ride) else {
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
            kind: arrival.event.kind,
            priority: arrival.priority,
            index: 0,
            rank: 0,
            passage: SenderPassage(offeredAt: loop.now),
            payload: Push.Payload(content: arrival.content, timestamp: arrival.timestamp, bytes: 0)
        )
        push.passage.ends()
        push.token = arrival.tokenNumber
        push.sentAt = instant
        push.isCounted = isMeasured
        if arrival.event == .end, isCurrent {
            noteGivenUp(activity)
        }
        deliver(place(push), at: instant)
    }

    /// An end has come; while the ride goes on, only a monitor that has given the activity up sends one.
    private mutating func noteGivenUp(_ activity: Handle<Activity>) {
        guard !activity.isRideOver, !activity.isGivenUp, activity.phone.phase == .live else { return }
        giveUp(activity)
        if isScreenFresh(activity) {
            count(.falseKills, exampleAt: activity)
        }
        count(in: .endedSevere)
    }
}

extension PushEvent {
    /// The same, as the kind of a push.
    fileprivate var kind: StoryLine.PushKind {
        switch self {
        case .start: .start
        case .update: .update
        case .end: .end
        }
    }
}
