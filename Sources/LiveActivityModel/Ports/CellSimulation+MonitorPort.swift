import FreshnessCore
import Quantities
import SimulationKernel

/// The monitor port: it passes the messages of the app's server to a monitor, and pushes to phones.
///
/// ```
///   ride ─► content ─► port ─► host ─► monitor ─► APNs ─┐
///   phone ─► token, report ─►┘                          │
///     ▲                                                 │
///     └──────────────────── pushed ◄────────────────────┘
/// ```
///
/// A cell without a monitor has no instances, so it does not measure the server's belief; the monitor does.
extension CellSimulation {
    // MARK: - Messages of the app's server

    /// Passes new content to a remote monitor, if it has the activity's token and content can be generated.
    mutating func announceThroughPort(_ activity: Handle<Activity>, priority: PushPriority) {
        guard ports.hasRemoteMonitor, activity.serverToken != 0, !isWithinMinimumInterval(activity) else { return }
        guard canGenerateContent else {
            count(.pushesWithoutContent)
            log(activity, .notSent(.update, reason: .noContent))
            return
        }
        let payload = makePayload(activity, kind: .update, index: nextIndex(activity, kind: .update), currentContent())
        contentArose(activity, at: .inFlight)
        activity.pace.updated(at: loop.now)
        if payload.alerts { count(.alertsSent) }
        tellRemoteMonitor(
            activity,
            .content(payload.content, priority: priority, bytes: Int(payload.bytes), alerts: payload.alerts)
        )
    }

    /// Passes the phone's token on.
    ///
    /// - Parameter isFirst: `true` if the activity had no token before.
    mutating func publishThroughPort(_ activity: Handle<Activity>, isFirst: Bool) {
        activity.monitor.tokenNoted(activity.tokenNumber)
        tellRemoteMonitor(activity, .token(number: activity.tokenNumber, shown: isFirst ? activity.firstContent : nil))
        if activity.isRideOver {
            tellRemoteMonitor(activity, .rideOver)
        } else {
            sendContentOnToken(activity, isStageNew: !activity.isStageAnnounced)
        }
    }

    /// Sends a message to a remote monitor about an activity whose token it has; the cell's own monitor is notified by
    /// the callers.
    @inline(__always)
    mutating func tellRemoteMonitor(_ activity: Handle<Activity>, _ message: @autoclosure () -> ServerNews.Message) {
        guard ports.hasRemoteMonitor, activity.serverToken != 0 else { return }
        let instance = ServerNews.Instance(ride: activity.ride, life: activity.life)
        ports.send(.server(ServerNews(instance: instance, message: message(), at: loop.now)))
    }

    // MARK: - Pushes to phones

    /// Handles a push that has reached a phone, or APNs' store if the phone is offline.
    mutating func reach(_ arrival: PhonePush, at instant: Instant) {
        guard let number = ports.number(ofRide: arrival.ride) else {
            count(.fateAfterEnd)
            return
        }
        let activity = activities[number]
        enterCohort(of: activity)
        // A token from before a swipe belongs to the activity that was swiped away.
        let isCurrent = arrival.tokenNumber > activity.formerTokens
        var push = Push(
            activity: number,
            ride: activity.ride,
            // A start has a token of the phone, and renews nothing.
            life: arrival.event == .start ? 0 : isCurrent ? activity.life : activity.life &- 1,
            kind: arrival.event.kind,
            priority: arrival.priority,
            index: 0,
            rank: 0,
            passage: SenderPassage(offeredAt: loop.now),
            payload: Push.Payload(
                content: arrival.content,
                timestamp: arrival.timestamp,
                bytes: 0,
                alerts: arrival.alerts
            )
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

    /// Handles an end; while the ride goes on, only a monitor that has given up on the activity sends one.
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
    /// The event as a kind of push.
    fileprivate var kind: StoryLine.PushKind {
        switch self {
        case .start: .start
        case .update: .update
        case .end: .end
        }
    }
}
